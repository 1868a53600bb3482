import { oneOfWords, shapeTyped } from '../../shape/shape.ts'
import { describe, listOf, object, oneOf, partial, withDefault } from '../wire-shapes.ts'
import * as common from './common.ts'
import { operation } from './operation.ts'
import { assetRiskExposure } from './risk.ts'

/* The resources (Spec: Balance to Trade), and the queries and responses of the eleven portfolio operations. */

export const balance = object({
  asset: describe(common.text, 'asset symbol'),
  total: describe(common.number, 'all that the account has: available and locked, in units of the asset'),
  available: describe(
    common.number,
    'available for trading: neither locked by orders nor leaving in a withdrawal',
  ),
  locked: describe(common.number, 'locked in open orders and quotes, fees included'),
  pendingDeposit: describe(common.number, 'deposits that have not arrived; no part of the total'),
  pendingWithdrawal: describe(common.number, 'withdrawals that have not left; no part of what is available'),
  usdValue: describe(common.number, 'the total in USD at the current price'),
})

export const available = object({
  asset: describe(common.text, 'asset symbol'),
  available: describe(
    common.number,
    'available for trading: neither locked by orders nor leaving in a withdrawal',
  ),
  locked: describe(common.number, 'locked in open orders and quotes, fees included'),
  pendingSettlement: describe(common.number, 'trades that are not settled; 0, because trades settle at once'),
  availableForBuy: describe(common.number, 'maximum quantity that can be bought, based on the USD balance'),
  availableForSell: describe(common.number, 'maximum quantity that can be sold'),
})

export const position = object({
  asset: describe(common.text, 'asset symbol'),
  quantity: describe(
    common.number,
    'quantity held or owed; its sign for a short position: reading positions.sign',
  ),
  side: describe(oneOfWords('long', 'short'), 'long for what is held, short for what is owed'),
  averageEntryPrice: describe(common.number, 'average price of the entry in USD, fees apart'),
  currentPrice: describe(common.number, 'price in USD at which it is valued: the mark price'),
  marketValue: describe(common.number, 'value in USD at the current price'),
  costBasis: describe(common.number, 'value in USD at the average price of the entry'),
  unrealizedPnl: describe(
    common.number,
    'profit or loss in USD that is still open: what the positions would gain at the current price',
  ),
  unrealizedPnlPercent: describe(common.percent, 'the same, relative to the cost'),
  realizedPnl: describe(
    common.number,
    'profit or loss in USD that is final: of what was sold or bought back, fees apart',
  ),
})

export const assetExposure = object({
  asset: describe(common.text, 'asset symbol'),
  exposure: describe(common.number, 'value in USD at the current price'),
  weight: describe(common.percent, 'share of the whole'),
  side: describe(oneOfWords('long', 'short', 'neutral'), 'long, short, or neutral for cash'),
})

/** The exposure in one asset; reading `exposure.one` chooses among the two shapes. */
const assetExposureBody = oneOf(assetExposure, assetRiskExposure)

export const exposure = object({
  totalExposure: describe(common.number, 'long and short exposure together, in USD'),
  netExposure: describe(common.number, 'long less short exposure, in USD'),
  longExposure: describe(common.number, 'value in USD of all long positions'),
  shortExposure: describe(common.number, 'value in USD of all short positions, as a positive number'),
  cashBalance: describe(common.number, 'balance of USD, locked amounts included'),
  leverage: describe(common.number, 'total exposure over the value of the portfolio'),
  byAsset: describe(listOf(assetExposure), 'one per asset; cash is neutral'),
})

export const summary = object({
  totalValue: describe(common.number, 'cash and positions together, in USD'),
  cashBalance: describe(common.number, 'balance of USD, locked amounts included'),
  positionsValue: describe(common.number, 'value in USD of all positions at the current prices'),
  totalPnl: describe(common.number, 'profit or loss in USD since the start: total value less net deposits'),
  totalPnlPercent: describe(common.percent, 'totalPnl, relative to the net deposits'),
  dayPnl: describe(
    common.number,
    'profit or loss in USD after fees since midnight UTC, or of the last 24 hours: reading time.dayStart',
  ),
  dayPnlPercent: describe(common.percent, 'dayPnl, relative to the capital of that time'),
  unrealizedPnl: describe(
    common.number,
    'profit or loss in USD that is still open: what the positions would gain at the current price',
  ),
  realizedPnl: describe(
    common.number,
    'profit or loss in USD that is final: of what was sold or bought back, fees apart',
  ),
  buyingPower: describe(
    common.number,
    'USD that can be spent on orders: what is available, on a margin account what its leverage leaves',
  ),
  openPositions: describe(common.integer, 'number of positions'),
  openOrders: describe(common.integer, 'number of open orders'),
})

const period = describe(
  oneOfWords('1h', '24h', '7d', '30d'),
  'how far back from now: the last hour, day, week or 30 days',
)

export const assetProfit = object({
  asset: describe(common.text, 'asset symbol'),
  pnl: describe(common.number, 'profit or loss in USD in this asset'),
  pnlPercent: describe(
    common.percent,
    'pnl, relative to the value at the start and to what was bought since',
  ),
  trades: describe(common.integer, 'number of trades'),
})

export const profitAndLoss = object({
  period,
  totalPnl: describe(common.number, 'realized and unrealized profit or loss in USD'),
  totalPnlPercent: describe(common.percent, 'the same, relative to the value at the start'),
  realizedPnl: describe(common.number, 'profit or loss in USD that became final in the period'),
  unrealizedPnl: describe(
    common.number,
    'profit or loss in USD that is still open: what the positions would gain at the current price',
  ),
  fees: describe(common.number, 'fees that were paid in the period, in USD'),
  netPnl: describe(common.number, 'profit or loss in USD after fees'),
  startValue: describe(common.number, 'value of the portfolio at the start of the period'),
  endValue: describe(common.number, 'value of the portfolio now'),
  byAsset: describe(listOf(assetProfit), 'one per asset'),
})

