import { closed, listOf } from './closed.ts'
import * as common from './common.ts'
import type { Schema } from './infer.ts'
import { assetRiskExposure } from './risk.ts'

/* Spec: Balance to Trade (portfolio history), and the queries and responses of the eleven portfolio operations. */

export const balance = closed({
  asset: common.text,
  total: common.number,
  available: common.number,
  locked: common.number,
  pendingDeposit: common.number,
  pendingWithdrawal: common.number,
  usdValue: common.number,
})

export const balanceList = closed({ balances: listOf(balance) })

export const available = closed({
  asset: common.text,
  available: common.number,
  locked: common.number,
  pendingSettlement: common.number,
  availableForBuy: common.number,
  availableForSell: common.number,
})

export const position = closed({
  asset: common.text,
  quantity: common.number,
  side: { enum: ['long', 'short'] },
  averageEntryPrice: common.number,
  currentPrice: common.number,
  marketValue: common.number,
  costBasis: common.number,
  unrealizedPnl: common.number,
  unrealizedPnlPercent: common.percent,
  realizedPnl: common.number,
})

export const positionList = closed({ positions: listOf(position) })

export const assetExposure = closed({
  asset: common.text,
  exposure: common.number,
  weight: common.percent,
  side: { enum: ['long', 'short', 'neutral'] },
})

/** For one asset; reading `exposure.one` has the other shape. */
export const assetExposureBody = { anyOf: [assetExposure, assetRiskExposure] } as const satisfies Schema

export const exposure = closed({
  totalExposure: common.number,
  netExposure: common.number,
  longExposure: common.number,
  shortExposure: common.number,
  cashBalance: common.number,
  leverage: common.number,
  byAsset: listOf(assetExposure),
})

export const summary = closed({
  totalValue: common.number,
  cashBalance: common.number,
  positionsValue: common.number,
  totalPnl: common.number,
  totalPnlPercent: common.percent,
  dayPnl: common.number,
  dayPnlPercent: common.percent,
  unrealizedPnl: common.number,
  realizedPnl: common.number,
  buyingPower: common.number,
  openPositions: common.integer,
  openOrders: common.integer,
})

const period = { enum: ['1h', '24h', '7d', '30d'] } as const satisfies Schema

export const profitAndLoss = closed({
  period,
  totalPnl: common.number,
  totalPnlPercent: common.percent,
  realizedPnl: common.number,
  unrealizedPnl: common.number,
  fees: common.number,
  netPnl: common.number,
  startValue: common.number,
  endValue: common.number,
  byAsset: listOf(
    closed({
      asset: common.text,
      pnl: common.number,
      pnlPercent: common.percent,
      trades: common.integer,
    }),
  ),
})

const transactionType = { enum: ['deposit', 'withdrawal', 'trade', 'fee'] } as const satisfies Schema

/** Fields that do not apply to a type are null: reading `transactions.nonTrade`. */
export const transaction = closed({
  transactionId: common.text,
  type: transactionType,
  asset: common.text,
  quantity: common.number,
  price: common.nullableNumber,
  value: common.number,
  fee: common.number,
  feeCurrency: common.nullableText,
  side: { enum: ['buy', 'sell', null] },
  orderId: common.nullableText,
  timestamp: common.timestamp,
})

export const transactionList = closed({
  transactions: listOf(transaction),
  pagination: common.pagination,
})

export const trade = closed({
  tradeId: common.text,
  orderId: common.text,
  asset: common.text,
  side: common.side,
  quantity: common.number,
  price: common.number,
  value: common.number,
  fee: common.number,
  feeCurrency: common.text,
  timestamp: common.timestamp,
})

export const tradeList = closed({ trades: listOf(trade), pagination: common.pagination })

export const balancesQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { assets: common.symbols },
} as const satisfies Schema

export const positionsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { asset: common.symbol },
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
    asset: common.symbol,
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
    asset: common.symbol,
    side: common.side,
    startDate: common.dateOrTime,
    endDate: common.dateOrTime,
    page: common.page,
    limit: common.limit,
  },
} as const satisfies Schema
