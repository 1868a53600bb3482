import { buy, cash, firstClientAccount, isLiveQuote, sideNames } from '../../engine/codes.ts'
import { isFill } from '../../engine/reports/activity.ts'
import { portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import { portfolioSummary } from '../../engine/reports/portfolio-summary.ts'
import type { State } from '../../engine/state.ts'
import { activityOf, ordersOf } from '../../engine/tables/account-lists.ts'
import { liveOrdersOf, liveQuotesOf } from '../../engine/tables/live-lists.ts'
import { unreachable } from '../../numeric/assert.ts'
import type { Value } from './evaluate-predicate.ts'
import { exact, times } from './exact.ts'
import type { AccountReadout, CounterReadout, FillReadout, LockedReadout } from './readouts.ts'

/* Read-outs of whole accounts, of fills and of the venue. */

const usd = (atoms: number): Value => exact(atoms, 6)
const count = (things: number): Value => exact(things, 0)

export function readAccount(state: State, account: number, field: AccountReadout): Value {
  switch (field) {
    case 'openOrders':
      return count(state.accounts.openOrders.get(account))
    case 'fills':
      return count(countFills(state, account))
    case 'grossExposureUsd':
      return usd(portfolioExposure(state, account).totalExposureAtoms)
    case 'netExposureUsd':
      return usd(portfolioExposure(state, account).netExposureAtoms)
    case 'leverage':
      return exact(portfolioExposure(state, account).leverageE8, 8)
    case 'openPositions':
      return count(portfolioSummary(state, account).openPositions)
    default:
      return usd(portfolioSummary(state, account)[summaryAtoms[field]])
  }
}

const summaryAtoms = {
  equity: 'totalValueAtoms',
  cashBalance: 'cashBalanceAtoms',
  positionsValue: 'positionsValueAtoms',
  totalPnl: 'totalPnlAtoms',
  dayPnl: 'dayPnlAtoms',
  realizedPnl: 'realizedPnlAtoms',
  unrealizedPnl: 'unrealizedPnlAtoms',
  buyingPower: 'buyingPowerAtoms',
} as const

function countFills(state: State, account: number): number {
  const activity = activityOf(state, account)
  let fills = 0
  for (let place = 0; place < activity.count; place += 1) if (isFill(activity.at(place))) fills += 1
  return fills
}

/** What live quotes, or live orders, hold of one asset: USD for what they buy, the asset for what they sell. */
export function readLocked(state: State, account: number, asset: number, field: LockedReadout): Value {
  const rows =
    field === 'lockedByLiveOrders'
      ? liveOrdersOf(state, account)
      : liveQuotesOf(state, account).flatMap((quote) => [
          state.quotes.bidLeg.get(quote),
          state.quotes.askLeg.get(quote),
        ])
  let atoms = 0
  for (const row of rows) {
    const held = state.orders.side.get(row) === buy ? cash : state.orders.asset.get(row)
    if (held === asset) atoms += state.orders.reservedAtoms.get(row)
  }
  return exact(atoms, state.assets.config(asset).scale)
}

export function readFill(state: State, row: number, field: FillReadout): Value {
  const { fills, assets } = state
  const asset = fills.asset.get(row)
  const { pair } = assets.traded(asset)
  switch (field) {
    case 'asset':
      return assets.symbol(asset)
    case 'account':
      return state.accounts.id(fills.account.get(row))
    case 'side':
      return sideNames[fills.side.get(row)] ?? null
    case 'price':
      return times(fills.priceTicks.get(row), pair.priceStep)
    case 'quantity':
      return times(fills.quantitySteps.get(row), pair.quantityStep)
    case 'fee':
      return exact(fills.feeAtoms.get(row), assets.config(fills.feeAsset.get(row)).scale)
    case 'isMaker':
      return fills.isMaker.get(row) === 1
    default:
      return unreachable(field)
  }
}

export function readCounter(state: State, field: CounterReadout): Value {
  const { orders, quotes, fills } = state
  switch (field) {
    case 'orders.count':
      return count(sumOf(state, (account) => ordersOf(state, account).count))
    case 'orders.open.count':
      return count(sumOf(state, (account) => liveOrdersOf(state, account).length))
    case 'orders.byClientId.duplicates': {
      const names = sumOf(state, (account) => state.accounts.listsOf(account).clientOrderIds.size)
      return count(orders.clientIds.size - names)
    }
    case 'quotes.count':
      return count(quotes.count)
    case 'quotes.live.count': {
      let live = 0
      for (let row = 0; row < quotes.count; row += 1) if (isLiveQuote(quotes.status.get(row))) live += 1
      return count(live)
    }
    case 'fills.count':
      return count(fills.count)
    default:
      return unreachable(field)
  }
}

function sumOf(state: State, of: (account: number) => number): number {
  let sum = 0
  for (let account = firstClientAccount; account < state.accounts.count; account += 1) sum += of(account)
  return sum
}
