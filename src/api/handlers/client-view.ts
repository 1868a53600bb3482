import { checkNames } from '../../engine/assessment.ts'
import { cash } from '../../engine/codes.ts'
import { type AssetWeight, assetWeight, portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import { listPositionFigures } from '../../engine/reports/position-figures.ts'
import { limitUse, limitUtilization } from '../../engine/reports/risk-exposure.ts'
import { listLiveOrders, listLiveQuotes } from '../../engine/tables/account-table.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { decimalToNumber } from '../../numeric/units.ts'
import { oneOfWords, type RecordOf, type Shape } from '../../shape/shape.ts'
import { idScheme, knownAsset, parseId, percentNumber, usdNumber } from '../answer.ts'
import type { ApiContext } from '../context.ts'
import { isObject, jsonField } from '../json.ts'
import { boolean, integer, nullableText, number, percent, text, timestamp } from '../operations/common.ts'
import { price } from '../operations/market-data.ts'
import * as orders from '../operations/orders.ts'
import * as portfolio from '../operations/portfolio.ts'
import * as quotes from '../operations/quotes.ts'
import * as risk from '../operations/risk.ts'
import { describe, listOf, type ObjectShape, object } from '../wire-shapes.ts'
import { priceView } from './market-data.ts'
import { orderView } from './orders.ts'
import { balanceView, positionView, summaryView } from './portfolio.ts'
import { quoteView } from './quotes.ts'

/*
 * Reading `answers.clientFields`: the fields that the models of the venue's published client (PyPI zenotc 0.2.2)
 * require and the specification does not have, and those that its models would otherwise fill in by themselves, such
 * as volume24H of a price and bidFilled of a listed quote. The `updatedAt` of a figure that is computed when it is
 * asked for is the time of the answer.
 */

interface ClientFields {
  readonly fields: ObjectShape
  /** Returns the values of the fields. `body` is the documented body, which may be reduced. */
  readonly view: (context: ApiContext, body: Body) => object
}

type Body = { readonly [name: string]: unknown }

/** Returns the entry for a documented shape. The compiler checks that the view has the fields of the shape. */
const addTo = <Fields extends ObjectShape>(
  documented: Shape,
  fields: Fields,
  view: (context: ApiContext, body: Body) => { readonly [Name in keyof RecordOf<Fields>]: unknown },
): [Shape, ClientFields] => [documented, { fields, view }]

const page = { total: integer, page: integer, limit: integer, hasMore: boolean } as const

/** Computes the paging of a list. A list by offset is on the page that its first row would be on. */
function computePage({ pagination }: Body) {
  const counts = isObject(pagination) ? pagination : {}
  const [limit, total] = [Number(counts['limit']), Number(counts['total'])]
  const offset = 'offset' in counts ? Number(counts['offset']) : (Number(counts['page']) - 1) * limit
  return { total, page: Math.floor(offset / limit) + 1, limit, hasMore: offset + limit < total }
}

const updated = object({ updatedAt: timestamp })
const updatedNow = ({ now }: ApiContext) => ({ updatedAt: millisToIso(now) })

/* models/order.py: Order and BatchOrderResponse. */

const wholeOrder = object({ ...orders.order.properties, id: text })

function wholeOrderView(context: ApiContext, id: unknown): RecordOf<typeof wholeOrder> {
  const orderId = String(id)
  return { ...orderView(context, parseId(idScheme(context), 'order', orderId)), id: orderId }
}

const batch = object({
  successful: listOf(wholeOrder),
  failed: listOf(object({ error: text, index: integer })),
  totalSubmitted: integer,
  totalSuccessful: integer,
  totalFailed: integer,
})

/**
 * Returns the client's form of a batch. Choice: orders are shown as they stand after the batch, because no item of
 * the documented answer has a status.
 */
function batchView(context: ApiContext, body: Body) {
  const results = listItems(body, 'results')
  const failed = results.filter(({ success }) => success === false)
  const made = results.filter(({ success }) => success === true)
  return {
    successful: made.map(({ orderId }) => wholeOrderView(context, orderId)),
    failed: failed.map(({ error, index }) => ({ error, index })),
    totalSubmitted: results.length,
    totalSuccessful: made.length,
    totalFailed: failed.length,
  }
}

/* models/quote.py: Quote. */

const quoteNames = object({ id: text, userId: text })
const wholeQuote = object({ ...quotes.quote.properties, ...quoteNames.properties })

function quoteNamesView({ account, state }: ApiContext, { quoteId }: Body) {
  return { id: quoteId, userId: state.accounts.id(account) }
}

function wholeQuoteView(context: ApiContext, body: Body) {
  const row = parseId(idScheme(context), 'quote', String(body['quoteId']))
  return { ...quoteView(context, row), ...quoteNamesView(context, body) }
}

/* models/market_data.py: Price; the alias of volume_24h is volume24H. */

const clientPrice = object({
  timestamp,
  change24H: percent,
  volume24H: number,
  high24H: number,
  low24H: number,
})

function clientPriceView(context: ApiContext, body: Body): RecordOf<typeof clientPrice> {
  const shown = priceView(context, findAsset(context, body))
  return {
    timestamp: shown.updatedAt,
    change24H: shown.change24h,
    volume24H: shown.volume24h,
    high24H: shown.high24h,
    low24H: shown.low24h,
  }
}

/* models/portfolio.py: Balance, Position, Exposure, ExposureSummary and PortfolioSummary. */

const position = object({ unrealizedPnlPercentage: percent, ...updated.properties })

function clientPositionView(context: ApiContext, { unrealizedPnlPercent }: Body) {
  return { unrealizedPnlPercentage: unrealizedPnlPercent, ...updatedNow(context) }
}

const sides = object({
  notionalValue: number,
  percentageOfPortfolio: percent,
  longExposure: number,
  shortExposure: number,
  netExposure: number,
})

/** Returns the exposure of an asset by side. Cash has a value, but is no exposure. */
function sidesView({ exposureAtoms, weightE4, side }: AssetWeight): RecordOf<typeof sides> {
  const long = side === 'long' ? exposureAtoms : 0
  const short = side === 'short' ? exposureAtoms : 0
  return {
    notionalValue: usdNumber(exposureAtoms),
    percentageOfPortfolio: percentNumber(weightE4),
    longExposure: usdNumber(long),
    shortExposure: usdNumber(short),
    netExposure: usdNumber(long - short),
  }
}

const assetSidesView = (context: ApiContext, body: Body) =>
  sidesView(assetWeight(context.state, context.account, findAsset(context, body)))

const clientExposure = object({
  totalNotional: describe(
    number,
    "the portfolio's value, by which the client divides the gross exposure to get its leverage",
  ),
  totalLongExposure: number,
  totalShortExposure: number,
  netExposure: number,
  grossExposure: number,
  exposuresByAsset: listOf(object({ asset: text, ...sides.properties })),
  ...updated.properties,
})

function clientExposureView(context: ApiContext): RecordOf<typeof clientExposure> {
  const figures = portfolioExposure(context.state, context.account)
  return {
    totalNotional: usdNumber(figures.equityAtoms),
    totalLongExposure: usdNumber(figures.longExposureAtoms),
    totalShortExposure: usdNumber(figures.shortExposureAtoms),
    netExposure: usdNumber(figures.netExposureAtoms),
    grossExposure: usdNumber(figures.totalExposureAtoms),
    exposuresByAsset: figures.byAsset.map((weight) => ({
      asset: context.state.assets.symbol(weight.asset),
      ...sidesView(weight),
    })),
    ...updatedNow(context),
  }
}

const clientSummary = object({
  totalPnlPercentage: percent,
  dailyPnl: number,
  dailyPnlPercentage: percent,
  balances: listOf(object({ ...portfolio.balance.properties, ...updated.properties })),
  positions: listOf(object({ ...portfolio.position.properties, ...position.properties })),
  exposure: clientExposure,
  openOrdersCount: integer,
  activeTradesCount: describe(integer, 'trades that are not settled; 0, as trades settle at once'),
  ...updated.properties,
})

function clientSummaryView(context: ApiContext) {
  const { account, state } = context
  const shown = summaryView(context)
  const balances = Array.from({ length: state.assets.count }, (_, asset) => balanceView(context, asset))
  const positions = listPositionFigures(state, account).map((figures) => positionView(context, figures))
  return {
    totalPnlPercentage: shown.totalPnlPercent,
    dailyPnl: shown.dayPnl,
    dailyPnlPercentage: shown.dayPnlPercent,
    balances: balances.map((entry) => ({ ...entry, ...updatedNow(context) })),
    positions: positions.map((entry) => ({ ...entry, ...clientPositionView(context, { ...entry }) })),
    exposure: clientExposureView(context),
    openOrdersCount: shown.openOrders,
    // Trades settle at once, so none is ever pending.
    activeTradesCount: 0,
    ...updatedNow(context),
  }
}

/* models/risk.py: RiskLimits, PreTradeCheckResult, RiskLimit, and the LimitType that it has words for. */

const preTrade = object({
  checksPerformed: listOf(text),
  reason: nullableText,
  estimatedNewExposure: number,
  timestamp,
})

function preTradeView(context: ApiContext, { checks, rejectionReasons: reasons }: Body) {
  return {
    checksPerformed: [...checkNames],
    reason: Array.isArray(reasons) ? reasons.join('; ') : null,
    estimatedNewExposure: Number(jsonField(jsonField(checks, 'exposure'), 'afterValue')),
    timestamp: millisToIso(context.now),
  }
}

const limitEntry = object({
  limitType: oneOfWords(
    'max_order_size',
    'max_notional_value',
    'max_daily_volume',
    'max_exposure',
    'max_open_orders',
  ),
  asset: describe(nullableText, 'null for a limit of the account'),
  limitValue: number,
  currentValue: describe(
    number,
    'what is used of it; of a limit for single orders, the largest that is live',
  ),
  utilizationPercentage: percent,
  isBreached: boolean,
  ...updated.properties,
})
export const limitEntries = listOf(limitEntry)

/** The fields that are added to each documented shape, wherever it stands in an answer. */
export const clientFields: ReadonlyMap<Shape, ClientFields> = new Map([
  addTo(orders.order, object({ id: text }), (_, { orderId }) => ({ id: orderId })),
  addTo(orders.cancelledOrder, wholeOrder, (context, { orderId }) => wholeOrderView(context, orderId)),
  addTo(orders.orderList, object({ data: listOf(wholeOrder), ...page }), (context, body) => ({
    data: listItems(body, 'orders').map(({ orderId }) => wholeOrderView(context, orderId)),
    ...computePage(body),
  })),
  addTo(
    orders.cancelledOrders,
    object({ data: listOf(wholeOrder) }),
    (context, { cancelledOrders: ids }) => ({
      data: (Array.isArray(ids) ? ids : []).map((id) => wholeOrderView(context, id)),
    }),
  ),
  addTo(orders.fillList, object({ data: listOf(orders.fill) }), (_, { fills }) => ({ data: fills })),
  addTo(orders.batchResult, batch, batchView),
  addTo(quotes.quote, quoteNames, quoteNamesView),
  addTo(quotes.cancelledQuote, wholeQuote, wholeQuoteView),
  addTo(quotes.quoteList, object({ data: listOf(wholeQuote), ...page }), (context, body) => ({
    data: listItems(body, 'quotes').map((entry) => wholeQuoteView(context, entry)),
    ...computePage(body),
  })),
  addTo(quotes.quoteFillList, object({ data: listOf(quotes.quoteFill), ...page }), (_, body) => ({
    data: body['fills'],
    ...computePage(body),
  })),
  addTo(price, clientPrice, clientPriceView),
  addTo(portfolio.balance, updated, updatedNow),
  addTo(portfolio.position, position, clientPositionView),
  addTo(portfolio.exposure, clientExposure, clientExposureView),
  addTo(portfolio.assetExposure, sides, assetSidesView),
  addTo(risk.assetRiskExposure, sides, assetSidesView),
  addTo(portfolio.summary, clientSummary, clientSummaryView),
  addTo(risk.limits, updated, updatedNow),
  addTo(risk.preTradeCheck, preTrade, preTradeView),
])

function findAsset({ state }: ApiContext, { asset }: Body): number {
  return knownAsset(state.assets, String(asset)) ?? cash
}

function listItems(body: Body, name: string): readonly Body[] {
  const list = body[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}

type LimitEntryJson = RecordOf<typeof limitEntry>

/**
 * Lists the limits of an account, then those of each traded asset (reading `limits.form`). Choice: the use of a limit
 * for single orders is the largest order that is live, quotes included.
 */
export function limitListView(context: ApiContext): readonly LimitEntryJson[] {
  const { state, account } = context
  const { config, maxOrderSize } = state.accounts.limitsOf(account)
  const uses = limitUtilization(state, account)
  const largest = findLargestLive(context)
  const value = Math.max(0, ...largest.map(({ valueAtoms }) => valueAtoms))
  const entry = (
    limitType: LimitEntryJson['limitType'],
    row: number | null,
    use: { readonly used: number; readonly limit: number },
    scale: number,
  ): LimitEntryJson => ({
    limitType,
    asset: row === null ? null : state.assets.symbol(row),
    limitValue: decimalToNumber(use.limit, scale),
    currentValue: decimalToNumber(use.used, scale),
    utilizationPercentage: percentNumber(limitUse(use.used, use.limit).percentE4),
    isBreached: use.used > use.limit,
    updatedAt: millisToIso(context.now),
  })
  return [
    entry('max_notional_value', null, { used: value, limit: config.maxOrderValue }, cashScale),
    entry('max_daily_volume', null, uses.dailyVolume, cashScale),
    entry('max_exposure', null, uses.exposure, cashScale),
    entry('max_open_orders', null, uses.openOrders, 0),
    ...uses.byAsset.flatMap(({ asset, exposure, openOrders }) => [
      entry(
        'max_order_size',
        asset,
        { used: largest[asset]?.sizeE8 ?? 0, limit: maxOrderSize[asset] ?? Number.NaN },
        8,
      ),
      entry('max_exposure', asset, exposure, cashScale),
      entry('max_open_orders', asset, openOrders, 0),
    ]),
  ]
}

/** Finds the largest size, in 10^-8 units, and the highest value of the live orders and quotes of each asset. */
function findLargestLive({ state, account }: ApiContext): { sizeE8: number; valueAtoms: number }[] {
  const { assets, orders, quotes } = state
  const legs = listLiveQuotes(state, account).flatMap((row) => [
    quotes.bidLeg.get(row),
    quotes.askLeg.get(row),
  ])
  const largest = Array.from({ length: assets.count }, () => ({ sizeE8: 0, valueAtoms: 0 }))
  for (const row of [...listLiveOrders(state, account), ...legs]) {
    const asset = orders.asset.get(row)
    const steps = orders.quantitySteps.get(row)
    const found = largest[asset]
    if (found === undefined) continue
    found.sizeE8 = Math.max(found.sizeE8, steps * assets.tradedAsset(asset).stepSize)
    const valueAtoms = assets.notional(asset, orders.priceTicks.get(row), steps)
    found.valueAtoms = Math.max(found.valueAtoms, valueAtoms)
  }
  return largest
}
