import type { SizeLimit, ValueLimit } from '../../engine/config.ts'
import {
  type LimitAlert,
  type LimitUse,
  limitAlerts,
  limitUtilization,
} from '../../engine/reports/limit-utilization.ts'
import { assetRiskExposure, riskExposure } from '../../engine/reports/risk-exposure.ts'
import { riskMetrics } from '../../engine/reports/risk-metrics.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { scaledToNumber } from '../../numeric/decimal.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { amountNumber, e8Number, percentNumber, priceNumber, quantityNumber, usdNumber } from '../amounts.ts'
import type { ApiContext } from '../context.ts'
import type * as schemas from '../operations/risk.ts'

export type LimitsJson = RecordOf<typeof schemas.limits>
export type RiskExposureJson = RecordOf<typeof schemas.riskExposure>
export type AssetRiskExposureJson = RecordOf<typeof schemas.assetRiskExposure>
export type UtilizationJson = RecordOf<typeof schemas.utilization>
export type MetricsJson = RecordOf<typeof schemas.metrics>
type LimitUseJson = RecordOf<typeof schemas.limitUse>

/** Spec: Risk limits. */
export function limitsView(context: ApiContext): LimitsJson {
  const { config } = context.state.accounts.limitsOf(context.account)
  return {
    limits: {
      maxOrderSize: bySymbol(config.maxOrderSize, e8Number),
      maxOrderValue: usdNumber(config.maxOrderValue),
      maxDailyVolume: usdNumber(config.maxDailyVolume),
      maxOpenOrders: config.maxOpenOrders,
      maxOpenOrdersPerAsset: config.maxOpenOrdersPerAsset,
      maxExposure: usdNumber(config.maxExposure),
      maxExposurePerAsset: bySymbol(config.maxExposurePerAsset, usdNumber),
      maxLeverage: scaledToNumber(config.maxLeverage, 6),
      minOrderSize: bySymbol(config.minOrderSize, e8Number),
    },
  }
}

/** Spec: Risk exposure (portfolio level). */
export function riskExposureView(context: ApiContext): RiskExposureJson {
  const { assets } = context.state
  const figures = riskExposure(context.state, context.account)
  const { portfolio } = figures
  return {
    totalExposure: usdNumber(portfolio.totalExposureAtoms),
    netExposure: usdNumber(portfolio.netExposureAtoms),
    grossExposure: usdNumber(portfolio.totalExposureAtoms),
    longExposure: usdNumber(portfolio.longExposureAtoms),
    shortExposure: usdNumber(portfolio.shortExposureAtoms),
    cashBalance: usdNumber(portfolio.cashBalanceAtoms),
    portfolioValue: usdNumber(portfolio.equityAtoms),
    leverage: e8Number(portfolio.leverageE8),
    utilizationPercent: percentNumber(figures.utilizationPercentE4),
    maxExposure: usdNumber(figures.maxExposureAtoms),
    availableExposure: usdNumber(figures.availableExposureAtoms),
    byAsset: figures.byAsset.map((entry) => ({
      asset: assets.symbol(entry.asset),
      exposure: usdNumber(entry.exposureAtoms),
      exposurePercent: percentNumber(entry.exposurePercentE4),
      limit: usdNumber(entry.limitAtoms),
      utilizationPercent: percentNumber(entry.utilizationPercentE4),
    })),
  }
}

/** Spec: Risk exposure (one asset). Choice: the position's quantity is signed, as nothing else tells its side. */
export function assetRiskExposureView(context: ApiContext, asset: number): AssetRiskExposureJson {
  const { assets } = context.state
  const { pair, symbol } = assets.traded(asset)
  const figures = assetRiskExposure(context.state, context.account, asset)
  const { position, openOrders } = figures
  return {
    asset: symbol,
    exposure: usdNumber(figures.exposureAtoms),
    exposurePercent: percentNumber(figures.exposurePercentE4),
    limit: usdNumber(figures.limitAtoms),
    utilizationPercent: percentNumber(figures.utilizationPercentE4),
    availableExposure: usdNumber(figures.availableExposureAtoms),
    position: {
      quantity: amountNumber(assets, asset, position.quantityAtoms),
      averagePrice: e8Number(position.averagePriceE8),
      currentPrice: priceNumber(pair, position.currentPriceTicks),
    },
    openOrders: {
      buyQuantity: quantityNumber(pair, openOrders.buySteps),
      buyValue: usdNumber(openOrders.buyValueAtoms),
      sellQuantity: quantityNumber(pair, openOrders.sellSteps),
      sellValue: usdNumber(openOrders.sellValueAtoms),
    },
  }
}

