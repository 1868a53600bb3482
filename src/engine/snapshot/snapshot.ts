import { canonicalizeImpact } from '../../market/liquidity/impact.ts'
import { assert } from '../../numeric/assert.ts'
import { isLiveQuote, isTerminal, kindOrder, type OrderRow, orderRow } from '../codes.ts'
import { rebuildTimeline } from '../due-items.ts'
import type { LimitsConfig } from '../limits.ts'
import type { Metadata } from '../metadata.ts'
import { restOrder } from '../orders/transitions.ts'
import { type State, stateOf } from '../state.ts'

import type { Table } from '../tables/record-tables.ts'

/*
 * A venue's state as plain data: the bytes of the rows in use, and what does not fit into columns.
 *
 * What can be derived is left out and rebuilt on loading: books, live lists, the timeline, compiled limits, values at
 * the mark. So a snapshot is canonical: two venues that will behave alike for ever have equal ones, whatever their
 * histories. The digest is a hash of it.
 */

export const snapshotVersion = 1

/**
 * A venue's state as plain data. Parts with bytes have stated types: older compilers could not read the inferred ones
 * in the package's declarations.
 */
export interface VenueSnapshot {
  readonly version: typeof snapshotVersion
  readonly counters: ReturnType<typeof countersOf>
  readonly orders: TableSnapshot
  readonly quotes: TableSnapshot
  readonly fills: TableSnapshot
  readonly transfers: TableSnapshot
  readonly accounts: AccountsSnapshot
  readonly feeSchedules: readonly number[]
  /** Ledger, positions and open interest, by account and asset. */
  readonly holdings: Uint8Array
  readonly assets: readonly AssetSnapshot[]
}

export interface TableSnapshot extends Texts {
  readonly records: Uint8Array
}

interface AccountsSnapshot {
  readonly ids: readonly string[]
  readonly limits: readonly LimitsConfig[]
  readonly records: Uint8Array
}

type AssetSnapshot = Readonly<ReturnType<typeof captureAssets>[number]>

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
    feeSchedules: listFeeRates(state),
    holdings: state.holdings.capture(),
    assets: captureAssets(state),
  }
}

export function countersOf({ nowMillis, gridIndex, tradeCount, moveCount, priorityCount }: State) {
  return [nowMillis, gridIndex, tradeCount, moveCount, priorityCount] as const
}

/** Lists the maker and the taker rate of each schedule in turn, in parts per million. */
export function listFeeRates(state: State): number[] {
  return state.feeSchedules.rows.flatMap((row) => [row.makerRate, row.takerRate])
}

interface Texts {
  readonly clientIds: ReadonlyMap<number, string>
  readonly metadata: ReadonlyMap<number, Metadata>
}

const noTexts: Texts = { clientIds: new Map(), metadata: new Map() }

function captureTable(table: Table, texts: Texts): TableSnapshot {
  return {
    records: table.capture(),
    clientIds: new Map(texts.clientIds),
    metadata: new Map(texts.metadata),
  }
}

function captureAccounts({ accounts }: State): AccountsSnapshot {
  return {
    ids: accounts.ids.slice(),
    limits: accounts.limits.map((limits) => limits.config),
    records: accounts.capture(),
  }
}

function captureAssets(state: State) {
  return state.byAsset.slice(1).map((_, index) => {
    const asset = index + 1
    const { statistics, marks } = stateOf(state, asset)
    return {
      ...captureAsset(state, asset),
      statistics: statistics.snapshot(state.nowMillis),
      marks: marks.snapshot(),
    }
  })
}

/** Captures the state of an asset, except for the series that grow with time. */
export function captureAsset(state: State, asset: number) {
  const {
    ladder,
    impact,
    statistics: _statistics,
    marks: _marks,
    book: _book,
    recorded: _recorded,
    ...rest
  } = stateOf(state, asset)
  const { impact: impactSpec } = state.assets.config(asset)
  return {
    ...rest,
    pair: state.assets.tradedAsset(asset).pair,
    markTicks: state.markTicks.get(asset),
    priceUpdatedAtMillis: state.priceUpdatedAtMillis.get(asset),
    lastTicks: state.lastTicks.get(asset),
    impact:
      impactSpec === undefined
        ? impact
        : canonicalizeImpact(impactSpec, impact, ladder.inputsAtMillis, ladder.stepAtMillis),
    ladder: ladder.capture(),
  }
}

