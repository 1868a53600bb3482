import { millisPerMinute } from '../../numeric/time-text.ts'
import { leastPriceUsd, mostPriceUsd } from '../../shape/field-problem.ts'
import type { PrintTable } from '../recordings/print-table.ts'

/*
 * What a price model is: a way to write the prices of any minute, whichever minute came before. Minute m is the span
 * (m * 60_000, (m + 1) * 60_000] in milliseconds after the market's start, and m may be negative.
 */
export interface PriceModel {
  /** Writes the prices (USD, positive, finite) at the minute's instants of the grid to `prices`, from 0 on. */
  fillPrices(minute: number, grid: Grid, prices: Float64Array): void
  /** Writes the prices at any instants of a grid (from the market's start on), where minutes are a detour. */
  fillGrid?(grid: Grid, prices: Float64Array): void
  /** The volatility at a minute's start over the long run's; models without it always have 1. */
  activityAt?(minute: number): number
  /** What the rest of the world trades in a minute, USD. */
  volumeUsdIn?(minute: number): number
  /** Only a model that replays has one. */
  readonly recording?: Recording
}

/** What a recording knows besides prices. Instants are milliseconds after the market's start. */
export interface Recording {
  /** Whether it may halt its pair. */
  readonly canHalt: boolean
  isHaltedAt(offsetMillis: number): boolean
  /** Adds the prints in (fromMillis, toMillis] to a table, oldest first. */
  addPrints(fromMillis: number, toMillis: number, prints: PrintTable): void
}

/** Instants `first + i * step` for i < count. Those of one minute are counted from its start, and lie in (0, 60_000]. */
export interface Grid {
  readonly firstMillis: number
  readonly stepMillis: number
  readonly count: number
}

/** Where a model gets its random numbers: from streams named by these two, its own purpose, and a block of time. */
export interface StreamNames {
  readonly seed: string
  readonly symbol: string
}

export const minutesPerYear = 525_600

export const minuteEnd: Grid = { firstMillis: millisPerMinute, stepMillis: millisPerMinute, count: 1 }

export const wholeSeconds: Grid = { firstMillis: 1000, stepMillis: 1000, count: 60 }

/**
 * Choice: a generated price stays in the range of all prices, so that no parameter and no length of a run makes it 0 or
 * infinite. Ten decades either side of 1 USD hold every traded asset.
 */
export function clampPrice(price: number): number {
  return Math.min(Math.max(price, leastPriceUsd), mostPriceUsd)
}
