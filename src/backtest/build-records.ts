import { formatId, type IdScheme, priceNumber, quantityNumber, usdNumber } from '../api/answer.ts'
import { describeBookFill } from '../api/explain/describe-book-fill.ts'
import { computeAveragePrice } from '../api/handlers/orders.ts'
import {
  kindQuoteLeg,
  none,
  orderStatusNames,
  orderTypeNames,
  quoteStatusNames,
  sideNames,
  timeInForceNames,
  transferDeposit,
  wordForCode,
} from '../engine/codes.ts'
import { feeValueAtoms, signedFlowAtoms } from '../engine/reports/activity.ts'
import { findBookFill } from '../engine/reports/book-fill.ts'
import type { State } from '../engine/state.ts'
import { listAccountOrders, listAccountQuotes } from '../engine/tables/account-table.ts'
import { cashScale } from '../engine/tables/asset-table.ts'
import type { AccountRecorder } from '../metrics/account-recorder.ts'
import {
  type AccountColumns,
  convertGrid,
  type EquityGrid,
  type FillCause,
  type FillRecord,
  markoutMillis,
  type OrderRecord,
  type QuoteRecord,
  type Records,
  type TransferRecord,
} from '../metrics/records.ts'
import type { TradeRecorder } from '../metrics/trade-recorder.ts'
import { missing } from '../numeric/assert.ts'
import { element, type Float64Column } from '../numeric/columns.ts'
import { decimalToNumber, roundAmount } from '../numeric/units.ts'
import type { BacktestResult, RunResult } from './result.ts'
import type { Decision } from './venue/latency-network.ts'

export interface RecordSources {
  readonly state: State
  readonly account: number
  readonly ids: IdScheme
  readonly recorder: AccountRecorder
  readonly trades: TradeRecorder
  readonly decisions: ReadonlyMap<number, Decision>
  /** The number of the account's orders before the run, which are left out; `firstQuote` is that of its quotes. */
  readonly firstOrder: number
  readonly firstQuote: number
}

export function buildEquityGrid(
  { recorder, state }: RecordSources,
  stepMillis: number,
): EquityGrid<Float64Array> {
  const { midnights, points } = recorder
  return {
    stepMillis,
    ...buildColumns(state, points),
    ...(midnights.count === 0 ? {} : { midnights: buildColumns(state, midnights) }),
  }
}

function buildColumns(state: State, points: AccountRecorder['points']): AccountColumns<Float64Array> {
  const inUnits = (column: Float64Column, scale: number): Float64Array => {
    const values = column.slice(points.count)
    for (let row = 0; row < values.length; row += 1)
      values[row] = decimalToNumber(element(values, row), scale)
    return values
  }
  return {
    atMillis: points.atMillis.slice(points.count),
    equity: inUnits(points.equityAtoms, cashScale),
    flow: inUnits(points.flowAtoms, cashScale),
    cash: inUnits(points.cashAtoms, cashScale),
    assets: points.markTicks.map((ticks, place) => {
      const { pair, scale, symbol } = state.assets.tradedAsset(place + 1)
      const price = ticks.slice(points.count)
      for (let row = 0; row < price.length; row += 1) price[row] = priceNumber(pair, element(price, row))
      return {
        asset: symbol,
        price,
        position: inUnits(points.positionAtoms[place] ?? missing('each asset has its positions'), scale),
      }
    }),
  }
}

/** Makes the orders and quotes of a run, and keeps them: the result is plain JSON data then. */
export const listResultRecords = (result: RunResult): BacktestResult => ({
  ...result,
  orders: [...result.orders],
  quotes: [...result.quotes],
})

/** Converts the columns of the equity to lists. A sweep keeps only a hundred points of the equity and skips this. */
export const listEquity = (result: RunResult<Float64Array>): RunResult => ({
  ...result,
  equity: convertGrid(result.equity, toList),
})

/** Copies a column to a list. `Array.from` takes six times as long, because it goes through an iterator. */
function toList(column: Float64Array): readonly number[] {
  const list = new Array<number>(column.length)
  for (let place = 0; place < column.length; place += 1) list[place] = element(column, place)
  return list
}

export function buildFillRecords(sources: RecordSources): readonly FillRecord[] {
  return sources.recorder.fills.map((row, place) => buildFillRecord(sources, row, place))
}

