import { canonicalImpact } from '../../market/liquidity/impact.ts'
import { stateOf } from '../checks/walk.ts'
import type { State } from '../state.ts'
import type { AccountsSnapshot, AssetSnapshot, TableSnapshot, VenueSnapshot } from './snapshot.ts'
import { snapshotVersion } from './snapshot.ts'

/** Copies what a venue is; the venue goes on unmoved. Cost: a copy of the records' bytes, hardly more. */
export function captureState(state: State): VenueSnapshot {
  return capture(state, state.orders.capture(), state.fills.capture())
}

/**
 * The same for a digest, not to be kept: orders in memory that is used again, if it has room for them, and fills, which
 * never change, where they are.
 */
export function captureForDigest(state: State, memory: Uint8Array): VenueSnapshot {
  const { orders, fills } = state
  const hasRoom = memory.length >= orders.view().length
  return capture(state, hasRoom ? orders.captureInto(memory) : orders.capture(), fills.view())
}

function capture(state: State, orderRows: Uint8Array, fillRows: Uint8Array): VenueSnapshot {
  const { orders, quotes } = state
  return {
    version: snapshotVersion,
    counters: [state.nowMillis, state.gridIndex, state.tradeCount, state.moveCount, state.priorityCount],
    orders: withTexts(orderRows, orders),
    quotes: withTexts(quotes.capture(), quotes),
    fills: withTexts(fillRows, noTexts),
    transfers: withTexts(state.transfers.capture(), noTexts),
    accounts: captureAccounts(state),
    feeSchedules: state.feeSchedules.rows.flatMap((row) => [row.makerRate, row.takerRate]),
    holdings: state.holdings.capture(),
    assets: captureAssets(state),
  }
}

type Texts = Pick<TableSnapshot, 'clientIds' | 'metadata'>

const noTexts: Texts = { clientIds: new Map(), metadata: new Map() }

function withTexts(records: Uint8Array, texts: Texts): TableSnapshot {
  return {
    records,
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
    const { ladder, statistics, marks, impact, book: _book, foreseen: _, ...rest } = stateOf(state, asset)
    const { impact: impactSpec } = state.assets.config(asset)
    assets.push({
      ...rest,
      pair: state.assets.traded(asset).pair,
      markTicks: state.markTicks.get(asset),
      priceUpdatedAtMillis: state.priceUpdatedAtMillis.get(asset),
      lastTicks: state.lastTicks.get(asset),
      impact: impactSpec === undefined ? impact : canonicalImpact(impactSpec, impact, state.nowMillis),
      ladder: ladder.capture(state.nowMillis),
      statistics: statistics.snapshot(state.nowMillis),
      marks: marks.snapshot(),
    })
  }
  return assets
}
