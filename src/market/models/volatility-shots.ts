import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { StreamSeries } from '../../numeric/random.ts'
import { CachedMinutes } from './cached-minutes.ts'
import { shots } from './market-figures.ts'
import type { StreamNames } from './price-model.ts'
import { blockMinutes } from './stepped-path.ts'

/**
 * Shots of volatility: news come as a Poisson process, and each raises the logarithm of volatility from the next
 * minute on, by an exponential size that fades on two time scales. A block's shots come from its own stream. The
 * sums at a block's start are those of the five blocks before it, beyond which a shot has faded.
 */
export class VolatilityShots {
  private readonly streams: StreamSeries
  private readonly blocks = new CachedMinutes(8, createBlock, (index, block) => this.drawBlock(index, block))

  constructor(names: StreamNames, purpose: string) {
    this.streams = new StreamSeries(names.seed, `${purpose}/shots`, names.symbol)
  }

  /** Adds what all shots leave at the start of each minute of a block. */
  addLogs(index: number, logs: Float64Array): void {
    let first = 0
    let second = 0
    for (let origin = index - reachBlocks; origin < index; origin += 1) {
      const { left } = this.blocks.at(origin)
      first = first * firstKeptOverBlock + left.first
      second = second * secondKeptOverBlock + left.second
    }
    const { sizes } = this.blocks.at(index)
    for (let i = 0; i < blockMinutes; i += 1) {
      logs[i] = element(logs, i) + first + second
      const size = element(sizes, i)
      first = (first + shots.firstShare * size) * firstKept
      second = (second + (1 - shots.firstShare) * size) * secondKept
    }
  }

  private drawBlock(index: number, { sizes, left }: Block): void {
    const stream = this.streams.at(index)
    sizes.fill(0)
    for (let more = stream.poisson((shots.perDay / 1440) * blockMinutes); more > 0; more -= 1) {
      const at = stream.integer(blockMinutes)
      const size = Math.min(shots.meanSize * stream.exponential(), shots.mostSize)
      sizes[at] = element(sizes, at) + size
    }
    left.first = 0
    left.second = 0
    for (const size of sizes) {
      left.first = (left.first + shots.firstShare * size) * firstKept
      left.second = (left.second + (1 - shots.firstShare) * size) * secondKept
    }
  }
}

const reachBlocks = 5
const firstKept = exp(-1 / shots.firstMinutes)
const secondKept = exp(-1 / shots.secondMinutes)
const firstKeptOverBlock = exp(-blockMinutes / shots.firstMinutes)
const secondKeptOverBlock = exp(-blockMinutes / shots.secondMinutes)

interface Block {
  /** Sum of the sizes of each minute's shots. */
  readonly sizes: Float64Array
  /** What this block's shots leave at its end, on each time scale. */
  readonly left: { first: number; second: number }
}

const createBlock = (): Block => ({
  sizes: new Float64Array(blockMinutes),
  left: { first: 0, second: 0 },
})
