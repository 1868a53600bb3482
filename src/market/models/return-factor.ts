import { missing } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { createStream } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { CachedMinutes } from './cached-minutes.ts'
import { ClusteredJumps, type HawkesJumps } from './clustered-jumps.ts'
import { GaussianPath } from './gaussian-path.ts'
import { brownianMotion } from './gaussian-process.ts'
import { LogVolatilityPath, type VolatilityScale } from './log-volatility.ts'
import { type Grid, minutesPerYear, type StreamNames } from './price-model.ts'
import { fillSeason, volatilitySeason } from './seasons.ts'
import { blockMinutes } from './stepped-path.ts'

/** Factors that all assets of a market share; their streams are named after no asset. */
export interface MarketFactors {
  readonly market: ReturnFactor
  readonly alts: ReturnFactor
}

/** Specification of a factor of returns. */
export interface ReturnFactorSpec {
  /** Annual volatility in the long run, jumps included. */
  readonly vol: number
  readonly scales: readonly VolatilityScale[]
  /** Share of the parent's log-volatility that is added to this factor's own. */
  readonly parentShare: number
  /** Degrees of freedom of the Student-t returns. */
  readonly tails: number
  /** Correlation of the return with the shocks of each leveraged scale. */
  readonly leverage: number
  readonly jumps: HawkesJumps | null
}

/** Minutes of one block of a factor; all values are logarithmic. */
export interface FactorBlock {
  /** Returns without jumps, with a mean of 0. */
  readonly returns: Float64Array
  /** Sum of each minute's jumps. */
  readonly jumps: Float64Array
  /** Deviation of each minute's return, as known at the minute's start. */
  readonly sigmas: Float64Array
  /**
   * Width of each minute's bridge: the deviation of its return given the minute's draw of the Student-t
   * distribution.
   */
  readonly deviations: Float64Array
}

/**
 * Factor of returns with stochastic volatility: sigma = vol * exp(X - V) * season, r = sigma * t + jumps, where
 * X is a sum of Ornstein-Uhlenbeck processes and V its variance, so that the mean of sigma squared is vol
 * squared. With leverage, the return of a minute shares the shocks of its volatility.
 */
export class ReturnFactor {
  /** Mean of a minute's jumps, in deviations of a minute. */
  readonly jumpMean: number
  /** What jumps add to the variance of a minute, in variances of a minute. */
  readonly jumpVariance: number
  private readonly volatility: LogVolatilityPath
  private readonly jumps: ClusteredJumps | null
  private readonly spec: ReturnFactorSpec
  private readonly names: StreamNames
  private readonly purpose: string
  private readonly startMillis: number
  private readonly parent: ReturnFactor | null
  private readonly totalVariance: number
  private readonly blocks = new CachedMinutes(8, createBlock, (index, block) => this.writeBlock(index, block))
  private readonly seasons = new Float64Array(blockMinutes)
  private readonly noise: GaussianPath
  /** Bridges of the last minutes that were read, because assets take turns and some readers look ahead. */
  private readonly bridges: readonly Bridge[]

  constructor(
    spec: ReturnFactorSpec,
    parent: ReturnFactor | null,
    startMillis: number,
    names: StreamNames,
    purpose: string,
  ) {
    this.spec = spec
    this.parent = parent
    this.startMillis = startMillis
    this.names = names
    this.purpose = purpose
    this.volatility = new LogVolatilityPath(spec.scales, names, `${purpose}/vol`)
    this.jumps = spec.jumps === null ? null : new ClusteredJumps(spec.jumps, names, purpose)
    this.jumpMean = this.jumps?.meanSize ?? 0
    this.jumpVariance = this.jumps?.meanSquare ?? 0
    this.totalVariance =
      this.volatility.variance + spec.parentShare * spec.parentShare * (parent?.totalVariance ?? 0)
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

  private writeBlock(index: number, block: Block): void {
    const { returns, jumps, sigmas, deviations } = block
    const { leverage, tails } = this.spec
    this.writeSigmas(index, block)
    const { shocks } = this.volatility.block(index)
    const stream = createStream(this.names.seed, `${this.purpose}/returns`, this.names.symbol, index)
    const own = Math.sqrt(1 - this.volatility.leveragedCount * leverage * leverage)
    jumps.fill(0)
    this.jumps?.addSizes(index, jumps)
    for (let i = 0; i < blockMinutes; i += 1) {
      const sigma = element(sigmas, i)
      const deviation = sigma * Math.sqrt((tails - 2) / stream.chiSquare(tails))
      deviations[i] = deviation
      returns[i] = deviation * (leverage * element(shocks, i) + own * stream.normal())
      jumps[i] = sigma * element(jumps, i)
    }
  }

  private writeSigmas(index: number, { logs, sigmas }: Block): void {
    const { vol, parentShare } = this.spec
    const minuteVol = vol / Math.sqrt(minutesPerYear * (1 + this.jumpVariance))
    const own = this.volatility.block(index).logs
    const parents = this.parent?.blocks.at(index).logs
    const firstMillis = this.startMillis + index * blockMinutes * millisPerMinute
    fillSeason(volatilitySeason, firstMillis, blockMinutes, this.seasons)
    for (let i = 0; i < blockMinutes; i += 1) {
      const sum = element(own, i) + parentShare * (parents?.[i] ?? 0)
      logs[i] = sum
      sigmas[i] = minuteVol * exp(sum - this.totalVariance) * element(this.seasons, i)
    }
  }
}

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
  readonly logs: Float64Array
}

function createBlock(): Block {
  return {
    logs: new Float64Array(blockMinutes),
    returns: new Float64Array(blockMinutes),
    jumps: new Float64Array(blockMinutes),
    sigmas: new Float64Array(blockMinutes),
    deviations: new Float64Array(blockMinutes),
  }
}
