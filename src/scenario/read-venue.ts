import { averagePrice } from '../api/views/average-price.ts'
import { balanceOf } from '../engine/balances.ts'
import { none, orderStatusNames, quoteStatusNames, sideNames } from '../engine/codes.ts'
import type { DecimalStep } from '../engine/config.ts'
import { isHalted } from '../engine/matching.ts'
import { positionOf } from '../engine/position-figures.ts'
import type { State } from '../engine/state.ts'
import { statistics24h } from '../engine/statistics.ts'
import { topOfBook } from '../engine/top-of-book.ts'
import { stateOf } from '../engine/walk.ts'
import { unreachable } from '../numeric/assert.ts'
import type { ReadoutSource, Value } from './evaluate-predicate.ts'
import { type Exact, exact, exactFromText } from './exact.ts'
import type {
  BalanceReadout,
  MarketReadout,
  OrderReadout,
  PositionReadout,
  PriceReadout,
  QuoteReadout,
  Readout,
} from './readouts.ts'
import type { LabelledRows } from './resolve-action.ts'

/** What became of the orders and quotes that a script has named. */
export interface NamedRows extends LabelledRows {
  /** What the last refusal was called; null when there was none. */
  orderRefusal(label: string): string | null
  quoteRefusal(label: string): string | null
}

/** Read-outs of a venue as it stands when they are read. */
export function readVenue(state: State, names: NamedRows): ReadoutSource {
  return { read: (readout) => read(state, names, readout) }
}

function read(state: State, names: NamedRows, readout: Readout): Value {
  switch (readout.family) {
    case 'clock':
      return exact(state.nowMillis - state.config.startMillis, 3)
    case 'price':
      return readPrice(state, readout.asset, readout.field)
    case 'market':
      return readMarket(state, readout.asset, readout.field)
    case 'order':
      return readOrder(state, names, readout.label, readout.field)
    case 'quote':
      return readQuote(state, names, readout.label, readout.field)
    case 'balance':
      return readBalance(state, readout.account, readout.asset, readout.field)
    case 'position':
      return readPosition(state, readout.account, readout.asset, readout.field)
    case 'account':
      return exact(state.accounts.openOrders.get(readout.account), 0)
    default:
      return unreachable(readout)
  }
}

/** Status as the trading pairs show it: a halt in which orders may rest leaves the pair active. */
function readMarket(state: State, asset: number, field: MarketReadout): Value {
  const assetState = stateOf(state, asset)
  if (field === 'halted') return isHalted(assetState)
  const { isActive } = state.assets.traded(asset).pair
  return isActive && assetState.halt !== 'reject' && !assetState.isHaltedByRecording ? 'active' : 'inactive'
}

function readPrice(state: State, asset: number, field: PriceReadout): Value {
  const { priceStep, quantityStep } = state.assets.traded(asset).pair
  switch (field) {
    case 'bid':
    case 'ask': {
      const top = topOfBook(state, asset)
      const ticks = field === 'bid' ? top.bidTicks : top.askTicks
      return ticks === none ? null : times(ticks, priceStep)
    }
    case 'mid':
      return half(topOfBook(state, asset).midHalfTicks, priceStep)
    case 'mark':
      return times(state.markTicks.get(asset), priceStep)
    case 'last':
      return half(statistics24h(state, asset).closeHalfTicks, priceStep)
    case 'open':
      return half(statistics24h(state, asset).openHalfTicks, priceStep)
    case 'high24h':
      return half(statistics24h(state, asset).highHalfTicks, priceStep)
    case 'low24h':
      return half(statistics24h(state, asset).lowHalfTicks, priceStep)
    case 'volume24h':
      return times(statistics24h(state, asset).volumeSteps, quantityStep)
    case 'change24h':
      return exact(statistics24h(state, asset).changePercentE4, 4)
    default:
      return unreachable(field)
  }
}

