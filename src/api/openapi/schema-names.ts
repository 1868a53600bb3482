import { batchSummary, offsetPagination, pagination, side } from '../schemas/common.ts'
import { errorSchema } from '../schemas/error.ts'
import type { Schema } from '../schemas/infer.ts'
import * as marketData from '../schemas/market-data.ts'
import * as order from '../schemas/order.ts'
import * as portfolio from '../schemas/portfolio.ts'
import * as quote from '../schemas/quote.ts'
import * as risk from '../schemas/risk.ts'

/**
 * The document's names for the shapes that the specification names, in the order of the specification, and for the
 * words that several of them share: a generator makes one type of a named shape, and of others one for each place.
 */
export const schemaNames: ReadonlyMap<Schema, string> = new Map<Schema, string>([
  [side, 'Side'],
  [order.orderType, 'OrderType'],
  [order.timeInForce, 'TimeInForce'],
  [order.orderStatus, 'OrderStatus'],
  [order.order, 'Order'],
  [order.listedOrder, 'ListedOrder'],
  [order.cancelledOrder, 'CancelledOrder'],
  [order.fill, 'Fill'],
  [order.batchResult, 'BatchResult'],
  [order.createOrderBody, 'CreateOrder'],
  [order.amendOrderBody, 'AmendOrder'],
  [quote.quoteStatus, 'QuoteStatus'],
  [quote.quote, 'Quote'],
  [quote.listedQuote, 'ListedQuote'],
  [quote.cancelledQuote, 'CancelledQuote'],
  [quote.bulkResult, 'BulkResult'],
  [quote.submitQuoteBody, 'SubmitQuote'],
  [quote.updateQuoteBody, 'UpdateQuote'],
  [marketData.price, 'Price'],
  [marketData.orderBook, 'OrderBook'],
  [marketData.bookEntry, 'BookEntry'],
  [marketData.tradingPair, 'TradingPair'],
  [marketData.statistics, 'Statistics24h'],
  [portfolio.balance, 'Balance'],
  [portfolio.available, 'AvailableForTrading'],
  [portfolio.position, 'Position'],
  [portfolio.exposure, 'PortfolioExposure'],
  [portfolio.assetExposure, 'AssetExposure'],
  [portfolio.summary, 'PortfolioSummary'],
  [portfolio.profitAndLoss, 'ProfitAndLoss'],
  [portfolio.transaction, 'Transaction'],
  [portfolio.trade, 'Trade'],
  [risk.riskLimits, 'RiskLimits'],
  [risk.preTradeCheck, 'PreTradeCheck'],
  [risk.candidateBody, 'OrderCandidate'],
  [risk.riskExposure, 'RiskExposure'],
  [risk.assetRiskExposure, 'AssetRiskExposure'],
  [risk.utilization, 'LimitUtilization'],
  [risk.limitUse, 'LimitUse'],
  [risk.maxQuantity, 'MaximumQuantity'],
  [risk.metrics, 'RiskMetrics'],
  [risk.simulation, 'OrderSimulation'],
  [pagination, 'Pagination'],
  [offsetPagination, 'OffsetPagination'],
  [batchSummary, 'BatchSummary'],
  [errorSchema, 'Error'],
])
