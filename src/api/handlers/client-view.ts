import { checkNames } from '../../engine/assessment.ts'
import { cash } from '../../engine/codes.ts'
import { limitUse, limitUtilization } from '../../engine/reports/limit-utilization.ts'
import { type AssetWeight, assetWeight, portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import { positionsOf } from '../../engine/reports/position-figures.ts'
import { liveOrdersOf, liveQuotesOf } from '../../engine/tables/account-lists.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { scaledToNumber } from '../../numeric/decimal.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf, Shape } from '../../shape/shape.ts'
import { knownAsset, percentNumber, rowOfId, usdNumber } from '../amounts.ts'
import { type ApiContext, idsOf } from '../context.ts'
import { isObject } from '../json.ts'
import type * as fields from '../operations/client-fields.ts'
import type { limitEntry } from '../operations/client-fields.ts'
import * as marketData from '../operations/market-data.ts'
import * as order from '../operations/orders.ts'
import * as portfolio from '../operations/portfolio.ts'
import * as quote from '../operations/quotes.ts'
import * as risk from '../operations/risk.ts'
import { itemShape } from '../wire-shapes.ts'
import { priceView } from './market-data.ts'
import { orderView } from './orders.ts'
import { balanceView, positionView, summaryView } from './portfolio.ts'
import { quoteView } from './quotes.ts'

/**
 * A documented body with what the venue's published client reads: reading `answers.clientFields` puts fields beside the
 * documented ones, and `limits.form` makes a list of the limits. `schema` is that of the whole body, reduced or not.
 */
export function clientView(context: ApiContext, schema: Shape, value: unknown): unknown {
  if (schema === risk.riskLimits && context.readings['limits.form'] === 'list') return limitListView(context)
  const items = itemShape(schema)
  if (Array.isArray(value))
    return value.map((item) => (items === undefined ? item : clientView(context, items, item)))
  if (!isObject(value)) return value
  const shape = shapeOf(schema, value)
  const further = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined
  const shown = Object.entries(value).map(([name, field]): [string, unknown] => {
    const part = shape.properties?.[name] ?? further
    return [name, part === undefined ? field : clientView(context, part, field)]
  })
  const add = context.readings['answers.clientFields'] === 'added' ? views.get(shape) : undefined
  return { ...Object.fromEntries(shown), ...add?.(context, value) }
}

/** Of several shapes, the one that has the value's fields. */
function shapeOf(schema: Shape, value: Body): Shape {
  const has = ({ properties = {} }: Shape) =>
    Object.keys(value).every((name) => Object.hasOwn(properties, name))
  return schema.anyOf?.find(has) ?? schema
}

type Body = { readonly [name: string]: unknown }
type View = (context: ApiContext, value: Body) => object

/** By documented shape, as `clientFields`. */
const views: ReadonlyMap<Shape, View> = new Map<Shape, View>([
  [order.order, (_, value) => ({ id: text(value, 'orderId') })],
  [order.cancelledOrder, (context, value) => wholeOrder(context, text(value, 'orderId'))],
  [order.orderList, orderPage],
  [order.cancelledOrders, cancelledOrders],
  [order.fillList, (_, { fills }) => ({ data: fills })],
  [order.batchResult, batch],
  [quote.quote, (context, value) => quoteNames(context, text(value, 'quoteId'))],
  [quote.cancelledQuote, (context, value) => wholeQuote(context, text(value, 'quoteId'))],
  [quote.quoteList, quotePage],
  [quote.quoteFillList, (_, value) => ({ data: value['fills'], ...pageOf(value) })],
  [marketData.price, price],
  [portfolio.balance, updated],
  [portfolio.position, position],
  [portfolio.exposure, exposure],
  [portfolio.assetExposure, assetExposure],
  [risk.assetRiskExposure, assetExposure],
  [portfolio.summary, summary],
  [risk.limits, updated],
  [risk.preTradeCheck, preTrade],
])

function wholeOrder(context: ApiContext, id: string): RecordOf<typeof fields.cancelledOrderFields> {
  return { ...orderView(context, rowOfId(idsOf(context), 'order', id)), id }
}

