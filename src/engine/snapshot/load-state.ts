import { assert } from '../../numeric/assert.ts'
import { isLiveQuote, isTerminal, kindOrder } from '../codes.ts'
import { rebuildTimeline } from '../due-items.ts'
import type { Metadata } from '../metadata.ts'
import { rest } from '../orders/endings.ts'
import { type State, stateOf } from '../state.ts'
import { countOpen } from '../tables/account-lists.ts'
import type { AccountsSnapshot, AssetSnapshot, TableSnapshot, VenueSnapshot } from './snapshot.ts'
import { snapshotVersion } from './snapshot.ts'

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
  const resting: number[] = []
  for (let row = 0; row < orders.count; row += 1) {
    if (isTerminal(orders.status.get(row))) continue
    if (orders.kind.get(row) === kindOrder)
      countOpen(state, orders.account.get(row), orders.asset.get(row), 1)
    resting.push(row)
  }
  for (const [row, id] of orders.clientIds)
    accounts.listsOf(orders.account.get(row)).clientOrderIds.set(id, row)
  resting.sort((left, right) => orders.priority.get(left) - orders.priority.get(right))
  for (const row of resting) rest(state, row)
}

function rebuildQuotes(state: State): void {
  const { quotes, accounts } = state
  for (let quote = 0; quote < quotes.count; quote += 1) {
    if (isLiveQuote(quotes.status.get(quote)))
      countOpen(state, quotes.account.get(quote), quotes.asset.get(quote), 1)
  }
  for (const [row, id] of quotes.clientIds)
    accounts.listsOf(quotes.account.get(row)).clientQuoteIds.set(id, row)
}
