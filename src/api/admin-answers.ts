import { oneOfWords, type RecordOf, type Shape, typed } from '../shape/shape.ts'
import { adminError } from './admin-errors.ts'
import { clockModes } from './clock.ts'
import { steps } from './context.ts'
import * as common from './operations/common.ts'
import { orderBook, price, tradingPair } from './operations/market-data.ts'
import { scopes } from './operations/operation.ts'
import { listedOrder, order, orderList } from './operations/orders.ts'
import { balance, position, summary, trade } from './operations/portfolio.ts'
import { quote } from './operations/quotes.ts'
import { riskExposure, riskLimits, utilization } from './operations/risk.ts'
import { closed, described, listOf, mapOf, openTo, orNull } from './wire-shapes.ts'

/*
 * The shapes of what the admin API answers: the server writes them, the console and live backtests read them. Shapes
 * of the venue itself stand here as the specification documents them, whatever the readings of a world are.
 */

const { boolean, integer, number, nullableText, text, timestamp } = common
const nullableTime = typed<string | null>({ type: ['string', 'null'], format: 'date-time' })
const id = described(text, 'its identifier')
const sequence = described(integer, 'number of the last line of its journal')
const now = described(timestamp, 'the present of the world')
const texts = listOf(text)

/** A document whose form is described elsewhere, or text: journals, snapshots, OpenAPI documents, metrics. */
export const anyDocument = typed<unknown>({ description: 'a document of its own kind' })

const yes = described(typed<true>({ const: true }), 'that it is done')
export const deleted = closed({ id, deleted: yes })
export const cleared = closed({ cleared: yes })
export const revoked = closed({ apiKey: described(text, 'the key'), revoked: yes })
export const stopping = closed({ status: described(typed<'stopping'>({ const: 'stopping' }), 'it ends') })
export const health = closed({ status: described(typed<'ok'>({ const: 'ok' }), 'it answers') })

export const readings = described(
  mapOf(typed<string>({ type: 'string' })),
  'how each open point of the specification is read, by its key',
)
export const changedReadings = closed({ readings })
const openPoint = closed({
  key: described(text, 'its key'),
  default: described(text, 'the value that holds unless another one is asked for'),
  alternatives: described(texts, 'its other values'),
  silent: described(text, 'where the specification is silent, or says two things'),
  why: described(text, 'why this is the default'),
  perRequest: described(boolean, 'whether a request may ask for another value'),
})
export const readingList = closed({ readings: described(listOf(openPoint), 'the open points') })

export const info = closed({
  name: described(text, 'otcsim'),
  version: described(text, 'the version of the program'),
  url: described(text, 'where the venue answers'),
  startedAt: described(timestamp, 'when the process began'),
  uptimeMs: described(integer, 'since then, in milliseconds'),
  seed: described(text, 'the seed of the default world'),
  scenario: described(text, 'the scenario of the default world'),
  readings,
  scenarios: described(texts, 'the scenarios that worlds can be made of, by name'),
  worlds: described(texts, 'the ids of all worlds'),
})

const clockFields = {
  mode: described(oneOfWords(...clockModes), 'what moves the time'),
  speed: described(number, 'seconds of the world for each second, in real time'),
  stepMs: described(integer, 'by which each request moves the time, in mode auto'),
} as const
export const clock = closed(clockFields, [], { description: 'how its time passes' })
export const clockNow = closed({ now, ...clockFields })

export const key = closed({
  apiKey: described(text, 'what X-API-Key is'),
  apiSecret: described(text, 'what requests are signed with'),
  scopes: described(listOf(oneOfWords(...scopes)), 'what it may do'),
})
export const account = closed({ id, keys: described(listOf(key), 'its working keys') })
const accounts = described(listOf(account), 'its accounts')
export const accountList = closed({ accounts })
const accountType = described(oneOfWords('cash', 'margin'), 'whether it may owe')
export const accountTerms = closed({
  id,
  type: accountType,
  fees: described(
    closed({
      makerBps: described(number, 'fee of a maker, in hundredths of a percent'),
      takerBps: described(number, 'fee of a taker, in hundredths of a percent'),
    }),
    'what its fills cost',
  ),
  limits: riskLimits,
})

const digestText = described(text, 'the hash of the whole state')
export const digest = closed({ digest: digestText, sequence, now })
const worldFields = {
  id,
  seed: described(text, 'what its market is drawn from'),
  scenario: described(text, 'the name of its scenario'),
  now,
  clock,
  readings,
  digest: digestText,
  accounts,
} as const
export const world = closed(worldFields)
export const advancing = closed({
  now: described(timestamp, 'how far it has come'),
  to: described(nullableTime, 'where it is going; null where that is not known'),
})
const settledWorld = closed(
  {
    ...worldFields,
    advancing: described(advancing, 'an advance that is under way'),
    requests: described(integer, 'how many requests it has had'),
    failures: described(integer, 'how many of them were refused or got no answer'),
    madeAt: described(timestamp, 'when it was made, by the wall clock'),
    test: described(nullableText, 'the name of the test that it is for; null where none was told'),
    failedTest: described(
      nullableText,
      'the name of the test that has failed in it; null when none has said so',
    ),
  },
  ['advancing'],
)
export const worldList = closed({ worlds: described(listOf(settledWorld), 'all of them') })

