import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { type RandomStream, StreamSeries } from '../../numeric/random.ts'
import type { StreamNames } from '../models/price-model.ts'
import { maximumLadderLevels } from './liquidity.ts'

/**
 * Noise on the sizes of a ladder's levels: a factor e^(sd y - sd^2 / 2), where y is an autoregressive process
 * of each level with a half-life of its own (market.md section 3). The process is drawn at knots a half-life
 * apart, twelve to a block. Each block has streams of its own, so any instant can be reached at once. Between
 * two knots it is a weighted mean of both that keeps the variance.
 *
 * Choice: the ends of blocks are drawn independently, because over a block the process keeps only 1/4096 of its
 * value. Levels are drawn from the best one on, as deep as they are read. Values inside a block are drawn only
 * when they are read: on a grid of minutes they never are.
 */
export class SizeNoise {
  /**
   * Lower bound of all factors. A normal draw is at most 8.3 in size, because its uniform is at least 2^-54; a
   * knot is at most 1.9 times as large, and a value between two knots at most sqrt(4/3) times as large as they
   * are.
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
  /** The thirteen knots of the block, for bids and asks in turn, by level. */
  private values = new Float64Array(2 * knotsPerLine * levelsAtFirst)
  private drawnLevels = 0

  constructor(sd: number, halfLifeMillis: number, { seed, symbol }: StreamNames) {
    this.sd = sd
    this.leastFactor = exp(-8.3 * 1.9 * 1.16 * sd - 0.5 * sd * sd)
    this.knotMillis = halfLifeMillis
    this.endStreams = new StreamSeries(seed, 'flicker/ends', symbol)
    this.insideStreams = new StreamSeries(seed, 'flicker', symbol)
  }

  /**
   * Returns the factor on a level's size, whose mean is 1. `side` is 0 for bids and 1 for asks; `offsetMillis`
   * counts from the market's start.
   */
  factorAt(side: 0 | 1, level: number, offsetMillis: number): number {
    const { sd } = this
    const block = Math.floor(offsetMillis / (knotsInBlock * this.knotMillis))
    const start = this.openBlock(block)
    const line = 2 * level + side
    const within = offsetMillis / this.knotMillis - block * knotsInBlock
    const y = within === 0 ? start.valueAt(line) : this.interpolate(start, line, within)
    return exp(sd * y - 0.5 * sd * sd)
  }

  /** Opens a block and returns its start, which is the end of the block before. */
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
    // Neighbouring knots have correlation 1/2, so the variance of the sum is before^2 + before * after +
    // after^2.
    return sum / Math.sqrt(1 - before * after)
  }

  private drawLevel(starts: BlockEnd): void {
    this.end ??= new BlockEnd(this.endStreams.at(this.block + 1))
    this.inside ??= this.insideStreams.at(this.block)
    const { end: ends, inside, drawnLevels } = this
    if (2 * drawnLevels * knotsPerLine === this.values.length) this.grow()
    const { values } = this
    for (const line of [2 * drawnLevels, 2 * drawnLevels + 1]) {
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

/**
 * Values at which one block ends and the next begins, for bids and asks in turn, by level; drawn as deep as
 * they are read.
 */
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

const { startWeights, endWeights, deviations } = createKnotSteps()

/**
 * Creates the distribution of each knot given the one before and the end of the block: the product of two
 * autoregressive transitions.
 */
function createKnotSteps() {
  const steps = {
    startWeights: new Float64Array(knotsInBlock),
    endWeights: new Float64Array(knotsInBlock),
    deviations: new Float64Array(knotsInBlock),
  }
  let keptToEnd = 0.5
  for (let knot = knotsInBlock - 1; knot >= 1; knot -= 1) {
    const whole = 1 - 0.25 * keptToEnd * keptToEnd
    steps.startWeights[knot] = (0.5 * (1 - keptToEnd * keptToEnd)) / whole
    steps.endWeights[knot] = (keptToEnd * 0.75) / whole
    steps.deviations[knot] = Math.sqrt((0.75 * (1 - keptToEnd * keptToEnd)) / whole)
    keptToEnd *= 0.5
  }
  return steps
}
