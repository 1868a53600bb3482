import { assert } from '../numeric/assert.ts'
import { Float64Column, Int32Column, Uint8Column } from '../numeric/columns.ts'
import type { AssetTable } from './asset-table.ts'
import { none } from './codes.ts'
import type { LimitsConfig } from './config.ts'
import { RowList } from './row-list.ts'
import type { Column } from './table.ts'
import { Table } from './table.ts'

/** An account's limits, by asset row, as assess reads them. */
export interface CompiledLimits {
  readonly config: LimitsConfig
  readonly maxOrderSize: Float64Array
  readonly minOrderSize: Float64Array
  readonly maxExposure: Float64Array
}

/** Lists that only grow, one of each kind an account. */
export interface AccountLists {
  readonly orders: RowList
  readonly quotes: RowList
  /** Fills as row * 2, transfers as row * 2 + 1, in the order in which they happened. */
  readonly activity: RowList
  readonly clientOrderIds: Map<string, number>
  readonly clientQuoteIds: Map<string, number>
}

/** The accounts, venue's own first (see codes): who they are, their limits, and what the limits count. */
export class AccountTable extends Table {
  readonly isMargin = new Uint8Column()
  readonly feeSchedule = new Int32Column()
  readonly createdAtMillis = new Float64Column()
  /** Live orders and live quotes: what `maxOpenOrders` counts. */
  readonly openOrders = new Int32Column()
  readonly firstLiveOrder = new Int32Column()
  readonly lastLiveOrder = new Int32Column()
  readonly firstLiveQuote = new Int32Column()
  readonly lastLiveQuote = new Int32Column()
  /** Value traded on the UTC day `volumeDay` (days since 1970). */
  readonly dayVolumeAtoms = new Float64Column()
  readonly volumeDay = new Float64Column()
  readonly ids: string[] = []
  readonly limits: CompiledLimits[] = []
  readonly lists: AccountLists[] = []
  private readonly rows = new Map<string, number>()

  append(id: string): number {
    const row = this.appendRow()
    for (const list of [this.firstLiveOrder, this.lastLiveOrder, this.firstLiveQuote, this.lastLiveQuote])
      list.set(row, none)
    this.ids.push(id)
    this.rows.set(id, row)
    this.lists.push({
      orders: new RowList(),
      quotes: new RowList(),
      activity: new RowList(),
      clientOrderIds: new Map(),
      clientQuoteIds: new Map(),
    })
    return row
  }

  /** The row of an id, or -1. The venue's own accounts cannot be found by an id. */
  rowOf(id: string): number {
    return this.rows.get(id) ?? none
  }

  id(row: number): string {
    const id = this.ids[row]
    assert(id !== undefined, 'an account row is in the table')
    return id
  }

  limitsOf(row: number): CompiledLimits {
    const limits = this.limits[row]
    assert(limits !== undefined, 'every account has limits')
    return limits
  }

  listsOf(row: number): AccountLists {
    const lists = this.lists[row]
    assert(lists !== undefined, 'an account row is in the table')
    return lists
  }

  override stateColumns(): readonly Column[] {
    return [this.isMargin, this.feeSchedule, this.createdAtMillis, this.dayVolumeAtoms, this.volumeDay]
  }

  override derivedColumns(): readonly Column[] {
    return [this.openOrders, this.firstLiveOrder, this.lastLiveOrder, this.firstLiveQuote, this.lastLiveQuote]
  }
}

/** Spreads limits by symbol over the asset rows. */
export function compileLimits(config: LimitsConfig, assets: AssetTable): CompiledLimits {
  const maxOrderSize = new Float64Array(assets.count)
  const minOrderSize = new Float64Array(assets.count)
  const maxExposure = new Float64Array(assets.count)
  for (let asset = 0; asset < assets.count; asset += 1) {
    const symbol = assets.symbol(asset)
    maxOrderSize[asset] = config.maxOrderSize.bySymbol.get(symbol) ?? config.maxOrderSize.default
    minOrderSize[asset] = config.minOrderSize.bySymbol.get(symbol) ?? config.minOrderSize.default
    maxExposure[asset] = config.maxExposurePerAsset.bySymbol.get(symbol) ?? config.maxExposurePerAsset.default
  }
  return { config, maxOrderSize, minOrderSize, maxExposure }
}
