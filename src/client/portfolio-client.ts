import { type CallOptions, call } from './call.ts'
import type { Link } from './exchange.ts'
import type { QueryOf, ResponseOf } from './operation-types.ts'

export type BalanceQuery = QueryOf<'listBalances'>
export type PositionQuery = QueryOf<'listPositions'>
export type ProfitAndLossQuery = QueryOf<'getProfitAndLoss'>
export type TransactionQuery = QueryOf<'listTransactions'>
export type TradeQuery = QueryOf<'listTrades'>
export type Balance = ResponseOf<'getBalance'>
export type BalanceList = ResponseOf<'listBalances'>
export type Position = ResponseOf<'getPosition'>
export type PositionList = ResponseOf<'listPositions'>
export type PortfolioExposure = ResponseOf<'getExposure'>
export type PortfolioAssetExposure = ResponseOf<'getAssetExposure'>
export type PortfolioSummary = ResponseOf<'getSummary'>
export type ProfitAndLoss = ResponseOf<'getProfitAndLoss'>
export type TransactionList = ResponseOf<'listTransactions'>
export type TradeList = ResponseOf<'listTrades'>
export type Available = ResponseOf<'getAvailable'>

/** Spec: Endpoints, Portfolio. */
export interface PortfolioClient {
  balances(query?: BalanceQuery, options?: CallOptions): Promise<BalanceList>
  balance(asset: string, options?: CallOptions): Promise<Balance>
  positions(query?: PositionQuery, options?: CallOptions): Promise<PositionList>
  position(asset: string, options?: CallOptions): Promise<Position>
  exposure(options?: CallOptions): Promise<PortfolioExposure>
  assetExposure(asset: string, options?: CallOptions): Promise<PortfolioAssetExposure>
  summary(options?: CallOptions): Promise<PortfolioSummary>
  /** Of the last 24 hours unless the query names another period. */
  profitAndLoss(query?: ProfitAndLossQuery, options?: CallOptions): Promise<ProfitAndLoss>
  transactions(query?: TransactionQuery, options?: CallOptions): Promise<TransactionList>
  trades(query?: TradeQuery, options?: CallOptions): Promise<TradeList>
  available(asset: string, options?: CallOptions): Promise<Available>
}

export function portfolioClient(link: Link): PortfolioClient {
  return {
    balances: (query, options) => call(link, 'listBalances', { query }, options),
    balance: (asset, options) => call(link, 'getBalance', { parameter: asset }, options),
    positions: (query, options) => call(link, 'listPositions', { query }, options),
    position: (asset, options) => call(link, 'getPosition', { parameter: asset }, options),
    exposure: (options) => call(link, 'getExposure', {}, options),
    assetExposure: (asset, options) => call(link, 'getAssetExposure', { parameter: asset }, options),
    summary: (options) => call(link, 'getSummary', {}, options),
    profitAndLoss: (query, options) => call(link, 'getProfitAndLoss', { query }, options),
    transactions: (query, options) => call(link, 'listTransactions', { query }, options),
    trades: (query, options) => call(link, 'listTrades', { query }, options),
    available: (asset, options) => call(link, 'getAvailable', { parameter: asset }, options),
  }
}
