import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { type RandomStream, StreamSeries } from '../../numeric/random.ts'
import type { StreamNames } from '../models/price-model.ts'
import { maximumLadderLevels } from './liquidity.ts'

/*
 * The sizes of a ladder's levels wander: e^(sd y - sd^2 / 2), where y is an autoregressive process of each level with
 * a half-life of its own (market.md section 3). It is drawn at knots a half-life apart, twelve to a block, each block
 * from streams of its own, so any instant can be reached at once; between two knots it is a mean of both that keeps
 * the variance.
 *
 * Choice: the ends of blocks are drawn independently. Over a block the process keeps 1/4096 of itself. Levels are
 * drawn from the best one on, as deep as anybody has looked. What lies inside a block is drawn when somebody looks
 * there: on a grid of minutes nobody does.
 */
export class Flicker {
  /**
   * No factor is smaller: a draw is at most 8.3 in size, since it is made of 2^-54 or more, a knot at most 1.9 times as
   * much, and what lies between two of them at most sqrt(4/3) times as much as they.
   */
  readonly leastFactor: number
  private readonly sd: number
  private readonly knotMillis: number
  private readonly endStreams: StreamSeries
  private readonly insideStreams: StreamSeries
  private block = Number.NaN
  private start: BlockEnd | null = null
  private end: BlockEnd | null = null
  private inside: RandomStream | null = null
  /** Of bids and asks in turn, by level: the thirteen knots of the block. */
  private values = new Float64Array(2 * knotsPerLine * levelsAtFirst)
  private drawnLevels = 0

  constructor(sd: number, halfLifeMillis: number, { seed, symbol }: StreamNames) {
    this.sd = sd
    this.leastFactor = exp(-8.3 * 1.9 * 1.16 * sd - 0.5 * sd * sd)
    this.knotMillis = halfLifeMillis
    this.endStreams = new StreamSeries(seed, 'flicker/ends', symbol)
    this.insideStreams = new StreamSeries(seed, 'flicker', symbol)
  }

  /** The factor on a level's size; its mean is 1. `side`: 0 bids, 1 asks. */
  factorAt(side: 0 | 1, level: number, offsetMillis: number): number {
    const { sd } = this
    const block = Math.floor(offsetMillis / (knotsInBlock * this.knotMillis))
    const start = this.openBlock(block)
    const line = 2 * level + side
    const within = offsetMillis / this.knotMillis - block * knotsInBlock
    const y = within === 0 ? start.valueAt(line) : this.interpolate(start, line, within)
    return exp(sd * y - 0.5 * sd * sd)
  }

  /** Opens a block; the end of the one before it is its start. */
  private openBlock(block: number): BlockEnd {
    if (block === this.block && this.start !== null) return this.start
    const start =
      block === this.block + 1 && this.end !== null ? this.end : new BlockEnd(this.endStreams.at(block))
    this.start = start
    this.end = null
    this.inside = null
    this.block = block
    this.drawnLevels = 0
    return start
  }

  private interpolate(start: BlockEnd, line: number, within: number): number {
    while (2 * this.drawnLevels <= line) this.drawLevel(start)
    const knot = Math.min(Math.floor(within), knotsInBlock - 1)
    const place = line * knotsPerLine + knot
    const after = within - knot
    const before = 1 - after
    const sum = before * element(this.values, place) + after * element(this.values, place + 1)
    // Neighbouring knots have correlation 1/2, so the variance of the sum is before^2 + before * after + after^2.
    return sum / Math.sqrt(1 - before * after)
  }

  private drawLevel(starts: BlockEnd): void {
    this.end ??= new BlockEnd(this.endStreams.at(this.block + 1))
    this.inside ??= this.insideStreams.at(this.block)
    const { end: ends, inside, drawnLevels: known } = this
    if (2 * known * knotsPerLine === this.values.length) this.grow()
    const { values } = this
    for (const line of [2 * known, 2 * known + 1]) {
      const first = line * knotsPerLine
      const end = ends.valueAt(line)
      let value = starts.valueAt(line)
      values[first] = value
      for (let knot = 1; knot < knotsInBlock; knot += 1) {
        const weight = element(startWeights, knot)
        value = weight * value + element(endWeights, knot) * end + element(deviations, knot) * inside.normal()
        values[first + knot] = value
      }
      values[first + knotsInBlock] = end
    }
    this.drawnLevels += 1
  }

  private grow(): void {
    const wider = new Float64Array(Math.min(2 * this.values.length, 2 * knotsPerLine * maximumLadderLevels))
    wider.set(this.values)
    this.values = wider
  }
}

/** The values at which one block ends and the next begins: of bids and asks in turn, by level. */
class BlockEnd {
  private readonly stream: RandomStream
  private readonly values: number[] = []

  constructor(stream: RandomStream) {
    this.stream = stream
  }

  valueAt(line: number): number {
    while (this.values.length <= line) this.values.push(this.stream.normal())
    return this.values[line] ?? 0
  }
}

const knotsInBlock = 12
const knotsPerLine = knotsInBlock + 1
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
