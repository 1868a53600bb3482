import { oneOfWords, type RecordOf, type Shape, shapeTyped } from '../shape/shape.ts'
import { adminError } from './admin-errors.ts'
import { clockModes } from './clock.ts'
import { steps } from './context.ts'
import { failureTarget } from './explain/explain-failure.ts'
import * as common from './operations/common.ts'
import { orderBook, price, tradingPair } from './operations/market-data.ts'
import { scopes } from './operations/operation.ts'
import { listedOrder, order, orderList } from './operations/orders.ts'
import { balance, position, summary, trade } from './operations/portfolio.ts'
import { quote } from './operations/quotes.ts'
import { riskExposure, riskLimits, utilization } from './operations/risk.ts'
import { answerLosses } from './request-words.ts'
import { describe, listOf, mapShape, object, openTo, orNull } from './wire-shapes.ts'

/*
 * The shapes of what the admin API answers: the server writes them, the console and live backtests read them. Shapes
 * of the venue itself stand here as the specification documents them, whatever the readings of a world are.
 */

const { boolean, integer, number, nullableText, text, timestamp } = common
const nullableTime = shapeTyped<string | null>({ type: ['string', 'null'], format: 'date-time' })
const id = describe(text, 'its identifier')
/** A place in the journal of a world. */
export const sequence = describe(integer, 'number of the last line of its journal')
const now = describe(timestamp, 'the present of the world')
const texts = listOf(text)

/** A document whose form is described elsewhere, or text: journals, snapshots, OpenAPI documents, metrics. */
export const anyDocument = shapeTyped<unknown>({ description: 'a document of its own kind' })

const yes = describe(shapeTyped<true>({ const: true }), 'always true')
export const deleted = object({ id, deleted: yes })
export const cleared = object({ cleared: yes })
export const revoked = object({ apiKey: describe(text, 'the key'), revoked: yes })
export const stopping = object({
  status: describe(
    shapeTyped<'stopping'>({ const: 'stopping' }),
    'always stopping: the process ends after this answer',
  ),
})
export const health = object({
  status: describe(shapeTyped<'ok'>({ const: 'ok' }), 'it answers, and every world can be changed'),
})

export const readings = describe(
  mapShape(shapeTyped<string>({ type: 'string' })),
  'how each open point of the specification is read, by its key',
)
export const changedReadings = object({ readings })
const openPoint = object({
  key: describe(text, 'its key'),
  default: describe(text, 'the value that holds unless another one is asked for'),
  alternatives: describe(texts, 'its other values'),
  silent: describe(text, 'where the specification is silent, or says two things'),
  why: describe(text, 'why this is the default'),
  perRequest: describe(boolean, 'whether a request may ask for another value'),
})
export const readingList = object({ readings: describe(listOf(openPoint), 'the open points') })

export const info = object({
  name: describe(text, 'otcsim'),
  version: describe(text, 'the version of the program'),
  url: describe(text, 'where the venue answers'),
  startedAt: describe(timestamp, 'when the process began'),
  uptimeMs: describe(integer, 'how long the process has run, in milliseconds'),
  seed: describe(text, 'the seed of the default world'),
  scenario: describe(text, 'the scenario of the default world'),
  readings,
  scenarios: describe(texts, 'the scenarios that worlds can be made of, by name'),
  worlds: describe(texts, 'the ids of all worlds'),
})

const clockFields = {
  mode: describe(oneOfWords(...clockModes), 'what moves the time'),
  speed: describe(number, 'seconds of the world for each second of real time, in mode realtime'),
  stepMs: describe(integer, 'how far each request moves the time, in milliseconds, in mode auto'),
  maxMs: describe(integer, 'how far one request may move the time, in milliseconds, in mode follow'),
} as const
export const clock = object(clockFields, [], { description: 'how its time passes' })
export const clockNow = object({ now, ...clockFields })

export const key = object({
  apiKey: describe(text, 'the value of the header X-API-Key'),
  apiSecret: describe(text, 'the secret with which requests are signed'),
  scopes: describe(listOf(oneOfWords(...scopes)), 'what it may do'),
})
export const account = object({ id, keys: describe(listOf(key), 'its working keys') })
const accounts = describe(listOf(account), 'its accounts')
export const accountList = object({ accounts })
const accountType = describe(oneOfWords('cash', 'margin'), 'whether it may owe')
export const accountTerms = object({
  id,
  type: accountType,
  fees: describe(
    object({
      makerBps: describe(number, 'fee of a maker, in hundredths of a percent'),
      takerBps: describe(number, 'fee of a taker, in hundredths of a percent'),
    }),
    'what its fills cost',
  ),
  limits: riskLimits,
})

