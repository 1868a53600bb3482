import type { OrderStatus, OrderType, QuoteStatus, Side, TimeInForce } from '../../src/engine/codes.ts'
import { cash, isTerminal } from '../../src/engine/codes.ts'
import type { LimitsConfig, SelfTrade } from './naive-config.ts'

/*
 * The twin's state: plain records in plain arrays. Nothing is stored that can be computed from these lists, so
 * balances, exposures, levels and volumes are recomputed whenever they are needed.
 */

export interface NaiveWorld {
  now: number
  readonly startMillis: number
  readonly gridMillis: number
  readonly selfTrade: SelfTrade
  readonly feeCurrency: 'quote' | 'received'
  readonly venueMakerRate: bigint
  readonly venueTakerRate: bigint
  /** Row 0 is cash, which has no pair. */
  readonly assets: readonly NaiveAsset[]
  /** Row i is account i + 3. */
  readonly accounts: NaiveAccount[]
  readonly orders: NaiveOrder[]
  readonly quotes: NaiveQuote[]
  readonly transfers: NaiveTransfer[]
  readonly postings: Posting[]
  readonly fills: NaiveFill[]
  readonly halts: NaiveHalt[]
  readonly flows: PositionFlow[]
  readonly events: NaiveEvent[]
  /** The last instant of the grid whose refresh is done. */
  refreshedAt: number
  nextPriority: number
}

export interface NaiveAsset {
  readonly row: number
  readonly symbol: string
  /** Atoms of the asset in one quantity step, and in one unit. */
  readonly atomsPerStep: bigint
  readonly atomsPerUnit: bigint
  /** Cash atoms of one tick times one step, as a fraction. */
  readonly valueNumerator: bigint
  readonly valueDenominator: bigint
  /** A step in 10^-8 units. */
  readonly sizePerStep: bigint
  markTicks: bigint
  readonly isListed: boolean
  minQuantitySteps: bigint
  maxQuantitySteps: bigint
  minPriceTicks: bigint
  minNotionalAtoms: bigint
  readonly houseFull: { readonly bids: readonly HouseLevel[]; readonly asks: readonly HouseLevel[] }
  /** The levels that are left of the venue's own ladder, best first. */
  houseBids: HouseLevel[]
  houseAsks: HouseLevel[]
}

export interface HouseLevel {
  readonly priceTicks: bigint
  readonly steps: bigint
}

export interface NaiveAccount {
  readonly row: number
  readonly id: string
  type: 'cash' | 'margin'
  limits: LimitsConfig
  makerRate: bigint
  takerRate: bigint
}

export interface NaiveOrder {
  readonly row: number
  /** The quote of which this is a leg, or -1. */
  readonly quote: number
  readonly account: number
  readonly asset: number
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly clientId: string | null
  readonly makerRate: bigint
  readonly takerRate: bigint
  priceTicks: bigint
  quantity: bigint
  filled: bigint
  status: OrderStatus
  priority: number
  /** Whether it is in the book; an order that is being matched is not. */
  isResting: boolean
  reserved: bigint
}

export interface NaiveQuote {
  readonly row: number
  readonly account: number
  readonly asset: number
  readonly clientId: string | null
  readonly bid: NaiveOrder
  readonly ask: NaiveOrder
  readonly createdAt: number
  expiresAt: number
  status: QuoteStatus
}

export interface NaiveTransfer {
  readonly row: number
  readonly kind: 'deposit' | 'withdraw'
  readonly account: number
  readonly asset: number
  readonly atoms: bigint
  readonly settlesAt: number
  isPending: boolean
}

export interface NaiveHalt {
  readonly asset: number
  readonly mode: 'reject' | 'rest'
  /** 0: until resumed. */
  readonly endsAt: number
  isOver: boolean
}

export interface Posting {
  readonly from: number
  readonly to: number
  readonly asset: number
  readonly atoms: bigint
}

/** One side of a trade. */
export interface NaiveFill {
  readonly order: number
  readonly account: number
  readonly asset: number
  readonly side: Side
  readonly isMaker: boolean
  readonly at: number
  readonly priceTicks: bigint
  readonly steps: bigint
  readonly notional: bigint
  /** In `feeAsset`; a rebate when negative. */
  readonly fee: bigint
  readonly feeAsset: number
}

/** Everything that moves a position: a fill, or a transfer of an asset at the mark. */
export interface PositionFlow {
  readonly account: number
  readonly asset: number
  readonly atoms: bigint
  readonly value: bigint
}

export interface NaiveEvent {
  readonly at: number
  readonly name: string
  readonly subject: number
  readonly account: number
  readonly asset: number
  readonly first: number
  readonly second: number
  readonly third: number
}

export function remainingOf(order: NaiveOrder): bigint {
  return order.quantity - order.filled
}

export function isLive(order: NaiveOrder): boolean {
  return !isTerminal(order.status)
}

/** Returns the record of a row, which must exist. */
export function at<Row>(rows: readonly Row[], row: number): Row {
  const found = rows[row]
  if (found === undefined) throw new Error(`The twin has no row ${row}`)
  return found
}

export function accountOf(world: NaiveWorld, row: number): NaiveAccount {
  return at(world.accounts, row - 3)
}

/** Returns the asset that an order reserves: cash for a buy, the asset itself for a sell. */
export function reservedAssetOf(order: NaiveOrder): number {
  return order.side === 0 ? cash : order.asset
}

/** Returns the halt in force, or undefined. */
export function haltOf(world: NaiveWorld, asset: number): NaiveHalt | undefined {
  return world.halts.find((halt) => halt.asset === asset && !halt.isOver)
}

export function acceptsOrders(world: NaiveWorld, asset: number): boolean {
  return at(world.assets, asset).isListed && haltOf(world, asset)?.mode !== 'reject'
}

export function matches(world: NaiveWorld, asset: number): boolean {
  return at(world.assets, asset).isListed && haltOf(world, asset) === undefined
}

/** Emits an event at the present instant; slots that are left out are 0. */
export function emit(
  world: NaiveWorld,
  name: string,
  slots: {
    subject?: number
    account?: number
    asset?: number
    first?: bigint | number
    second?: bigint | number
    third?: bigint | number
  },
): void {
  const { subject = -1, account = -1, asset = -1, first = 0, second = 0, third = 0 } = slots
  world.events.push({
    at: world.now,
    name,
    subject,
    account,
    asset,
    first: Number(first),
    second: Number(second),
    third: Number(third),
  })
}
