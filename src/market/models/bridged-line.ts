import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { GaussianPath } from './gaussian-path.ts'
import { brownianMotion } from './gaussian-process.ts'
import type { Lattice, PriceModel, StreamNames } from './price-model.ts'
import { boundedPrice, minutesPerYear } from './price-model.ts'

/*
 * Prices along pieces: each piece is log-linear between two instants, with Brownian-bridge noise that vanishes at
 * both, so every end is hit exactly. The bridge is a Brownian motion less its own chord, so any instant of any piece
 * can be reached directly.
 */

/** A price in USD at an instant, in milliseconds after the market's start. */
export interface PathPoint {
  readonly offsetMillis: number
  readonly price: number
}

/** From the one point on, before the other. */
export interface Piece {
  /**
   * `still` stays at the price of `from`; `bridge` goes from one point to the other; `tail` has no beginning, and
   * reaches `to` with only the noise.
   */
  readonly kind: 'still' | 'bridge' | 'tail'
  readonly from: PathPoint
  readonly to: PathPoint
  /** The noise is clipped to these. */
  readonly low: number
  readonly high: number
}

/** The piece that contains an instant. */
export type PieceFinder = (offsetMillis: number) => Piece

/** A price that stays. */
export function still(fromMillis: number, toMillis: number, price: number): Piece {
  const from = { offsetMillis: fromMillis, price }
  return { kind: 'still', from, to: { offsetMillis: toMillis, price }, low: price, high: price }
}

/** A price that goes from one point to another. Without bounds the noise may take it anywhere. */
export function bridge(from: PathPoint, to: PathPoint, low = 0, high = Number.POSITIVE_INFINITY): Piece {
  return { kind: 'bridge', from, to, low, high }
}

/** A price that comes to a point from ever before. */
export function tail(to: PathPoint): Piece {
  const from = { offsetMillis: Number.NEGATIVE_INFINITY, price: to.price }
  return { kind: 'tail', from, to, low: 0, high: Number.POSITIVE_INFINITY }
}

export function createBridgedLine(
  findPiece: PieceFinder,
  noiseVol: number,
  names: StreamNames,
  purpose: string,
): PriceModel & { at(atMillis: number): number } {
  return new BridgedLine(findPiece, noiseVol, names, purpose)
}

class BridgedLine implements PriceModel {
  private readonly findPiece: PieceFinder
  private readonly noise: GaussianPath | null
  /** What one unit of the noise is worth: its variance is 1 a minute. */
  private readonly deviation: number
  private noiseValues = new Float64Array(60)
  private piece = still(0, 0, 1)
  /** Of the piece's ends; NaN before it is asked for. */
  private logRatio = Number.NaN
  private noiseFrom = 0
  private noiseTo = 0

  constructor(findPiece: PieceFinder, noiseVol: number, names: StreamNames, purpose: string) {
    this.findPiece = findPiece
    this.noise = noiseVol > 0 ? new GaussianPath(brownianMotion, names, purpose) : null
    this.deviation = noiseVol / Math.sqrt(minutesPerYear)
  }

  fillPrices(minute: number, lattice: Lattice, prices: Float64Array): void {
    const { firstMillis, stepMillis, count } = lattice
    if (this.noise !== null) {
      if (count > this.noiseValues.length) this.noiseValues = new Float64Array(count)
      this.noise.fill(minute, lattice, this.noiseValues)
    }
    for (let i = 0; i < count; i += 1) {
      const atMillis = minute * millisPerMinute + firstMillis + i * stepMillis
      this.enter(atMillis)
      prices[i] = this.priceAt(atMillis, this.noise === null ? 0 : element(this.noiseValues, i))
    }
  }

  /** The price at any one instant. */
  at(atMillis: number): number {
    this.enter(atMillis)
    return this.priceAt(atMillis, this.noise?.at(atMillis) ?? 0)
  }

  private enter(atMillis: number): void {
    const { from, to } = this.piece
    if (atMillis < to.offsetMillis && atMillis >= from.offsetMillis) return
    const piece = this.findPiece(atMillis)
    this.piece = piece
    this.logRatio = Number.NaN
    if (this.noise === null || piece.kind === 'still') return
    this.noiseTo = this.noise.at(piece.to.offsetMillis)
    this.noiseFrom = piece.kind === 'bridge' ? this.noise.at(piece.from.offsetMillis) : 0
  }

  private priceAt(atMillis: number, noise: number): number {
    const { kind, from, to, low, high } = this.piece
    if (kind === 'still' || atMillis === from.offsetMillis) return from.price
    if (kind === 'tail') return boundedPrice(to.price * exp(this.deviation * (noise - this.noiseTo)))
    const share = (atMillis - from.offsetMillis) / (to.offsetMillis - from.offsetMillis)
    const chord = this.noiseFrom + (this.noiseTo - this.noiseFrom) * share
    if (Number.isNaN(this.logRatio)) this.logRatio = log(to.price / from.price)
    const price = from.price * exp(this.logRatio * share + this.deviation * (noise - chord))
    return Math.min(Math.max(boundedPrice(price), low), high)
  }
}
