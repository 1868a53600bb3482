import { closed, listOf } from './closed.ts'
import * as common from './common.ts'
import type { Schema } from './infer.ts'

/* Spec: Risk limits to Order simulation, and the bodies, queries and responses of the eight risk operations. */

export const riskLimits = closed({
  maxOrderSize: common.numberBySymbol,
  maxOrderValue: common.number,
  maxDailyVolume: common.number,
  maxOpenOrders: common.number,
  maxOpenOrdersPerAsset: common.number,
  maxExposure: common.number,
  maxExposurePerAsset: common.numberBySymbol,
  maxLeverage: common.number,
  minOrderSize: common.numberBySymbol,
})

export const limits = closed({ limits: riskLimits })

const verdict = { passed: { type: 'boolean' }, message: common.text } as const
const sizeCheck = closed({ ...verdict, limit: common.number, value: common.number })
const afterCheck = closed({
  ...verdict,
  limit: common.number,
  currentValue: common.number,
  afterValue: common.number,
})

export const preTradeCheck = {
  type: 'object',
  additionalProperties: false,
  required: ['approved', 'orderValue', 'checks', 'warnings'],
  properties: {
    approved: { type: 'boolean' },
    orderValue: common.number,
    checks: closed({
      orderSize: sizeCheck,
      orderValue: sizeCheck,
      exposure: afterCheck,
      assetExposure: afterCheck,
      availableBalance: closed({ ...verdict, required: common.number, available: common.number }),
      dailyVolume: afterCheck,
    }),
    warnings: listOf(common.text),
    rejectionReasons: listOf(common.text),
  },
} as const satisfies Schema

const assetUse = closed({
  asset: common.text,
  exposure: common.number,
  exposurePercent: common.percent,
  limit: common.number,
  utilizationPercent: common.percent,
})

export const riskExposure = closed({
  totalExposure: common.number,
  netExposure: common.number,
  grossExposure: common.number,
  longExposure: common.number,
  shortExposure: common.number,
  cashBalance: common.number,
  portfolioValue: common.number,
  leverage: common.number,
  utilizationPercent: common.percent,
  maxExposure: common.number,
  availableExposure: common.number,
  byAsset: listOf(assetUse),
})

export const assetRiskExposure = closed({
  asset: common.text,
  exposure: common.number,
  exposurePercent: common.percent,
  limit: common.number,
  utilizationPercent: common.percent,
  availableExposure: common.number,
  position: closed({
    quantity: common.number,
    averagePrice: common.number,
    currentPrice: common.number,
  }),
  openOrders: closed({
    buyQuantity: common.number,
    buyValue: common.number,
    sellQuantity: common.number,
    sellValue: common.number,
  }),
})

const use = closed({
  used: common.number,
  limit: common.number,
  available: common.number,
  percent: common.percent,
})
const plainUse = closed({ used: common.number, limit: common.number, percent: common.percent })

/** A limit that is breached or near it. Choice: one shape for every such array. */
export const limitUse = closed({
  type: common.text,
  asset: common.nullableText,
  utilizationPercent: common.percent,
  warningThreshold: common.percent,
  used: common.number,
  limit: common.number,
})

export const utilization = closed({
  utilization: closed({ exposure: use, dailyVolume: use, openOrders: use }),
  byAsset: {
    type: 'object',
    additionalProperties: closed({ exposure: plainUse, openOrders: plainUse }),
  },
  breachedLimits: listOf(limitUse),
})

export const limitingFactor = {
  enum: [
    'available_balance',
    'order_size_limit',
    'exposure_limit',
    'asset_exposure_limit',
    'daily_volume_limit',
  ],
} as const satisfies Schema

export const maxQuantity = closed({
  side: common.side,
  asset: common.text,
  price: common.number,
  maxQuantity: common.number,
  limitingFactor,
  details: closed({
    byBalance: closed({ quantity: common.number, availableBalance: common.number }),
    byOrderSizeLimit: closed({ quantity: common.number, limit: common.number }),
    byExposureLimit: closed({ quantity: common.number, availableExposure: common.number }),
    byAssetExposureLimit: closed({ quantity: common.number, availableExposure: common.number }),
  }),
})

export const metrics = closed({
  portfolioValue: common.number,
  cashBalance: common.number,
  positionsValue: common.number,
  leverage: common.number,
  concentration: closed({
    topAsset: common.text,
    topAssetWeight: common.percent,
    herfindahlIndex: common.number,
  }),
  exposure: closed({
    net: common.number,
    gross: common.number,
    long: common.number,
    short: common.number,
  }),
  utilization: closed({
    exposurePercent: common.percent,
    dailyVolumePercent: common.percent,
    openOrdersPercent: common.percent,
  }),
  limits: closed({ breached: listOf(limitUse), nearBreach: listOf(limitUse) }),
  volatility: closed({
    portfolio1d: common.percent,
    portfolio7d: common.percent,
    varDaily95: common.number,
  }),
})

/** `btcPosition` and `btcExposure` for BTC, and likewise for any asset: reading `simulate.prefix`. */
const simulatedState = {
  type: 'object',
  additionalProperties: common.number,
  required: ['portfolioValue', 'cashBalance', 'exposure', 'leverage'],
  properties: {
    portfolioValue: common.number,
    cashBalance: common.number,
    exposure: common.number,
    leverage: common.number,
  },
} as const satisfies Schema

export const simulation = closed({
  orderValue: common.number,
  currentState: simulatedState,
  afterOrder: simulatedState,
  impact: {
    type: 'object',
    additionalProperties: common.number,
    required: ['exposureChange', 'exposureChangePercent', 'leverageChange', 'cashChange'],
    properties: {
      exposureChange: common.number,
      exposureChangePercent: common.percent,
      leverageChange: common.number,
      cashChange: common.number,
    },
  },
  wouldBreach: listOf(closed({ type: common.text, message: common.text })),
})

/** Of pre-trade check and simulation. */
export const candidateBody = {
  type: 'object',
  additionalProperties: false,
  required: ['side', 'asset', 'quantity', 'price'],
  properties: {
    side: common.side,
    asset: common.symbol,
    quantity: common.positiveNumber,
    price: common.positiveNumber,
  },
} as const satisfies Schema

export const maxQuantityQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['side', 'asset', 'price'],
  properties: { side: common.side, asset: common.symbol, price: common.positiveNumber },
} as const satisfies Schema