const transactionType = describe(
  oneOfWords('deposit', 'withdrawal', 'trade', 'fee'),
  'what moved the balance; which fields others than trades have: reading transactions.nonTrade',
)

/** A transaction. Fields that do not apply to its type are null (reading `transactions.nonTrade`). */
export const transaction = object({
  transactionId: describe(common.text, 'unique identifier; its form: reading ids.format'),
  type: transactionType,
  asset: describe(common.text, 'asset symbol'),
  quantity: describe(common.number, 'quantity that moved, in units of the asset'),
  price: describe(common.nullableNumber, 'price of a trade; null for other types'),
  value: describe(
    common.number,
    'value in USD: of a trade price times quantity, else at the price of that moment',
  ),
  fee: describe(common.number, 'fee, in feeCurrency'),
  feeCurrency: describe(common.nullableText, 'currency symbol of the fee; null without one'),
  side: describe(
    shapeTyped<'buy' | 'sell' | null>({ enum: ['buy', 'sell', null] }),
    'of a trade; null for other types',
  ),
  orderId: describe(common.nullableText, 'the order of a trade; null for other types'),
  timestamp: describe(common.timestamp, 'when it happened'),
})

export const trade = object({
  tradeId: describe(common.text, 'unique identifier; its form: reading ids.format'),
  orderId: describe(common.text, 'the order that was filled'),
  asset: describe(common.text, 'asset symbol'),
  side: common.side,
  quantity: describe(common.number, 'quantity that was traded'),
  price: describe(common.number, 'price in USD at which it was traded'),
  value: describe(common.number, 'price times quantity, in USD'),
  fee: describe(common.number, 'fee, in feeCurrency'),
  feeCurrency: describe(common.text, 'currency symbol of the fee'),
  timestamp: describe(common.timestamp, 'when it was traded'),
})

/* The portfolio operations (Spec: Endpoints, Portfolio), by the names of the methods of the client. */
export const portfolio = {
  balances: operation({
    id: 'listBalances',
    method: 'GET',
    path: '/api/sdk/portfolio/balances',
    query: partial({ assets: common.symbols }),
    response: object({ balances: describe(listOf(balance), 'one per asset') }),
    summary: 'List balances',
    errors: [404],
  }),
  balance: operation({
    id: 'getBalance',
    method: 'GET',
    path: '/api/sdk/portfolio/balances/:asset',
    response: balance,
    summary: 'Get balance',
  }),
  positions: operation({
    id: 'listPositions',
    method: 'GET',
    path: '/api/sdk/portfolio/positions',
    query: partial({ asset: describe(common.symbol, 'only this asset') }),
    response: object({
      positions: describe(listOf(position), 'one per asset that the account holds or owes'),
    }),
    summary: 'List positions',
    errors: [404],
  }),
  position: operation({
    id: 'getPosition',
    method: 'GET',
    path: '/api/sdk/portfolio/positions/:asset',
    response: position,
    summary: 'Get position',
  }),
  exposure: operation({
    id: 'getExposure',
    method: 'GET',
    path: '/api/sdk/portfolio/exposure',
    response: exposure,
    summary: 'Get exposure',
  }),
  assetExposure: operation({
    id: 'getAssetExposure',
    method: 'GET',
    path: '/api/sdk/portfolio/exposure/:asset',
    response: assetExposureBody,
    summary: 'Get exposure of one asset',
  }),
  summary: operation({
    id: 'getSummary',
    method: 'GET',
    path: '/api/sdk/portfolio/summary',
    response: summary,
    summary: 'Get summary',
  }),
  /** Returns the profit and loss of the last 24 hours, or of the period that the query names. */
  profitAndLoss: operation({
    id: 'getProfitAndLoss',
    method: 'GET',
    path: '/api/sdk/portfolio/pnl',
    query: object({ period: withDefault(period, '24h') }),
    response: profitAndLoss,
    summary: 'Get profit and loss',
  }),
  transactions: operation({
    id: 'listTransactions',
    method: 'GET',
    path: '/api/sdk/portfolio/transactions',
    query: object(
      {
        asset: describe(common.symbol, 'only transactions in this asset'),
        type: transactionType,
        page: common.page,
        limit: common.limit,
      },
      ['asset', 'type'],
    ),
    response: object({
      transactions: describe(listOf(transaction), 'the transactions of this page'),
      pagination: common.pagination,
    }),
    summary: 'List transactions',
    errors: [404],
  }),
  trades: operation({
    id: 'listTrades',
    method: 'GET',
    path: '/api/sdk/portfolio/trades',
    query: partial(
      {
        asset: describe(common.symbol, 'only trades in this asset'),
        side: common.side,
        startDate: describe(
          common.dateOrTime,
          'only trades from then on: an ISO 8601 date, or a time with Z or an offset',
        ),
        endDate: describe(
          common.dateOrTime,
          'only trades until then: an ISO 8601 date, whose day is included, or a time with Z or an offset',
        ),
        page: common.page,
        limit: common.limit,
      },
      ['page', 'limit'],
    ),
    response: object({
      trades: describe(listOf(trade), 'the trades of this page'),
      pagination: common.pagination,
    }),
    summary: 'List trades',
    errors: [404],
  }),
  available: operation({
    id: 'getAvailable',
    method: 'GET',
    path: '/api/sdk/portfolio/available/:asset',
    response: available,
    summary: 'Get balance available for trading',
  }),
}
