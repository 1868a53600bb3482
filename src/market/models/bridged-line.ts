import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { GaussianPath } from './gaussian-path.ts'
import { brownianMotion } from './gaussian-process.ts'
import { clampPrice, type Grid, minutesPerYear, type PriceModel, type StreamNames } from './price-model.ts'

/*
 * Prices along segments: each segment is log-linear between two instants, with Brownian-bridge noise that
 * vanishes at both, so every end is hit exactly. The bridge is a Brownian motion less its own chord, so any
 * instant of any segment can be reached directly.
 */

/**
 * Segment of a line, from one instant on and before another, both in milliseconds after the market's start. A
 * `still` segment stays at its first price; a `bridge` goes from one price to the other, and its noise is
 * clipped to `low` and `high`; a `tail` has no beginning, and comes to its last price with only the noise.
 *
 * A line has one object for all its segments, into which its `SegmentFinder` writes the next one: a recording
 * has millions.
 */
export class Segment {
  kind: 'still' | 'bridge' | 'tail' = 'still'
  fromMillis = 0
  fromPrice = 1
  toMillis = 0
  toPrice = 1
  low = 0
  high = Number.POSITIVE_INFINITY

  set(kind: Segment['kind'], fromMillis: number, fromPrice: number, toMillis: number, toPrice: number): void {
    this.kind = kind
    this.fromMillis = fromMillis
    this.fromPrice = fromPrice
    this.toMillis = toMillis
    this.toPrice = toPrice
  }
}

/** Writes the segment that contains an instant. */
export type SegmentFinder = (offsetMillis: number, segment: Segment) => void

/** Price model of a line of segments with bridge noise between their ends. */
export class BridgedLine implements PriceModel {
  private readonly findSegment: SegmentFinder
  private readonly noise: GaussianPath | null
  /** Move of the logarithm per unit of the noise, whose variance is 1 per minute. */
  private readonly deviation: number
  private noiseValues = new Float64Array(60)
  private readonly segment = new Segment()
  /*
   * Logarithm of the ratio of the segment's ends, and the noise at both; NaN until an instant between them is
   * read.
   */
  private logRatio = Number.NaN
  private noiseFrom = 0
  private noiseTo = 0

  constructor(findPiece: SegmentFinder, noiseVol: number, names: StreamNames, purpose: string) {
    this.findSegment = findPiece
    this.noise = noiseVol > 0 ? new GaussianPath(brownianMotion, names, purpose) : null
    this.deviation = noiseVol / Math.sqrt(minutesPerYear)
  }

  fillPrices(minute: number, grid: Grid, prices: Float64Array): void {
    const { firstMillis, stepMillis, count } = grid
    if (this.noise !== null) {
      if (count > this.noiseValues.length) this.noiseValues = new Float64Array(count)
      this.noise.fill(minute, grid, this.noiseValues)
    }
    for (let i = 0; i < count; i += 1) {
      const atMillis = minute * millisPerMinute + firstMillis + i * stepMillis
      this.moveTo(atMillis)
      prices[i] = this.priceAt(atMillis, this.noise === null ? 0 : element(this.noiseValues, i))
    }
  }

  fillGrid({ count, firstMillis, stepMillis }: Grid, prices: Float64Array): void {
    for (let row = 0; row < count; row += 1) prices[row] = this.at(firstMillis + row * stepMillis)
  }

  /** Returns the price at an instant, milliseconds after the market's start. */
  at(atMillis: number): number {
    const { segment } = this
    this.moveTo(atMillis)
    // A recording is mostly read where its segments begin, and that needs no noise.
    return atMillis === segment.fromMillis
      ? segment.fromPrice
      : this.priceAt(atMillis, this.noise === null ? 0 : this.noise.at(atMillis))
  }

  private moveTo(atMillis: number): void {
    const { segment } = this
    if (atMillis < segment.toMillis && atMillis >= segment.fromMillis) return
    this.findSegment(atMillis, segment)
    this.logRatio = Number.NaN
  }

  private priceAt(atMillis: number, noise: number): number {
    const { segment } = this
    const { fromMillis, fromPrice, kind, toMillis, toPrice } = segment
    if (kind === 'still' || atMillis === fromMillis) return fromPrice
    if (Number.isNaN(this.logRatio)) this.readEnds()
    if (kind === 'tail') return clampPrice(toPrice * exp(this.deviation * (noise - this.noiseTo)))
    const share = (atMillis - fromMillis) / (toMillis - fromMillis)
    const chord = this.noiseFrom + (this.noiseTo - this.noiseFrom) * share
    const price = fromPrice * exp(this.logRatio * share + this.deviation * (noise - chord))
    return Math.min(Math.max(clampPrice(price), segment.low), segment.high)
  }

  /** Reads the ends of the segment, which is needed only once an instant between them is read. */
  private readEnds(): void {
    const { noise, segment } = this
    this.logRatio = log(segment.toPrice / segment.fromPrice)
    if (noise === null) return
    this.noiseTo = noise.at(segment.toMillis)
    this.noiseFrom = segment.kind === 'bridge' ? noise.at(segment.fromMillis) : 0
  }
}
