import { closed, described, listOf } from './closed.ts'
import * as common from './common.ts'
import type { Schema } from './infer.ts'
import { assetRiskExposure } from './risk.ts'

/* Spec: Balance to Trade (portfolio history), and the queries and responses of the eleven portfolio operations. */

export const balance = closed({
  asset: described(common.text, 'asset symbol'),
  total: described(common.number, 'all that the account has'),
  available: described(common.number, 'available for trading'),
  locked: described(common.number, 'locked in open orders'),
  pendingDeposit: described(common.number, 'deposits that have not arrived'),
  pendingWithdrawal: described(common.number, 'withdrawals that have not left'),
  usdValue: described(common.number, 'USD equivalent'),
})

export const balanceList = closed({ balances: described(listOf(balance), 'one per asset') })

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
  side: { enum: ['long', 'short'], description: 'long for what is held, short for what is owed' },
  averageEntryPrice: described(common.number, 'average price of the entry'),
  currentPrice: described(common.number, 'price at which it is valued'),
  marketValue: described(common.number, 'value at the current price'),
  costBasis: described(common.number, 'value at the average price of the entry'),
  unrealizedPnl: described(common.number, 'profit or loss that is still open'),
  unrealizedPnlPercent: described(common.percent, 'the same, relative to the cost'),
  realizedPnl: described(common.number, 'profit or loss that is final'),
})

export const positionList = closed({
  positions: described(listOf(position), 'one per asset that the account holds or owes'),
})

export const assetExposure = closed({
  asset: described(common.text, 'asset symbol'),
  exposure: described(common.number, 'value at the current price'),
  weight: described(common.percent, 'share of the whole'),
  side: { enum: ['long', 'short', 'neutral'], description: 'long, short, or neutral for cash' },
})

/** For one asset; reading `exposure.one` has the other shape. */
export const assetExposureBody = { anyOf: [assetExposure, assetRiskExposure] } as const satisfies Schema

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

const period = {
  enum: ['1h', '24h', '7d', '30d'],
  description: 'how far back from now',
} as const satisfies Schema

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
  byAsset: described(
    listOf(
      closed({
        asset: described(common.text, 'asset symbol'),
        pnl: described(common.number, 'profit or loss in this asset'),
        pnlPercent: described(common.percent, 'the same, relative'),
        trades: described(common.integer, 'number of trades'),
      }),
    ),
    'one per asset',
  ),
})

const transactionType = {
  enum: ['deposit', 'withdrawal', 'trade', 'fee'],
  description: 'what moved the balance',
} as const satisfies Schema

/** Fields that do not apply to a type are null: reading `transactions.nonTrade`. */
export const transaction = closed({
  transactionId: described(common.text, 'unique identifier'),
  type: transactionType,
  asset: described(common.text, 'asset symbol'),
  quantity: described(common.number, 'quantity that moved'),
  price: described(common.nullableNumber, 'price of a trade; null for other types'),
  value: described(common.number, 'value in USD'),
  fee: described(common.number, 'fee, in feeCurrency'),
  feeCurrency: described(common.nullableText, 'currency symbol of the fee; null without one'),
  side: { enum: ['buy', 'sell', null], description: 'of a trade; null for other types' },
  orderId: described(common.nullableText, 'the order of a trade; null for other types'),
  timestamp: described(common.timestamp, 'when it happened'),
})

export const transactionList = closed({
  transactions: described(listOf(transaction), 'the transactions of this page'),
  pagination: common.pagination,
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

export const tradeList = closed({
  trades: described(listOf(trade), 'the trades of this page'),
  pagination: common.pagination,
})

export const balancesQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { assets: common.symbols },
} as const satisfies Schema

export const positionsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { asset: described(common.symbol, 'only this asset') },
} as const satisfies Schema

export const profitAndLossQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['period'],
  properties: { period: { ...period, default: '24h' } },
} as const satisfies Schema

export const transactionsQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['page', 'limit'],
  properties: {
    asset: described(common.symbol, 'only transactions in this asset'),
    type: transactionType,
    page: common.page,
    limit: common.limit,
  },
} as const satisfies Schema

export const tradesQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['page', 'limit'],
  properties: {
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
} as const satisfies Schema