/** Loads a snapshot into a new state of the same configuration, and rebuilds what is derived. Asserts the version. */
export function loadState(state: State, snapshot: VenueSnapshot): void {
  assert(snapshot.version === snapshotVersion, 'a snapshot is of this version')
  const [nowMillis, gridIndex, tradeCount, moveCount, priorityCount] = snapshot.counters
  Object.assign(state, { nowMillis, gridIndex, tradeCount, moveCount, priorityCount })
  state.feeSchedules.rows.splice(0, state.feeSchedules.rows.length)
  for (let place = 0; place < snapshot.feeSchedules.length; place += 2) {
    const [makerRate = 0, takerRate = 0] = snapshot.feeSchedules.slice(place, place + 2)
    state.feeSchedules.add(makerRate, takerRate)
  }
  loadAccounts(state, snapshot.accounts)
  state.holdings.load(snapshot.holdings)
  for (const [index, asset] of snapshot.assets.entries()) loadAsset(state, index + 1, asset)
  state.orders.load(snapshot.orders.records)
  state.quotes.load(snapshot.quotes.records)
  state.fills.load(snapshot.fills.records)
  state.transfers.load(snapshot.transfers.records)
  loadTexts(state.orders, snapshot.orders)
  loadTexts(state.quotes, snapshot.quotes)
  rebuildOrders(state)
  rebuildQuotes(state)
  rebuildTimeline(state)
}

function loadAccounts(state: State, snapshot: AccountsSnapshot): void {
  const { accounts } = state
  for (const id of snapshot.ids.slice(accounts.count)) accounts.append(id)
  accounts.load(snapshot.records)
  for (const [row, limits] of snapshot.limits.entries()) accounts.setLimits(row, limits, state.assets)
}

function loadAsset(state: State, asset: number, snapshot: AssetSnapshot): void {
  const { pair, markTicks, priceUpdatedAtMillis, lastTicks, ladder, statistics, marks, ...rest } = snapshot
  const assetState = stateOf(state, asset)
  state.assets.setPair(asset, pair)
  state.markTicks.set(asset, markTicks)
  state.priceUpdatedAtMillis.set(asset, priceUpdatedAtMillis)
  state.lastTicks.set(asset, lastTicks)
  Object.assign(assetState, rest)
  assetState.ladder.restore(ladder)
  assetState.statistics.load(statistics)
  assetState.marks.load(marks)
}

interface TextTable {
  readonly clientIds: Map<number, string>
  readonly metadata: Map<number, Metadata>
}

function loadTexts(table: TextTable, snapshot: TableSnapshot): void {
  for (const [row, id] of snapshot.clientIds) table.clientIds.set(row, id)
  for (const [row, value] of snapshot.metadata) table.metadata.set(row, value)
}

/** Rebuilds client ids, counts of live orders, and the books: live rows rest in the order of their queue positions. */
function rebuildOrders(state: State): void {
  const { orders, accounts } = state
  const resting: OrderRow[] = []
  for (let row = 0; row < orders.count; row += 1) {
    if (isTerminal(orders.status.get(row))) continue
    if (orders.kind.get(row) === kindOrder)
      state.exposures.countOpen(orders.account.get(row), orders.asset.get(row), 1)
    resting.push(orderRow(row))
  }
  for (const [row, id] of orders.clientIds)
    accounts.findOrAddLists(orders.account.get(row)).clientOrderIds.set(id, row)
  resting.sort((left, right) => orders.priority.get(left) - orders.priority.get(right))
  for (const row of resting) restOrder(state, row)
}

function rebuildQuotes(state: State): void {
  const { quotes, accounts } = state
  for (let quote = 0; quote < quotes.count; quote += 1) {
    if (isLiveQuote(quotes.status.get(quote)))
      state.exposures.countOpen(quotes.account.get(quote), quotes.asset.get(quote), 1)
  }
  for (const [row, id] of quotes.clientIds)
    accounts.findOrAddLists(quotes.account.get(row)).clientQuoteIds.set(id, row)
}
