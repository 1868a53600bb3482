import type { OrderStatus, QuoteStatus, Side } from '../../src/engine/codes.ts'
import type { Command, Outcome } from '../../src/engine/command.ts'
import type { LimitsConfig } from '../../src/engine/limits.ts'
import type { RecordedEvent } from '../model/recorded-event.ts'
import type { NaiveAsset } from '../reference/naive-world.ts'

/*
 * What the invariants may look at: the state as a reader sees it, independent of how it is stored. Amounts are exact
 * integers. The engine and its twin both have this view, so the predicates are themselves tested on the twin.
 */
export interface VenueView {
  readonly now: number
  /** Rows, system accounts included. */
  readonly accountCount: number
  readonly orders: readonly OrderView[]
  readonly quotes: readonly QuoteView[]
  readonly fills: readonly FillView[]
  total(account: number, asset: number): bigint
  available(account: number, asset: number): bigint
  locked(account: number, asset: number): bigint
  /** Pending withdrawals: gone from the total, but not yet booked to the outside world. */
  pending(account: number, asset: number): bigint
  position(account: number, asset: number): PositionView
  isMargin(account: number): boolean
  limits(account: number): LimitsConfig
  /** Whether the pair matches at present. */
  matches(asset: number): boolean
  /** The book's levels, best first: clients and house together, one entry per price. */
  levels(asset: number, side: Side): readonly LevelView[]
  /** The house's part of them. */
  houseLevels(asset: number, side: Side): readonly LevelView[]
}

export interface OrderView {
  readonly row: number
  readonly quote: number
  readonly account: number
  readonly asset: number
  readonly side: Side
  readonly type: number
  readonly timeInForce: number
  readonly priceTicks: bigint
  readonly quantity: bigint
  readonly filled: bigint
  readonly status: OrderStatus
  readonly reserved: bigint
  readonly makerRate: bigint
  readonly takerRate: bigint
}

export interface QuoteView {
  readonly row: number
  readonly account: number
  readonly asset: number
  readonly bidOrder: number
  readonly askOrder: number
  readonly createdAt: number
  readonly expiresAt: number
  readonly status: QuoteStatus
}

export interface FillView {
  readonly order: number
  readonly account: number
  readonly asset: number
  readonly side: Side
  readonly isMaker: boolean
  readonly at: number
  readonly priceTicks: bigint
  readonly steps: bigint
  readonly notional: bigint
  readonly fee: bigint
  readonly feeAsset: number
}

export interface PositionView {
  readonly quantity: bigint
  readonly basis: bigint
  readonly realised: bigint
}

export interface LevelView {
  readonly priceTicks: bigint
  readonly steps: bigint
}

/** One command, and the world on both sides of it. */
export interface Step {
  readonly view: VenueView
  readonly assets: readonly NaiveAsset[]
  readonly feeCurrency: 'quote' | 'received'
  readonly selfTrade: string
  readonly command: Command
  readonly outcome: Outcome
  /** The events of this command. */
  readonly events: readonly RecordedEvent[]
  readonly before: Remembered
  readonly history: History
}

/** The state before the command, as far as predicates compare with it. */
export interface Remembered {
  readonly now: number
  readonly orders: readonly OrderView[]
  readonly quotes: readonly QuoteView[]
  readonly fillCount: number
}

/** What is accumulated over the whole run, from events alone. */
export interface History {
  /** Opening balances, by "account/asset". */
  readonly opening: ReadonlyMap<string, bigint>
  /** Sum of everything posted, by "account/asset". */
  readonly posted: ReadonlyMap<string, bigint>
  /** Reserves less releases, by order row. */
  readonly reserved: ReadonlyMap<number, bigint>
  /** The lowest and the highest limit that an order ever had. */
  readonly limits: ReadonlyMap<number, { readonly low: bigint; readonly high: bigint }>
  /** The last status event of each order and quote. */
  readonly states: ReadonlyMap<string, string>
  /** Events that should not have been, as found while accumulating. */
  readonly offences: readonly string[]
  readonly edges: ReadonlyMap<string, number>
}

/** Null when it holds, else a sentence that says what does not. */
export type Predicate = (step: Step) => string | null

export const keyOf = (account: number, asset: number): string => `${account}/${asset}`

/** The first breach among many predicates of the same kind. */
export function firstBroken<Item>(
  items: Iterable<Item>,
  check: (item: Item) => string | null | false,
): string | null {
  for (const item of items) {
    const broken = check(item)
    if (broken !== null && broken !== false) return broken
  }
  return null
}

/** All pairs of an account and an asset. */
export function* holdings(step: Step): Generator<readonly [account: number, asset: number]> {
  for (let account = 0; account < step.view.accountCount; account += 1) {
    for (const asset of step.assets) yield [account, asset.row]
  }
}

export function isLiveView(order: OrderView): boolean {
  return order.status < 2
}