const digestText = describe(text, 'the hash of the whole state')
export const digest = object({ digest: digestText, sequence, now })
const worldFields = {
  id,
  seed: describe(text, 'what its market is drawn from'),
  scenario: describe(text, 'the name of its scenario'),
  now,
  clock,
  readings,
  digest: digestText,
  accounts,
  parent: describe(
    orNull(
      object({
        world: describe(text, 'the id of the world that it was forked from'),
        sequence,
        at: describe(timestamp, 'the instant of the fork'),
      }),
    ),
    'where it was forked from',
  ),
} as const
export const world = object(worldFields)
export const advancing = object({
  now: describe(timestamp, 'how far it has come'),
  to: describe(nullableTime, 'where it is going; null where that is not known'),
})
const settledWorld = object(
  {
    ...worldFields,
    advancing: describe(advancing, 'an advance that is under way'),
    requests: describe(integer, 'how many requests it has had'),
    failures: describe(integer, 'how many of them were refused or did not get their whole answer'),
    madeAt: describe(timestamp, 'when it was made, by the wall clock'),
    test: describe(nullableText, 'the name of the test that it is for; null where none was told'),
    failedTest: describe(
      nullableText,
      'the name of the test that has failed in it; null when none has said so',
    ),
  },
  ['advancing'],
)
export const worldList = object(
  {
    worlds: describe(listOf(settledWorld), 'in the order in which they were made'),
    next: describe(
      nullableText,
      'what `after` is to be for the next page; null after the last world. Only of a page',
    ),
  },
  ['next'],
)
export const afterWorld = describe(text, 'a page of those made after the world with this id')
export const pageLimit = describe(
  shapeTyped<number>({ type: 'integer', minimum: 1, maximum: 1000 }),
  'a page of at most so many; 100 when left out of one',
)

/** An event of a world. Its further fields depend on its type. */
export const event = openTo(
  shapeTyped<string | number | null>({ type: ['string', 'number', 'null'] }),
  object({
    sequence: describe(integer, 'counts the events of a world, from 1'),
    at: describe(timestamp, 'when it happened'),
    type: describe(text, 'such as order.filled'),
  }),
)

export const advanced = object(
  {
    from: describe(timestamp, 'when it began'),
    now,
    events: describe(listOf(event), 'what happened, oldest first'),
    eventsOmitted: describe(integer, 'how many older events are left out'),
    reason: describe(text, 'why it ended there'),
    digest: digestText,
  },
  ['eventsOmitted'],
)

export const scheduled = object({
  scheduled: describe(integer, 'how many actions were taken in'),
  now,
  events: describe(listOf(event), 'what those that were due at once have brought'),
})

export const transfer = object({
  transferId: describe(text, 'its identifier'),
  account: describe(text, 'whose money it is'),
  asset: describe(text, 'asset symbol'),
  quantity: describe(number, 'how much'),
  status: describe(oneOfWords('settled', 'pending'), 'whether it has arrived'),
  settlesAt: describe(timestamp, 'when it arrives, or has arrived'),
})

export const movedPrice = object({
  asset: describe(text, 'asset symbol'),
  mark: describe(number, 'the price now'),
  target: describe(number, 'the price that it moves to'),
  reachedAt: describe(timestamp, 'when it is there'),
})

export const liquidity = object({
  asset: describe(text, 'asset symbol'),
  spreadX: describe(number, 'by how much the spread is multiplied'),
  depthX: describe(number, 'by how much quantities are multiplied'),
  refreshX: describe(number, 'by how much recovery after trades is multiplied'),
  oneSided: describe(
    shapeTyped<'bids' | 'asks' | 'none' | null>({ enum: ['bids', 'asks', 'none', null] }),
    'the side that is left; null for both',
  ),
  stale: describe(boolean, 'whether the book stands still'),
  forMs: describe(
    shapeTyped<number | null>({ type: ['integer', 'null'] }),
    'for how long; null until it is changed',
  ),
})

export const pair = object({
  symbol: describe(text, 'pair symbol'),
  status: describe(oneOfWords('active', 'inactive'), 'whether it can be traded'),
  minQuantity: describe(number, 'minimum order quantity'),
  maxQuantity: describe(number, 'maximum order quantity'),
  minPrice: describe(number, 'minimum price'),
  minNotional: describe(number, 'minimum order value'),
})

const limitFields = {
  enabled: describe(boolean, 'whether requests are counted'),
  marketData: describe(integer, 'market data requests in a window'),
  other: describe(integer, 'other requests in a window'),
  windowMs: describe(integer, 'length of the window, in milliseconds'),
} as const
export const rateLimits = object(limitFields)