/** Spec: Limit utilization. */
export function utilizationView(context: ApiContext): UtilizationJson {
  const { state, account } = context
  const figures = limitUtilization(state, account)
  const byAsset = figures.byAsset.map(({ asset, exposure, openOrders }) => {
    const uses = {
      exposure: plainUseOf(exposure, cashScale),
      openOrders: plainUseOf(openOrders, 0),
    }
    return [state.assets.symbol(asset), uses] as const
  })
  return {
    utilization: {
      exposure: useOf(figures.exposure, cashScale),
      dailyVolume: useOf(figures.dailyVolume, cashScale),
      openOrders: useOf(figures.openOrders, 0),
    },
    byAsset: Object.fromEntries(byAsset),
    breachedLimits: limitAlerts(state, account).breached.map((alert) => alertView(context, alert)),
  }
}

/** Spec: Risk metrics. */
export function metricsView(context: ApiContext): MetricsJson {
  const { assets } = context.state
  const figures = riskMetrics(context.state, context.account)
  const { exposure, concentration, utilization, volatility } = figures
  return {
    portfolioValue: usdNumber(exposure.equityAtoms),
    cashBalance: usdNumber(exposure.cashBalanceAtoms),
    positionsValue: usdNumber(figures.positionsValueAtoms),
    leverage: e8Number(exposure.leverageE8),
    concentration: {
      topAsset: concentration.topAsset < 0 ? '' : assets.symbol(concentration.topAsset),
      topAssetWeight: percentNumber(concentration.topAssetWeightE4),
      herfindahlIndex: e8Number(concentration.herfindahlIndexE8),
    },
    exposure: {
      net: usdNumber(exposure.netExposureAtoms),
      gross: usdNumber(exposure.totalExposureAtoms),
      long: usdNumber(exposure.longExposureAtoms),
      short: usdNumber(exposure.shortExposureAtoms),
    },
    utilization: {
      exposurePercent: percentNumber(utilization.exposurePercentE4),
      dailyVolumePercent: percentNumber(utilization.dailyVolumePercentE4),
      openOrdersPercent: percentNumber(utilization.openOrdersPercentE4),
    },
    limits: {
      breached: figures.breached.map((alert) => alertView(context, alert)),
      nearBreach: figures.nearBreach.map((alert) => alertView(context, alert)),
    },
    volatility: {
      portfolio1d: percentNumber(volatility.portfolio1dE4),
      portfolio7d: percentNumber(volatility.portfolio7dE4),
      varDaily95: usdNumber(volatility.varDaily95Atoms),
    },
  }
}

function alertView(context: ApiContext, alert: LimitAlert): LimitUseJson {
  const scale = scaleOf(alert.type)
  return {
    type: alert.type,
    asset: alert.asset === null ? null : context.state.assets.symbol(alert.asset),
    utilizationPercent: percentNumber(alert.utilizationPercentE4),
    warningThreshold: percentNumber(alert.warningThresholdE4),
    used: scaledToNumber(alert.used, scale),
    limit: scaledToNumber(alert.limit, scale),
  }
}

/** Money, a count, or a leverage. */
function scaleOf(type: LimitAlert['type']): number {
  if (type === 'openOrders' || type === 'assetOpenOrders') return 0
  return type === 'leverage' ? 8 : cashScale
}

function useOf(use: LimitUse, scale: number) {
  const { used, limit, percent } = plainUseOf(use, scale)
  return { used, limit, available: scaledToNumber(use.available, scale), percent }
}

function plainUseOf({ used, limit, percentE4 }: LimitUse, scale: number) {
  return {
    used: scaledToNumber(used, scale),
    limit: scaledToNumber(limit, scale),
    percent: percentNumber(percentE4),
  }
}

function bySymbol(
  limit: SizeLimit | ValueLimit,
  toNumber: (value: number) => number,
): Record<string, number> {
  const entries = [...limit.bySymbol].map(([symbol, value]) => [symbol, toNumber(value)] as const)
  return { ...Object.fromEntries(entries), default: toNumber(limit.default) }
}
