import type { OrderType, Side, TimeInForce } from '../../src/engine/codes.ts'

/*
 * A plan is a command that is independent of its world: rows are indices counted back from the newest (modulo the number
 * of rows), so a plan keeps its meaning while fast-check shrinks the run around it.
 */

export type Plan =
  | AdvancePlan
  | PlacePlan
  | PlaceManyPlan
  | AmendPlan
  | CancelPlan
  | CancelAllPlan
  | QuotePlan
  | UpdateQuotePlan
  | UpdateQuotesPlan
  | CancelQuotePlan
  | CancelQuotesPlan
  | TransferPlan
  | SettlePlan
  | HaltPlan
  | ResumePlan
  | LimitsPlan
  | FeesPlan
  | PairPlan
  | AccountPlan
  | MarginPlan
  | ForcePlan
  | PricePlan

/**
 * Milliseconds, or until an instant at which something else happens: the next thing that is due (an expiry, a transfer,
 * the end of a halt), the next step of the grid, or the next midnight; or a millisecond beside it.
 */
export type Span = number | 'due-1' | 'due' | 'due+1' | 'grid' | 'midnight-1' | 'midnight'

export interface AdvancePlan {
  readonly kind: 'advance'
  readonly by: Span
}

export interface PlacePlan {
  readonly kind: 'place'
  /** Account index; the one after the last is an unknown account. */
  readonly account: number
  readonly asset: number
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly steps: number
  readonly ticks: number
  /** Null, or one of a few client ids, so that some come twice. */
  readonly clientId: number | null
  readonly allowsDuplicateId: boolean
  readonly keepsRefused: boolean
}

export interface PlaceManyPlan {
  readonly kind: 'place-many'
  readonly items: readonly PlacePlan[]
}

export interface AmendPlan {
  readonly kind: 'amend'
  readonly order: number
  readonly isForeign: boolean
  /** A total, or one counted from what has filled. */
  readonly steps: number | 'filled-1' | 'filled' | 'filled+1' | null
  /** A price, or that of a live order of its account on the other side. */
  readonly ticks: number | 'own' | null
}

export interface CancelPlan {
  readonly kind: 'cancel'
  readonly order: number
  readonly isForeign: boolean
}

export interface CancelAllPlan {
  readonly kind: 'cancel-all'
  readonly account: number
  readonly asset: number | null
  readonly side: Side | null
}

export interface QuotePlan {
  readonly kind: 'quote'
  readonly account: number
  readonly asset: number
  readonly bidTicks: number
  readonly askTicks: number
  readonly bidSteps: number
  readonly askSteps: number
  readonly ttl: Span
  readonly clientId: number | null
  readonly allowsDuplicateId: boolean
}

export interface UpdateQuotePlan {
  readonly kind: 'update-quote'
  readonly quote: number
  readonly isForeign: boolean
  readonly bidTicks: number | null
  readonly askTicks: number | null
  readonly bidSteps: number | null
  readonly askSteps: number | null
  readonly ttl: Span | null
  readonly validFrom: 'now' | 'created' | 'expiry'
}

export interface UpdateQuotesPlan {
  readonly kind: 'update-quotes'
  readonly items: readonly UpdateQuotePlan[]
}

export interface CancelQuotePlan {
  readonly kind: 'cancel-quote'
  readonly quote: number
  readonly isForeign: boolean
}

export interface CancelQuotesPlan {
  readonly kind: 'cancel-quotes'
  readonly account: number
  readonly asset: number | null
}

export interface TransferPlan {
  readonly kind: 'deposit' | 'withdraw'
  readonly account: number
  /** 0 is cash. */
  readonly asset: number
  /** Of cash in USD, of an asset in steps; or all that is available. */
  readonly amount: number | 'all'
  readonly pendingMillis: Span
}

export interface SettlePlan {
  readonly kind: 'settle'
  readonly transfer: number
}

export interface HaltPlan {
  readonly kind: 'halt'
  readonly asset: number
  readonly mode: 'reject' | 'rest'
  readonly forMillis: Span
}

export interface ResumePlan {
  readonly kind: 'resume'
  readonly asset: number
}

export interface LimitsPlan {
  readonly kind: 'limits'
  readonly account: number
  readonly limits: number
}

export interface FeesPlan {
  readonly kind: 'fees'
  readonly account: number
  readonly makerRate: number
  readonly takerRate: number
}

export interface PairPlan {
  readonly kind: 'pair'
  readonly asset: number
  readonly minQuantitySteps: number | null
  readonly maxQuantitySteps: number | null
  readonly minPriceTicks: number | null
}

/** A new account, or one whose id is taken. */
export interface AccountPlan {
  readonly kind: 'account'
  readonly id: number
  readonly isMargin: boolean
}

export interface MarginPlan {
  readonly kind: 'margin'
  readonly account: number
  readonly type: 'cash' | 'margin'
}

/** The price jumps, and stays there. */
export interface PricePlan {
  readonly kind: 'price'
  readonly asset: number
  readonly ticks: number
}

export interface ForcePlan {
  readonly kind: 'force-fill' | 'force-reject' | 'force-expire' | 'force-expire-quote'
  readonly row: number
  readonly steps: number | null
  /** Need not be within the order's limit: an admin may force any price. */
  readonly ticks: number | null
}