export function buildTransferRecords({ recorder, state }: RecordSources): readonly TransferRecord[] {
  const { assets, transfers } = state
  return recorder.transfers.map((row) => {
    const asset = transfers.asset.get(row)
    const atoms = transfers.atoms.get(row)
    return {
      atMillis: transfers.flowAtMillis.get(row),
      asset: assets.symbol(asset),
      quantity: decimalToNumber(
        transfers.kind.get(row) === transferDeposit ? atoms : -atoms,
        assets.config(asset).scale,
      ),
      value: usdNumber(signedFlowAtoms(state, row)),
    }
  })
}

function buildFillRecord(sources: RecordSources, row: number, place: number): FillRecord {
  const { ids, recorder, state, trades } = sources
  const { assets, fills, orders } = state
  const asset = fills.asset.get(row)
  const { pair } = assets.tradedAsset(asset)
  const order = fills.order.get(row)
  const isLeg = orders.kind.get(order) === kindQuoteLeg
  const feeAsset = fills.feeAsset.get(row)
  const ticks = fills.priceTicks.get(row)
  const price = (value: number | null): number | null => (value === null ? null : priceNumber(pair, value))
  return {
    fillId: formatId(ids, 'fill', row),
    orderId: isLeg ? null : formatId(ids, 'order', order),
    quoteId: isLeg ? formatId(ids, 'quote', orders.quote.get(order)) : null,
    atMillis: fills.atMillis.get(row),
    asset: assets.symbol(asset),
    side: wordForCode(sideNames, fills.side.get(row)),
    price: priceNumber(pair, ticks),
    quantity: quantityNumber(pair, fills.quantitySteps.get(row)),
    value: usdNumber(fills.notionalAtoms.get(row)),
    fee: decimalToNumber(fills.feeAtoms.get(row), assets.config(feeAsset).scale),
    feeCurrency: assets.symbol(feeAsset),
    feeUsd: usdNumber(feeValueAtoms(state, row)),
    realized: usdNumber(fills.realizedAtoms.get(row)),
    isMaker: fills.isMaker.get(row) === 1,
    arrivalMid: isLeg ? null : price(recorder.arrivalTicks(order)),
    mid: price(trades.markTicks(row)),
    midAfter: markoutMillis.map((_, horizon) => price(recorder.markAfter(place, horizon))),
    tradedBefore: findTradedBefore(sources, row, asset),
    cause: buildCause(sources, row),
  }
}

function findTradedBefore({ state, trades }: RecordSources, row: number, asset: number) {
  const traded = trades.volumeBefore(row)
  if (traded === null) return null
  const { pair, stepUnits, tickUsd } = state.assets.tradedAsset(asset)
  return {
    quantity: quantityNumber(pair, traded.steps),
    value: roundAmount(traded.tickSteps * tickUsd * stepUnits),
  }
}

function buildCause({ ids, state, trades }: RecordSources, row: number): FillCause {
  const { accounts, assets, fills, orders } = state
  const other = trades.other(row)
  const isMaker = fills.isMaker.get(row) === 1
  const own = fills.order.get(row)
  const isOwnCommand = !isMaker && orders.createdAtMillis.get(own) === fills.atMillis.get(row)
  const placed = orders.kind.get(own) === kindQuoteLeg ? 'submit-quote' : 'place-order'
  return {
    kind: trades.cause(row),
    price: priceNumber(assets.tradedAsset(fills.asset.get(row)).pair, fills.priceTicks.get(row)),
    orderId: other === none ? null : formatId(ids, 'order', other),
    account: other === none ? null : accounts.id(orders.account.get(other)),
    sequence: trades.sequenceOf(row),
    command: isMaker ? findMakerCommand(trades.cause(row)) : isOwnCommand ? placed : 'amend-order',
    ...buildBookCause(state, row),
  }
}

function buildBookCause(state: State, row: number): Pick<FillCause, 'book'> {
  const fill = findBookFill(state, row)
  if (fill === null) return {}
  const { pair } = state.assets.tradedAsset(state.fills.asset.get(row))
  return {
    book: {
      kind: fill.cause,
      law: fill.law,
      joinedBehind: quantityNumber(pair, fill.joinedBehindSteps),
      takenByTrades: quantityNumber(pair, fill.takenByTradesSteps),
      leftByLaw: quantityNumber(pair, fill.leftByLawSteps),
      row: fill.row,
      rowAtMillis: fill.rowAtMillis,
      rowPrice: priceNumber(pair, fill.rowTicks),
      rowQuantity: quantityNumber(pair, fill.rowSteps),
      file: fill.place?.file ?? null,
      line: fill.place?.line ?? null,
      text: describeBookFill(fill, pair),
    },
  }
}

