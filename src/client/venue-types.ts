import type { Families } from '../api/operations/operations.ts'
import type { AnswerOf, BodyOf, ClientOf, ItemOf, QueryOf } from './row-types.ts'

/*
 * The types of requests and answers, derived from the rows of `api/operations`. The build writes them out in the package's
 * declarations (`test/build/plain-records.ts`).
 */

export type OrdersClient = ClientOf<Families['orders']>
export type QuotesClient = ClientOf<Families['quotes']>
export type MarketDataClient = ClientOf<Families['marketData']>
export type PortfolioClient = ClientOf<Families['portfolio']>
export type RiskClient = ClientOf<Families['risk']>

/* Orders. */
export type NewOrder = BodyOf<'createOrder'>
export type OrderAmendment = BodyOf<'amendOrder'>
export type OrderFilter = BodyOf<'cancelOrders'>
export type OrderQuery = QueryOf<'listOrders'>
export type Order = AnswerOf<'getOrder'>
export type OrderList = AnswerOf<'listOrders'>
export type CancelledOrder = AnswerOf<'cancelOrder'>
export type CancelledOrders = AnswerOf<'cancelOrders'>
export type FillList = AnswerOf<'listOrderFills'>
export type BatchResult = AnswerOf<'createOrders'>

/* Quotes. */
export type NewQuote = BodyOf<'submitQuote'>
export type QuoteUpdate = BodyOf<'updateQuote'>
export type BulkQuoteUpdate = ItemOf<'updateQuotes'>
export type QuoteFilter = BodyOf<'cancelQuotes'>
export type Quote = AnswerOf<'getQuote'>
export type QuoteList = AnswerOf<'listQuotes'>
export type CancelledQuote = AnswerOf<'cancelQuote'>
export type CancelledQuotes = AnswerOf<'cancelQuotes'>
export type BulkQuoteResult = AnswerOf<'updateQuotes'>
export type QuoteQuery = QueryOf<'listQuotes'>

/* Market data. */
export type PriceQuery = QueryOf<'listPrices'>
export type OrderBookQuery = QueryOf<'getOrderBook'>
export type OrderBooksQuery = QueryOf<'listOrderBooks'>
export type StatisticsQuery = QueryOf<'listStatistics'>
export type Price = AnswerOf<'getPrice'>
export type PriceList = AnswerOf<'listPrices'>
export type OrderBook = AnswerOf<'getOrderBook'>
export type OrderBooks = AnswerOf<'listOrderBooks'>
export type TradingPairList = AnswerOf<'listTradingPairs'>
export type StatisticsList = AnswerOf<'listStatistics'>

/* Portfolio. */
export type BalanceQuery = QueryOf<'listBalances'>
export type PositionQuery = QueryOf<'listPositions'>
export type ProfitAndLossQuery = QueryOf<'getProfitAndLoss'>
export type TransactionQuery = QueryOf<'listTransactions'>
export type TradeQuery = QueryOf<'listTrades'>
export type Balance = AnswerOf<'getBalance'>
export type BalanceList = AnswerOf<'listBalances'>
export type Position = AnswerOf<'getPosition'>
export type PositionList = AnswerOf<'listPositions'>
export type PortfolioExposure = AnswerOf<'getExposure'>
export type PortfolioAssetExposure = AnswerOf<'getAssetExposure'>
export type PortfolioSummary = AnswerOf<'getSummary'>
export type ProfitAndLoss = AnswerOf<'getProfitAndLoss'>
export type TransactionList = AnswerOf<'listTransactions'>
export type TradeList = AnswerOf<'listTrades'>
export type Available = AnswerOf<'getAvailable'>

/* Risk. */
export type CandidateOrder = BodyOf<'checkOrder'>
export type MaxQuantityQuery = QueryOf<'getMaxQuantity'>
export type RiskLimits = AnswerOf<'getLimits'>
export type PreTradeCheck = AnswerOf<'checkOrder'>
export type RiskExposure = AnswerOf<'getRiskExposure'>
export type RiskAssetExposure = AnswerOf<'getAssetRiskExposure'>
export type LimitUtilization = AnswerOf<'getUtilization'>
export type MaxQuantity = AnswerOf<'getMaxQuantity'>
export type RiskMetrics = AnswerOf<'getMetrics'>
export type OrderSimulation = AnswerOf<'simulateOrder'>
