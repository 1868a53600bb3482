import type { ImpactState } from '../market/liquidity/impact.ts'
import type { LiquidityConditions } from '../market/liquidity/liquidity.ts'
import type { Market } from '../market/market.ts'
import type { PathOverride } from '../market/path-override.ts'
import { missing } from '../numeric/assert.ts'
import type { Float64Column } from '../numeric/columns.ts'
import type { Assessor, Candidate } from './assessment.ts'
import type { ClientBook } from './book/order-book.ts'
import type { VenueTaker } from './codes.ts'
import type { VenueConfig } from './config.ts'
import type { EventSink } from './events.ts'
import type { HouseLadder } from './ladder/house-ladder.ts'
import type { LadderContext } from './ladder/market-ladder.ts'
import type { MarkHistory } from './series/mark-history.ts'
import type { RollingStatistics } from './series/rolling-statistics.ts'
import type { Tables } from './tables/holdings.ts'
import type { Timeline } from './timeline.ts'

/** What one traded asset has besides its row in the tables. */
export interface AssetState extends LadderContext {
  readonly book: ClientBook
  readonly ladder: HouseLadder
  readonly statistics: RollingStatistics
  readonly marks: MarkHistory
  overrides: readonly PathOverride[]
  halt: 'none' | 'reject' | 'rest'
  /** When the halt ends by itself; 0: never. */
  haltEndsAtMillis: number
  /** Whether the recording, not a command, has halted the pair. */
  isHaltedByRecording: boolean
  conditions: LiquidityConditions
  isStale: boolean
  impact: ImpactState
  /** When the conditions end by themselves; 0: never. */
  conditionsEndAtMillis: number
}

/** Checks read it; only the transitions write it. */
export interface State extends Tables {
  readonly config: VenueConfig
  readonly market: Market
  readonly sink: EventSink
  readonly assessor: Assessor
  /** Reused by every command to describe what it wants assessed. */
  readonly candidate: Candidate
  readonly timeline: Timeline
  /** Mark price by asset row, ticks: F * exp(I), half-even; cash has none. */
  readonly markTicks: Float64Column
  /** Instant of the last change of any price figure, by asset row. */
  readonly priceUpdatedAtMillis: Float64Column
  /** Price of the last trade or print by asset row, ticks; 0 before the first. */
  readonly lastTicks: Float64Column
  readonly byAsset: readonly (AssetState | null)[]
  nowMillis: number
  /** Last grid index whose market step is done. */
  gridIndex: number
  /** How many trades there have been, which is the number of the newest. */
  tradeCount: number
  /** How many price moves there have been; the number names the random stream of a scripted path's noise. */
  moveCount: number
  /** How many queue positions have been given out. */
  priorityCount: number
  /** Which of the venue's own takers acts, for those who listen to trades; no part of snapshots. */
  venueTaker: VenueTaker
}

export function stateOf(state: State, asset: number): AssetState {
  return state.byAsset[asset] ?? missingState()
}

/** A function of its own, so that the look-up stays small enough for V8 to inline. */
function missingState(): never {
  return missing('a traded asset has a state')
}
