import { millisPerMinute } from '../../numeric/time-text.ts'
import { leastPriceUsd, mostPriceUsd } from '../../shape/spec-checks.ts'
import type { PrintTable } from '../recordings/print-table.ts'

/**
 * Price model: writes the prices of any minute, whichever minute was read before. Minute m is the span (m *
 * 60_000, (m + 1) * 60_000] in milliseconds after the market's start; m may be negative.
 */
export interface PriceModel {
  /**
   * Writes the prices (USD, positive, finite) at the grid's instants of a minute to the beginning of `prices`.
   */
  fillPrices(minute: number, grid: Grid, prices: Float64Array): void
  /**
   * Writes the prices at a grid's instants, counted from the market's start; for models that need not compute
   * whole minutes.
   */
  fillGrid?(grid: Grid, prices: Float64Array): void
  /**
   * Returns the volatility at a minute's start relative to the long run's; models without this method always
   * have 1.
   */
  activityAt?(minute: number): number
  /** Returns what the rest of the world trades in a minute, USD. */
  volumeUsdIn?(minute: number): number
  /**
   * Returns the trades of a minute, for recordings that do not have them as prints; other models lack this method.
   */
  figuresIn?(minute: number): MinuteFigures
  /** Recording that the model replays; absent for generated models. */
  readonly recording?: Recording
}

/** What was traded in a minute; high and low are 0 where nothing was. */
export interface MinuteFigures {
  readonly trades: number
  readonly volumeUsd: number
  /** Highest and lowest price of the trades, USD. */
  readonly high: number
  readonly low: number
}

/** What a recording has besides prices. Instants are milliseconds after the market's start. */
export interface Recording {
  /** Whether the recording may halt its pair. */
  readonly canHalt: boolean
  /** Returns whether the pair is halted at an instant. */
  isHaltedAt(offsetMillis: number): boolean
  /** Adds the prints in (fromMillis, toMillis] to a table, oldest first. */
  addPrints(fromMillis: number, toMillis: number, prints: PrintTable): void
}

/**
 * Equally spaced instants `firstMillis + i * stepMillis` for i < `count`. Those of one minute count from its
 * start and lie in (0, 60_000].
 */
export interface Grid {
  readonly firstMillis: number
  readonly stepMillis: number
  readonly count: number
}

/**
 * Names of a model's random streams: each stream is named by these two, the model's own purpose, and a block of
 * time.
 */
export interface StreamNames {
  readonly seed: string
  readonly symbol: string
}

export const minutesPerYear = 525_600

/** Grid of a minute's last instant alone. */
export const minuteEnd: Grid = { firstMillis: millisPerMinute, stepMillis: millisPerMinute, count: 1 }

/** Grid of a minute's whole seconds. */
export const wholeSeconds: Grid = { firstMillis: 1000, stepMillis: 1000, count: 60 }

/**
 * Clamps a price in USD to the range of valid prices. Choice: no parameter and no length of a run then makes a
 * generated price 0 or infinite. Ten decades either side of 1 USD hold every traded asset.
 */
export function clampPrice(price: number): number {
  return Math.min(Math.max(price, leastPriceUsd), mostPriceUsd)
}
