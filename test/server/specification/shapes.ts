import type { Shape } from './shape.ts'

/* Spec: Resources and their fields. */

const pages = { page: 'whole', limit: 'whole', total: 'whole', totalPages: 'whole' } as const satisfies Shape
const summary = { total: 'whole', successful: 'whole', failed: 'whole' } as const satisfies Shape

export const order: Shape = {
  orderId: 'text',
  clientOrderId: 'text?',
  side: 'text',
  asset: 'text',
  quantity: 'number',
  price: 'number?',
  orderType: 'text',
  timeInForce: 'text',
  status: 'text',
  filledQuantity: 'number',
  remainingQuantity: 'number',
  averagePrice: 'number?',
  metadata: 'object',
  createdAt: 'time',
  updatedAt: 'time',
}

export const orderList: Shape = {
  orders: [
    {
      orderId: 'text',
      clientOrderId: 'text?',
      side: 'text',
      asset: 'text',
      quantity: 'number',
      price: 'number?',
      status: 'text',
      filledQuantity: 'number',
      createdAt: 'time',
    },
  ],
  pagination: pages,
}

export const cancelledOrder: Shape = { orderId: 'text', status: 'text', cancelledAt: 'time' }
export const cancelledOrders: Shape = { cancelledCount: 'whole', cancelledOrders: ['text'] }

export const fills: Shape = {
  fills: [
    {
      fillId: 'text',
      orderId: 'text',
      price: 'number',
      quantity: 'number',
      side: 'text',
      fee: 'number',
      feeCurrency: 'text',
      executedAt: 'time',
    },
  ],
}

export const batch: Shape = {
  results: [
    { success: 'truth', orderId: 'text', clientOrderId: 'text?' },
    { success: 'truth', error: 'text', index: 'whole' },
  ],
  summary,
}

export const quote: Shape = {
  quoteId: 'text',
  clientQuoteId: 'text?',
  asset: 'text',
  bidPrice: 'number',
  askPrice: 'number',
  bidSize: 'number',
  askSize: 'number',
  bidFilled: 'number',
  askFilled: 'number',
  status: 'text',
  validForSeconds: 'number',
  expiresAt: 'time',
  metadata: 'object',
  createdAt: 'time',
  updatedAt: 'time',
}

export const quoteList: Shape = {
  quotes: [
    {
      quoteId: 'text',
      asset: 'text',
      bidPrice: 'number',
      askPrice: 'number',
      bidSize: 'number',
      askSize: 'number',
      status: 'text',
      expiresAt: 'time',
      createdAt: 'time',
    },
  ],
  pagination: { limit: 'whole', offset: 'whole', total: 'whole' },
}

export const cancelledQuote: Shape = { quoteId: 'text', status: 'text', cancelledAt: 'time' }
export const cancelledQuotes: Shape = { cancelledCount: 'whole', cancelledQuotes: ['text'] }
export const quoteUpdates: Shape = { results: [{ success: 'truth', quoteId: 'text' }], summary }

export const price: Shape = {
  asset: 'text',
  bid: 'number',
  ask: 'number',
  mid: 'number',
  last: 'number',
  change24h: 'number',
  volume24h: 'number',
  high24h: 'number',
  low24h: 'number',
  updatedAt: 'time',
}

const level = { price: 'number', quantity: 'number' } as const satisfies Shape
export const orderBook: Shape = { asset: 'text', bids: [level], asks: [level], timestamp: 'time' }

export const pair: Shape = {
  base: 'text',
  quote: 'text',
  symbol: 'text',
  minQuantity: 'number',
  maxQuantity: 'number',
  quantityStep: 'number',
  minPrice: 'number',
  priceStep: 'number',
  minNotional: 'number',
  status: 'text',
}

export const statistics: Shape = {
  asset: 'text',
  open: 'number',
  high: 'number',
  low: 'number',
  close: 'number',
  volume: 'number',
  volumeUsd: 'number',
  trades: 'whole',
  change: 'number',
  changePercent: 'number',
  vwap: 'number',
}

export const balance: Shape = {
  asset: 'text',
  total: 'number',
  available: 'number',
  locked: 'number',
  pendingDeposit: 'number',
  pendingWithdrawal: 'number',
  usdValue: 'number',
}

export const available: Shape = {
  asset: 'text',
  available: 'number',
  locked: 'number',
  pendingSettlement: 'number',
  availableForBuy: 'number',
  availableForSell: 'number',
}

export const position: Shape = {
  asset: 'text',
  quantity: 'number',
  side: 'text',
  averageEntryPrice: 'number',
  currentPrice: 'number',
  marketValue: 'number',
  costBasis: 'number',
  unrealizedPnl: 'number',
  unrealizedPnlPercent: 'number',
  realizedPnl: 'number',
}

export const assetExposure: Shape = { asset: 'text', exposure: 'number', weight: 'number', side: 'text' }

export const exposure: Shape = {
  totalExposure: 'number',
  netExposure: 'number',
  longExposure: 'number',
  shortExposure: 'number',
  cashBalance: 'number',
  leverage: 'number',
  byAsset: [assetExposure],
}

export const portfolioSummary: Shape = {
  totalValue: 'number',
  cashBalance: 'number',
  positionsValue: 'number',
  totalPnl: 'number',
  totalPnlPercent: 'number',
  dayPnl: 'number',
  dayPnlPercent: 'number',
  unrealizedPnl: 'number',
  realizedPnl: 'number',
  buyingPower: 'number',
  openPositions: 'whole',
  openOrders: 'whole',
}

export const profitAndLoss: Shape = {
  period: 'text',
  totalPnl: 'number',
  totalPnlPercent: 'number',
  realizedPnl: 'number',
  unrealizedPnl: 'number',
  fees: 'number',
  netPnl: 'number',
  startValue: 'number',
  endValue: 'number',
  byAsset: [{ asset: 'text', pnl: 'number', pnlPercent: 'number', trades: 'whole' }],
}

export const transactions: Shape = {
  transactions: [
    {
      transactionId: 'text',
      type: 'text',
      asset: 'text',
      quantity: 'number',
      price: 'number?',
      value: 'number',
      fee: 'number',
      feeCurrency: 'text?',
      side: 'text?',
      orderId: 'text?',
      timestamp: 'time',
    },
  ],
  pagination: pages,
}

export const trades: Shape = {
  trades: [
    {
      tradeId: 'text',
      orderId: 'text',
      asset: 'text',
      side: 'text',
      quantity: 'number',
      price: 'number',
      value: 'number',
      fee: 'number',
      feeCurrency: 'text',
      timestamp: 'time',
    },
  ],
  pagination: pages,
}
