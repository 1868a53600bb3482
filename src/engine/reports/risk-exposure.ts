import { element } from '../../numeric/columns.ts'
import { dayVolumeAtoms, equityAtoms } from '../assessment.ts'
import type { State } from '../state.ts'
import {
  assetWeight,
  leverageE8,
  type PortfolioExposureFigures,
  portfolioExposure,
} from './portfolio-exposure.ts'
import { computePosition } from './position-figures.ts'
import { percentE4 } from './ratios.ts'

/** The use of a limit: USD atoms, or a count for open orders. */
export interface LimitUse {
  readonly used: number
  readonly limit: number
  /** What is left; never negative. */
  readonly available: number
  /** The use in 10^-4 percent of the limit, half-even. Of a limit of 0: 100 % when anything is used, else 0. */
  readonly percentE4: number
}

export interface LimitUtilizationFigures {
  /** The use of the exposure limit: gross, at the mark, without open orders. */
  readonly exposure: LimitUse
  /** The use of the daily limit: the value traded since 00:00Z. */
  readonly dailyVolume: LimitUse
  readonly openOrders: LimitUse
  /** The use of the limits by asset: every traded asset, in the order of the configuration. */
  readonly byAsset: readonly AssetUtilization[]
}

export interface AssetUtilization {
  readonly asset: number
  readonly exposure: LimitUse
  readonly openOrders: LimitUse
}

/** A limit that is breached or nearly so. `used` and `limit` are USD atoms, counts, or 10^-8 for the leverage. */
export interface LimitAlert {
  readonly type: 'exposure' | 'dailyVolume' | 'openOrders' | 'leverage' | 'assetExposure' | 'assetOpenOrders'
  /** The asset whose limit it is; null for a limit of the account. */
  readonly asset: number | null
  readonly used: number
  readonly limit: number
  readonly utilizationPercentE4: number
  readonly warningThresholdE4: number
}

/** The use at which alerts begin, in 10^-4 percent: 80 %. */
export const warningThresholdE4 = 800_000

/** Computes how much of its limits an account uses. Spec: Limit utilization; formulas of market.md, section 7. */
export function limitUtilization(state: State, account: number): LimitUtilizationFigures {
  const { accounts, assets, exposures, holdings } = state
  const limits = accounts.limitsOf(account)
  const byAsset: AssetUtilization[] = []
  for (let asset = 1; asset < assets.count; asset += 1) {
    const open = holdings.openOrders.get(holdings.rowOf(account, asset))
    byAsset.push({
      asset,
      exposure: limitUse(
        Math.abs(exposures.valueAtoms(account, asset)),
        element(limits.maxAssetExposure, asset),
      ),
      openOrders: limitUse(open, limits.maxOpenOrdersInAsset),
    })
  }
  return {
    exposure: limitUse(portfolioExposure(state, account).totalExposureAtoms, limits.maxExposure),
    dailyVolume: limitUse(dayVolumeAtoms(state, account), limits.maxDailyVolume),
    openOrders: limitUse(accounts.openOrders.get(account), limits.maxOpenOrders),
    byAsset,
  }
}

/** Lists the limits that are exceeded (breached), and those used to between 80 % and 100 % (near a breach). */
export function limitAlerts(
  state: State,
  account: number,
): { readonly breached: readonly LimitAlert[]; readonly nearBreach: readonly LimitAlert[] } {
  const utilization = limitUtilization(state, account)
  const uses = [
    alert('exposure', null, utilization.exposure),
    alert('dailyVolume', null, utilization.dailyVolume),
    alert('openOrders', null, utilization.openOrders),
    ...leverageAlert(state, account),
  ]
  for (const { asset, exposure, openOrders } of utilization.byAsset)
    uses.push(alert('assetExposure', asset, exposure), alert('assetOpenOrders', asset, openOrders))
  return {
    breached: uses.filter((use) => use.used > use.limit),
    nearBreach: uses.filter(
      (use) => use.used <= use.limit && use.used > 0 && use.utilizationPercentE4 >= warningThresholdE4,
    ),
  }
}

export function limitUse(used: number, limit: number): LimitUse {
  return {
    used,
    limit,
    available: Math.max(0, limit - used),
    percentE4: limit > 0 ? percentE4(used, limit) : used > 0 ? 1_000_000 : 0,
  }
}

