import type { ImpactState } from '../../market/liquidity/impact.ts'
import type { LiquidityConditions } from '../../market/liquidity/liquidity.ts'
import type { PathOverride } from '../../market/path-override.ts'
import type { PairConfig } from '../config.ts'
import type { HouseLadderSnapshot } from '../ladder/house-ladder.ts'
import type { LimitsConfig } from '../limits.ts'
import type { Metadata } from '../metadata.ts'
import type { MarkHistorySnapshot } from '../series/mark-history.ts'
import type { RollingStatisticsSnapshot } from '../series/rolling-statistics.ts'
import type { AssetState } from '../state.ts'

/*
 * A venue's state as plain data: the bytes of the rows in use, and what does not fit into columns.
 *
 * What can be derived is left out and rebuilt on loading: books, live lists, the timeline, compiled limits, values at
 * the mark. So a snapshot is canonical: two venues that will behave alike for ever have equal ones, whatever their
 * histories. The digest is a hash of it.
 */

export const snapshotVersion = 1

export interface VenueSnapshot {
  readonly version: typeof snapshotVersion
  /** The clock, the grid index, and how many trades, price moves and queue positions there have been. */
  readonly counters: readonly [
    nowMillis: number,
    gridIndex: number,
    tradeCount: number,
    moveCount: number,
    priorityCount: number,
  ]
  readonly orders: TableSnapshot
  readonly quotes: TableSnapshot
  readonly fills: TableSnapshot
  readonly transfers: TableSnapshot
  readonly accounts: AccountsSnapshot
  /** Maker and taker rate of each schedule in turn, parts per million. */
  readonly feeSchedules: readonly number[]
  /** Ledger, positions and open interest, by account and asset. */
  readonly holdings: Uint8Array
  readonly assets: readonly AssetSnapshot[]
}

export interface TableSnapshot {
  readonly records: Uint8Array
  readonly clientIds: ReadonlyMap<number, string>
  readonly metadata: ReadonlyMap<number, Metadata>
}

export interface AccountsSnapshot {
  readonly ids: readonly string[]
  readonly limits: readonly LimitsConfig[]
  readonly records: Uint8Array
}

export interface AssetSnapshot {
  readonly pair: PairConfig
  readonly markTicks: number
  readonly priceUpdatedAtMillis: number
  readonly lastTicks: number
  readonly overrides: readonly PathOverride[]
  readonly halt: AssetState['halt']
  readonly haltEndsAtMillis: number
  readonly isHaltedByRecording: boolean
  readonly conditions: LiquidityConditions
  readonly isStale: boolean
  readonly conditionsEndAtMillis: number
  readonly impact: ImpactState
  readonly ladder: HouseLadderSnapshot
  readonly statistics: RollingStatisticsSnapshot
  readonly marks: MarkHistorySnapshot
}
