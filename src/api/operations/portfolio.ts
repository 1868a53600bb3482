import { oneOfWords, typed } from '../../shape/shape.ts'
import { closed, described, listOf, oneOf, partial, withDefault } from '../wire-shapes.ts'
import * as common from './common.ts'
import { operation } from './operation.ts'
import { assetRiskExposure } from './risk.ts'

/* The resources (Spec: Balance to Trade), and the queries and responses of the eleven portfolio operations. */

export const balance = closed({
  asset: described(common.text, 'asset symbol'),
  total: described(common.number, 'all that the account has'),
  available: described(common.number, 'available for trading'),
  locked: described(common.number, 'locked in open orders'),
  pendingDeposit: described(common.number, 'deposits that have not arrived'),
  pendingWithdrawal: described(common.number, 'withdrawals that have not left'),
  usdValue: described(common.number, 'USD equivalent'),
})

export const available = closed({
  asset: described(common.text, 'asset symbol'),
  available: described(common.number, 'available for trading'),
  locked: described(common.number, 'locked in open orders'),
  pendingSettlement: described(common.number, 'pending trade settlement'),
  availableForBuy: described(common.number, 'maximum quantity that can be bought, based on the USD balance'),
  availableForSell: described(common.number, 'maximum quantity that can be sold'),
})

export const position = closed({
  asset: described(common.text, 'asset symbol'),
  quantity: described(common.number, 'quantity held or owed'),
  side: described(oneOfWords('long', 'short'), 'long for what is held, short for what is owed'),
  averageEntryPrice: described(common.number, 'average price of the entry'),
  currentPrice: described(common.number, 'price at which it is valued'),
  marketValue: described(common.number, 'value at the current price'),
  costBasis: described(common.number, 'value at the average price of the entry'),
  unrealizedPnl: described(common.number, 'profit or loss that is still open'),
  unrealizedPnlPercent: described(common.percent, 'the same, relative to the cost'),
  realizedPnl: described(common.number, 'profit or loss that is final'),
})

export const assetExposure = closed({
  asset: described(common.text, 'asset symbol'),
  exposure: described(common.number, 'value at the current price'),
  weight: described(common.percent, 'share of the whole'),
  side: described(oneOfWords('long', 'short', 'neutral'), 'long, short, or neutral for cash'),
})

/** The exposure in one asset; reading `exposure.one` chooses among the two shapes. */
export const assetExposureBody = oneOf(assetExposure, assetRiskExposure)

export const exposure = closed({
  totalExposure: described(common.number, 'long and short exposure together'),
  netExposure: described(common.number, 'long less short exposure'),
  longExposure: described(common.number, 'value of all long positions'),
  shortExposure: described(common.number, 'value of all short positions'),
  cashBalance: described(common.number, 'USD balance'),
  leverage: described(common.number, 'total exposure over the value of the portfolio'),
  byAsset: described(listOf(assetExposure), 'one per asset; cash is neutral'),
})

export const summary = closed({
  totalValue: described(common.number, 'cash and positions together'),
  cashBalance: described(common.number, 'USD balance'),
  positionsValue: described(common.number, 'value of all positions'),
  totalPnl: described(common.number, 'profit or loss since the start'),
  totalPnlPercent: described(common.percent, 'the same, relative'),
  dayPnl: described(common.number, 'profit or loss of the last 24 hours'),
  dayPnlPercent: described(common.percent, 'the same, relative'),
  unrealizedPnl: described(common.number, 'profit or loss that is still open'),
  realizedPnl: described(common.number, 'profit or loss that is final'),
  buyingPower: described(common.number, 'USD that can be spent on orders'),
  openPositions: described(common.integer, 'number of positions'),
  openOrders: described(common.integer, 'number of open orders'),
})

const period = described(oneOfWords('1h', '24h', '7d', '30d'), 'how far back from now')

export const assetProfit = closed({
  asset: described(common.text, 'asset symbol'),
  pnl: described(common.number, 'profit or loss in this asset'),
  pnlPercent: described(common.percent, 'the same, relative'),
  trades: described(common.integer, 'number of trades'),
})

