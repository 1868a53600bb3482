import { exp } from '../../numeric/portable-math.ts'
import type { RandomStream } from '../../numeric/random.ts'
import { createStream } from '../../numeric/random.ts'
import type { StreamNames } from '../models/price-model.ts'
import { maximumLadderLevels } from './liquidity.ts'

/*
 * The sizes of a ladder's levels wander: e^(sd y - sd^2 / 2), where y is an autoregressive process of each level with
 * a half-life of its own (market.md section 3). It is drawn at knots a half-life apart, twelve to a block, each block
 * from streams of its own, so any instant can be reached at once; between two knots it is a mean of both that keeps
 * the variance.
 *
 * Choice: the ends of blocks are drawn independently. Over a block the process keeps 1/4096 of itself. Levels are
 * drawn from the best one on, as deep as anybody has looked.
 */
export class Flicker {
  private readonly sd: number
  private readonly knotMillis: number
  private readonly names: StreamNames
  private block = Number.NaN
  private knots: RandomStream | null = null
  private startDraws: RandomStream | null = null
  private endDraws: RandomStream | null = null
  /** Of bids and asks in turn, by level: the thirteen knots of the block. */
  private values = new Float64Array(2 * knotsKept * levelsAtFirst)
  private known = 0

  constructor(sd: number, halfLifeMillis: number, names: StreamNames) {
    this.sd = sd
    this.knotMillis = halfLifeMillis
    this.names = names
  }

  /** The factor on a level's size; its mean is 1. `side`: 0 bids, 1 asks. */
  factorAt(side: 0 | 1, level: number, offsetMillis: number): number {
    const { sd } = this
    const block = Math.floor(offsetMillis / (knotsInBlock * this.knotMillis))
    if (block !== this.block) this.open(block)
    while (this.known <= level) this.drawLevel()
    const within = offsetMillis / this.knotMillis - block * knotsInBlock
    const knot = Math.min(Math.floor(within), knotsInBlock - 1)
    const place = (2 * level + side) * knotsKept + knot
    const after = within - knot
    const before = 1 - after
    const sum = before * Number(this.values[place]) + after * Number(this.values[place + 1])
    // Neighbouring knots have correlation 1/2, so the variance of the sum is before^2 + before * after + after^2.
    const y = sum / Math.sqrt(1 - before * after)
    return exp(sd * y - 0.5 * sd * sd)
  }

  private open(block: number): void {
    const { seed, symbol } = this.names
    this.knots = createStream(seed, 'flicker', symbol, block)
    this.startDraws = createStream(seed, 'flicker/ends', symbol, block)
    this.endDraws = createStream(seed, 'flicker/ends', symbol, block + 1)
    this.block = block
    this.known = 0
  }

  private drawLevel(): void {
    const { knots, startDraws, endDraws } = this
    if (knots === null || startDraws === null || endDraws === null) return
    const first = 2 * this.known * knotsKept
    if (first === this.values.length) this.grow()
    const { values } = this
    for (const start of [first, first + knotsKept]) {
      let value = startDraws.normal()
      const end = endDraws.normal()
      values[start] = value
      for (let knot = 1; knot < knotsInBlock; knot += 1) {
        const weight = Number(startWeights[knot])
        value = weight * value + Number(endWeights[knot]) * end + Number(deviations[knot]) * knots.normal()
        values[start + knot] = value
      }
      values[start + knotsInBlock] = end
    }
    this.known += 1
  }

  private grow(): void {
    const wider = new Float64Array(Math.min(2 * this.values.length, 2 * knotsKept * maximumLadderLevels))
    wider.set(this.values)
    this.values = wider
  }
}

const knotsInBlock = 12
const knotsKept = knotsInBlock + 1
const levelsAtFirst = 4

/* The law of a knot given the one before and the block's end: the product of two autoregressive transitions. */
const startWeights = new Float64Array(knotsInBlock)
const endWeights = new Float64Array(knotsInBlock)
const deviations = new Float64Array(knotsInBlock)
let keptToEnd = 0.5
for (let knot = knotsInBlock - 1; knot >= 1; knot -= 1) {
  const whole = 1 - 0.25 * keptToEnd * keptToEnd
  startWeights[knot] = (0.5 * (1 - keptToEnd * keptToEnd)) / whole
  endWeights[knot] = (keptToEnd * 0.75) / whole
  deviations[knot] = Math.sqrt((0.75 * (1 - keptToEnd * keptToEnd)) / whole)
  keptToEnd *= 0.5
}
