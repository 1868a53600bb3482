import { faultAction } from './schema-fault.ts'
import { models, waypoints } from './schema-market.ts'
import type { Schema } from './schema-type.ts'
import {
  amount,
  duration,
  limits,
  positiveAmount,
  predicate,
  priceTerm,
  symbol,
  symbolOrAll,
  word,
} from './schema-words.ts'

/* The actions of a timeline, one shape each. */

export const record = (
  required: readonly string[],
  properties: { readonly [name: string]: Schema },
  description?: string,
): Schema => ({
  ...(description === undefined ? {} : { description }),
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})

const metadata: Schema = {
  type: 'object',
  maxProperties: 50,
  description: "The caller's own data, handed back as it is.",
}
const clientId: Schema = { type: 'string', minLength: 1, maxLength: 64, description: "The client's own id." }
const side: Schema = { enum: ['buy', 'sell'], description: 'Buy or sell.' }
const account: Schema = {
  title: "an account's id",
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: "The account's id.",
}
const asset: Schema = { ...symbol, description: 'The asset, against USD.' }
const assets: Schema = { ...symbolOrAll, description: 'The asset, or "*" for all.' }
const lasts = (what: string): Schema => ({ ...duration, description: what })
const label = (what: string): Schema => ({ ...word, description: what })
const price = (what: string): Schema => ({ ...priceTerm, description: what })
const factor = (what: string): Schema => ({ type: 'number', minimum: 0, maximum: 1000, description: what })
const validity: Schema = {
  type: 'number',
  minimum: 1,
  maximum: 300,
  description: 'How long the quote lives, seconds.',
}
const key: Schema = { type: 'string', minLength: 1, maxLength: 128, description: 'An API key by its name.' }
const scopes: Schema = {
  type: 'array',
  maxItems: 4,
  items: { enum: ['READ', 'TRADE', 'MARKET_MAKING', 'WITHDRAW'] },
  description: 'What the key may do from now on.',
}

const transfer = (description: string): Schema =>
  record(
    ['account', 'asset', 'quantity'],
    {
      as: label('A label, for `settle`.'),
      account,
      asset: { ...symbol, description: 'The asset, or USD.' },
      quantity: { ...positiveAmount, description: 'How much.' },
      pending: lasts('How long it waits before it settles; at once unless given.'),
    },
    description,
  )

const marketActions: { readonly [name: string]: Schema } = {
  path: record(
    ['asset'],
    {
      asset,
      waypoints: { ...waypoints, description: 'Prices, or changes from the mark, at offsets from now.' },
      price: price('A jump, or with "over" a walk, to this price.'),
      shock: price('The same as price, for a change from the mark.'),
      over: lasts('How long the walk to `price` or `shock` takes.'),
      betaTo: {
        ...symbol,
        description: "Follow what is left of this asset's path, its logarithmic moves times `beta`.",
      },
      beta: { type: 'number', minimum: -10, maximum: 10, description: 'See betaTo; 1 unless given.' },
      noiseVol: {
        type: 'number',
        minimum: 0,
        maximum: 100,
        description: 'Annual volatility of the noise between the points.',
      },
      noiseX: factor("Noise as a multiple of the volatility of the asset's own model."),
      model: {
        ...models,
        description:
          'Another model from here on, as the asset itself can have it: its price goes on from where it is. Points lie so long after this, and a recording begins here.',
      },
      volX: factor('Times the logarithmic moves of its model, until the next path or price.'),
      drift: {
        type: 'number',
        minimum: -100,
        maximum: 100,
        description:
          'A drift of the logarithm beside it, a year (0.1 is 10 %), until its next path or price.',
      },
    },
    'Moves the price; afterwards its own model goes on from where it is.',
  ),
  liquidity: record(
    ['asset'],
    {
      asset: assets,
      spreadX: factor('Times the spread of the house.'),
      depthX: factor('Times the depth of the house.'),
      oneSided: { enum: ['bids', 'asks', 'none'], description: 'The only side that is left; none: no side.' },
      stale: {
        type: 'boolean',
        description: 'The book and the price stand still while the fundamental moves.',
      },
      for: lasts('How long; then what was before comes back.'),
      recoverHalfLife: lasts('Half-life of the way back to normal, after `for` or from now on.'),
      refreshX: factor('Times the pace at which what was taken from the levels of the house comes back.'),
    },
    'Conditions of the liquidity of the house. What is not named is normal.',
  ),
  halt: record(
    ['asset'],
    {
      asset: assets,
      mode: { enum: ['reject', 'rest'], description: 'Whether new orders are refused, or rest unmatched.' },
      for: lasts('How long; then what was before comes back. Until `resume` unless given.'),
    },
    'Stops trading.',
  ),
  resume: record(['asset'], { asset: assets }, 'Ends a halt; what crossed meanwhile trades.'),
  pair: record(
    ['asset', 'set'],
    {
      asset: assets,
      set: {
        ...record([], {
          status: { enum: ['active', 'inactive'], description: 'Inactive refuses new orders.' },
          minQuantity: { ...positiveAmount, description: 'Least quantity of an order.' },
          maxQuantity: { ...positiveAmount, description: 'Greatest quantity of an order.' },
          minPrice: { ...positiveAmount, description: 'Least price of an order.' },
          minNotional: { ...amount, description: 'Least value of an order, USD.' },
        }),
        minProperties: 1,
        description: 'What changes.',
      },
    },
    "Changes a pair's bounds or status.",
  ),
}

