import { powerOfTen } from '../../numeric/decimal.ts'
import { divideBigHalfEven } from '../../numeric/wide.ts'
import type { Asset } from '../tables/asset-table.ts'
import { cashScale } from '../tables/asset-table.ts'
import type { MinuteHistory } from './minute-history.ts'
import type { PrintWindowSnapshot, PrintWindowSummary } from './print-window.ts'
import { PrintWindow } from './print-window.ts'

/** Figures of the rolling window (t - 24h, t]; prices in ticks. */
export interface RollingFigures {
  /** Last price at or before t - 24h, which may be of the history before the start. */
  readonly openTicks: number
  /** 0: no trade in the window. */
  readonly highTicks: number
  /** 0: no trade in the window. */
  readonly lowTicks: number
  /** Last print since the start, however old; 0: none yet. */
  readonly lastTicks: number
  /** Exact below 2^53, beyond it the nearest double. */
  readonly volumeSteps: number
  /** USD atoms; exact below 2^53, beyond it the nearest double. */
  readonly volumeAtoms: number
  readonly trades: number
  /** 10^-8 USD per unit, half-even, within [low, high]; null without volume. */
  readonly vwapE8: number | null
}

export type RollingStatisticsSnapshot = PrintWindowSnapshot

/*
 * The rolling 24-hour statistics of one asset: the prints since the start, which are state, and the minutes before
 * it, which are derived and made when first asked for. Reading changes neither snapshot nor digest.
 */
export class RollingStatistics {
  private readonly asset: Asset
  private readonly window = new PrintWindow()
  private readonly history: MinuteHistory

  constructor(asset: Asset, history: MinuteHistory) {
    this.asset = asset
    this.history = history
  }

  record(atMillis: number, priceTicks: number, quantitySteps: number, notionalAtoms: number): void {
    this.window.record(atMillis, priceTicks, quantitySteps, notionalAtoms)
  }

  /** Figures of the window that ends now. The first read makes the history, if it was not prepared. */
  read(nowMillis: number): RollingFigures {
    const { window } = this
    window.evict(nowMillis)
    const past = this.history.figures(nowMillis)
    const highTicks = Math.max(window.highTicks(), past.highTicks)
    const lowTicks = lowerOf(window.lowTicks(), past.lowTicks)
    const volumeSteps = window.totalSteps() + past.volumeSteps
    const volumeAtoms = window.totalAtoms() + past.volumeAtoms
    return {
      openTicks: window.evictedTicks === 0 ? past.openTicks : window.evictedTicks,
      highTicks,
      lowTicks,
      lastTicks: window.lastTicks(),
      volumeSteps: Number(volumeSteps),
      volumeAtoms: Number(volumeAtoms),
      trades: window.totalTrades() + past.trades,
      vwapE8: volumeSteps === 0n ? null : this.vwapE8(volumeSteps, volumeAtoms, lowTicks, highTicks),
    }
  }

  get preparedSteps(): number {
    return this.history.preparedSteps
  }

  /** Makes a part of the history ahead of the first read. True when nothing is left to make. */
  prepare(): boolean {
    return this.history.prepare()
  }

  snapshot(nowMillis: number): RollingStatisticsSnapshot {
    return this.window.snapshot(nowMillis)
  }

  load(snapshot: RollingStatisticsSnapshot): void {
    this.window.load(snapshot)
  }

  summary(nowMillis: number): PrintWindowSummary {
    return this.window.summary(nowMillis)
  }

  /** The value of each print is rounded to the atom, so the quotient may lie beyond the extremes and is clamped. */
  private vwapE8(steps: bigint, atoms: bigint, lowTicks: number, highTicks: number): number {
    const { priceStep, quantityStep } = this.asset.pair
    const mean = divideBigHalfEven(
      atoms * BigInt(powerOfTen(8 + quantityStep.scale)),
      steps * BigInt(quantityStep.units) * BigInt(powerOfTen(cashScale)),
    )
    const perTick = BigInt(priceStep.units) * BigInt(powerOfTen(8))
    const tickScale = BigInt(powerOfTen(priceStep.scale))
    const lowest = divideBigHalfEven(BigInt(lowTicks) * perTick, tickScale)
    const highest = divideBigHalfEven(BigInt(highTicks) * perTick, tickScale)
    if (mean < lowest) return Number(lowest)
    if (mean > highest) return Number(highest)
    return Number(mean)
  }
}

function lowerOf(left: number, right: number): number {
  if (left === 0) return right
  return right === 0 ? left : Math.min(left, right)
}