function quoteNames(context: ApiContext, id: string): RecordOf<typeof fields.quoteFields> {
  return { id, userId: context.state.accounts.id(context.account) }
}

function wholeQuote(context: ApiContext, id: string): RecordOf<typeof fields.cancelledQuoteFields> {
  return { ...quoteView(context, rowOfId(idsOf(context), 'quote', id)), ...quoteNames(context, id) }
}

function orderPage(context: ApiContext, value: Body): RecordOf<typeof fields.orderListFields> {
  const data = itemsIn(value, 'orders').map((entry) => wholeOrder(context, text(entry, 'orderId')))
  return { data, ...pageOf(value) }
}

function quotePage(context: ApiContext, value: Body): RecordOf<typeof fields.quoteListFields> {
  const data = itemsIn(value, 'quotes').map((entry) => wholeQuote(context, text(entry, 'quoteId')))
  return { data, ...pageOf(value) }
}

/** Of a list by offset, the page on which its first row is. */
function pageOf({ pagination }: Body) {
  const counts = isObject(pagination) ? pagination : {}
  const [limit, total] = [number(counts, 'limit'), number(counts, 'total')]
  const offset = 'offset' in counts ? number(counts, 'offset') : (number(counts, 'page') - 1) * limit
  return { total, page: Math.floor(offset / limit) + 1, limit, hasMore: offset + limit < total }
}

function cancelledOrders(context: ApiContext, value: Body): RecordOf<typeof fields.cancelledOrdersFields> {
  const ids = Array.isArray(value['cancelledOrders']) ? value['cancelledOrders'].map(String) : []
  return { data: ids.map((id) => wholeOrder(context, id)) }
}

/** Choice: the orders as they stand after the batch, because no item of the documented answer has a status. */
function batch(context: ApiContext, value: Body): RecordOf<typeof fields.batchFields> {
  const results = itemsIn(value, 'results')
  const failed = results.filter(({ success }) => success === false)
  const made = results.filter(({ success }) => success === true)
  return {
    successful: made.map((item) => wholeOrder(context, text(item, 'orderId'))),
    failed: failed.map((item) => ({ error: text(item, 'error'), index: number(item, 'index') })),
    totalSubmitted: results.length,
    totalSuccessful: made.length,
    totalFailed: failed.length,
  }
}

function price(context: ApiContext, value: Body): RecordOf<typeof fields.priceFields> {
  const shown = priceView(context, assetIn(context, value))
  return {
    timestamp: shown.updatedAt,
    change24H: shown.change24h,
    volume24H: shown.volume24h,
    high24H: shown.high24h,
    low24H: shown.low24h,
  }
}

function updated(context: ApiContext): RecordOf<typeof fields.balanceFields> {
  return { updatedAt: millisToIso(context.now) }
}

function position(context: ApiContext, value: Body): RecordOf<typeof fields.positionFields> {
  return { unrealizedPnlPercentage: number(value, 'unrealizedPnlPercent'), ...updated(context) }
}

function exposure(context: ApiContext): RecordOf<typeof fields.exposureFields> {
  const figures = portfolioExposure(context.state, context.account)
  return {
    totalNotional: usdNumber(figures.equityAtoms),
    totalLongExposure: usdNumber(figures.longExposureAtoms),
    totalShortExposure: usdNumber(figures.shortExposureAtoms),
    netExposure: usdNumber(figures.netExposureAtoms),
    grossExposure: usdNumber(figures.totalExposureAtoms),
    exposuresByAsset: figures.byAsset.map((weight) => ({
      asset: context.state.assets.symbol(weight.asset),
      ...sidesOf(weight),
    })),
    ...updated(context),
  }
}

function assetExposure(context: ApiContext, value: Body): RecordOf<typeof fields.assetExposureFields> {
  return sidesOf(assetWeight(context.state, context.account, assetIn(context, value)))
}