const clientActions: { readonly [name: string]: Schema } = {
  order: record(
    ['account', 'side', 'asset', 'quantity'],
    {
      as: label('A label: `order[label].status`, and for `amend` and `cancel`.'),
      account,
      side,
      asset,
      quantity: { ...positiveAmount, description: 'How much of the asset.' },
      price: price('The limit; none for a market order.'),
      orderType: { enum: ['limit', 'market'], description: 'Limit unless given.' },
      timeInForce: { enum: ['GTC', 'IOC', 'FOK'], description: 'GTC unless given.' },
      clientOrderId: clientId,
      metadata,
    },
    'Places an order for an account.',
  ),
  amend: record(
    [],
    {
      order: label('The order to amend, by its label.'),
      quote: label('The quote to amend, by its label.'),
      quantity: { ...positiveAmount, description: 'The new total quantity of the order.' },
      price: price('The new limit of the order.'),
      bidPrice: price("The quote's new bid."),
      askPrice: price("The quote's new offer."),
      bidSize: { ...amount, description: 'The new size of the bid.' },
      askSize: { ...amount, description: 'The new size of the offer.' },
      validForSeconds: validity,
    },
    'Amends an order or a quote that a label names.',
  ),
  cancel: record(
    [],
    {
      order: label('The order to cancel, by its label.'),
      quote: label('The quote to cancel, by its label.'),
      account: { ...account, description: 'All live orders of this account.' },
      asset: { ...symbol, description: 'With `account`: those of one asset.' },
      side: { enum: ['buy', 'sell'], description: 'With `account`: those of one side.' },
    },
    'Cancels an order, a quote, or all orders of an account.',
  ),
  quote: record(
    ['account', 'asset', 'bidPrice', 'askPrice', 'bidSize', 'askSize'],
    {
      as: label('A label: `quote[label].status`, and for `amend` and `cancel`.'),
      account,
      asset,
      bidPrice: price('What the account buys at.'),
      askPrice: price('What the account sells at.'),
      bidSize: { ...amount, description: 'How much it buys.' },
      askSize: { ...amount, description: 'How much it sells.' },
      validForSeconds: validity,
      clientQuoteId: clientId,
      metadata,
    },
    'Submits a two-sided quote for an account.',
  ),
  agentOrder: record(
    ['kind', 'asset', 'side', 'quantity', 'target'],
    {
      kind: { const: 'taker', description: 'A taker, which is the only kind.' },
      asset,
      side: { enum: ['buy', 'sell'], description: 'Whether the taker buys or sells.' },
      quantity: { ...positiveAmount, description: 'At most what is left of what it meets.' },
      target: record(['account'], { account }, 'Whose best live order or quote side it meets.'),
    },
    "A taker from outside that meets one account's best live order or quote side, at that price.",
  ),
}

