import type { Shape } from '../../shape/shape.ts'
import { batchSummary, errorShape, offsetPagination, pagination, side } from '../operations/common.ts'
import * as marketData from '../operations/market-data.ts'
import * as order from '../operations/orders.ts'
import * as portfolio from '../operations/portfolio.ts'
import * as quote from '../operations/quotes.ts'
import * as risk from '../operations/risk.ts'

/**
 * The document's names for the shapes that the specification names, in the order of the specification, and for the
 * words that several of them share: a generator makes one type of a named shape, and of others one for each place.
 */
export const schemaNames: ReadonlyMap<Shape, string> = new Map<Shape, string>([
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
  [errorShape, 'Error'],
])