/** An event of a world. Its further fields depend on its type. */
export const event = openTo(
  typed<string | number | null>({ type: ['string', 'number', 'null'] }),
  closed({
    sequence: described(integer, 'counts the events of a world, from 1'),
    at: described(timestamp, 'when it happened'),
    type: described(text, 'such as order.filled'),
  }),
)

export const advanced = closed(
  {
    from: described(timestamp, 'when it began'),
    now,
    events: described(listOf(event), 'what happened, oldest first'),
    eventsOmitted: described(integer, 'how many older events are left out'),
    reason: described(text, 'why it ended there'),
    digest: digestText,
  },
  ['eventsOmitted'],
)

export const scheduled = closed({
  scheduled: described(integer, 'how many actions were taken in'),
  now,
  events: described(listOf(event), 'what those that were due at once have brought'),
})

export const transfer = closed({
  transferId: described(text, 'its identifier'),
  account: described(text, 'whose money it is'),
  asset: described(text, 'asset symbol'),
  quantity: described(number, 'how much'),
  status: described(oneOfWords('settled', 'pending'), 'whether it has arrived'),
  settlesAt: described(timestamp, 'when it arrives, or has arrived'),
})

export const movedPrice = closed({
  asset: described(text, 'asset symbol'),
  mark: described(number, 'the price now'),
  target: described(number, 'the price that it moves to'),
  reachedAt: described(timestamp, 'when it is there'),
})

export const liquidity = closed({
  asset: described(text, 'asset symbol'),
  spreadX: described(number, 'by how much the spread is multiplied'),
  depthX: described(number, 'by how much quantities are multiplied'),
  refreshX: described(number, 'by how much recovery after trades is multiplied'),
  oneSided: described(
    typed<'bids' | 'asks' | 'none' | null>({ enum: ['bids', 'asks', 'none', null] }),
    'the side that is left; null for both',
  ),
  stale: described(boolean, 'whether the book stands still'),
  forMs: described(
    typed<number | null>({ type: ['integer', 'null'] }),
    'for how long; null until it is changed',
  ),
})

export const pair = closed({
  symbol: described(text, 'pair symbol'),
  status: described(oneOfWords('active', 'inactive'), 'whether it can be traded'),
  minQuantity: described(number, 'minimum order quantity'),
  maxQuantity: described(number, 'maximum order quantity'),
  minPrice: described(number, 'minimum price'),
  minNotional: described(number, 'minimum order value'),
})

const limitFields = {
  enabled: described(boolean, 'whether requests are counted'),
  marketData: described(integer, 'market data requests in a window'),
  other: described(integer, 'other requests in a window'),
  windowMs: described(integer, 'length of the window, in milliseconds'),
} as const
export const rateLimits = closed(limitFields)

const requestFields = {
  sequence: described(integer, 'counts the requests of a world, from 1'),
  requestId: described(text, 'what X-Sim-Request-Id was'),
  at: described(timestamp, 'when it was answered, in the time of the world'),
  wallAt: described(timestamp, 'the same by the clock of the machine'),
  durationMs: described(number, 'how long that took from when it had come, by the clock of the machine'),
  worldSequence: described(integer, 'the journal’s last line when it had been answered'),
  method: described(text, 'its method'),
  path: described(text, 'its path'),
  query: described(text, 'its query with the question mark, or empty'),
  account: described(nullableText, 'the account of its key; null when none was found'),
  key: described(nullableText, 'what X-API-Key was; null without one'),
  requestBody: described(text, 'the first 4,096 bytes of its body'),
  status: described(integer, 'the status of the answer'),
  type: described(nullableText, 'the error type; null where there is none'),
  responseBody: described(text, 'the first 4,096 characters of the answer'),
  hint: described(nullableText, 'what X-Sim-Hint was'),
  fault: described(nullableText, 'the faults that struck it; null when none did'),
} as const
export const request = closed(requestFields)
export const requestList = closed({ requests: described(listOf(request), 'oldest first') })
export const testFailure = closed({
  test: described(text, 'its name'),
  message: described(text, 'what the assertion said'),
  world: described(text, 'the id of its world'),
  seed: described(text, 'what the market of its world was drawn from'),
  sequence: described(integer, 'the journal’s last line when it failed'),
  at: described(timestamp, 'when it failed, in the time of the world'),
  account: described(nullableText, 'whose request was refused last, or came last'),
})
/**
 * A failed test, with the state of its world at that moment. It is kept beside the journal of the world, with the
 * requests that the world received, so that `otcsim show` can open the console there. It holds no signatures and no
 * secrets.
 */
