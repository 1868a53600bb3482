import { buy, cash, firstClientAccount, isLiveQuote, sideNames } from '../../engine/codes.ts'
import { isFill } from '../../engine/reports/activity.ts'
import { portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import { portfolioSummary } from '../../engine/reports/portfolio-summary.ts'
import type { State } from '../../engine/state.ts'
import { activityOf, ordersOf } from '../../engine/tables/account-lists.ts'
import { liveOrdersOf, liveQuotesOf } from '../../engine/tables/live-lists.ts'
import { unreachable } from '../../numeric/assert.ts'
import type { Value } from './evaluate-predicate.ts'
import { exact } from './exact.ts'
import type { AccountReadout, CounterReadout, FillReadout, LockedReadout } from './readouts.ts'

/* Read-outs of whole accounts, of fills and of the venue. */

const usd = (atoms: number): Value => exact(atoms, 6)

export function readAccount(state: State, account: number, field: AccountReadout): Value {
  switch (field) {
    case 'openOrders':
      return exact(state.accounts.openOrders.get(account), 0)
    case 'fills':
      return exact(countFills(state, account), 0)
    case 'grossExposureUsd':
      return usd(portfolioExposure(state, account).totalExposureAtoms)
    case 'netExposureUsd':
      return usd(portfolioExposure(state, account).netExposureAtoms)
    case 'leverage':
      return exact(portfolioExposure(state, account).leverageE8, 8)
    default:
      return readSummary(state, account, field)
  }
}

function readSummary(
  state: State,
  account: number,
  field: Exclude<AccountReadout, 'openOrders' | 'fills' | 'grossExposureUsd' | 'netExposureUsd' | 'leverage'>,
): Value {
  const summary = portfolioSummary(state, account)
  switch (field) {
    case 'openPositions':
      return exact(summary.openPositions, 0)
    case 'equity':
      return usd(summary.totalValueAtoms)
    case 'cashBalance':
      return usd(summary.cashBalanceAtoms)
    case 'positionsValue':
      return usd(summary.positionsValueAtoms)
    case 'totalPnl':
      return usd(summary.totalPnlAtoms)
    case 'dayPnl':
      return usd(summary.dayPnlAtoms)
    case 'realizedPnl':
      return usd(summary.realizedPnlAtoms)
    case 'unrealizedPnl':
      return usd(summary.unrealizedPnlAtoms)
    case 'buyingPower':
      return usd(summary.buyingPowerAtoms)
    default:
      return unreachable(field)
  }
}

function countFills(state: State, account: number): number {
  const activity = activityOf(state, account)
  let count = 0
  for (let place = 0; place < activity.count; place += 1) if (isFill(activity.at(place))) count += 1
  return count
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
      return exact(BigInt(fills.priceTicks.get(row)) * BigInt(pair.priceStep.units), pair.priceStep.scale)
    case 'quantity':
      return exact(
        BigInt(fills.quantitySteps.get(row)) * BigInt(pair.quantityStep.units),
        pair.quantityStep.scale,
      )
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
      return exact(
        sumOf(state, (account) => ordersOf(state, account).count),
        0,
      )
    case 'orders.open.count':
      return exact(
        sumOf(state, (account) => liveOrdersOf(state, account).length),
        0,
      )
    case 'orders.byClientId.duplicates': {
      const names = sumOf(state, (account) => state.accounts.listsOf(account).clientOrderIds.size)
      return exact(orders.clientIds.size - names, 0)
    }
    case 'quotes.count':
      return exact(quotes.count, 0)
    case 'quotes.live.count': {
      let live = 0
      for (let row = 0; row < quotes.count; row += 1) if (isLiveQuote(quotes.status.get(row))) live += 1
      return exact(live, 0)
    }
    case 'fills.count':
      return exact(fills.count, 0)
    default:
      return unreachable(field)
  }
}

function sumOf(state: State, of: (account: number) => number): number {
  let sum = 0
  for (let account = firstClientAccount; account < state.accounts.count; account += 1) sum += of(account)
  return sum
}
