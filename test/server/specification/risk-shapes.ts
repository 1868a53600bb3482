import type { Shape } from './shape.ts'

/* Spec: Resources and their fields, from the risk limits on. */

const bySymbol = { '*': 'number' } as const satisfies Shape

export const limits: Shape = {
  limits: {
    maxOrderSize: bySymbol,
    maxOrderValue: 'number',
    maxDailyVolume: 'number',
    maxOpenOrders: 'number',
    maxOpenOrdersPerAsset: 'number',
    maxExposure: 'number',
    maxExposurePerAsset: bySymbol,
    maxLeverage: 'number',
    minOrderSize: bySymbol,
  },
}

const ofOrder = {
  passed: 'truth',
  message: 'text',
  limit: 'number',
  value: 'number',
} as const satisfies Shape
const ofTotal = {
  passed: 'truth',
  message: 'text',
  limit: 'number',
  currentValue: 'number',
  afterValue: 'number',
} as const satisfies Shape

export const preTradeCheck: Shape = {
  approved: 'truth',
  orderValue: 'number',
  checks: {
    orderSize: ofOrder,
    orderValue: ofOrder,
    exposure: ofTotal,
    assetExposure: ofTotal,
    availableBalance: { passed: 'truth', message: 'text', required: 'number', available: 'number' },
    dailyVolume: ofTotal,
  },
  warnings: 'list',
}

export const riskExposure: Shape = {
  totalExposure: 'number',
  netExposure: 'number',
  grossExposure: 'number',
  longExposure: 'number',
  shortExposure: 'number',
  cashBalance: 'number',
  portfolioValue: 'number',
  leverage: 'number',
  utilizationPercent: 'number',
  maxExposure: 'number',
  availableExposure: 'number',
  byAsset: [
    {
      asset: 'text',
      exposure: 'number',
      exposurePercent: 'number',
      limit: 'number',
      utilizationPercent: 'number',
    },
  ],
}

export const assetRiskExposure: Shape = {
  asset: 'text',
  exposure: 'number',
  exposurePercent: 'number',
  limit: 'number',
  utilizationPercent: 'number',
  availableExposure: 'number',
  position: { quantity: 'number', averagePrice: 'number', currentPrice: 'number' },
  openOrders: { buyQuantity: 'number', buyValue: 'number', sellQuantity: 'number', sellValue: 'number' },
}

const use = {
  used: 'number',
  limit: 'number',
  available: 'number',
  percent: 'number',
} as const satisfies Shape
const useOfAsset = { used: 'number', limit: 'number', percent: 'number' } as const satisfies Shape

export const utilization: Shape = {
  utilization: { exposure: use, dailyVolume: use, openOrders: use },
  byAsset: { '*': { exposure: useOfAsset, openOrders: useOfAsset } },
  breachedLimits: 'list',
}

export const maximumQuantity: Shape = {
  side: 'text',
  asset: 'text',
  price: 'number',
  maxQuantity: 'number',
  limitingFactor: 'text',
  details: {
    byBalance: { quantity: 'number', availableBalance: 'number' },
    byOrderSizeLimit: { quantity: 'number', limit: 'number' },
    byExposureLimit: { quantity: 'number', availableExposure: 'number' },
    byAssetExposureLimit: { quantity: 'number', availableExposure: 'number' },
  },
}

export const metrics: Shape = {
  portfolioValue: 'number',
  cashBalance: 'number',
  positionsValue: 'number',
  leverage: 'number',
  concentration: { topAsset: 'text', topAssetWeight: 'number', herfindahlIndex: 'number' },
  exposure: { net: 'number', gross: 'number', long: 'number', short: 'number' },
  utilization: { exposurePercent: 'number', dailyVolumePercent: 'number', openOrdersPercent: 'number' },
  limits: { breached: 'list', nearBreach: 'list' },
  volatility: { portfolio1d: 'number', portfolio7d: 'number', varDaily95: 'number' },
}

const simulated = {
  portfolioValue: 'number',
  cashBalance: 'number',
  exposure: 'number',
  btcPosition: 'number',
  btcExposure: 'number',
  leverage: 'number',
} as const satisfies Shape

export const simulation: Shape = {
  orderValue: 'number',
  currentState: simulated,
  afterOrder: simulated,
  impact: {
    exposureChange: 'number',
    exposureChangePercent: 'number',
    btcExposureChange: 'number',
    btcExposureChangePercent: 'number',
    leverageChange: 'number',
    cashChange: 'number',
  },
  wouldBreach: 'list',
}
