import { canonicalImpact } from '../../market/liquidity/impact.ts'
import { type State, stateOf } from '../state.ts'
import type { Table } from '../tables/record-tables.ts'
import type { AccountsSnapshot, AssetSnapshot, TableSnapshot, VenueSnapshot } from './snapshot.ts'
import { snapshotVersion } from './snapshot.ts'

/** Copies a venue's state, without changing it. Costs little more than copying the bytes of the records. */
export function captureState(state: State): VenueSnapshot {
  const { orders, quotes } = state
  return {
    version: snapshotVersion,
    counters: countersOf(state),
    orders: captureTable(orders, orders),
    quotes: captureTable(quotes, quotes),
    fills: captureTable(state.fills, noTexts),
    transfers: captureTable(state.transfers, noTexts),
    accounts: captureAccounts(state),
    feeSchedules: feeRatesOf(state),
    holdings: state.holdings.capture(),
    assets: captureAssets(state),
  }
}

export function countersOf(state: State): VenueSnapshot['counters'] {
  return [state.nowMillis, state.gridIndex, state.tradeCount, state.moveCount, state.priorityCount]
}

/** Maker and taker rate of each schedule in turn, parts per million. */
export function feeRatesOf(state: State): number[] {
  return state.feeSchedules.rows.flatMap((row) => [row.makerRate, row.takerRate])
}

type Texts = Pick<TableSnapshot, 'clientIds' | 'metadata'>

const noTexts: Texts = { clientIds: new Map(), metadata: new Map() }

function captureTable(table: Table, texts: Texts): TableSnapshot {
  return {
    records: table.capture(),
    clientIds: new Map(texts.clientIds),
    metadata: new Map(texts.metadata),
  }
}

function captureAccounts(state: State): AccountsSnapshot {
  const { accounts } = state
  return {
    ids: accounts.ids.slice(),
    limits: accounts.limits.map((limits) => limits.config),
    records: accounts.capture(),
  }
}

function captureAssets(state: State): AssetSnapshot[] {
  const assets: AssetSnapshot[] = []
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const { statistics, marks } = stateOf(state, asset)
    assets.push({
      ...captureAsset(state, asset),
      statistics: statistics.snapshot(state.nowMillis),
      marks: marks.snapshot(),
    })
  }
  return assets
}

/** The state of an asset, except for the series that grow with time. */
export function captureAsset(state: State, asset: number): Omit<AssetSnapshot, 'statistics' | 'marks'> {
  const {
    ladder,
    impact,
    statistics: _statistics,
    marks: _marks,
    book: _book,
    ...rest
  } = stateOf(state, asset)
  const { impact: impactSpec } = state.assets.config(asset)
  return {
    ...rest,
    pair: state.assets.traded(asset).pair,
    markTicks: state.markTicks.get(asset),
    priceUpdatedAtMillis: state.priceUpdatedAtMillis.get(asset),
    lastTicks: state.lastTicks.get(asset),
    impact:
      impactSpec === undefined
        ? impact
        : canonicalImpact(impactSpec, impact, ladder.standsAtMillis, ladder.stepAtMillis),
    ladder: ladder.capture(),
  }
}