const requestFields = {
  sequence: describe(integer, 'counts the requests of a world, from 1'),
  requestId: describe(text, 'what X-Sim-Request-Id was'),
  at: describe(timestamp, 'when it was answered, in the time of the world'),
  wallAt: describe(timestamp, 'when it was answered, by the clock of the machine'),
  durationMs: describe(
    number,
    'time from its arrival to its answer in milliseconds, by the clock of the machine',
  ),
  worldSequence: describe(integer, 'the journal’s last line when it had been answered'),
  method: describe(text, 'its method'),
  path: describe(text, 'its path'),
  query: describe(text, 'its query with the question mark, or empty'),
  account: describe(nullableText, 'the account of its key; null when none was found'),
  key: describe(nullableText, 'what X-API-Key was; null without one'),
  requestBody: describe(text, 'the first 4,096 bytes of its body'),
  status: describe(integer, 'the status of the answer'),
  type: describe(nullableText, 'the error type; null where there is none'),
  responseBody: describe(text, 'the first 4,096 characters of the answer'),
  hint: describe(nullableText, 'what X-Sim-Hint was'),
  fault: describe(nullableText, 'the faults that struck it; null when none did'),
  lost: describe(
    orNull(oneOfWords(...answerLosses)),
    'how a fault kept the answer from its caller: `before` it was carried out, `after` it was, or `cut` off; null when it did not',
  ),
} as const
export const request = object(requestFields)
export const requestList = object({ requests: describe(listOf(request), 'oldest first') })
export const testFailure = object({
  test: describe(text, 'its name'),
  message: describe(text, 'what the assertion said'),
  world: describe(text, 'the id of its world'),
  seed: describe(text, 'what the market of its world was drawn from'),
  sequence: describe(integer, 'the journal’s last line when it failed'),
  at: describe(timestamp, 'when it failed, in the time of the world'),
  account: describe(nullableText, 'whose request was refused last, or came last'),
  answer: describe(texts, 'what the venue knows of the cause, the likeliest first, each a sentence'),
  about: describe(orNull(failureTarget), 'what the first sentence is about; null for nothing to select'),
})
/**
 * A failed test, with the state of its world at that moment. It is kept beside the journal of the world, with the
 * requests that the world received, so that `otcsim show` can open the console there. It holds no signatures and no
 * secrets.
 */
export type TestFailure = RecordOf<typeof testFailure>
export const noted = object({ failure: describe(orNull(testFailure), 'null when none has said so') })
export const failureNoted = object({
  text: describe(text, 'what the failure should end with'),
  answer: testFailure.properties.answer,
  folder: describe(text, 'the folder of the files in the text'),
  files: describe(
    listOf(object({ name: describe(text, 'its name there'), text: describe(text, 'what is in it') })),
    'what is to be kept there',
  ),
})
export const requestCount = object({ count: describe(integer, 'how many match') })
export const verified = object({
  verified: describe(boolean, 'whether as many requests match as were asked for'),
  matched: describe(integer, 'how many match'),
  lookedAt: describe(object({ requests: describe(integer, 'how many the log has') }), 'what it rests on'),
  lacks: describe(nullableText, 'why the log cannot tell; null when it can'),
  nearest: describe(
    listOf(object({ ...requestFields, differs: describe(texts, 'the fields that differ') })),
    'requests that nearly match, when it is not so',
  ),
})
export const explanation = object({
  world: describe(text, 'the world of its key'),
  step: describe(oneOfWords(...steps), 'the step that would answer'),
  passed: describe(listOf(oneOfWords(...steps)), 'the steps before it'),
  status: describe(integer, 'the status that it would have'),
  type: describe(nullableText, 'the error type; null where there is none'),
  message: describe(nullableText, 'why; null for a success'),
  hint: describe(nullableText, 'what may be wrong; null when nothing is known'),
  fault: describe(nullableText, 'the faults that would strike it; null when none would'),
  body: describe(
    shapeTyped<object | null>({ type: ['object', 'null'], additionalProperties: true }),
    'what the operation would answer; null when it is not reached',
  ),
})

export const fault = object({
  id,
  match: describe(
    mapShape(shapeTyped<string | number | object>({ type: ['string', 'number', 'object'] })),
    'which requests it strikes; any value of what is left out',
  ),
  type: describe(text, 'what goes wrong'),
  phase: describe(
    shapeTyped<'before' | 'after' | null>({ enum: ['before', 'after', null] }),
    'before or after the operation is carried out',
  ),
  toxicity: describe(number, 'the share of matching requests that it strikes'),
  count: describe(
    shapeTyped<number | null>({ type: ['integer', 'null'] }),
    'how often at most; null without end',
  ),
  skip: describe(integer, 'how many matching requests it lets pass first'),
  every: describe(integer, 'every which matching request it strikes'),
  until: describe(nullableTime, 'when it ends; null without end'),
  attributes: describe(
    mapShape(shapeTyped<string | number>({ type: ['string', 'number'] })),
    'how it goes wrong',
  ),
  matched: describe(integer, 'how many requests it has matched'),
  fired: describe(integer, 'how many it has struck'),
})
const faults = describe(listOf(fault), 'those in force')
export const faultList = object({ faults })