export type TestFailure = RecordOf<typeof testFailure>
export const noted = closed({ failure: described(orNull(testFailure), 'null when none has said so') })
export const failureNoted = closed({
  text: described(text, 'what the failure should end with'),
  folder: described(text, 'the folder of the files in the text'),
  files: described(
    listOf(closed({ name: described(text, 'its name there'), text: described(text, 'what is in it') })),
    'what is to be kept there',
  ),
})
export const requestCount = closed({ count: described(integer, 'how many match') })
export const verified = closed({
  verified: described(boolean, 'whether it is so'),
  matched: described(integer, 'how many match'),
  nearest: described(
    listOf(closed({ ...requestFields, differs: described(texts, 'the fields that differ') })),
    'requests that nearly match, when it is not so',
  ),
})
export const explanation = closed({
  world: described(text, 'the world of its key'),
  step: described(oneOfWords(...steps), 'the step that would answer'),
  passed: described(listOf(oneOfWords(...steps)), 'the steps before it'),
  status: described(integer, 'the status that it would have'),
  type: described(nullableText, 'the error type; null where there is none'),
  message: described(nullableText, 'why; null for a success'),
  hint: described(nullableText, 'what may be wrong; null when nothing is known'),
  fault: described(nullableText, 'the faults that would strike it; null when none would'),
  body: described(
    typed<object | null>({ type: ['object', 'null'], additionalProperties: true }),
    'what the operation would answer; null when it is not reached',
  ),
})

export const fault = closed({
  id,
  match: described(
    mapOf(typed<string | number>({ type: ['string', 'number'] })),
    'which requests it strikes; any value of what is left out',
  ),
  type: described(text, 'what goes wrong'),
  phase: described(
    typed<'before' | 'after' | null>({ enum: ['before', 'after', null] }),
    'before or after the operation is carried out',
  ),
  toxicity: described(number, 'the share of matching requests that it strikes'),
  count: described(
    typed<number | null>({ type: ['integer', 'null'] }),
    'how often at most; null without end',
  ),
  skip: described(integer, 'how many matching requests it lets pass first'),
  every: described(integer, 'every which matching request it strikes'),
  until: described(nullableTime, 'when it ends; null without end'),
  attributes: described(mapOf(typed<string | number>({ type: ['string', 'number'] })), 'how it goes wrong'),
  matched: described(integer, 'how many requests it has matched'),
  fired: described(integer, 'how many it has struck'),
})
const faults = described(listOf(fault), 'those in force')
export const faultList = closed({ faults })

export const snapshot = closed({ id, sequence, now, digest: digestText })
export const snapshotList = closed({
  snapshots: described(listOf(snapshot), 'those that are kept, oldest first'),
})

export const moment = closed({ sequence, at: described(timestamp, 'the instant') })
export const historyItem = closed({
  index: described(integer, 'counts from 0'),
  sequence: described(integer, 'the line of the journal that it is, or follows'),
  at: described(timestamp, 'when it happened'),
  kind: described(oneOfWords('command', 'change', 'event'), 'what it is'),
  type: described(text, 'such as place-order, fault-added or order.filled'),
  account: described(nullableText, 'whom it is about; null where there is none'),
  asset: described(nullableText, 'what it is about; null where there is none'),
  refusal: described(nullableText, 'why it was refused; null when it was not'),
  fields: described(
    mapOf(typed<string | number | null>({ type: ['string', 'number', 'null'] })),
    'the fields of an event, or what a command asks for',
  ),
})
export const history = closed({
  generation: described(integer, 'changes when the past is another one, after a reset or a restore'),
  begins: described(moment, 'where what is known begins'),
  reached: described(moment, 'how far it is known'),
  next: described(integer, 'what `from` is to be next'),
  isWhole: described(boolean, 'whether these are all, up to the present'),
  items: described(listOf(historyItem), 'what happened, oldest first'),
})
const priceRows = listOf(typed<readonly (number | null)[]>(listOf({ type: ['number', 'null'] })))
export const pastPrices = closed({
  asset: described(text, 'asset symbol'),
  isWhole: described(boolean, 'whether the past is known up to the present'),
  begins: described(moment, 'where the time of the moment begins: a restore or a reset takes a world back'),
  ends: described(orNull(moment), 'where it was taken back next; null for the time that goes on'),
  stepMs: described(
    integer,
    'the length of the parts of which only first, last, lowest and highest are told; 0 where all are',
  ),
  rows: described(
    priceRows,
    'instant in milliseconds, line, mark, best bid, best ask (null for none), whenever one has changed',
  ),
  trades: described(priceRows, 'instant in milliseconds, line, price'),
  fills: described(
    listOf(
      closed({
        sequence,
        at: described(timestamp, 'when it happened'),
        account: described(text, 'whose it is'),
        side: common.side,
        price: described(number, 'USD for one'),
        quantity: described(number, 'how much'),
        id: described(text, 'of its order or quote'),
      }),
    ),
    'every fill of clients, or of the account',
  ),
})

