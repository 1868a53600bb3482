import { scopes } from '../../api/operations/operation.ts'
import { selfTradeModes } from '../../engine/codes.ts'
import { statedFlow } from '../../market/flow/flow-spec.ts'
import { statedImpact } from '../../market/liquidity/impact.ts'
import { statedLiquidity, statedVolume } from '../../market/liquidity/liquidity.ts'
import { statedModel } from '../../market/models/price-models.ts'
import type { Shape } from '../../shape/shape.ts'
import { isTupleOfShapes } from '../../shape/shape.ts'
import { agentsSchema } from '../agents/compile-agents.ts'
import { longestSeed } from '../file/params.ts'
import type { RootSchema } from '../file/schema-words.ts'
import {
  amount,
  averagePrice,
  bySymbol,
  duration,
  instant,
  limits,
  positiveAmount,
  price,
  rateBps,
  refused,
  step,
  usd,
  word,
  words,
} from '../file/schema-words.ts'
import { expectation, timelineEntry } from './schema-timeline.ts'

/* `market` and `clock`: what moves the prices, what the venue shows, and when. */

const pair: Shape = {
  type: 'object',
  additionalProperties: false,
  properties: {
    priceStep: step,
    quantityStep: step,
    minQuantity: positiveAmount,
    maxQuantity: positiveAmount,
    minPrice: positiveAmount,
    minNotional: usd,
    status: { enum: ['active', 'inactive'] },
  },
}

const asset: Shape = {
  type: 'object',
  additionalProperties: false,
  properties: {
    price: { ...price, description: 'Price at the start, USD; optional with a replay.' },
    model: statedModel,
    liquidity: statedLiquidity,
    flow: statedFlow,
    impact: statedImpact,
    pair,
    decimals: {
      type: 'integer',
      minimum: 0,
      maximum: 12,
      description: 'Decimals of the smallest unit; 8 by default.',
    },
    advUsd: statedVolume,
    fees: refused('has no place here: fees are those of the venue, or of an account'),
  },
}

const correlation: Shape = {
  type: 'object',
  additionalProperties: false,
  required: ['matrix'],
  description: 'Correlation of the noises of gbm, merton, heston, garch, regimes and hawkes.',
  properties: {
    matrix: {
      oneOf: [
        {
          const: 'default',
          description: 'BTC-ETH 0.85, BTC-SOL 0.66, ETH-SOL 0.7, others 0.62, stablecoins 0.',
        },
        {
          type: 'object',
          title: 'correlations by pair, such as {BTC: {ETH: 0.85}}',
          additionalProperties: {
            type: 'object',
            additionalProperties: {
              type: 'number',
              minimum: -1,
              maximum: 1,
              description: 'Of the two assets; 0 where nothing is said.',
            },
          },
        },
      ],
    },
  },
}

const marketSchema: Shape = {
  type: 'object',
  additionalProperties: false,
  required: ['assets'],
  properties: {
    assets: { ...bySymbol(asset), minProperties: 1 },
    flow: statedFlow,
    preset: {
      const: 'otc-default',
      description: 'The defaults of a dealer venue, which apply without this key, too.',
    },
    correlation,
    impact: statedImpact,
  },
}

const clockSchema: Shape = {
  type: 'object',
  additionalProperties: false,
  description: 'Start, end and grid of the run, and how its clock moves on a server.',
  properties: {
    start: {
      oneOf: [instant, { const: 'data' }],
      title: 'an instant, or "data" for the first candle of the replay',
      description: 'The first instant; 2026-01-05T00:00:00Z unless given, or where the recording begins.',
    },
    end: {
      title: 'a duration after the start, an instant, or "data" for the end of the replay',
      type: 'string',
      minLength: 1,
      maxLength: 40,
      description: 'The last instant of a run; the last action or expectation by default.',
    },
    mode: {
      enum: ['manual', 'realtime', 'auto', 'scaled', 'stepped'],
      description:
        'What moves the clock of a server: only the admin API (manual, stepped), real time times speed (realtime, scaled), or each request (auto).',
    },
    speed: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description: 'World seconds per second of real time.',
    },
    stepMs: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400_000,
      description: 'How far each request moves the clock in mode auto, in milliseconds.',
    },
    grid: { ...duration, description: 'Spacing of the market, 100ms to 1h.' },
    scale: { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000, description: 'The same as speed.' },
    tz: { const: 'UTC', description: 'All times are UTC.' },
  },
}