function readOrder(state: State, names: NamedRows, label: string, field: OrderReadout): Value {
  const row = names.orderRow(label)
  if (field === 'exists') return row !== null
  if (field === 'refusal') return names.orderRefusal(label)
  if (row === null) return null
  const { orders } = state
  const { priceStep, quantityStep } = state.assets.traded(orders.asset.get(row)).pair
  switch (field) {
    case 'status':
      return orderStatusNames[orders.status.get(row)] ?? null
    case 'side':
      return sideNames[orders.side.get(row)] ?? null
    case 'price':
      return orders.priceTicks.get(row) === 0 ? null : times(orders.priceTicks.get(row), priceStep)
    case 'quantity':
      return times(orders.quantitySteps.get(row), quantityStep)
    case 'filledQuantity':
      return times(orders.filledSteps.get(row), quantityStep)
    case 'remainingQuantity':
      return times(orders.remainingSteps(row), quantityStep)
    case 'averagePrice': {
      const average = averagePrice(state, row)
      return average === null ? null : exactFromText(String(average))
    }
    default:
      return unreachable(field)
  }
}

function readQuote(state: State, names: NamedRows, label: string, field: QuoteReadout): Value {
  const row = names.quoteRow(label)
  if (field === 'exists') return row !== null
  if (field === 'refusal') return names.quoteRefusal(label)
  if (row === null) return null
  const { orders, quotes } = state
  if (field === 'status') return quoteStatusNames[quotes.status.get(row)] ?? null
  const { priceStep, quantityStep } = state.assets.traded(quotes.asset.get(row)).pair
  const bid = quotes.bidLeg.get(row)
  const ask = quotes.askLeg.get(row)
  switch (field) {
    case 'bidPrice':
      return times(orders.priceTicks.get(bid), priceStep)
    case 'askPrice':
      return times(orders.priceTicks.get(ask), priceStep)
    case 'bidSize':
      return times(orders.quantitySteps.get(bid), quantityStep)
    case 'askSize':
      return times(orders.quantitySteps.get(ask), quantityStep)
    case 'bidFilled':
      return times(orders.filledSteps.get(bid), quantityStep)
    case 'askFilled':
      return times(orders.filledSteps.get(ask), quantityStep)
    default:
      return unreachable(field)
  }
}

function readBalance(state: State, account: number, asset: number, field: BalanceReadout): Value {
  const balance = balanceOf(state, account, asset)
  const { scale } = state.assets.config(asset)
  switch (field) {
    case 'total':
      return exact(balance.totalAtoms, scale)
    case 'available':
      return exact(balance.availableAtoms, scale)
    case 'locked':
      return exact(balance.lockedAtoms, scale)
    case 'pendingDeposit':
      return exact(balance.pendingDepositAtoms, scale)
    case 'pendingWithdrawal':
      return exact(balance.pendingWithdrawalAtoms, scale)
    default:
      return unreachable(field)
  }
}

/** Choice: a flat position reads as quantity 0, side flat and no average, so that predicates can say "nothing held". */
function readPosition(state: State, account: number, asset: number, field: PositionReadout): Value {
  const position = positionOf(state, account, asset)
  switch (field) {
    case 'quantity':
      return exact(Math.abs(position?.quantityAtoms ?? 0), state.assets.config(asset).scale)
    case 'side':
      return position?.side ?? 'flat'
    case 'averageEntryPrice':
      return position === null ? null : exact(position.averageEntryPriceE8, 8)
    case 'realizedPnl':
      return exact(state.positions.realizedAtoms.get(state.ledger.index(account, asset)), 6)
    case 'unrealizedPnl':
      return exact(position?.unrealizedPnlAtoms ?? 0, 6)
    default:
      return unreachable(field)
  }
}

const times = (count: number, step: DecimalStep): Exact =>
  exact(BigInt(count) * BigInt(step.units), step.scale)

/** Half ticks: a mid lies between two ticks. */
const half = (halfTicks: number, step: DecimalStep): Exact =>
  exact(BigInt(halfTicks) * BigInt(step.units) * 5n, step.scale + 1)
