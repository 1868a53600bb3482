import type { OrderType, Side, TimeInForce } from '../../engine/codes.ts'
import type { Metadata } from '../../engine/metadata.ts'
import type { LiquidityConditions } from '../../market/liquidity/liquidity.ts'
import type { SwitchModel } from '../../market/market-spec.ts'
import type { Atoms, Millis, PartsPerMillion, PriceTicks, QuantitySteps } from '../../numeric/units.ts'
import type { RequestPattern } from '../actions/requests.ts'
import type { Values } from '../agents/parameters.ts'
import type { PriceTerm } from '../file/amounts.ts'
import type { LimitsChange } from '../file/limits.ts'
import type { Predicate } from '../predicates/predicate.ts'
import type { WorldAction } from '../world-action.ts'

/* The actions of a timeline as plain data, after their words have become numbers. */

/**
 * An action with everything resolved that only needs the file. What depends on the run (an order that a label
 * names, a price relative to the mark) is left to `resolve-action.ts`.
 */
export type ScriptedAction =
  | OrderAction
  | AmendAction
  | { readonly kind: 'cancel-order' | 'cancel-quote'; readonly label: string }
  | {
      readonly kind: 'cancel-orders'
      readonly account: number
      readonly asset: number | null
      readonly side: Side | null
    }
  | QuoteAction
  | AmendQuoteAction
  | {
      readonly kind: 'deposit' | 'withdraw'
      readonly label: string | null
      readonly account: number
      readonly asset: number
      readonly atoms: Atoms
      readonly pendingMillis: Millis
    }
  | HaltAction
  | { readonly kind: 'resume'; readonly assets: readonly number[] }
  | PathAction
  | LiquidityAction
  | LimitsAction
  | { readonly kind: 'note'; readonly text: string }
  | PairAction
  | SettleAction
  | AgentAction
  | AgentOrderAction
  | AwaitAction
  | TimedWorldAction

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

export interface HaltAction {
  readonly kind: 'halt'
  readonly assets: readonly number[]
  readonly mode: 'reject' | 'rest'
  readonly forMillis: Millis
}

export interface PathAction {
  readonly kind: 'path'
  readonly asset: number
  /** Along these points, or after another asset's path. */
  readonly points: readonly { readonly offsetMillis: Millis; readonly price: PriceTerm }[]
  readonly follows: { readonly asset: number; readonly beta: number } | null
  /**
   * The model that the price follows from now on; an OU without a stated mean returns to the present price. Null:
   * unchanged.
   */
  readonly switchTo: { readonly model: SwitchModel; readonly isMeanAtPresent: boolean } | null
  /** How that model is bent from now on; null: not at all. */
  readonly bend: { readonly volMultiplier: PartsPerMillion; readonly drift: PartsPerMillion } | null
  readonly noiseVol: PartsPerMillion
}

export interface LiquidityAction {
  readonly kind: 'liquidity'
  readonly assets: readonly number[]
  readonly conditions: LiquidityConditions
  readonly isStale: boolean
  /** How long the conditions last; 0: until they are replaced, or recover from the start. */
  readonly forMillis: Millis
  /** The half-life of the way back to normal, after `forMillis`; 0: back at once. */
  readonly recoverHalfLifeMillis: Millis
}

/** Only what is given changes. */
export interface LimitsAction {
  readonly kind: 'limits'
  readonly account: number
  readonly change: LimitsChange
}

/** Null keeps what the pair has. */
export interface PairAction {
  readonly kind: 'pair'
  readonly assets: readonly number[]
  readonly status: 'active' | 'inactive' | null
  readonly minQuantitySteps: QuantitySteps | null
  readonly maxQuantitySteps: QuantitySteps | null
  readonly minPriceTicks: PriceTicks | null
  readonly minNotionalAtoms: Atoms | null
}

/** Settles the transfer that a label names, or all pending ones of an account (perhaps of one asset only). */
export interface SettleAction {
  readonly kind: 'settle'
  readonly target: { readonly label: string } | { readonly account: number; readonly asset: number | null }
}

export interface AgentAction {
  readonly kind: 'agent'
  readonly id: string
  readonly verb: 'start' | 'stop' | 'set'
  /** What `set` changes. */
  readonly values: Values
}

/** A taker that hits the best live order or quote side of one account, for at most its remaining quantity. */
export interface AgentOrderAction {
  readonly kind: 'agent-order'
  readonly asset: number
  readonly side: Side
  readonly quantitySteps: QuantitySteps
  readonly targetAccount: number
}

/**
 * Waits for a client: for a request that fits, or a predicate that holds. Its label is the instant at which that
 * came.
 */
export interface AwaitAction {
  readonly kind: 'await'
  readonly request: RequestPattern | null
  readonly that: Predicate | null
  /** A label for the order or quote that the request made. */
  readonly bind: string | null
  /** In world time; null: until the end of the run. */
  readonly timeoutMillis: Millis | null
  /** In real time, which only a run with a client has; null: the usual time. */
  readonly wallTimeoutMillis: Millis | null
  /** Whether the run fails when it never came. */
  readonly isRequired: boolean
}

/** With `forMillis` above 0 the world takes it back after that time. */
export type TimedWorldAction = WorldAction & { readonly forMillis: Millis }
