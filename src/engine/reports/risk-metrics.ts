import { divideBigHalfEven } from '../big-division.ts'
import type { State } from '../state.ts'
import type { LimitAlert } from './limit-utilization.ts'
import { limitAlerts, limitUtilization } from './limit-utilization.ts'
import type { PortfolioExposure } from './portfolio-exposure.ts'
import { portfolioExposure } from './portfolio-exposure.ts'
import { percentE4 } from './ratios.ts'
import type { PortfolioVolatility } from './volatility.ts'
import { portfolioVolatility } from './volatility.ts'

/** Money in USD atoms, percents in 10^-4. */
export interface RiskMetrics {
  /** Portfolio value, cash, leverage, net, gross, long and short. */
  readonly exposure: PortfolioExposure
  readonly positionsValueAtoms: number
  readonly concentration: Concentration
  readonly utilization: {
    readonly exposurePercentE4: number
    readonly dailyVolumePercentE4: number
    readonly openOrdersPercentE4: number
  }
  readonly breached: readonly LimitAlert[]
  readonly nearBreach: readonly LimitAlert[]
  readonly volatility: PortfolioVolatility
}

export interface Concentration {
  /** Asset of the largest position by value, the first by symbol of equal ones; -1 without any. */
  readonly topAsset: number
  /** Its share of the gross exposure, 10^-4 percent. */
  readonly topAssetWeightE4: number
  /** Sum of the squared shares of the gross exposure, in 10^-8: 1 for a single position, 0 without any. */
  readonly herfindahlIndexE8: number
}

/** Concentration, utilization and volatility of an account. Spec: Risk metrics; formulas of market.md, section 7. */
export function riskMetrics(state: State, account: number): RiskMetrics {
  const exposure = portfolioExposure(state, account)
  const utilization = limitUtilization(state, account)
  const values = new Float64Array(state.assets.count)
  for (let asset = 1; asset < values.length; asset += 1)
    values[asset] = state.exposures.valueAtoms(account, asset)
  return {
    exposure,
    positionsValueAtoms: state.exposures.positionsAtoms(account),
    concentration: concentrationOf(state, values, exposure.totalExposureAtoms),
    utilization: {
      exposurePercentE4: utilization.exposure.percentE4,
      dailyVolumePercentE4: utilization.dailyVolume.percentE4,
      openOrdersPercentE4: utilization.openOrders.percentE4,
    },
    ...limitAlerts(state, account),
    volatility: portfolioVolatility(state, values, exposure.equityAtoms),
  }
}

function concentrationOf(state: State, values: Float64Array, grossAtoms: number): Concentration {
  let topAsset = -1
  let topValue = 0
  let squares = 0n
  for (let asset = 1; asset < values.length; asset += 1) {
    const value = Math.abs(Number(values[asset]))
    squares += BigInt(value) * BigInt(value)
    const isFirstOfEqual =
      value === topValue && value > 0 && state.assets.symbol(asset) < state.assets.symbol(topAsset)
    if (value > topValue || isFirstOfEqual) {
      topAsset = asset
      topValue = value
    }
  }
  const gross = BigInt(grossAtoms)
  return {
    topAsset,
    topAssetWeightE4: percentE4(topValue, grossAtoms),
    herfindahlIndexE8: gross === 0n ? 0 : Number(divideBigHalfEven(squares * 100_000_000n, gross * gross)),
  }
}
