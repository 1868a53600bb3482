import { element } from '../../numeric/columns.ts'
import { createStream, StreamSeries } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import type { GaussianProcess } from './gaussian-process.ts'
import { MinuteTree } from './minute-tree.ts'
import type { Grid, StreamNames } from './price-model.ts'

/** Noise that can be read at any instant: a Gaussian path, or a weighted sum of several. */
export interface NoisePath {
  /** Writes the values at the grid's instants of a minute to the beginning of `values`. */
  fill(minute: number, grid: Grid, values: Float64Array): void
  /** Returns the value at an instant, milliseconds after the market's start. */
  at(offsetMillis: number): number
  /** Writes the increments of `count` minutes from `minute` on. */
  fillIncrements(minute: number, count: number, increments: Float64Array): void
}

/** Weighted sum of paths. With the rows of a Cholesky factor as weights, such sums are correlated noises. */
export class WeightedNoise implements NoisePath {
  private readonly parts: readonly { readonly weight: number; readonly path: NoisePath }[]
  private scratch = new Float64Array(60)

  constructor(parts: readonly { readonly weight: number; readonly path: NoisePath }[]) {
    this.parts = parts
  }

  fill(minute: number, grid: Grid, values: Float64Array): void {
    const { count } = grid
    if (this.scratch.length < count) this.scratch = new Float64Array(count)
    values.fill(0, 0, count)
    for (const { weight, path } of this.parts) {
      path.fill(minute, grid, this.scratch)
      this.add(weight, count, values)
    }
  }

  at(offsetMillis: number): number {
    let sum = 0
    for (const { weight, path } of this.parts) sum += weight * path.at(offsetMillis)
    return sum
  }

  fillIncrements(minute: number, count: number, increments: Float64Array): void {
    if (this.scratch.length < count) this.scratch = new Float64Array(count)
    increments.fill(0, 0, count)
    for (const { weight, path } of this.parts) {
      path.fillIncrements(minute, count, this.scratch)
      this.add(weight, count, increments)
    }
  }

  private add(weight: number, count: number, sums: Float64Array): void {
    for (let i = 0; i < count; i += 1) sums[i] = element(sums, i) + weight * element(this.scratch, i)
  }
}

/**
 * Path of a Gaussian Markov process (Brownian motion, Ornstein-Uhlenbeck) that can be read at any instant,
 * before or after its start, without computing what lies between. Its minutes come from a tree. Within a minute
 * it is refined to whole seconds, and within a second to the requested grid, each minute from streams of its
 * own. So minute closes, and whole seconds too, are the same on every grid.
 */
export class GaussianPath implements NoisePath {
  private readonly process: GaussianProcess
  private readonly names: StreamNames
  private readonly purpose: string
  private readonly minutes: { at(minute: number): number }
  private readonly secondValues = new Float64Array(61)
  private secondsMinute = Number.NaN
  private readonly secondStreams: StreamSeries

  /**
   * Creates a path. `purpose` names the streams: two paths of one asset with the same purpose are one path.
   * `minutes` gives the values at the starts of minutes where they come from elsewhere; null draws them from a
   * tree.
   */
  constructor(
    process: GaussianProcess,
    names: StreamNames,
    purpose: string,
    minutes: { at(minute: number): number } | null = null,
  ) {
    this.process = process
    this.names = names
    this.purpose = purpose
    this.minutes = minutes ?? new MinuteTree(process, names, purpose)
    this.secondStreams = new StreamSeries(names.seed, `${purpose}/seconds`, names.symbol)
  }

  fill(minute: number, grid: Grid, values: Float64Array): void {
    const { firstMillis, stepMillis, count } = grid
    if (count === 1 && firstMillis === millisPerMinute) {
      values[0] = this.minutes.at(minute + 1)
      return
    }
    const seconds = this.getSeconds(minute)
    if (firstMillis % 1000 === 0 && stepMillis % 1000 === 0) {
      for (let i = 0; i < count; i += 1) values[i] = element(seconds, (firstMillis + i * stepMillis) / 1000)
      return
    }
    this.fillFractions(minute, grid, values)
  }

  /**
   * Returns the value at an instant, milliseconds after the market's start. Choice: between whole seconds it is
   * interpolated and not refined, so that it does not depend on a grid; a refinement would change it by about a
   * basis point.
   */
  at(offsetMillis: number): number {
    const minute = Math.floor(offsetMillis / millisPerMinute)
    const withinMillis = offsetMillis - minute * millisPerMinute
    if (withinMillis === 0) return this.minutes.at(minute)
    const seconds = this.getSeconds(minute)
    const second = Math.floor(withinMillis / 1000)
    const from = element(seconds, second)
    const share = withinMillis / 1000 - second
    return share === 0 ? from : from + (element(seconds, second + 1) - from) * share
  }

  fillIncrements(minute: number, count: number, increments: Float64Array): void {
    let from = this.minutes.at(minute)
    for (let i = 0; i < count; i += 1) {
      const to = this.minutes.at(minute + i + 1)
      increments[i] = to - from
      from = to
    }
  }

  /** Returns the values at the whole seconds of a minute, from 0 to 60. The array is reused. */
  private getSeconds(minute: number): Float64Array {
    const values = this.secondValues
    if (this.secondsMinute === minute) return values
    const end = this.minutes.at(minute + 1)
    let value = this.minutes.at(minute)
    const stream = this.secondStreams.at(minute)
    const { startWeights, endWeights, deviations } = this.process.seconds()
    values[0] = value
    for (let second = 1; second < 60; second += 1) {
      value =
        element(startWeights, second) * value +
        element(endWeights, second) * end +
        element(deviations, second) * stream.normal()
      values[second] = value
    }
    values[60] = end
    this.secondsMinute = minute
    return values
  }

  /**
   * Writes the values at instants between whole seconds. Within a second every process is treated as a Brownian
   * bridge, because a pull is not felt in so short a time.
   */
  private fillFractions(minute: number, grid: Grid, values: Float64Array): void {
    const seconds = this.getSeconds(minute)
    const stream = createStream(this.names.seed, `${this.purpose}/fractions`, this.names.symbol, minute)
    const variancePerMilli = this.process.secondVariance / 1000
    let fromMillis = 0
    let from = element(seconds, 0)
    for (let i = 0; i < grid.count; i += 1) {
      const atMillis = grid.firstMillis + i * grid.stepMillis
      const second = Math.floor(atMillis / 1000)
      if (second * 1000 >= fromMillis) {
        fromMillis = second * 1000
        from = element(seconds, second)
      }
      if (atMillis > fromMillis) {
        const leftMillis = (second + 1) * 1000 - fromMillis
        const stepMillis = atMillis - fromMillis
        const to = element(seconds, second + 1)
        const variance = (variancePerMilli * stepMillis * (leftMillis - stepMillis)) / leftMillis
        from += ((to - from) * stepMillis) / leftMillis + Math.sqrt(variance) * stream.normal()
        fromMillis = atMillis
      }
      values[i] = from
    }
  }
}