const fees = (properties: { readonly [name: string]: Shape }): Shape => ({
  type: 'object',
  additionalProperties: false,
  properties: { makerBps: rateBps, takerBps: rateBps, ...properties },
})

const account: Shape = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: word,
    type: { enum: ['cash', 'margin'] },
    balances: { ...bySymbol(amount), description: 'Opening balances by asset, USD included.' },
    positions: {
      ...bySymbol({
        type: 'object',
        additionalProperties: false,
        required: ['averageEntryPrice'],
        properties: {
          averageEntryPrice: averagePrice,
          quantity: refused('has no place here: the position is the balance of the asset'),
        },
      }),
      description: 'Average price at which the opening balance was bought; by default the first mark.',
    },
    limits,
    fees: fees({}),
    keys: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          key: { type: 'string', minLength: 1, maxLength: 128 },
          secret: { type: 'string', minLength: 1, maxLength: 256 },
          scopes: {
            type: 'array',
            maxItems: 4,
            items: { enum: scopes },
          },
        },
      },
    },
  },
}

const fileName: Shape = { title: 'the name of a file', type: 'string', minLength: 1, maxLength: 1000 }

/** The whole scenario format, by which the loader validates; `describedSchema` adds texts for people. */
export const scenarioSchema: RootSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'an otcsim scenario',
  type: 'object',
  additionalProperties: false,
  required: ['version', 'name', 'market'],
  properties: {
    $schema: { type: 'string', description: 'For editors; not read.' },
    version: { const: 1 },
    name: word,
    description: { type: 'string', maxLength: 4000 },
    seed: {
      title: 'a seed, as text or as a whole number',
      type: ['string', 'integer'],
      minLength: 1,
      maxLength: longestSeed,
    },
    params: {
      type: 'object',
      maxProperties: 100,
      description:
        'Parameters and their defaults. A text refers to one by a dollar sign and its name in braces. A parameter without a default must be given by the caller.',
      propertyNames: word,
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    },
    clock: clockSchema,
    market: marketSchema,
    fees: fees({ currency: { enum: ['quote', 'received'] } }),
    selfTrade: { enum: selfTradeModes },
    rateLimits: {
      type: 'object',
      additionalProperties: false,
      properties: {
        enabled: { type: 'boolean' },
        marketData: { type: 'integer', minimum: 1, maximum: 1_000_000 },
        other: { type: 'integer', minimum: 1, maximum: 1_000_000 },
        windowMs: { type: 'integer', minimum: 1, maximum: 86_400_000 },
      },
    },
    readings: {
      title: 'values by reading, or a preset',
      type: ['object', 'string'],
      minLength: 1,
      maxProperties: 200,
      additionalProperties: { type: ['string', 'number', 'boolean'] },
      description:
        'Values of readings, the open points of the specification. A preset is a named set of them, alone as "@published-client", or as the value of the key preset among single readings, which override it.',
    },
    accounts: { type: 'array', maxItems: 10_000, items: account },
    timeline: { type: 'array', maxItems: 100_000, items: timelineEntry },
    expect: { type: 'array', maxItems: 10_000, items: expectation },
    include: {
      title: 'a file, or a list of files',
      description:
        'Scenario files, relative to this one, whose timeline and expectations go before those of this file; in the rest this file wins.',
      oneOf: [fileName, { type: 'array', maxItems: 100, items: fileName }],
    },
    matrix: {
      type: 'object',
      maxProperties: 20,
      propertyNames: word,
      additionalProperties: {
        title: 'values, or a span such as 1..100',
        oneOf: [
          { type: ['string', 'number', 'boolean'] },
          { type: 'array', minItems: 1, maxItems: 10_000, items: { type: ['string', 'number', 'boolean'] } },
        ],
      },
      description:
        'One run for each combination: `seed` and any parameters, each with a list of values or a span such as 1..100.',
    },
    agents: agentsSchema,
    report: {
      type: 'object',
      additionalProperties: false,
      description: 'What the report of a run shows besides its expectations.',
      properties: {
        metrics: {
          type: 'array',
          maxItems: 100,
          items: { type: 'string', minLength: 1, maxLength: 64 },
          description: 'Figures of each account, by the names that `metrics[account]` has.',
        },
        charts: { type: 'boolean', description: 'Whether the HTML report draws prices, fills and equity.' },
      },
    },
  },
  definitions: words,
}

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
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: described(additionalProperties, key) }
      : {}),
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
