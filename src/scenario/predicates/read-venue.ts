import { averagePrice } from '../../api/views/average-price.ts'
import { kindOrder, none, orderStatusNames, quoteStatusNames, sideNames } from '../../engine/codes.ts'
import type { DecimalStep } from '../../engine/config.ts'
import { balanceOf } from '../../engine/reports/balances.ts'
import { positionOf } from '../../engine/reports/position-figures.ts'
import { statistics24h } from '../../engine/reports/statistics.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { isHalted } from '../../engine/transitions/matching.ts'
import { unreachable } from '../../numeric/assert.ts'
import type { ReadoutSource, Value } from './evaluate-predicate.ts'
import { type Exact, exact, exactFromText, times } from './exact.ts'
import type { NamedRows } from './named-rows.ts'
import { readAccount, readCounter, readFill, readLocked } from './read-accounts.ts'
import type {
  BalanceReadout,
  MarketReadout,
  OrderReadout,
  PositionReadout,
  PriceReadout,
  QuoteReadout,
  Readout,
  Wildcard,
} from './readouts.ts'
import type { RequestCounts } from './request-counts.ts'

/** What a script knows besides the venue's state. */
export interface ScriptView {
  readonly rows: NamedRows
  readonly tallies: RequestCounts
  /** The first fill that `fill` runs over. */
  readonly firstFill: number
  /** A figure of an account's run so far; null while it is undefined. */
  readonly figureOf: (account: number, name: string) => number | null
}

/** The read-outs of a venue, as it is when they are read. */
export function readVenue(state: State, view: ScriptView): ReadoutSource {
  return {
    read: (readout, row) => read(state, view, readout, row),
    rowsOf: (wildcard) => rowsOf(state, view, wildcard),
  }
}

function* rowsOf(state: State, view: ScriptView, wildcard: Wildcard): Generator<number> {
  const { orders, quotes, fills } = state
  if (wildcard === 'fill') for (let row = view.firstFill; row < fills.count; row += 1) yield row
  if (wildcard === 'quote') for (let row = 0; row < quotes.count; row += 1) yield row
  if (wildcard !== 'order') return
  for (let row = 0; row < orders.count; row += 1) if (orders.kind.get(row) === kindOrder) yield row
}

function read(state: State, view: ScriptView, readout: Readout, row: number | null): Value {
  const { rows } = view
  switch (readout.family) {
    case 'clock':
      return exact(state.nowMillis - state.config.startMillis, 3)
    case 'price':
      return readPrice(state, readout.asset, readout.field)
    case 'market':
      return readMarket(state, readout.asset, readout.field)
    case 'order': {
      const { label, field } = readout
      return readOrder(state, rows, label, label === '*' ? row : orderRowOf(state, rows, label), field)
    }
    case 'quote': {
      const { label, field } = readout
      return readQuote(state, rows, label, label === '*' ? row : rows.quoteRow(label), field)
    }
    case 'fill':
      return row === null ? null : readFill(state, row, readout.field)
    case 'balance':
      return readBalance(state, readout.account, readout.asset, readout.field)
    case 'position':
      return readPosition(state, readout.account, readout.asset, readout.field)
    case 'locked':
      return readLocked(state, readout.account, readout.asset, readout.field)
    case 'account':
      return readAccount(state, readout.account, readout.field)
    case 'requests':
      return view.tallies.read(readout.selector, readout.field)
    case 'counter':
      return readCounter(state, readout.field)
    case 'metrics':
      return fromNumber(view.figureOf(readout.account, readout.field))
    case 'happened':
      return rows.instantOf(readout.label) !== null
    default:
      return unreachable(readout)
  }
}

const fromNumber = (value: number | null): Exact | null =>
  value === null ? null : exactFromText(String(value))

/** As the trading pairs show it: a halt in which orders may rest leaves the pair active. */
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
    case 'volume24h':
      return times(statistics24h(state, asset).volumeSteps, quantityStep)
    case 'change24h':
      return exact(statistics24h(state, asset).changePercentE4, 4)
    default:
      return half(statistics24h(state, asset)[statisticsHalfTicks[field]], priceStep)
  }
}

const statisticsHalfTicks = {
  last: 'closeHalfTicks',
  open: 'openHalfTicks',
  high24h: 'highHalfTicks',
  low24h: 'lowHalfTicks',
} as const

/** By its label, else by the client id in a request that a fault has struck. */
function orderRowOf(state: State, rows: NamedRows, label: string): number | null {
  const row = rows.orderRow(label)
  const named = row === null ? rows.clientOrderOf(label) : null
  if (named === null) return row
  const account = state.accounts.rowOf(named[0])
  return account === none ? null : (state.accounts.listsOf(account).clientOrderIds.get(named[1]) ?? null)
}

function readOrder(
  state: State,
  names: NamedRows,
  label: string,
  row: number | null,
  field: OrderReadout,
): Value {
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
    case 'averagePrice':
      return fromNumber(averagePrice(state, row))
    default:
      return unreachable(field)
  }
}

function readQuote(
  state: State,
  names: NamedRows,
  label: string,
  row: number | null,
  field: QuoteReadout,
): Value {
  if (field === 'exists') return row !== null
  if (field === 'refusal') return names.quoteRefusal(label)
  if (row === null) return null
  const { orders, quotes } = state
  if (field === 'status') return quoteStatusNames[quotes.status.get(row)] ?? null
  const { priceStep, quantityStep } = state.assets.traded(quotes.asset.get(row)).pair
  const leg = (field.startsWith('bid') ? quotes.bidLeg : quotes.askLeg).get(row)
  switch (field) {
    case 'bidPrice':
    case 'askPrice':
      return times(orders.priceTicks.get(leg), priceStep)
    case 'bidSize':
    case 'askSize':
      return times(orders.quantitySteps.get(leg), quantityStep)
    case 'bidFilled':
    case 'askFilled':
      return times(orders.filledSteps.get(leg), quantityStep)
    default:
      return unreachable(field)
  }
}

function readBalance(state: State, account: number, asset: number, field: BalanceReadout): Value {
  const balance = balanceOf(state, account, asset)
  return exact(balance[`${field}Atoms`], state.assets.config(asset).scale)
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

/** Half ticks: a mid lies between two ticks. */
const half = (halfTicks: number, step: DecimalStep): Exact =>
  exact(BigInt(halfTicks) * BigInt(step.units) * 5n, step.scale + 1)