export const snapshot = object({ id, sequence, now, digest: digestText })
export const snapshotList = object({
  snapshots: describe(listOf(snapshot), 'those that are kept, oldest first'),
})

const standing = object({
  limit: describe(integer, 'requests in a window'),
  remaining: describe(integer, 'requests that are left'),
})
const keyStanding = object({
  apiKey: describe(text, 'the key'),
  account: describe(text, 'whose key it is'),
  marketData: describe(standing, 'requests of market data'),
  other: describe(standing, 'all other requests'),
})
const scriptedAction = object({
  at: describe(nullableTime, 'when it comes; null while it waits for something'),
  action: describe(text, 'what the script does, or the end of what it did for a while'),
  id: describe(nullableText, 'its label in the scenario'),
  about: describe(text, 'the account, the assets and the label that it is about'),
  waitsFor: describe(nullableText, 'the label or the condition that must come first'),
  place: describe(text, 'the file and the line; empty where the scenario is no file'),
})
const accountAtWork = object({
  id,
  type: accountType,
  openOrders: describe(integer, 'number of open orders'),
  liveQuotes: describe(integer, 'number of live quotes'),
})
export const view = object({
  world: describe(text, 'the id of the world'),
  scenario: describe(text, 'the name of its scenario'),
  seed: describe(text, 'what its market is drawn from'),
  sequence,
  now,
  nextDueAt: describe(nullableTime, 'when something happens next by itself; null: never'),
  upcoming: describe(listOf(scriptedAction), 'what the scenario does next by itself, 50 at most'),
  clock,
  digest: describe(nullableText, 'the hash of the whole state, where it was asked for'),
  assets: describe(texts, 'the traded assets'),
  accounts: describe(listOf(accountAtWork), 'all accounts of the world'),
  isPast: describe(boolean, 'whether this is a moment of the past'),
  account: describe(nullableText, 'the account that is shown; null in a world without accounts'),
  asset: describe(text, 'the asset whose book is shown'),
  pairs: describe(listOf(tradingPair), 'all pairs'),
  prices: describe(listOf(price), 'their prices'),
  book: describe(orNull(orderBook), 'the book of the asset; null in a world without accounts'),
  liquidity: describe(liquidity, 'what the house does in that book'),
  orders: describe(orNull(orderList), 'the open orders of the account; null without one'),
  queuePlaces: describe(
    listOf(
      object({
        orderId: describe(text, 'one of its open orders'),
        told: describe(text, 'what of the quantity before it is left, as a sentence says it'),
      }),
    ),
    'how much stands before its open orders in recorded books, in words',
  ),
  recentOrders: describe(listOf(listedOrder), 'its newest orders, whatever became of them'),
  quotes: describe(listOf(quote), 'its live quotes'),
  trades: describe(listOf(trade), 'its newest trades, 100 at most'),
  tradeCount: describe(integer, 'how many trades it has'),
  balances: describe(listOf(balance), 'its balances'),
  positions: describe(listOf(position), 'its positions'),
  summary: describe(orNull(summary), 'its portfolio; null without an account'),
  exposure: describe(orNull(riskExposure), 'its exposure; null without an account'),
  utilization: describe(orNull(utilization), 'how much of its limits is used; null without an account'),
  limits: describe(orNull(riskLimits), 'its limits; null without an account'),
  faults,
  rateLimits: describe(
    object({
      ...limitFields,
      keys: describe(orNull(listOf(keyStanding)), 'what each key may still send; null for the past'),
    }),
    'the rate limits',
  ),
})

/* Query parameters that several operations have. */
export const since = describe(
  shapeTyped<string>({ type: 'string', pattern: '^[0-9]{1,15}$' }),
  'only what came after this sequence',
)
export const tradedAsset = describe(common.symbol, 'symbol of a traded asset')
export const viewedAccount = describe(shapeTyped<string>({ type: 'string' }), 'the account that is shown')

/** The names of the admin document's components, besides those of the venue's own shapes. */
export const shapeNames: ReadonlyMap<Shape, string> = new Map<Shape, string>([
  [adminError, 'Error'],
  [key, 'Key'],
  [account, 'Account'],
  [clock, 'Clock'],
  [world, 'World'],
  [event, 'Event'],
  [transfer, 'Transfer'],
  [rateLimits, 'RateLimits'],
  [request, 'LoggedRequest'],
  [explanation, 'Explanation'],
  [fault, 'Fault'],
  [snapshot, 'Snapshot'],
  [digest, 'Digest'],
  [order, 'Order'],
  [quote, 'Quote'],
])
