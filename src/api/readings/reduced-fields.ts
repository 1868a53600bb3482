/*
 * Which fields the readings of shapes leave out of a body, or keep of it: `reduced-shapes` does it to answers, and
 * `openapi/shapes-under-readings` says it in the document.
 */

export const droppedFields = {
  fill: ['side'],
  nonTrade: ['price', 'side', 'orderId', 'feeCurrency'],
  price: ['volume24h', 'high24h', 'low24h'],
  statistics: ['change', 'changePercent', 'vwap'],
  balance: ['pendingDeposit', 'pendingWithdrawal'],
  assetExposure: ['side'],
} as const

export const keptFields = {
  pair: ['base', 'quote', 'minQuantity', 'maxQuantity'],
  position: [
    'asset',
    'quantity',
    'averageEntryPrice',
    'currentPrice',
    'unrealizedPnl',
    'unrealizedPnlPercent',
  ],
  exposure: ['totalExposure', 'netExposure', 'longExposure', 'shortExposure'],
  summary: ['totalValue', 'totalPnl', 'totalPnlPercent', 'dayPnl', 'dayPnlPercent', 'openOrders'],
  limits: ['maxOrderSize', 'maxDailyVolume', 'maxOpenOrders', 'maxExposure', 'maxExposurePerAsset'],
  simulatedImpact: ['exposureChange', 'exposureChangePercent'],
} as const
