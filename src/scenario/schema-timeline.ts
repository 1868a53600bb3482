import { waypoints } from './schema-market.ts'
import type { Schema } from './schema-type.ts'
import {
  amount,
  duration,
  limits,
  moment,
  planned,
  positiveAmount,
  predicate,
  priceTerm,
  symbol,
  symbolOrAll,
  word,
} from './schema-words.ts'

/* `timeline` and `expect`: what happens when, and what must then be so. */

const record = (required: readonly string[], properties: { readonly [name: string]: Schema }): Schema => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})

const metadata: Schema = { type: 'object', maxProperties: 50 }
const clientId: Schema = { type: 'string', minLength: 1, maxLength: 64 }
const side: Schema = { enum: ['buy', 'sell'] }
const account: Schema = { title: "an account's id", type: 'string', minLength: 1, maxLength: 64 }
const transfer = record(['account', 'asset', 'quantity'], {
  account,
  asset: symbol,
  quantity: positiveAmount,
  pending: { ...duration, description: 'How long it waits before it settles.' },
})

const actions: { readonly [name: string]: Schema } = {
  path: record(['asset'], {
    asset: symbol,
    waypoints,
    price: { ...priceTerm, description: 'A jump, or with "over" a walk, to this price.' },
    shock: { ...priceTerm, description: 'The same as price, for a change from the mark.' },
    over: duration,
    noiseVol: { type: 'number', minimum: 0, maximum: 100 },
    model: planned('Another model from here on.'),
    volX: planned('Times the volatility.'),
    drift: planned('A drift from here on.'),
    noiseX: planned('Times the noise.'),
    beta: planned('Follow another asset.'),
    betaTo: planned('Follow another asset.'),
  }),
  liquidity: record(['asset'], {
    asset: symbolOrAll,
    spreadX: { type: 'number', minimum: 0, maximum: 1000 },
    depthX: { type: 'number', minimum: 0, maximum: 1000 },
    oneSided: { enum: ['bids', 'asks', 'none'], description: 'The only side that is left; none: no side.' },
    stale: {
      type: 'boolean',
      description: 'The book and the price stand still while the fundamental moves.',
    },
    for: duration,
    refreshX: planned('Times the refresh interval.'),
    recoverHalfLife: planned('How it comes back.'),
  }),
  halt: record(['asset'], { asset: symbolOrAll, mode: { enum: ['reject', 'rest'] }, for: duration }),
  resume: record(['asset'], { asset: symbolOrAll }),
  deposit: transfer,
  withdraw: transfer,
  limits: record(['account', 'set'], { account, set: limits }),
  order: record(['account', 'side', 'asset', 'quantity'], {
    as: word,
    account,
    side,
    asset: symbol,
    quantity: positiveAmount,
    price: priceTerm,
    orderType: { enum: ['limit', 'market'] },
    timeInForce: { enum: ['GTC', 'IOC', 'FOK'] },
    clientOrderId: clientId,
    metadata,
  }),
  amend: record([], {
    order: word,
    quote: word,
    quantity: positiveAmount,
    price: priceTerm,
    bidPrice: priceTerm,
    askPrice: priceTerm,
    bidSize: amount,
    askSize: amount,
    validForSeconds: { type: 'number', minimum: 1, maximum: 300 },
  }),
  cancel: record([], { order: word, quote: word, account, asset: symbol, side }),
  quote: record(['account', 'asset', 'bidPrice', 'askPrice', 'bidSize', 'askSize'], {
    as: word,
    account,
    asset: symbol,
    bidPrice: priceTerm,
    askPrice: priceTerm,
    bidSize: amount,
    askSize: amount,
    validForSeconds: { type: 'number', minimum: 1, maximum: 300 },
    clientQuoteId: clientId,
    metadata,
  }),
  note: { type: 'string', maxLength: 1000 },
}

const plannedActions = [
  'pair',
  'settle',
  'key',
  'rateLimit',
  'fault',
  'clock',
  'agent',
  'agentOrder',
  'snapshot',
  'await',
]

/** The names of the actions that run now. */
export const actionNames: readonly string[] = Object.keys(actions)

export const timelineEntry: Schema = {
  ...record(['at'], {
    at: moment,
    id: word,
    ...actions,
    every: planned('An action again and again.'),
    when: planned('An action when a predicate becomes true.'),
    once: planned('See when.'),
    ...Object.fromEntries(plannedActions.map((name) => [name, planned('An action.')])),
  }),
  oneOf: actionNames.map((name) => ({ required: [name] })),
}

const expectationNames = ['at', 'by', 'always', 'never']

export const expectation: Schema = {
  ...record([], {
    at: { ...moment, description: 'Holds at that moment.' },
    by: { ...moment, description: 'Has held at some moment up to then.' },
    that: predicate,
    always: { ...predicate, description: 'Holds at every moment.' },
    never: { ...predicate, description: 'Holds at no moment.' },
    message: { type: 'string', maxLength: 500 },
    within: planned('Holds within a span after a label.'),
    eventually: planned('Holds at some moment.'),
    leadsTo: planned('Whenever one holds, the other does within a span.'),
    tol: planned('A tolerance.'),
    aggregate: planned('Over many seeds.'),
    journalDigest: planned('Pins a run.'),
  }),
  oneOf: expectationNames.map((name) => ({ required: [name] })),
}
