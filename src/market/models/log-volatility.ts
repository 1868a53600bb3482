import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { createStream, StreamSeries } from '../../numeric/random.ts'
import { CachedMinutes } from './cached-minutes.ts'
import {
  type BridgeSteps,
  createOrnsteinUhlenbeckProcess,
  createOrnsteinUhlenbeckSteps,
} from './gaussian-process.ts'
import { MinuteTree } from './minute-tree.ts'
import type { StreamNames } from './price-model.ts'
import { blockMinutes } from './stepped-path.ts'

/** One time scale of the logarithm of volatility: a stationary Ornstein-Uhlenbeck process. */
export interface VolatilityScale {
  readonly halfLifeMinutes: number
  /** Standard deviation of the process. */
  readonly weight: number
  /** Whether the shocks of the process are correlated with those of the return. */
  readonly isLeveraged: boolean
}

/** Sums over all scales for a block's minutes. */
export interface LogVolatility {
  /** Sum over scales at the start of each minute; its mean is 0. */
  readonly logs: Float64Array
  /** Sum of the leveraged scales' standardized shocks in each minute. */
  readonly shocks: Float64Array
}

/**
 * Logarithm of volatility as a sum of processes on several time scales, up to weeks. Each process takes the
 * edges of blocks from a tree of its own, and the minutes between them from one bridge per block. It is
 * stationary and exact in distribution, and any block can be reached directly.
 */
export class LogVolatilityPath {
  readonly variance: number
  readonly leveragedCount: number
  private readonly streams: StreamSeries
  private readonly scales: readonly Scale[]
  private readonly blocks = new CachedMinutes(4, createBlock, (index, block) => this.fillBlock(index, block))
  private readonly values = new Float64Array(blockMinutes + 1)

  constructor(scales: readonly VolatilityScale[], names: StreamNames, purpose: string) {
    this.streams = new StreamSeries(names.seed, `${purpose}/block`, names.symbol)
    this.variance = scales.reduce((sum, { weight }) => sum + weight * weight, 0)
    this.leveragedCount = scales.filter(({ isLeveraged }) => isLeveraged).length
    this.scales = scales.map((scale, place) => createScale(scale, names, `${purpose}/${place}`))
  }

  /** Returns a block's sums. The object is reused: do not keep it. */
  block(index: number): LogVolatility {
    return this.blocks.at(index)
  }

  private fillBlock(index: number, { logs, shocks }: LogVolatility): void {
    const { values } = this
    const stream = this.streams.at(index)
    logs.fill(0)
    shocks.fill(0)
    for (const { ends, steps, weight, keptShare, isLeveraged } of this.scales) {
      const { startWeights, endWeights, deviations } = steps
      const end = ends.at((index + 1) * blockMinutes)
      let value = ends.at(index * blockMinutes)
      values[0] = value
      values[blockMinutes] = end
      for (let i = 1; i < blockMinutes; i += 1) {
        value =
          element(startWeights, i) * value +
          element(endWeights, i) * end +
          element(deviations, i) * stream.normal()
        values[i] = value
      }
      for (let i = 0; i < blockMinutes; i += 1) logs[i] = element(logs, i) + weight * element(values, i)
      if (!isLeveraged) continue
      const unit = 1 / Math.sqrt(1 - keptShare * keptShare)
      for (let i = 0; i < blockMinutes; i += 1) {
        shocks[i] = element(shocks, i) + unit * (element(values, i + 1) - keptShare * element(values, i))
      }
    }
  }
}

interface Scale {
  /** Values at the edges of blocks, of variance 1. */
  readonly ends: MinuteTree
  readonly steps: BridgeSteps
  readonly weight: number
  /** Share of its value that the process keeps over a minute. */
  readonly keptShare: number
  readonly isLeveraged: boolean
}

/** Steps by scale. The default market's scales are constants, so all worlds share their steps. */
const stepsByScale = new WeakMap<VolatilityScale, BridgeSteps>()

/** Returns the steps of a scale between two edges of blocks, computing them once per scale. */
function getSteps(scale: VolatilityScale, pullPerMinute: number): BridgeSteps {
  const steps = stepsByScale.get(scale) ?? createOrnsteinUhlenbeckSteps(pullPerMinute, 1, 1, blockMinutes)
  stepsByScale.set(scale, steps)
  return steps
}

function createScale(scale: VolatilityScale, names: StreamNames, purpose: string): Scale {
  const pullPerMinute = log(2) / scale.halfLifeMinutes
  const start = createStream(names.seed, `${purpose}/start`, names.symbol, 0).normal()
  return {
    ends: new MinuteTree(
      createOrnsteinUhlenbeckProcess(start, pullPerMinute, 1),
      names,
      purpose,
      blockMinutes,
    ),
    steps: getSteps(scale, pullPerMinute),
    weight: scale.weight,
    keptShare: exp(-pullPerMinute),
    isLeveraged: scale.isLeveraged,
  }
}

function createBlock(): LogVolatility {
  return {
    logs: new Float64Array(blockMinutes),
    shocks: new Float64Array(blockMinutes),
  }
}
