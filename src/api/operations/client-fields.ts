import { oneOfWords, type Shape } from '../../shape/shape.ts'
import { closed, described, listOf, type ObjectShape } from '../wire-shapes.ts'
import * as common from './common.ts'
import * as marketData from './market-data.ts'
import * as order from './orders.ts'
import * as portfolio from './portfolio.ts'
import * as quote from './quotes.ts'
import * as risk from './risk.ts'

/*
 * What the models of the venue's published client (PyPI zenotc 0.2.1) require and the specification does not have:
 * reading `answers.clientFields`. Also what its models would otherwise fill in themselves, such as a price's volume24H or
 * a listed quote's bidFilled. `updatedAt` of what is worked out when it is asked for is the time of the answer.
 */

const pages = {
  total: common.integer,
  page: common.integer,
  limit: common.integer,
  hasMore: common.boolean,
} as const

/** models/order.py, Order. */
export const orderFields = closed({ id: common.text })
const wholeOrder = closed({ ...order.order.properties, ...orderFields.properties })
export const cancelledOrderFields = wholeOrder
export const orderListFields = closed({ data: listOf(wholeOrder), ...pages })
export const cancelledOrdersFields = closed({ data: listOf(wholeOrder) })
export const fillListFields = closed({ data: listOf(order.fill) })

/** models/order.py, BatchOrderResponse. */
export const batchFields = closed({
  successful: listOf(wholeOrder),
  failed: listOf(closed({ error: common.text, index: common.integer })),
  totalSubmitted: common.integer,
  totalSuccessful: common.integer,
  totalFailed: common.integer,
})

/** models/quote.py, Quote. */
export const quoteFields = closed({ id: common.text, userId: common.text })
const wholeQuote = closed({ ...quote.quote.properties, ...quoteFields.properties })
export const cancelledQuoteFields = wholeQuote
export const quoteListFields = closed({ data: listOf(wholeQuote), ...pages })
export const quoteFillListFields = closed({ data: listOf(quote.quoteFill), ...pages })

/** models/market_data.py, Price: the alias of volume_24h is volume24H. */
export const priceFields = closed({
  timestamp: common.timestamp,
  change24H: common.percent,
  volume24H: common.number,
  high24H: common.number,
  low24H: common.number,
})

const updated = { updatedAt: common.timestamp } as const

/** models/portfolio.py, Balance, Position, Exposure, ExposureSummary and PortfolioSummary. */
export const balanceFields = closed(updated)
export const positionFields = closed({ unrealizedPnlPercentage: common.percent, ...updated })
export const assetExposureFields = closed({
  notionalValue: common.number,
  percentageOfPortfolio: common.percent,
  longExposure: common.number,
  shortExposure: common.number,
  netExposure: common.number,
})
export const exposureFields = closed({
  totalNotional: described(
    common.number,
    "the portfolio's value, by which the client divides the gross exposure to get its leverage",
  ),
  totalLongExposure: common.number,
  totalShortExposure: common.number,
  netExposure: common.number,
  grossExposure: common.number,
  exposuresByAsset: listOf(closed({ asset: common.text, ...assetExposureFields.properties })),
  ...updated,
})
export const summaryFields = closed({
  totalPnlPercentage: common.percent,
  dailyPnl: common.number,
  dailyPnlPercentage: common.percent,
  balances: listOf(closed({ ...portfolio.balance.properties, ...balanceFields.properties })),
  positions: listOf(closed({ ...portfolio.position.properties, ...positionFields.properties })),
  exposure: exposureFields,
  openOrdersCount: common.integer,
  activeTradesCount: described(common.integer, 'trades that are not settled; 0, as trades settle at once'),
  ...updated,
})

/** models/risk.py, RiskLimits and PreTradeCheckResult. */
export const limitsFields = closed(updated)
export const preTradeFields = closed({
  checksPerformed: listOf(common.text),
  reason: common.nullableText,
  estimatedNewExposure: common.number,
  timestamp: common.timestamp,
})

/** The fields beside those of a documented shape, wherever that stands. */
export const clientFields: ReadonlyMap<Shape, ObjectShape> = new Map<Shape, ObjectShape>([
  [order.order, orderFields],
  [order.cancelledOrder, cancelledOrderFields],
  [order.orderList, orderListFields],
  [order.cancelledOrders, cancelledOrdersFields],
  [order.fillList, fillListFields],
  [order.batchResult, batchFields],
  [quote.quote, quoteFields],
  [quote.cancelledQuote, cancelledQuoteFields],
  [quote.quoteList, quoteListFields],
  [quote.quoteFillList, quoteFillListFields],
  [marketData.price, priceFields],
  [portfolio.balance, balanceFields],
  [portfolio.position, positionFields],
  [portfolio.exposure, exposureFields],
  [portfolio.assetExposure, assetExposureFields],
  [risk.assetRiskExposure, assetExposureFields],
  [portfolio.summary, summaryFields],
  [risk.limits, limitsFields],
  [risk.preTradeCheck, preTradeFields],
])

/** Reading `limits.form`: models/risk.py, RiskLimit and the LimitType that it has words for. */
export const limitTypes = oneOfWords(
  'max_order_size',
  'max_notional_value',
  'max_daily_volume',
  'max_exposure',
  'max_open_orders',
)
export const limitEntry = closed({
  limitType: limitTypes,
  asset: described(common.nullableText, 'null for a limit of the account'),
  limitValue: common.number,
  currentValue: described(
    common.number,
    'what is used of it; of a limit for single orders, the largest that is live',
  ),
  utilizationPercentage: common.percent,
  isBreached: common.boolean,
  ...updated,
})
export const limitEntries = listOf(limitEntry)
