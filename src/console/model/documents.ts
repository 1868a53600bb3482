import type { AnswerOf } from '../../client/row-types.ts'

/*
 * What the admin API answers, as far as the console reads it. It comes from the same package, so it is not validated
 * again.
 */

export type Price = AnswerOf<'listPrices'>['prices'][number]
export type Pair = AnswerOf<'listTradingPairs'>['pairs'][number]
export type OrderBook = AnswerOf<'getOrderBook'>
export type ListedOrder = AnswerOf<'listOrders'>['orders'][number]
export type Quote = AnswerOf<'getQuote'>
export type Trade = AnswerOf<'listTrades'>['trades'][number]
export type Balance = AnswerOf<'listBalances'>['balances'][number]
export type Position = AnswerOf<'listPositions'>['positions'][number]

export interface Clock {
  readonly mode: 'realtime' | 'manual' | 'auto'
  readonly speed: number
  readonly stepMs: number
}

export interface View {
  readonly world: string
  readonly scenario: string
  readonly seed: string
  readonly sequence: number
  readonly now: string
  readonly nextDueAt: string | null
  readonly isPast: boolean
  readonly clock: Clock
  readonly digest: string | null
  readonly assets: readonly string[]
  readonly accounts: readonly ViewedAccount[]
  readonly account: string | null
  readonly asset: string
  readonly pairs: readonly Pair[]
  readonly prices: readonly Price[]
  readonly book: OrderBook | null
  readonly orders: AnswerOf<'listOrders'> | null
  readonly recentOrders: readonly ListedOrder[]
  readonly quotes: readonly Quote[]
  readonly trades: readonly Trade[]
  readonly balances: readonly Balance[]
  readonly positions: readonly Position[]
  readonly summary: AnswerOf<'getSummary'> | null
  readonly exposure: AnswerOf<'getRiskExposure'> | null
  readonly utilization: AnswerOf<'getUtilization'> | null
  readonly limits: AnswerOf<'getLimits'>['limits'] | null
  readonly faults: readonly Fault[]
  readonly rateLimits: RateLimits
}

export interface ViewedAccount {
  readonly id: string
  readonly type: 'cash' | 'margin'
  readonly openOrders: number
  readonly liveQuotes: number
}

export interface RateLimits {
  readonly enabled: boolean
  readonly marketData: number
  readonly other: number
  readonly windowMs: number
  /** Null in the past: they are no part of a world's state. */
  readonly keys: readonly KeyStanding[] | null
}

export interface KeyStanding {
  readonly apiKey: string
  readonly account: string
  readonly marketData: Standing
  readonly other: Standing
}

export interface Standing {
  readonly limit: number
  readonly remaining: number
}

export interface Fault {
  readonly id: string
  readonly type: string
  readonly phase: string
  readonly match: { readonly [field: string]: string | number }
  readonly count: number | null
  readonly toxicity: number
  readonly until: string | null
  readonly matched: number
  readonly fired: number
  readonly attributes: { readonly [field: string]: string | number }
}

/** One thing of a world's past. */
export interface HistoryItem {
  readonly index: number
  readonly sequence: number
  readonly at: string
  readonly kind: 'command' | 'change' | 'event'
  readonly type: string
  readonly account: string | null
  readonly asset: string | null
  readonly refusal: string | null
  readonly fields: { readonly [field: string]: string | number | null }
}

/** How far a running advance has come; `to` is null where the end is not known. */
export interface Advance {
  readonly now: string
  readonly to: string | null
}

/** After a line of the journal, at an instant; '' is the instant of the line. */
export interface Place {
  readonly sequence: number
  readonly at: string
}

export interface HistoryPage {
  readonly generation: number
  readonly begins: Place
  readonly reached: Place
  readonly next: number
  readonly isWhole: boolean
  readonly items: readonly HistoryItem[]
}

/** Instants in milliseconds, and prices. */
export type PricePoints = readonly (readonly [number, number])[]

export interface PriceLines {
  readonly asset: string
  readonly marks: PricePoints
  readonly trades: PricePoints
}

export interface LoggedRequest {
  readonly sequence: number
  readonly requestId: string
  readonly at: string
  readonly wallAt: string
  readonly worldSequence: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly account: string | null
  readonly key: string | null
  readonly requestBody: string
  readonly status: number
  readonly type: string | null
  readonly responseBody: string
  readonly hint: string | null
  readonly fault: string | null
}

/** The test that has failed in a world. */
export interface TestFailure {
  readonly test: string
  readonly message: string
  readonly sequence: number
  readonly at: string
  readonly account: string | null
}

export interface Snapshot {
  readonly id: string
  readonly sequence: number
  readonly now: string
  readonly digest: string
}

export interface AccountKeys {
  readonly id: string
  readonly keys: readonly {
    readonly apiKey: string
    readonly apiSecret: string
    readonly scopes: readonly string[]
  }[]
}
