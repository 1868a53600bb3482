import { missing } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { CachedMinutes } from './cached-minutes.ts'
import { GaussianPath } from './gaussian-path.ts'
import { brownianMotion } from './gaussian-process.ts'
import { MarketVolatility } from './market-volatility.ts'
import { type Grid, minutesPerYear, type StreamNames } from './price-model.ts'
import { ReturnTrends } from './return-trends.ts'
import { fillSeason, volatilitySeason } from './seasons.ts'
import { blockMinutes } from './stepped-path.ts'

/** Factors that all assets of a market share; their streams are named after no asset. */
export interface MarketFactors {
  readonly market: MarketFactor
  readonly alts: MarketFactor
}

/** Specification of a factor of returns. */
export interface MarketFactorSpec {
  /** Annual volatility in the long run. */
  readonly vol: number
  /**
   * Weight of the parent's logarithm of volatility in this factor's, from 0 to 1; the factor's own has what is
   * left of the variance.
   */
  readonly parentShare: number
}

/** Minutes of one block of a factor; all values are logarithmic. */
export interface FactorBlock {
  /** Returns with a mean of 0. */
  readonly returns: Float64Array
  /** Deviation of each minute's return, as known at the minute's start. */
  readonly sigmas: Float64Array
}

/**
 * Factor of returns of the default market. A minute's return is a normal variable times a volatility that
 * depends on the past, not on that variable. So the sums of the returns are a martingale, and so is the price once
 * half of the squared deviation is subtracted.
 */
export class MarketFactor {
  private readonly volatility: MarketVolatility
  private readonly trends: ReturnTrends
  private readonly minuteVol: number
  private readonly startMillis: number
  private readonly parentShare: number
  private readonly ownShare: number
  private readonly parent: MarketFactor | null
  private readonly blocks = new CachedMinutes(8, createBlock, (index, block) => this.writeBlock(index, block))
  private readonly noise: GaussianPath
  /** Bridges of the last minutes that were read, because assets take turns and some readers look ahead. */
  private readonly bridges: readonly Bridge[]

  constructor(
    spec: MarketFactorSpec,
    parent: MarketFactor | null,
    startMillis: number,
    names: StreamNames,
    purpose: string,
  ) {
    this.parent = parent
    this.parentShare = parent === null ? 0 : spec.parentShare
    this.ownShare = Math.sqrt(1 - this.parentShare * this.parentShare)
    this.startMillis = startMillis
    this.trends = new ReturnTrends(names, purpose)
    this.volatility = new MarketVolatility(this.trends, startMillis, names, purpose)
    const excess = computeLogMeanSquare(this.ownShare) + computeLogMeanSquare(this.parentShare) + quarterLog
    this.minuteVol = (spec.vol / Math.sqrt(minutesPerYear)) * exp(-excess / 2)
    this.noise = new GaussianPath(brownianMotion, names, `${purpose}/bridge`, { at: () => 0 })
    this.bridges = Array.from({ length: 8 }, () => ({
      minute: Number.NaN,
      grid: noGrid,
      values: noValues,
    }))
  }

  /** Returns a block's minutes. The object is reused: do not keep it. */
  block(index: number): FactorBlock {
    return this.blocks.at(index)
  }

  /**
   * Returns a bridge of variance 1 per minute, 0 at both ends, at a grid's instants of a minute. The array is
   * reused: do not keep it.
   */
  getBridge(minute: number, grid: Grid): Float64Array {
    const bridge = this.bridges[minute & 7] ?? missing('eight bridges are remembered')
    if (bridge.minute === minute && isSameGrid(bridge.grid, grid)) return bridge.values
    if (bridge.values.length < grid.count) bridge.values = new Float64Array(grid.count)
    this.noise.fill(minute, grid, bridge.values)
    bridge.minute = minute
    bridge.grid = grid
    return bridge.values
  }

  private writeBlock(index: number, { logs, returns, seasons, sigmas }: Block): void {
    const { minuteVol, ownShare, parentShare } = this
    const quarters = this.volatility.fillLogs(index, logs)
    const { shocks } = this.trends.block(index)
    const parent = this.parent?.blocks.at(index)
    const parents = parent?.logs
    const firstMillis = this.startMillis + index * blockMinutes * millisPerMinute
    if (parent === undefined) fillSeason(volatilitySeason, firstMillis, blockMinutes, seasons)
    else seasons.set(parent.seasons)
    for (let i = 0; i < blockMinutes; i += 1) {
      const log = ownShare * element(logs, i) + parentShare * (parents?.[i] ?? 0) + element(quarters, i)
      const sigma = minuteVol * exp(log) * element(seasons, i)
      sigmas[i] = sigma
      returns[i] = sigma * element(shocks, i)
    }
    // Children take the logarithm without the quarters' draws, which are each factor's own.
    if (parents === undefined) return
    for (let i = 0; i < blockMinutes; i += 1)
      logs[i] = ownShare * element(logs, i) + parentShare * element(parents, i)
  }
}

/**
 * Computes the logarithm of the mean square of the volatility of which only a share of the logarithm is taken,
 * from 0 to 1. Measured over 144 years of minutes of six seeds, and what the last change of figures made of it over
 * 144 years of the same draws.
 */
function computeLogMeanSquare(share: number): number {
  return share * (logMeanSquare.first + share * (logMeanSquare.second + share * logMeanSquare.third))
}

const logMeanSquare = { first: -0.3789, second: 0.5415, third: 0.3054 }
/** What the draws of the quarter-hours add to the logarithm of the mean square. */
const quarterLog = 0.0105

function isSameGrid(left: Grid, right: Grid): boolean {
  return (
    left.firstMillis === right.firstMillis &&
    left.stepMillis === right.stepMillis &&
    left.count === right.count
  )
}

const noGrid: Grid = { firstMillis: 0, stepMillis: 0, count: 0 }
const noValues = new Float64Array(0)

interface Bridge {
  minute: number
  grid: Grid
  values: Float64Array
}

interface Block extends FactorBlock {
  /** Logarithm of the volatility without season. */
  readonly logs: Float64Array
  readonly seasons: Float64Array
}

const createBlock = (): Block => ({
  logs: new Float64Array(blockMinutes),
  seasons: new Float64Array(blockMinutes),
  returns: new Float64Array(blockMinutes),
  sigmas: new Float64Array(blockMinutes),
})
