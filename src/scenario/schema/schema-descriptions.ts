import { isTupleOfShapes, type Shape } from '../../shape/shape.ts'
import type { RootSchema } from '../file/schema-words.ts'
import { scenarioSchema } from './schema.ts'

/*
 * What editors and the reference say about keys whose shape has no description: by the key, or by the key above
 * it and the key. A description in the shape wins.
 */
const texts: { readonly [key: string]: string } = {
  version: 'The version of the format; 1.',
  name: 'The name of the scenario in reports and worlds.',
  description: 'A sentence on what it is about.',
  seed: 'Seed of all random streams; 1 by default.',
  market: 'The rest of the world: prices, the liquidity of the house, takers.',
  assets: 'The assets that trade against USD, by symbol.',
  accounts: "The clients' accounts; desk, trader, maker and viewer by default.",
  timeline: 'What happens when.',
  expect: 'What must be so.',
  fees: 'Trading fees; maker 0 and taker 10 basis points by default.',
  selfTrade: 'What happens when an account would trade with itself; cancel_taker by default.',
  rateLimits: "How many requests a key may make; the specification's limits by default.",
  'rateLimits.enabled': 'Whether requests are counted at all.',
  'rateLimits.marketData': 'Market-data requests in one window.',
  'rateLimits.other': 'Other requests in one window.',
  'rateLimits.windowMs': 'Length of the window, milliseconds.',
  'fees.makerBps': "The maker's rate on the value of a fill; negative for a rebate.",
  'fees.takerBps': "The taker's rate on the value of a fill.",
  'fees.currency': 'Whether fees are charged in USD or in the received currency.',
  model: 'The model of the fundamental price; the four factors of the default market by default.',
  liquidity: 'The liquidity of the house in the book.',
  flow: 'Synthetic takers, who have no account here; those of kind hawkes come unless others, or none, are stated.',
  impact: 'What takers do to the price.',
  pair: 'Steps and bounds of orders; by default they follow from the price.',
  'pair.priceStep': 'Prices are multiples of this, USD.',
  'pair.quantityStep': 'Quantities are multiples of this.',
  'pair.minQuantity': 'Minimum quantity of an order.',
  'pair.maxQuantity': 'Maximum quantity of an order.',
  'pair.minPrice': 'Minimum price of an order, USD.',
  'pair.minNotional': 'Minimum value of an order, USD.',
  'pair.status': 'Whether orders are accepted from the start.',
  kind: 'Which of the kinds; the other keys depend on it.',
  'correlation.matrix': 'Correlations of the logarithmic moves, by pairs of assets.',
  'accounts.id': 'Names the account.',
  'accounts.type': 'A cash account never owes; a margin account may short within its leverage.',
  averageEntryPrice: 'Average price of a unit, USD.',
  limits: 'Risk limits; those of the venue by default.',
  maxOrderSize: 'Maximum quantity of an order, by asset.',
  minOrderSize: 'Minimum quantity of an order, by asset.',
  maxOpenOrders: 'Maximum number of live orders and quotes.',
  maxOpenOrdersPerAsset: 'Maximum number of live orders and quotes in one asset.',
  maxExposurePerAsset: 'Maximum exposure in an asset, USD.',
  maxLeverage: 'Maximum exposure divided by equity.',
  keys: 'API keys; by default one with the usual name and scopes.',
  'keys.key': "The key's name; by default made from the ids of world and account.",
  'keys.secret': 'Its secret; a public test value.',
  'keys.scopes': 'What the key may do.',
  eq: 'Equal.',
  ne: 'Not equal.',
  lt: 'Less.',
  lte: 'Less or equal.',
  gt: 'Greater.',
  gte: 'Greater or equal.',
  between: 'Between two bounds, both included.',
  in: 'One of these.',
  'match.method': 'The method.',
  'match.path': 'The path; "*" matches any text.',
  'match.key': 'The API key.',
  'match.account': 'The account.',
  'match.asset': 'The asset that the request is about.',
  'match.side': 'The side that the request is about.',
  'match.nth': 'Only the n-th request that matches, from 1.',
  latencyMs: 'How late the answer is.',
  jitterMs: 'How far it varies either way.',
  distribution: 'How latencies are distributed.',
  minMs: 'The least of uniform.',
  maxMs: 'The greatest of uniform.',
  meanMs: 'The mean of normal.',
  deviationMs: 'The standard deviation of normal.',
  p50Ms: 'The median of lognormal.',
  p99Ms: 'The 99th percentile of lognormal.',
  'attributes.clock': 'Whether real time passes, or that of the world.',
  timeoutMs: 'How long the connection stays open; 0: for ever.',
  delayMs: 'How long it is held back.',
  bytes: 'After this many bytes the connection ends.',
  rateKbps: 'Kilobits a second.',
  averageSize: 'Mean bytes of a piece.',
  sizeVariation: 'How much the sizes of pieces vary.',
  'attributes.status': 'The status of the answer.',
  'attributes.type': "The error type of the answer, by the specification's names.",
  'attributes.body': 'JSON text, answered as it is, whatever the interface would have said.',
  retryAfter: 'What Retry-After says, seconds.',
  skewMs: 'How far ahead the clock is, milliseconds.',
  share: "Share of the order's quantity, 0 to 1.",
  that: 'What must hold.',
  from: 'What sets it off.',
  to: 'What must follow.',
  asset: 'The asset.',
  params: 'How it behaves.',
  side: 'Buy or sell.',
  quantity: 'How much of the asset.',
  timeInForce: 'GTC, IOC or FOK.',
}

/** The scenario format in which every key that the table knows has a description. */
export const describedSchema: RootSchema = {
  ...scenarioSchema,
  properties: describedKeys(scenarioSchema.properties ?? {}, ''),
  definitions: Object.fromEntries(
    Object.entries(scenarioSchema.definitions).map(([name, schema]) => [name, described(schema, name)]),
  ),
}

function described(schema: Shape, key: string): Shape {
  const { properties, additionalProperties, items, oneOf } = schema
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: describedKeys(properties, key) }),
    ...(additionalProperties === undefined || additionalProperties === false
      ? {}
      : { additionalProperties: described(additionalProperties, key) }),
    ...(items === undefined
      ? {}
      : {
          items: isTupleOfShapes(items) ? items.map((item) => described(item, key)) : described(items, key),
        }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map((branch) => described(branch, key)) }),
  }
}

function describedKeys(
  properties: { readonly [name: string]: Shape },
  parent: string,
): { readonly [name: string]: Shape } {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const text = schema.description ?? texts[`${parent}.${key}`] ?? texts[key]
      const inner = described(schema, key)
      return [key, text === undefined ? inner : { ...inner, description: text }]
    }),
  )
}