const standing = closed({
  limit: described(integer, 'requests in a window'),
  remaining: described(integer, 'requests that are left'),
})
const keyStanding = closed({
  apiKey: described(text, 'the key'),
  account: described(text, 'whose key it is'),
  marketData: described(standing, 'of market data'),
  other: described(standing, 'of all else'),
})
const scriptedAction = closed({
  at: described(nullableTime, 'when it comes; null while it waits for something'),
  action: described(text, 'what the script does, or the end of what it did for a while'),
  id: described(nullableText, 'its label in the scenario'),
  about: described(text, 'the account, the assets and the label that it is about'),
  waitsFor: described(nullableText, 'the label or the condition that must come first'),
  place: described(text, 'the file and the line; empty where the scenario is no file'),
})
const accountAtWork = closed({
  id,
  type: accountType,
  openOrders: described(integer, 'number of open orders'),
  liveQuotes: described(integer, 'number of live quotes'),
})
export const view = closed({
  world: described(text, 'the id of the world'),
  scenario: described(text, 'the name of its scenario'),
  seed: described(text, 'what its market is drawn from'),
  sequence,
  now,
  nextDueAt: described(nullableTime, 'when something happens next by itself; null: never'),
  upcoming: described(listOf(scriptedAction), 'what the scenario does next by itself, 50 at most'),
  clock,
  digest: described(nullableText, 'the hash of the whole state, where it was asked for'),
  assets: described(texts, 'the traded assets'),
  accounts: described(listOf(accountAtWork), 'all accounts of the world'),
  isPast: described(boolean, 'whether this is a moment of the past'),
  account: described(nullableText, 'the account that is shown; null in a world without accounts'),
  asset: described(text, 'the asset whose book is shown'),
  pairs: described(listOf(tradingPair), 'all pairs'),
  prices: described(listOf(price), 'their prices'),
  book: described(orNull(orderBook), 'the book of the asset; null in a world without accounts'),
  liquidity: described(liquidity, 'what the house does in that book'),
  orders: described(orNull(orderList), 'the open orders of the account; null without one'),
  recentOrders: described(listOf(listedOrder), 'its newest orders, whatever became of them'),
  quotes: described(listOf(quote), 'its live quotes'),
  trades: described(listOf(trade), 'its newest trades, 100 at most'),
  tradeCount: described(integer, 'how many trades it has'),
  balances: described(listOf(balance), 'its balances'),
  positions: described(listOf(position), 'its positions'),
  summary: described(orNull(summary), 'its portfolio; null without an account'),
  exposure: described(orNull(riskExposure), 'its exposure; null without an account'),
  utilization: described(orNull(utilization), 'how much of its limits is used; null without an account'),
  limits: described(orNull(riskLimits), 'its limits; null without an account'),
  faults,
  rateLimits: described(
    closed({
      ...limitFields,
      keys: described(orNull(listOf(keyStanding)), 'what each key may still send; null for the past'),
    }),
    'the rate limits',
  ),
})

/* Query parameters that several operations have. */

export const since = described(
  typed<string>({ type: 'string', pattern: '^[0-9]{1,15}$' }),
  'only what came after this sequence',
)
export const index = described(
  typed<string>({ type: 'string', pattern: '^[0-9]{1,15}$' }),
  'the index of the first item',
)
export const pastSequence = described(
  typed<string>({ type: 'string', pattern: '^[0-9]{1,15}$' }),
  'a moment of the past: behind which line of the journal',
)
export const pastInstant = described(
  typed<string>({ type: 'string', format: 'date-or-time' }),
  'with a sequence: at which instant before the next line',
)
export const tradedAsset = described(common.symbol, 'symbol of a traded asset')
export const viewedAccount = described(typed<string>({ type: 'string' }), 'the account that is shown')
const instant = typed<string>({ type: 'string', format: 'date-or-time' })
export const spanStart = described(instant, 'only from this instant on, and what held then')
export const spanEnd = described(instant, 'only until this instant')
export const spans = described(
  typed<string>({ type: 'string', pattern: '^[1-9][0-9]{0,3}$' }),
  'into how many parts the time is cut at most; 400 when left out',
)

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