export const profitAndLoss = closed({
  period,
  totalPnl: described(common.number, 'realized and unrealized profit or loss'),
  totalPnlPercent: described(common.percent, 'the same, relative to the value at the start'),
  realizedPnl: described(common.number, 'profit or loss that became final'),
  unrealizedPnl: described(common.number, 'profit or loss that is still open'),
  fees: described(common.number, 'fees that were paid'),
  netPnl: described(common.number, 'profit or loss after fees'),
  startValue: described(common.number, 'value of the portfolio at the start of the period'),
  endValue: described(common.number, 'value of the portfolio now'),
  byAsset: described(listOf(assetProfit), 'one per asset'),
})

const transactionType = described(
  oneOfWords('deposit', 'withdrawal', 'trade', 'fee'),
  'what moved the balance',
)

/** A transaction. Fields that do not apply to its type are null (reading `transactions.nonTrade`). */
export const transaction = closed({
  transactionId: described(common.text, 'unique identifier'),
  type: transactionType,
  asset: described(common.text, 'asset symbol'),
  quantity: described(common.number, 'quantity that moved'),
  price: described(common.nullableNumber, 'price of a trade; null for other types'),
  value: described(common.number, 'value in USD'),
  fee: described(common.number, 'fee, in feeCurrency'),
  feeCurrency: described(common.nullableText, 'currency symbol of the fee; null without one'),
  side: described(
    typed<'buy' | 'sell' | null>({ enum: ['buy', 'sell', null] }),
    'of a trade; null for other types',
  ),
  orderId: described(common.nullableText, 'the order of a trade; null for other types'),
  timestamp: described(common.timestamp, 'when it happened'),
})

export const trade = closed({
  tradeId: described(common.text, 'unique identifier'),
  orderId: described(common.text, 'the order that was filled'),
  asset: described(common.text, 'asset symbol'),
  side: common.side,
  quantity: described(common.number, 'quantity that was traded'),
  price: described(common.number, 'price at which it was traded'),
  value: described(common.number, 'price times quantity'),
  fee: described(common.number, 'fee, in feeCurrency'),
  feeCurrency: described(common.text, 'currency symbol of the fee'),
  timestamp: described(common.timestamp, 'when it was traded'),
})

/* The portfolio operations (Spec: Endpoints, Portfolio), by the names of the methods of the client. */
export const portfolio = {
  balances: operation({
    id: 'listBalances',
    method: 'GET',
    path: '/api/sdk/portfolio/balances',
    query: partial({ assets: common.symbols }),
    response: closed({ balances: described(listOf(balance), 'one per asset') }),
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
    query: partial({ asset: described(common.symbol, 'only this asset') }),
    response: closed({
      positions: described(listOf(position), 'one per asset that the account holds or owes'),
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
    query: closed({ period: withDefault(period, '24h') }),
    response: profitAndLoss,
    summary: 'Get profit and loss',
  }),
  transactions: operation({
    id: 'listTransactions',
    method: 'GET',
    path: '/api/sdk/portfolio/transactions',
    query: closed(
      {
        asset: described(common.symbol, 'only transactions in this asset'),
        type: transactionType,
        page: common.page,
        limit: common.limit,
      },
      ['asset', 'type'],
    ),
    response: closed({
      transactions: described(listOf(transaction), 'the transactions of this page'),
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
        asset: described(common.symbol, 'only trades in this asset'),
        side: common.side,
        startDate: described(
          common.dateOrTime,
          'only trades from then on: an ISO 8601 date, or a time with Z or an offset',
        ),
        endDate: described(
          common.dateOrTime,
          'only trades until then: an ISO 8601 date, whose day is included, or a time with Z or an offset',
        ),
        page: common.page,
        limit: common.limit,
      },
      ['page', 'limit'],
    ),
    response: closed({
      trades: described(listOf(trade), 'the trades of this page'),
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