const accountActions: { readonly [name: string]: Schema } = {
  deposit: transfer('Brings an asset or USD in.'),
  withdraw: transfer('Takes an asset or USD out.'),
  settle: record(
    [],
    {
      transfer: label('One transfer, by its label.'),
      account: { ...account, description: 'All pending transfers of this account.' },
      asset: { ...symbol, description: 'With `account`: those of one asset.' },
    },
    'Settles what is pending.',
  ),
  limits: record(['account', 'set'], { account, set: limits }, "Changes an account's risk limits."),
  agent: record(
    ['id'],
    {
      id: label('The agent, by its id under `agents`.'),
      start: { const: true, description: 'It acts from now on.' },
      stop: { const: true, description: 'It stops acting.' },
      set: {
        type: 'object',
        minProperties: 1,
        maxProperties: 50,
        description: 'New values for some of its parameters.',
      },
    },
    'Starts, stops or changes an agent.',
  ),
}

const worldActions: { readonly [name: string]: Schema } = {
  key: record(
    [],
    {
      key,
      account: { ...account, description: 'All keys of this account.' },
      revoke: { type: 'boolean', description: 'Whether it is refused from now on.' },
      scopes,
      for: lasts('How long; then what was before comes back.'),
    },
    'Revokes API keys, or changes what they may do.',
  ),
  rateLimit: record(
    ['perS'],
    {
      category: { enum: ['marketData', 'other', 'all'], description: 'Which requests; all unless given.' },
      perS: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'Requests a second and key.' },
      for: lasts('How long; then what was before comes back.'),
    },
    'Changes the rate limits.',
  ),
  fault: faultAction,
  clock: record(
    ['skew'],
    {
      skew: {
        title: 'a duration with its sign, such as -31s',
        type: 'string',
        pattern: '^[+-]?([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+$',
        description: "What the venue's clock for signed timestamps is ahead of the true one.",
        examples: ['-31s', '+5s'],
      },
      for: lasts('How long; then the clock is right again.'),
    },
    'Sets the clock that signed timestamps are judged by.',
  ),
  snapshot: record(['name'], { name: label('What it is called.') }, 'Takes a snapshot of the world.'),
  note: { type: 'string', maxLength: 1000, description: 'Does nothing; shows in the list of events.' },
  await: record(
    [],
    {
      request: {
        ...record(
          [],
          {
            method: { enum: ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'], description: 'Its method.' },
            path: {
              type: 'string',
              title: 'a path that begins with "/"',
              pattern: '^/',
              maxLength: 500,
              description: 'Its path; "*" stands for any text.',
            },
            key,
            account,
            status: { type: 'integer', minimum: 100, maximum: 599, description: "Its answer's status." },
          },
          "A request of a client (or an agent's command that stands for one) that matches everything given.",
        ),
        minProperties: 1,
      },
      that: predicate,
      bind: label('A label for the order or quote that the request made.'),
      timeout: lasts('How long, in the time of the world; as long as the run goes unless given.'),
      wallTimeout: lasts(
        'How long in real time, in a run with a client (`otcsim run --client`); a minute unless given. It has no effect without a client.',
      ),
      required: {
        type: 'boolean',
        description: 'Whether a run in which it never came has failed; true unless given.',
      },
    },
    'Waits for a client. Entries at this one\'s id, such as "id+5s", come so long after what was awaited.',
  ),
}

export const actions: { readonly [name: string]: Schema } = {
  ...marketActions,
  ...clientActions,
  ...accountActions,
  ...worldActions,
}

/** The names of the actions. */
export const actionNames: readonly string[] = Object.keys(actions)
