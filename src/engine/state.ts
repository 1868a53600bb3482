import type { ImpactState } from '../market/liquidity/impact.ts'
import type { LiquidityConditions } from '../market/liquidity/liquidity.ts'
import type { Market } from '../market/market.ts'
import type { PathOverride } from '../market/path-override.ts'
import { missing } from '../numeric/assert.ts'
import type { Float64Column } from '../numeric/columns.ts'
import type { Assessor, Candidate } from './assessment.ts'
import type { ClientBook } from './book/order-book.ts'
import type { AssetRow, VenueTaker } from './codes.ts'
import type { VenueConfig } from './config.ts'
import type { EventSink } from './events.ts'
import type { VenueLadder } from './ladder/ladder.ts'
import type { LadderContext } from './ladder/market-ladder.ts'
import type { RecordedLadder } from './recorded/recorded-ladder.ts'
import type { MarkHistory } from './series/mark-history.ts'
import type { RollingStatistics } from './series/rolling-statistics.ts'
import type { Tables } from './tables/holdings.ts'
import type { Timeline } from './timeline.ts'

/** The state of one traded asset besides its row in the tables. */
export interface AssetState extends LadderContext {
  readonly book: ClientBook
  readonly ladder: VenueLadder
  /** The ladder, where it is a recorded book. */
  readonly recorded: RecordedLadder | null
  readonly statistics: RollingStatistics
  readonly marks: MarkHistory
  overrides: readonly PathOverride[]
  halt: 'none' | 'reject' | 'rest'
  /** The instant at which the halt ends by itself; 0: never. */
  haltEndsAtMillis: number
  /** Whether the recording, not a command, has halted the pair. */
  isHaltedByRecording: boolean
  conditions: LiquidityConditions
  isStale: boolean
  impact: ImpactState
  /** The instant at which the conditions end by themselves; 0: never. */
  conditionsEndAtMillis: number
}

/** The whole state of a venue. Checks read it; only transitions write it. */
export interface State extends Tables {
  readonly config: VenueConfig
  readonly market: Market
  readonly sink: EventSink
  readonly assessor: Assessor
  /** The candidate that every command reuses to describe what it wants assessed. */
  readonly candidate: Candidate
  readonly timeline: Timeline
  /** The mark price by asset row, ticks: F * exp(I), half-even; cash has none. */
  readonly markTicks: Float64Column
  /** The instant of the last change of any price figure, by asset row. */
  readonly priceUpdatedAtMillis: Float64Column
  /** The price of the last trade or print by asset row, ticks; 0 before the first. */
  readonly lastTicks: Float64Column
  readonly byAsset: readonly (AssetState | null)[]
  /** The assets whose ladder is a recorded book. */
  readonly recordedAssets: readonly AssetRow[]
  nowMillis: number
  /** The last grid index whose market step is done. */
  gridIndex: number
  /** The number of trades so far, which is also the number of the newest. */
  tradeCount: number
  /** The number of price moves so far; it names the random stream of a scripted path's noise. */
  moveCount: number
  /** The number of queue positions given out so far. */
  priorityCount: number
  /** The venue's own taker that acts, for those who listen to trades; no part of snapshots. */
  venueTaker: VenueTaker
}

export function stateOf(state: State, asset: number): AssetState {
  return state.byAsset[asset] ?? missingState()
}

/** Throws. It is a function of its own, so that the look-up stays small enough for V8 to inline. */
function missingState(): never {
  return missing('a traded asset has a state')
}
