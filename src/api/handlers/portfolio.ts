import { buy, cash, none, sell, sideNames, wordForCode } from '../../engine/codes.ts'
import {
  listTrades as selectTrades,
  listTransactions as selectTransactions,
  type Transaction,
} from '../../engine/reports/activity.ts'
import { availableForTrading, computeBalance } from '../../engine/reports/balances.ts'
import { type AssetWeight, assetWeight, portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import { portfolioSummary } from '../../engine/reports/portfolio-summary.ts'
import {
  computePosition,
  listPositionFigures,
  type PositionFigures,
} from '../../engine/reports/position-figures.ts'
import { profitAndLoss } from '../../engine/reports/profit-and-loss.ts'
import { isoToMillis, millisPerDay, millisPerHour, millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import {
  amountNumber,
  answer,
  formatId,
  idScheme,
  knownAsset,
  percentNumber,
  priceNumber,
  quantityNumber,
  recordWriter,
  refuse,
  usdNumber,
} from '../answer.ts'
import type { ApiContext, Handler } from '../context.ts'
import { type InputResult, refuseField } from '../input-problem.ts'
import * as schemas from '../operations/portfolio.ts'
import { reduceTo } from '../wire-shapes.ts'
import { filterAssets, makePagination, toSymbols } from './lists.ts'
import { assetRiskExposureView } from './risk.ts'

/**
 * Lists balances (Spec: portfolio/balances). Choice: without a filter, of every asset of the venue, USD first,
 * including balances of 0.
 */
export const listBalances: Handler<'listBalances'> = (context, input) => {
  const filter = filterAssets(context, input.query.assets, knownAsset)
  if (!filter.ok) return filter
  const all = Array.from({ length: context.state.assets.count }, (_, asset) => asset)
  return answer({ balances: (filter.value ?? all).map((asset) => balanceView(context, asset)) })
}

/**
 * Returns the balance of an asset, which may be 0 (Spec: portfolio/balances/:asset). Errors: 404 for an unknown
 * asset.
 */
export const getBalance: Handler<'getBalance'> = (context, input) => {
  const asset = knownAsset(context.state.assets, input.parameter)
  return asset === null ? refuse({ code: 'unknown-asset' }) : answer(balanceView(context, asset))
}

/** Lists positions (Spec: portfolio/positions). Cash is not a position. */
export const listPositions: Handler<'listPositions'> = (context, input) => {
  const filter = filterAssets(context, toSymbols(input.query.asset), knownAsset)
  if (!filter.ok) return filter
  const positions = listPositionFigures(context.state, context.account).filter(
    ({ asset }) => filter.value === null || filter.value.includes(asset),
  )
  return answer({ positions: positions.map((figures) => positionView(context, figures)) })
}

/**
 * Returns the position in an asset (Spec: portfolio/positions/:asset). Errors: 404 for an unknown asset, and without
 * a position.
 */
export const getPosition: Handler<'getPosition'> = (context, input) => {
  const asset = knownAsset(context.state.assets, input.parameter)
  if (asset === null) return refuse({ code: 'unknown-asset' })
  const figures = asset === cash ? null : computePosition(context.state, context.account, asset)
  return figures === null ? refuse({ code: 'unknown-position' }) : answer(positionView(context, figures))
}

/** Returns the exposure of the portfolio (Spec: portfolio/exposure). Cash is an entry of its own, neutral. */
export const getExposure: Handler<'getExposure'> = (context) => {
  const figures = portfolioExposure(context.state, context.account)
  const byAsset = figures.byAsset.map((weight) => assetExposureView(context, weight))
  return answer(writeExposure(figures, { byAsset }))
}

/**
 * Returns the exposure in an asset, zeros without a position (Spec: portfolio/exposure/:asset). The shape of the body
 * is reading `exposure.one`. Errors: 404.
 */
export const getAssetExposure: Handler<'getAssetExposure'> = (context, input) => {
  const asset = knownAsset(context.state.assets, input.parameter)
  if (asset === null) return refuse({ code: 'unknown-asset' })
  if (context.readings['exposure.one'] === 'entry')
    return answer(assetExposureView(context, assetWeight(context.state, context.account, asset)))
  return asset === cash ? refuse({ code: 'unknown-asset' }) : answer(assetRiskExposureView(context, asset))
}

/** Returns the summary of the portfolio (Spec: portfolio/summary). */
export const getSummary: Handler<'getSummary'> = (context) => answer(summaryView(context))

/** Returns the profit and loss of the window that ends now (Spec: portfolio/pnl). */
export const getProfitAndLoss: Handler<'getProfitAndLoss'> = (context, input) => {
  const { state, account } = context
  const { period } = input.query
  const { nowMillis } = state
  const figures = profitAndLoss(state, account, nowMillis - periodMillis[period], nowMillis)
  const byAsset = figures.byAsset.map((part) =>
    writeAssetProfit(part, {
      asset: state.assets.symbol(part.asset),
      trades: part.trades,
    }),
  )
  return answer(writeProfitAndLoss(figures, { period, byAsset }))
}

/** Lists transactions (Spec: portfolio/transactions). */
export const listTransactions: Handler<'listTransactions'> = (context, input) => {
  const { page, limit, type } = input.query
  const filter = filterAssets(context, toSymbols(input.query.asset), knownAsset)
  if (!filter.ok) return filter
  const found = selectTransactions(
    context.state,
    context.account,
    { asset: toAssetFilter(filter.value), type: type ?? null },
    { offset: (page - 1) * limit, limit, order: context.readings['lists.order'] },
  )
  return answer({
    transactions: found.rows.map((line) => transactionView(context, line)),
    pagination: makePagination(page, limit, found.total),
  })
}

/**
 * Lists trades (Spec: portfolio/trades). Errors: 400 for invalid dates. Choice: a date as endDate includes its whole
 * day.
 */
export const listTrades: Handler<'listTrades'> = (context, input) => {
  const { page, limit, side, startDate, endDate } = input.query
  const from = readInstant(startDate, 'startDate', 0)
  if (!from.ok) return refuse(from.problem)
  const until = readInstant(endDate, 'endDate', millisPerDay)
  if (!until.ok) return refuse(until.problem)
  const filter = filterAssets(context, toSymbols(input.query.asset), knownAsset)
  if (!filter.ok) return filter
  const found = selectTrades(
    context.state,
    context.account,
    {
      asset: toAssetFilter(filter.value),
      side: side === undefined ? null : side === 'buy' ? buy : sell,
      fromMillis: from.value,
      untilMillis: until.value,
    },
    { offset: (page - 1) * limit, limit, order: context.readings['lists.order'] },
  )
  return answer({
    trades: found.rows.map((fill) => tradeView(context, fill)),
    pagination: makePagination(page, limit, found.total),
  })
}

/** Returns what is available for trading of an asset (Spec: portfolio/available/:asset). Errors: 404. */
export const getAvailable: Handler<'getAvailable'> = (context, input) => {
  const asset = knownAsset(context.state.assets, input.parameter)
  return asset === null ? refuse({ code: 'unknown-asset' }) : answer(availableView(context, asset))
}

/* The writers of the records whose fields are figures of the engine. */
const writeExposure = recordWriter(schemas.exposure)
const writeAssetProfit = recordWriter(schemas.assetProfit)
const writeProfitAndLoss = recordWriter(schemas.profitAndLoss)
const writeBalance = recordWriter(schemas.balance)
const writeAvailable = recordWriter(schemas.available)
const writePosition = recordWriter(schemas.position)
const writeAssetExposure = recordWriter(schemas.assetExposure)
const writeSummary = recordWriter(schemas.summary)

type BalanceJson = RecordOf<typeof schemas.balance>
type AvailableJson = RecordOf<typeof schemas.available>
type PositionJson = RecordOf<typeof schemas.position>
type AssetExposureJson = RecordOf<typeof schemas.assetExposure>
type SummaryJson = RecordOf<typeof schemas.summary>

/** Returns the balance of an asset (Spec: Balance). */
export function balanceView(context: ApiContext, asset: number): BalanceJson {
  const { symbol, scale } = context.state.assets.config(asset)
  const figures = computeBalance(context.state, context.account, asset)
  const usdValue = usdNumber(figures.usdValueAtoms)
  return writeBalance(figures, { asset: symbol, usdValue }, scale)
}

/** Returns what is available for trading of an asset (Spec: Available for trading). */
function availableView(context: ApiContext, asset: number): AvailableJson {
  const { symbol, scale } = context.state.assets.config(asset)
  const figures = availableForTrading(context.state, context.account, asset)
  return writeAvailable(figures, { asset: symbol }, scale)
}

/** Returns a position (Spec: Position). The sign of quantity and market value is reading `positions.sign`. */
export function positionView(context: ApiContext, figures: PositionFigures): PositionJson {
  const { assets } = context.state
  const { asset, side } = figures
  const applySign = (value: number) =>
    context.readings['positions.sign'] === 'signed' ? value : Math.abs(value)
  return writePosition(figures, {
    asset: assets.symbol(asset),
    side,
    quantity: amountNumber(assets, asset, applySign(figures.quantityAtoms)),
    currentPrice: priceNumber(assets.tradedAsset(asset).pair, figures.currentPriceTicks),
    marketValue: usdNumber(applySign(figures.marketValueAtoms)),
  })
}

function assetExposureView({ state }: ApiContext, weight: AssetWeight): AssetExposureJson {
  const { asset, side } = weight
  return writeAssetExposure(weight, { asset: state.assets.symbol(asset), side })
}

/** Returns the summary of the portfolio (Spec: Portfolio summary). Where its day begins is reading `time.dayStart`. */
export function summaryView(context: ApiContext): SummaryJson {
  const { state, account, readings } = context
  const figures = portfolioSummary(state, account)
  const { openOrders, openPositions } = figures
  const summary = writeSummary(figures, { openOrders, openPositions })
  if (readings['time.dayStart'] !== 'rolling') return summary
  const { netPnlAtoms, netPnlPercentE4 } = computeRollingDay(context)
  return { ...summary, dayPnl: usdNumber(netPnlAtoms), dayPnlPercent: percentNumber(netPnlPercentE4) }
}

const periodMillis = {
  '1h': millisPerHour,
  '24h': millisPerDay,
  '7d': 7 * millisPerDay,
  '30d': 30 * millisPerDay,
} as const

function computeRollingDay(context: ApiContext) {
  const { nowMillis } = context.state
  return profitAndLoss(context.state, context.account, nowMillis - millisPerDay, nowMillis)
}

type TransactionJson = RecordOf<typeof schemas.transaction>
type TradeJson = RecordOf<typeof schemas.trade>

/**
 * Returns a transaction (Spec: Transaction). Only trades have a price, a side, an order and a fee currency: for other
 * types they are null (reading `transactions.nonTrade`), and the fee is 0.
 */
function transactionView(context: ApiContext, line: Transaction): TransactionJson {
  const { assets } = context.state
  return reduceTo(schemas.transaction, {
    ...(line.type === 'trade' ? tradeView(context, line.row) : nonTradeFields),
    transactionId: transactionId(context, line),
    type: line.type,
    asset: assets.symbol(line.asset),
    quantity: amountNumber(assets, line.asset, line.quantityAtoms),
    value: usdNumber(line.valueAtoms),
    timestamp: millisToIso(line.atMillis),
  })
}

const nonTradeFields = { price: null, fee: 0, feeCurrency: null, side: null, orderId: null } as const

/** Returns a fill as a trade of the portfolio history (Spec: Trade). */
export function tradeView(context: ApiContext, fill: number): TradeJson {
  const { assets, fills } = context.state
  const asset = fills.asset.get(fill)
  const { pair } = assets.tradedAsset(asset)
  const feeAsset = fills.feeAsset.get(fill)
  return {
    tradeId: formatId(idScheme(context), 'trade', fill),
    orderId: sourceId(context, fills.order.get(fill)),
    asset: assets.symbol(asset),
    side: wordForCode(sideNames, fills.side.get(fill)),
    quantity: quantityNumber(pair, fills.quantitySteps.get(fill)),
    price: priceNumber(pair, fills.priceTicks.get(fill)),
    value: usdNumber(fills.notionalAtoms.get(fill)),
    fee: amountNumber(assets, feeAsset, fills.feeAtoms.get(fill)),
    feeCurrency: assets.symbol(feeAsset),
    timestamp: millisToIso(fills.atMillis.get(fill)),
  }
}

/**
 * Returns the id of a trade's order. Choice: a trade of a quote has the quote's id, because clients cannot read the
 * orders that are its legs.
 */
function sourceId(context: ApiContext, order: number): string {
  const quote = context.state.orders.quote.get(order)
  return quote === none
    ? formatId(idScheme(context), 'order', order)
    : formatId(idScheme(context), 'quote', quote)
}

/**
 * Returns the id of a transaction. A fill gives up to two lines and a transfer one, so three numbers are reserved for
 * each row.
 */
function transactionId(context: ApiContext, line: Transaction): string {
  const place = line.type === 'trade' ? 0 : line.type === 'fee' ? 1 : 2
  return formatId(idScheme(context), 'transaction', 3 * line.row + place)
}

/**
 * Returns the row that a filter by one asset selects: null without a filter; -1, which no row matches, for an unknown
 * asset.
 */
function toAssetFilter(assets: readonly number[] | null): number | null {
  return assets === null ? null : (assets[0] ?? -1)
}

/**
 * Reads a date or time as an instant. As an end (`dayMillis` above 0) it is the first instant that no longer belongs:
 * the end of the day of a date, or the millisecond after a time. Many languages write digits finer than a millisecond.
 * As trades happen at whole milliseconds, such digits matter only if they are not all 0.
 */
function readInstant(text: string | undefined, field: string, dayMillis: number): InputResult<number | null> {
  if (text === undefined) return { ok: true, value: null }
  const millis = isoToMillis(text.replace(finerDigits, '$1'))
  if (millis === null) return refuseField(field, 'must be an ISO 8601 date, or a time with Z or an offset')
  if (dayMillis === 0) return { ok: true, value: millis + (isFinerThanMillis.test(text) ? 1 : 0) }
  return { ok: true, value: millis + (text.length === 10 ? dayMillis : 1) }
}

const finerDigits = /(\.[0-9]{3})[0-9]+/
const isFinerThanMillis = /\.[0-9]{3}0*[1-9]/