/** Cash is worth something, but exposes to nothing. */
function sidesOf({
  exposureAtoms,
  weightE4,
  side,
}: AssetWeight): RecordOf<typeof fields.assetExposureFields> {
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

function summary(context: ApiContext): RecordOf<typeof fields.summaryFields> {
  const { account, state } = context
  const shown = summaryView(context)
  const all = Array.from({ length: state.assets.count }, (_, asset) => balanceView(context, asset))
  const held = positionsOf(state, account).map((figures) => positionView(context, figures))
  return {
    totalPnlPercentage: shown.totalPnlPercent,
    dailyPnl: shown.dayPnl,
    dailyPnlPercentage: shown.dayPnlPercent,
    balances: all.map((entry) => ({ ...entry, ...updated(context) })),
    positions: held.map((entry) => ({ ...entry, ...position(context, entry) })),
    exposure: exposure(context),
    openOrdersCount: shown.openOrders,
    // Trades settle at once: see `pendingSettlement`.
    activeTradesCount: 0,
    ...updated(context),
  }
}

function preTrade(context: ApiContext, value: Body): RecordOf<typeof fields.preTradeFields> {
  const reasons = value['rejectionReasons']
  const checks = isObject(value['checks']) ? value['checks'] : {}
  const total = isObject(checks['exposure']) ? checks['exposure'] : {}
  return {
    checksPerformed: [...checkNames],
    reason: Array.isArray(reasons) ? reasons.join('; ') : null,
    estimatedNewExposure: number(total, 'afterValue'),
    timestamp: millisToIso(context.now),
  }
}

function assetIn({ state }: ApiContext, value: Body): number {
  return knownAsset(state.assets, text(value, 'asset')) ?? cash
}

const text = (value: Body, name: string): string => String(value[name])
const number = (value: Body, name: string): number => Number(value[name])

function itemsIn(value: Body, name: string): readonly Body[] {
  const list = value[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}

type LimitEntryJson = RecordOf<typeof limitEntry>

/**
 * Reading `limits.form`: the limits of the account, then those of each traded asset. Choice: of a limit for single
 * orders, the largest live one counts as what is used, quotes included.
 */
function limitListView(context: ApiContext): readonly LimitEntryJson[] {
  const { state, account } = context
  const { config, maxOrderSize } = state.accounts.limitsOf(account)
  const uses = limitUtilization(state, account)
  const largest = largestLive(context)
  const value = Math.max(0, ...largest.map(({ valueAtoms }) => valueAtoms))
  const entry = (
    limitType: LimitEntryJson['limitType'],
    row: number | null,
    use: { readonly used: number; readonly limit: number },
    scale: number,
  ): LimitEntryJson => ({
    limitType,
    asset: row === null ? null : state.assets.symbol(row),
    limitValue: scaledToNumber(use.limit, scale),
    currentValue: scaledToNumber(use.used, scale),
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
        { used: largest[asset]?.sizeE8 ?? 0, limit: Number(maxOrderSize[asset]) },
        8,
      ),
      entry('max_exposure', asset, exposure, cashScale),
      entry('max_open_orders', asset, openOrders, 0),
    ]),
  ]
}

/** By asset: the largest size, in 10^-8 units, and the highest value of what is live. */
function largestLive({ state, account }: ApiContext): { sizeE8: number; valueAtoms: number }[] {
  const { assets, orders, quotes } = state
  const legs = liveQuotesOf(state, account).flatMap((row) => [quotes.bidLeg.get(row), quotes.askLeg.get(row)])
  const largest = Array.from({ length: assets.count }, () => ({ sizeE8: 0, valueAtoms: 0 }))
  for (const row of [...liveOrdersOf(state, account), ...legs]) {
    const asset = orders.asset.get(row)
    const steps = orders.quantitySteps.get(row)
    const found = largest[asset]
    if (found === undefined) continue
    found.sizeE8 = Math.max(found.sizeE8, steps * assets.traded(asset).stepSize)
    const valueAtoms = assets.notional(asset, orders.priceTicks.get(row), steps)
    found.valueAtoms = Math.max(found.valueAtoms, valueAtoms)
  }
  return largest
}