/**
 * Returns the alert for the leverage of a margin account. Choice: no alert for a cash account, which may be fully
 * invested and cannot go beyond that.
 */
function leverageAlert(state: State, account: number): readonly LimitAlert[] {
  if (state.accounts.isMargin.get(account) !== 1) return []
  const { maxLeverage } = state.accounts.limitsOf(account)
  const { totalExposureAtoms } = portfolioExposure(state, account)
  const used = leverageE8(totalExposureAtoms, equityAtoms(state, account))
  return [alert('leverage', null, limitUse(used, maxLeverage * 100))]
}

function alert(type: LimitAlert['type'], asset: number | null, use: LimitUse): LimitAlert {
  const { used, limit, percentE4: utilizationPercentE4 } = use
  return { type, asset, used, limit, utilizationPercentE4, warningThresholdE4 }
}

/** The exposure of a portfolio against its limit: money in USD atoms, percents in 10^-4. */
export interface RiskExposureFigures {
  /** The exposure of the portfolio; its `byAsset` has the weights, also that of cash. */
  readonly portfolio: PortfolioExposureFigures
  readonly maxExposureAtoms: number
  readonly availableExposureAtoms: number
  readonly utilizationPercentE4: number
  /** The assets with a position, in the order of the configuration. */
  readonly byAsset: readonly AssetLimitExposure[]
}

export interface AssetLimitExposure {
  readonly asset: number
  readonly exposureAtoms: number
  /** The exposure in 10^-4 percent of the equity. */
  readonly exposurePercentE4: number
  readonly limitAtoms: number
  readonly utilizationPercentE4: number
  readonly availableExposureAtoms: number
}

export interface AssetRiskExposure extends AssetLimitExposure {
  /** The position: the quantity is signed; quantity and average are 0 when flat. */
  readonly position: {
    readonly quantityAtoms: number
    readonly averagePriceE8: number
    readonly currentPriceTicks: number
  }
  /** What is left of live orders and quotes, at their own prices. */
  readonly openOrders: {
    readonly buySteps: number
    readonly buyValueAtoms: number
    readonly sellSteps: number
    readonly sellValueAtoms: number
  }
}

/** Computes an account's exposure without open orders, against its limits. Spec: Risk exposure (portfolio level). */
export function riskExposure(state: State, account: number): RiskExposureFigures {
  const portfolio = portfolioExposure(state, account)
  const { maxExposure } = state.accounts.limitsOf(account)
  const use = limitUse(portfolio.totalExposureAtoms, maxExposure)
  const byAsset: AssetLimitExposure[] = []
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    if (state.ledger.total(account, asset) !== 0) byAsset.push(limitExposure(state, account, asset))
  }
  return {
    portfolio,
    maxExposureAtoms: maxExposure,
    availableExposureAtoms: use.available,
    utilizationPercentE4: use.percentE4,
    byAsset,
  }
}

/** Computes the exposure in one traded asset, held or not. Spec: Risk exposure (one asset). */
export function assetRiskExposure(state: State, account: number, asset: number): AssetRiskExposure {
  const { holdings, markTicks } = state
  const index = holdings.rowOf(account, asset)
  const position = computePosition(state, account, asset)
  return {
    ...limitExposure(state, account, asset),
    position: {
      quantityAtoms: position?.quantityAtoms ?? 0,
      averagePriceE8: position?.averageEntryPriceE8 ?? 0,
      currentPriceTicks: markTicks.get(asset),
    },
    openOrders: {
      buySteps: holdings.openBuySteps.get(index),
      buyValueAtoms: holdings.openBuyAtoms.get(index),
      sellSteps: holdings.openSellSteps.get(index),
      sellValueAtoms: holdings.openSellAtoms.get(index),
    },
  }
}

function limitExposure(state: State, account: number, asset: number): AssetLimitExposure {
  const { exposureAtoms, weightE4 } = assetWeight(state, account, asset)
  const limitAtoms = element(state.accounts.limitsOf(account).maxAssetExposure, asset)
  const use = limitUse(exposureAtoms, limitAtoms)
  return {
    asset,
    exposureAtoms,
    exposurePercentE4: weightE4,
    limitAtoms,
    utilizationPercentE4: use.percentE4,
    availableExposureAtoms: use.available,
  }
}
