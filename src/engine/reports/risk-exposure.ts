import { element } from '../../numeric/columns.ts'
import type { State } from '../state.ts'
import { limitUse } from './limit-utilization.ts'
import type { PortfolioExposureFigures } from './portfolio-exposure.ts'
import { assetWeight, portfolioExposure } from './portfolio-exposure.ts'
import { positionOf } from './position-figures.ts'

/** Exposure of the portfolio against its limit. Money in USD atoms, percents in 10^-4. */
export interface RiskExposureFigures {
  /** Its `byAsset` has the weights, also that of cash. */
  readonly portfolio: PortfolioExposureFigures
  readonly maxExposureAtoms: number
  readonly availableExposureAtoms: number
  readonly utilizationPercentE4: number
  /** Assets with a position, in the order of the configuration. */
  readonly byAsset: readonly AssetLimitExposure[]
}

export interface AssetLimitExposure {
  readonly asset: number
  readonly exposureAtoms: number
  /** Percentage of the equity, in 10^-4. */
  readonly exposurePercentE4: number
  readonly limitAtoms: number
  readonly utilizationPercentE4: number
  readonly availableExposureAtoms: number
}

export interface AssetRiskExposure extends AssetLimitExposure {
  /** The quantity is signed; quantity and average are 0 when flat. */
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

/** Exposure without open orders. Spec: Risk exposure (portfolio level). */
export function riskExposure(state: State, account: number): RiskExposureFigures {
  const portfolio = portfolioExposure(state, account)
  const { maxExposure } = state.accounts.limitsOf(account).config
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

/** Exposure in one traded asset, held or not. Spec: Risk exposure (one asset). */
export function assetRiskExposure(state: State, account: number, asset: number): AssetRiskExposure {
  const { exposures, ledger, markTicks } = state
  const index = ledger.index(account, asset)
  const position = positionOf(state, account, asset)
  return {
    ...limitExposure(state, account, asset),
    position: {
      quantityAtoms: position?.quantityAtoms ?? 0,
      averagePriceE8: position?.averageEntryPriceE8 ?? 0,
      currentPriceTicks: markTicks.get(asset),
    },
    openOrders: {
      buySteps: exposures.openBuySteps.get(index),
      buyValueAtoms: exposures.openBuyAtoms.get(index),
      sellSteps: exposures.openSellSteps.get(index),
      sellValueAtoms: exposures.openSellAtoms.get(index),
    },
  }
}

function limitExposure(state: State, account: number, asset: number): AssetLimitExposure {
  const { exposureAtoms, weightE4 } = assetWeight(state, account, asset)
  const limitAtoms = element(state.accounts.limitsOf(account).maxExposure, asset)
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
