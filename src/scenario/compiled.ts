import type { Scope } from '../api/routes/route.ts'
import type { OrderType, Side, TimeInForce } from '../engine/codes.ts'
import type { Metadata } from '../engine/commands.ts'
import type { VenueConfig } from '../engine/config.ts'
import type { LiquidityConditions } from '../market/liquidity.ts'
import type { Atoms, Millis, PartsPerMillion, PriceTicks, QuantitySteps } from '../numeric/units.ts'
import type { Predicate } from './predicate.ts'
import type { Place } from './tree.ts'

/*
 * A scenario file after all its words have become numbers: what a world is made of, and what happens in it. Plain
 * data. Times are instants since 1970, assets and accounts are the engine's rows.
 */

export interface CompiledScenario {
  readonly name: string
  readonly description: string
  /** As given to the loader; empty for a scenario that came as an object. */
  readonly file: string
  readonly venue: VenueConfig
  readonly clock: ScenarioClock
  /** Clients in the order of `venue.accounts`, whose rows they have. */
  readonly access: readonly AccountAccess[]
  readonly rateLimits: RateLimits
  /** As stated, and known; values normalised to strings. */
  readonly readings: ReadonlyMap<string, string>
  /** By time, and at one time by order in the file. */
  readonly timeline: readonly TimedAction[]
  readonly expectations: readonly Expectation[]
}

export interface ScenarioClock {
  /** Null: not stated, so whoever runs it decides (`serve`: realtime, fixtures: manual). */
  readonly mode: 'manual' | 'realtime' | 'auto' | null
  /** World seconds in a wall second, for realtime. */
  readonly speed: number
  /** What each venue request advances, for auto. */
  readonly stepMillis: Millis
  /** Null: as far as the last action or expectation. */
  readonly endMillis: Millis | null
}

export interface AccountAccess {
  readonly id: string
  readonly keys: readonly KeyGrant[]
}

/** Null key or secret: made from the world's id by `keysOfWorld`. */
export interface KeyGrant {
  readonly apiKey: string | null
  readonly apiSecret: string | null
  readonly scopes: readonly Scope[]
}

export interface RateLimits {
  readonly isEnabled: boolean
  /** Requests a key may make in one window. */
  readonly marketData: number
  readonly other: number
  readonly windowMillis: Millis
}

export interface TimedAction {
  readonly at: Millis
  readonly id: string | null
  readonly place: Place
  readonly action: ScriptedAction
}

/**
 * One action with everything resolved that the file alone can resolve. What depends on the run (an order that a label
 * names, a price relative to the mark) is left to `script.ts`.
 */
export type ScriptedAction =
  | OrderAction
  | AmendAction
  | CancelOrderAction
  | CancelOrdersAction
  | QuoteAction
  | AmendQuoteAction
  | CancelQuoteAction
  | TransferAction
  | HaltAction
  | ResumeAction
  | PathAction
  | LiquidityAction
  | LimitsAction
  | NoteAction

/** A price that is fixed, or a share of the mark at the moment of the action. */
export type PriceTerm =
  | { readonly kind: 'ticks'; readonly priceTicks: PriceTicks }
  | { readonly kind: 'ofMark'; readonly change: PartsPerMillion }

export interface OrderAction {
  readonly kind: 'order'
  readonly label: string | null
  readonly account: number
  readonly asset: number
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly quantitySteps: QuantitySteps
  /** Null for market orders. */
  readonly price: PriceTerm | null
  readonly clientOrderId: string | null
  readonly metadata: Metadata | null
}

export interface AmendAction {
  readonly kind: 'amend'
  readonly label: string
  readonly quantitySteps: QuantitySteps | null
  readonly price: PriceTerm | null
}

export interface CancelOrderAction {
  readonly kind: 'cancel-order'
  readonly label: string
}

export interface CancelOrdersAction {
  readonly kind: 'cancel-orders'
  readonly account: number
  readonly asset: number | null
  readonly side: Side | null
}

export interface QuoteAction {
  readonly kind: 'quote'
  readonly label: string | null
  readonly account: number
  readonly asset: number
  readonly bidPrice: PriceTerm
  readonly askPrice: PriceTerm
  readonly bidSteps: QuantitySteps
  readonly askSteps: QuantitySteps
  readonly validForMillis: Millis
  readonly clientQuoteId: string | null
  readonly metadata: Metadata | null
}

export interface AmendQuoteAction {
  readonly kind: 'amend-quote'
  readonly label: string
  readonly bidPrice: PriceTerm | null
  readonly askPrice: PriceTerm | null
  readonly bidSteps: QuantitySteps | null
  readonly askSteps: QuantitySteps | null
  readonly validForMillis: Millis | null
}

export interface CancelQuoteAction {
  readonly kind: 'cancel-quote'
  readonly label: string
}

export interface TransferAction {
  readonly kind: 'deposit' | 'withdraw'
  readonly account: number
  readonly asset: number
  readonly atoms: Atoms
  readonly pendingMillis: Millis
}

export interface HaltAction {
  readonly kind: 'halt'
  readonly assets: readonly number[]
  readonly mode: 'reject' | 'rest'
  readonly forMillis: Millis
}

export interface ResumeAction {
  readonly kind: 'resume'
  readonly assets: readonly number[]
}

export interface PathAction {
  readonly kind: 'path'
  readonly asset: number
  readonly points: readonly { readonly offsetMillis: Millis; readonly price: PriceTerm }[]
  readonly noiseVol: PartsPerMillion
}

export interface LiquidityAction {
  readonly kind: 'liquidity'
  readonly assets: readonly number[]
  readonly conditions: LiquidityConditions
  readonly isStale: boolean
  readonly forMillis: Millis
}

/** Only what is given changes. */
export interface LimitsAction {
  readonly kind: 'limits'
  readonly account: number
  readonly change: LimitsChange
}

export interface NoteAction {
  readonly kind: 'note'
  readonly text: string
}

/** Limits by the names of the wire; sizes in 10^-8 units. Null keeps what the account has. */
export interface LimitsChange {
  readonly maxOrderSize: ReadonlyMap<string, number> | null
  readonly minOrderSize: ReadonlyMap<string, number> | null
  readonly maxOrderValue: Atoms | null
  readonly maxDailyVolume: Atoms | null
  readonly maxOpenOrders: number | null
  readonly maxOpenOrdersPerAsset: number | null
  readonly maxExposure: Atoms | null
  readonly maxExposurePerAsset: ReadonlyMap<string, Atoms> | null
  readonly maxLeverage: PartsPerMillion | null
}

/**
 * `at`: holds at that instant. `by`: has held at some instant up to then. `always`, `never`: holds, does not hold, at
 * every instant looked at. Instants looked at are the start, each grid instant, each scripted action and the end.
 */
export interface Expectation {
  readonly kind: 'at' | 'by' | 'always' | 'never'
  /** The end of the run when null; so for `always` and `never`. */
  readonly at: Millis | null
  readonly predicate: Predicate
  readonly message: string | null
  readonly place: Place
}
