import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { GaussianPath } from './gaussian-path.ts'
import { brownianMotion } from './gaussian-process.ts'
import { clampPrice, type Grid, minutesPerYear, type PriceModel, type StreamNames } from './price-model.ts'

/*
 * Prices along pieces: each piece is log-linear between two instants, with Brownian-bridge noise that vanishes at
 * both, so every end is hit exactly. The bridge is a Brownian motion less its own chord, so any instant of any piece
 * can be reached directly.
 */

/**
 * The piece that a line is in, from one instant on and before another, both in milliseconds after the market's start.
 * A `still` one stays at its first price; a `bridge` goes from one price to the other, and its noise is clipped to
 * `low` and `high`; a `tail` has no beginning, and comes to its last price with only the noise.
 *
 * There is one object for all pieces of a line, which whoever finds the next one writes into: a recording has millions.
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

/** Writes the piece that contains an instant. */
export type SegmentFinder = (offsetMillis: number, piece: Segment) => void

export class BridgedLine implements PriceModel {
  private readonly findSegment: SegmentFinder
  private readonly noise: GaussianPath | null
  /** What one unit of the noise is worth: its variance is 1 a minute. */
  private readonly deviation: number
  private noiseValues = new Float64Array(60)
  private readonly segment = new Segment()
  /** Of the piece's ends; NaN before it is asked for, as the noise at both. */
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

  /** The price at any one instant. */
  at(atMillis: number): number {
    const { segment: piece } = this
    this.moveTo(atMillis)
    // A recording is mostly asked for where its pieces begin, and no noise is drawn for that.
    return atMillis === piece.fromMillis
      ? piece.fromPrice
      : this.priceAt(atMillis, this.noise === null ? 0 : this.noise.at(atMillis))
  }

  private moveTo(atMillis: number): void {
    const { segment: piece } = this
    if (atMillis < piece.toMillis && atMillis >= piece.fromMillis) return
    this.findSegment(atMillis, piece)
    this.logRatio = Number.NaN
  }

  private priceAt(atMillis: number, noise: number): number {
    const { segment: piece } = this
    const { fromMillis, fromPrice, kind, toMillis, toPrice } = piece
    if (kind === 'still' || atMillis === fromMillis) return fromPrice
    if (Number.isNaN(this.logRatio)) this.readEnds()
    if (kind === 'tail') return clampPrice(toPrice * exp(this.deviation * (noise - this.noiseTo)))
    const share = (atMillis - fromMillis) / (toMillis - fromMillis)
    const chord = this.noiseFrom + (this.noiseTo - this.noiseFrom) * share
    const price = fromPrice * exp(this.logRatio * share + this.deviation * (noise - chord))
    return Math.min(Math.max(clampPrice(price), piece.low), piece.high)
  }

  /** Only once an instant between the ends is asked for. */
  private readEnds(): void {
    const { noise, segment: piece } = this
    this.logRatio = log(piece.toPrice / piece.fromPrice)
    if (noise === null) return
    this.noiseTo = noise.at(piece.toMillis)
    this.noiseFrom = piece.kind === 'bridge' ? noise.at(piece.fromMillis) : 0
  }
}
