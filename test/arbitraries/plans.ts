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

export interface AdvancePlan {
  readonly kind: 'advance'
  /** A span, or one relative to the next quote's expiry. */
  readonly by: number | 'ttl-1' | 'ttl' | 'ttl+1'
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
  readonly steps: number | null
  readonly ticks: number | null
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
  readonly ttl: number
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
  readonly ttl: number | null
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
  /** Of cash in atoms of a thousandth; of an asset in steps. */
  readonly amount: number
  readonly pendingMillis: number
}

export interface SettlePlan {
  readonly kind: 'settle'
  readonly transfer: number
}

export interface HaltPlan {
  readonly kind: 'halt'
  readonly asset: number
  readonly mode: 'reject' | 'rest'
  readonly forMillis: number
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

export interface ForcePlan {
  readonly kind: 'force-fill' | 'force-reject' | 'force-expire' | 'force-expire-quote'
  readonly row: number
  readonly steps: number | null
  /** Need not be within the order's limit: an admin may force any price. */
  readonly ticks: number | null
}
