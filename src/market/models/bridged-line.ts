import { exp, log } from '../../numeric/portable-math.ts'
import { GaussianPath } from './gaussian-path.ts'
import { brownianMotion } from './gaussian-process.ts'
import type { Lattice, PriceModel, StreamNames } from './price-model.ts'
import { boundedPrice, minuteMillis, minutesPerYear } from './price-model.ts'

/*
 * Prices along pieces: each piece is log-linear between two instants, with Brownian-bridge noise that vanishes at
 * both, so every end is hit exactly. The bridge is a Brownian motion less its own chord, which makes any instant
 * of any piece as near as any other.
 */

/** From `fromMillis` on, before `toMillis`; milliseconds after the market's start, prices in USD. */
export interface Piece {
  readonly fromMillis: number
  readonly toMillis: number
  /** The price at `fromMillis`. */
  readonly fromPrice: number
  /** What the price tends to at `toMillis`. */
  readonly toPrice: number
  /**
   * `still` stays at `fromPrice`; `bridge` goes from one end to the other; `tail` has no beginning, and ends at
   * `toPrice` with the noise alone.
   */
  readonly kind: 'still' | 'bridge' | 'tail'
  /** The noise is clipped to these. */
  readonly low: number
  readonly high: number
}

/** A price that stays. */
export function stillPiece(fromMillis: number, toMillis: number, price: number): Piece {
  return { kind: 'still', fromMillis, toMillis, fromPrice: price, toPrice: price, low: price, high: price }
}

/** A price that goes from one to another. Without bounds the noise may take it anywhere. */
export function bridgePiece(
  fromMillis: number,
  toMillis: number,
  fromPrice: number,
  toPrice: number,
  low = 0,
  high = Number.POSITIVE_INFINITY,
): Piece {
  return { kind: 'bridge', fromMillis, toMillis, fromPrice, toPrice, low, high }
}

/** The line that the pieces make; `pieceAt` tells the piece that holds an instant. */
export function createBridgedLine(
  pieceAt: (offsetMillis: number) => Piece,
  noiseVol: number,
  names: StreamNames,
  purpose: string,
): PriceModel {
  return new BridgedLine(pieceAt, noiseVol, names, purpose)
}

class BridgedLine implements PriceModel {
  private readonly pieceAt: (offsetMillis: number) => Piece
  private readonly noise: GaussianPath | null
  /** What one unit of the noise is worth: its variance is 1 a minute. */
  private readonly deviation: number
  private noiseValues = new Float64Array(60)
  private piece: Piece = stillPiece(0, 0, 1)
  private logRatio = 0
  private noiseFrom = 0
  private noiseTo = 0

  constructor(
    pieceAt: (offsetMillis: number) => Piece,
    noiseVol: number,
    names: StreamNames,
    purpose: string,
  ) {
    this.pieceAt = pieceAt
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
      const atMillis = minute * minuteMillis + firstMillis + i * stepMillis
      if (atMillis >= this.piece.toMillis || atMillis < this.piece.fromMillis)
        this.enter(this.pieceAt(atMillis))
      prices[i] = this.priceAt(atMillis, this.noiseValues[i] ?? 0)
    }
  }

  private enter(piece: Piece): void {
    this.piece = piece
    this.logRatio = piece.kind === 'bridge' ? log(piece.toPrice / piece.fromPrice) : 0
    if (this.noise === null || piece.kind === 'still') return
    this.noiseTo = this.noise.at(piece.toMillis)
    this.noiseFrom = piece.kind === 'bridge' ? this.noise.at(piece.fromMillis) : 0
  }

  private priceAt(atMillis: number, noise: number): number {
    const { kind, fromMillis, toMillis, fromPrice, toPrice, low, high } = this.piece
    if (kind === 'still' || atMillis === fromMillis) return fromPrice
    if (kind === 'tail') return boundedPrice(toPrice * exp(this.deviation * (noise - this.noiseTo)))
    const share = (atMillis - fromMillis) / (toMillis - fromMillis)
    const chord = this.noiseFrom + (this.noiseTo - this.noiseFrom) * share
    const price = fromPrice * exp(this.logRatio * share + this.deviation * (noise - chord))
    return Math.min(Math.max(boundedPrice(price), low), high)
  }
}
