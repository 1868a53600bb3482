import { element } from '../../numeric/columns.ts'
import { log } from '../../numeric/portable-math.ts'
import { millisPerHour, millisPerMinute } from '../../numeric/time-text.ts'
import { divideBigHalfEven } from '../../numeric/units.ts'
import { type State, stateOf } from '../state.ts'
import { type PortfolioExposureFigures, portfolioExposure } from './portfolio-exposure.ts'
import { percentE4 } from './ratios.ts'
import { type LimitAlert, limitAlerts, limitUtilization } from './risk-exposure.ts'

/** The risk figures of an account: money in USD atoms, percents in 10^-4. */
export interface RiskMetricsFigures {
  readonly exposure: PortfolioExposureFigures
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
  /** The asset of the largest position by value, the first by symbol of equal ones; -1 without any. */
  readonly topAsset: number
  /** The share of `topAsset` in the gross exposure, in 10^-4 percent. */
  readonly topAssetWeightE4: number
  /** The sum of the squared shares of the gross exposure, in 10^-8: 1 for a single position, 0 without any. */
  readonly herfindahlIndexE8: number
}

/**
 * Computes concentration, utilization and volatility of an account. Spec: Risk metrics; formulas of market.md,
 * section 7.
 */
export function riskMetrics(state: State, account: number): RiskMetricsFigures {
  const exposure = portfolioExposure(state, account)
  const utilization = limitUtilization(state, account)
  const values = new Float64Array(state.assets.count)
  for (let asset = 1; asset < values.length; asset += 1)
    values[asset] = state.exposures.valueAtoms(account, asset)
  return {
    exposure,
    positionsValueAtoms: state.exposures.positionsAtoms(account),
    concentration: computeConcentration(state, values, exposure.totalExposureAtoms),
    utilization: {
      exposurePercentE4: utilization.exposure.percentE4,
      dailyVolumePercentE4: utilization.dailyVolume.percentE4,
      openOrdersPercentE4: utilization.openOrders.percentE4,
    },
    ...limitAlerts(state, account),
    volatility: portfolioVolatility(state, values, exposure.equityAtoms),
  }
}

function computeConcentration(state: State, values: Float64Array, grossAtoms: number): Concentration {
  let topAsset = -1
  let topValue = 0
  let squares = 0n
  for (let asset = 1; asset < values.length; asset += 1) {
    const value = Math.abs(element(values, asset))
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

/** The volatility of what an account holds now; percents of the equity, in 10^-4. */
interface PortfolioVolatility {
  /** One standard deviation of a day's change. */
  readonly portfolio1dE4: number
  /** One standard deviation of seven days' change: that of a day times the square root of 7. */
  readonly portfolio7dE4: number
  /** The loss that is exceeded on one day in twenty if returns are normal, USD atoms, positive. */
  readonly varDaily95Atoms: number
}

const hoursKept = 720
const hoursBeforeStart = 24
const decay = 0.97
const normalQuantile95 = 1.6449

/**
 * Computes the volatility of what an account holds now, from the exponentially weighted covariance (decay 0.97 per
 * hour, mean 0) of hourly log returns between whole hours of UTC, for at most 30 days back, at first with the 24
 * hours of history before the start. Zeros without a position or without equity. `values` are signed USD atoms by
 * asset row; results are rounded to the nearest. Spec: Risk metrics. Choice: the weights are scaled to add up to 1
 * however short the record is; sums run from the oldest hour to the newest, assets in their order, with + - * / sqrt
 * and the portable logarithm only.
 */
function portfolioVolatility(state: State, values: Float64Array, equity: number): PortfolioVolatility {
  if (equity <= 0 || values.every((value) => value === 0)) return none
  const newestHour = Math.floor(state.nowMillis / millisPerHour)
  const firstHour =
    Math.floor((state.config.startMillis - hoursBeforeStart * millisPerHour) / millisPerHour) + 1
  const oldestHour = Math.max(newestHour - hoursKept, firstHour)
  const changes = new Float64Array(newestHour - oldestHour)
  for (const [asset, value] of values.entries()) {
    if (asset > 0 && value !== 0) addChanges(state, asset, value, oldestHour, changes)
  }
  const dailySd = Math.sqrt(24 * weightedVariance(changes))
  const percent = (1_000_000 * dailySd) / equity
  return {
    portfolio1dE4: Math.round(percent),
    portfolio7dE4: Math.round(percent * Math.sqrt(7)),
    varDaily95Atoms: Math.round(normalQuantile95 * dailySd),
  }
}

const none: PortfolioVolatility = { portfolio1dE4: 0, portfolio7dE4: 0, varDaily95Atoms: 0 }

/** Adds, for each hour, what its log return would have made of a value held now. */
function addChanges(
  state: State,
  asset: number,
  value: number,
  oldestHour: number,
  changes: Float64Array,
): void {
  let before = markAtHour(state, asset, oldestHour)
  for (const [place, change] of changes.entries()) {
    const after = markAtHour(state, asset, oldestHour + place + 1)
    changes[place] = change + value * log(after / before)
    before = after
  }
}

/**
 * Returns the mark at an hour, in ticks, not rounded; before the start the close of the history's minute that ends
 * there.
 */
function markAtHour(state: State, asset: number, hour: number): number {
  const millis = hour * millisPerHour
  const { startMillis } = state.config
  if (millis >= startMillis) return stateOf(state, asset).marks.at(millis)
  const minute = Math.ceil((millis - startMillis) / millisPerMinute) - 1
  return state.market.minuteClose(asset - 1, minute) / state.assets.tradedAsset(asset).tickUsd
}

/** Returns the weighted mean of the squares; the newest weighs most. */
function weightedVariance(changes: Float64Array): number {
  let sum = 0
  let weights = 0
  for (const change of changes) {
    sum = decay * sum + change * change
    weights = decay * weights + 1
  }
  return sum / weights
}