/**
 * Returns the kind of the command that filled a resting order: another order, an admin's fill, or an advance of time.
 */
function findMakerCommand(cause: FillCause['kind']): string {
  if (cause === 'order') return 'place-order'
  return cause === 'forced' ? 'force-fill' : 'advance'
}

export function buildOrderRecords(sources: RecordSources): Records<OrderRecord> {
  const { account, decisions, firstOrder, ids, recorder, state } = sources
  const { assets, orders } = state
  const list = listAccountOrders(state, account)
  return makeWhenRead(list.count - firstOrder, (place): OrderRecord => {
    const row = list.at(firstOrder + place)
    const { pair, symbol } = assets.tradedAsset(orders.asset.get(row))
    const arrival = recorder.arrivalTicks(row)
    const decision = decisions.get(row)
    const decisionTicks = decision?.markTicks ?? arrival
    const isMarket = orders.priceTicks.get(row) === 0
    return {
      orderId: formatId(ids, 'order', row),
      clientOrderId: orders.clientId(row),
      asset: symbol,
      side: wordForCode(sideNames, orders.side.get(row)),
      type: wordForCode(orderTypeNames, orders.type.get(row)),
      timeInForce: wordForCode(timeInForceNames, orders.timeInForce.get(row)),
      price: isMarket ? null : priceNumber(pair, orders.priceTicks.get(row)),
      quantity: quantityNumber(pair, orders.quantitySteps.get(row)),
      filledQuantity: quantityNumber(pair, orders.filledSteps.get(row)),
      averagePrice: computeAveragePrice(state, row),
      status: wordForCode(orderStatusNames, orders.status.get(row)),
      decidedAtMillis: decision?.atMillis ?? orders.createdAtMillis.get(row),
      decisionMid: decisionTicks === null ? null : priceNumber(pair, decisionTicks),
      createdAtMillis: orders.createdAtMillis.get(row),
      arrivalMid: arrival === null ? null : priceNumber(pair, arrival),
      updatedAtMillis: orders.updatedAtMillis.get(row),
    }
  })
}

export function buildQuoteRecords({ account, firstQuote, ids, state }: RecordSources): Records<QuoteRecord> {
  const { assets, orders, quotes } = state
  const list = listAccountQuotes(state, account)
  return makeWhenRead(list.count - firstQuote, (place): QuoteRecord => {
    const row = list.at(firstQuote + place)
    const bid = quotes.bidLeg.get(row)
    const ask = quotes.askLeg.get(row)
    const { pair, symbol } = assets.tradedAsset(quotes.asset.get(row))
    // Written out field by field, as in `quoteView`: spreading an object with this many fields is many times slower.
    return {
      quoteId: formatId(ids, 'quote', row),
      clientQuoteId: quotes.clientId(row),
      asset: symbol,
      bidPrice: priceNumber(pair, orders.priceTicks.get(bid)),
      askPrice: priceNumber(pair, orders.priceTicks.get(ask)),
      bidSize: quantityNumber(pair, orders.quantitySteps.get(bid)),
      askSize: quantityNumber(pair, orders.quantitySteps.get(ask)),
      bidFilled: quantityNumber(pair, orders.filledSteps.get(bid)),
      askFilled: quantityNumber(pair, orders.filledSteps.get(ask)),
      status: wordForCode(quoteStatusNames, quotes.status.get(row)),
      createdAtMillis: quotes.createdAtMillis.get(row),
      updatedAtMillis: quotes.updatedAtMillis.get(row),
    }
  })
}

/**
 * Makes records each time they are read, and keeps none: a list of hundreds of thousands of orders takes more memory
 * than the venue's own tables. They show the tables as they are at the reading.
 */
function makeWhenRead<Row>(length: number, make: (place: number) => Row): Records<Row> {
  return {
    length,
    *[Symbol.iterator]() {
      for (let place = 0; place < length; place += 1) yield make(place)
    },
  }
}
