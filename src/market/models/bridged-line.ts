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

/** From `fromMillis` on, before `toMillis`; milliseconds after the market's start, prices in USD. */
export interface Piece {
  fromMillis: number
  toMillis: number
  /** The price at `fromMillis`. */
  fromPrice: number
  /** What the price tends to at `toMillis`. */
  toPrice: number
  /**
   * `still` stays at `fromPrice`; `bridge` goes from one end to the other; `tail` has no beginning, and reaches
   * `toPrice` with only the noise.
   */
  kind: 'still' | 'bridge' | 'tail'
  /** The noise is clipped to these. */
  low: number
  high: number
}

/**
 * Writes the piece that contains an instant. A path enters a piece every minute or more often, so it is written in
 * place.
 */
export type PieceFinder = (offsetMillis: number, piece: Piece) => void

/** A price that stays. */
export function setStill(piece: Piece, fromMillis: number, toMillis: number, price: number): void {
  piece.kind = 'still'
  piece.fromMillis = fromMillis
  piece.toMillis = toMillis
  piece.fromPrice = price
  piece.toPrice = price
  piece.low = price
  piece.high = price
}

/** A price that goes from one to another. Without bounds the noise may take it anywhere. */
export function setBridge(
  piece: Piece,
  fromMillis: number,
  toMillis: number,
  fromPrice: number,
  toPrice: number,
  low = 0,
  high = Number.POSITIVE_INFINITY,
): void {
  piece.kind = 'bridge'
  piece.fromMillis = fromMillis
  piece.toMillis = toMillis
  piece.fromPrice = fromPrice
  piece.toPrice = toPrice
  piece.low = low
  piece.high = high
}

/** The line that the pieces make. */
export function createBridgedLine(
  findPiece: PieceFinder,
  noiseVol: number,
  names: StreamNames,
  purpose: string,
): PriceModel {
  return new BridgedLine(findPiece, noiseVol, names, purpose)
}

class BridgedLine implements PriceModel {
  private readonly findPiece: PieceFinder
  private readonly noise: GaussianPath | null
  /** What one unit of the noise is worth: its variance is 1 a minute. */
  private readonly deviation: number
  private noiseValues = new Float64Array(60)
  private readonly piece: Piece = {
    kind: 'still',
    fromMillis: 0,
    toMillis: 0,
    fromPrice: 1,
    toPrice: 1,
    low: 1,
    high: 1,
  }
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
      if (atMillis >= this.piece.toMillis || atMillis < this.piece.fromMillis) this.enter(atMillis)
      prices[i] = this.priceAt(atMillis, this.noise === null ? 0 : Number(this.noiseValues[i]))
    }
  }

  private enter(atMillis: number): void {
    const { piece } = this
    this.findPiece(atMillis, piece)
    this.logRatio = Number.NaN
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
    if (Number.isNaN(this.logRatio)) this.logRatio = log(toPrice / fromPrice)
    const price = fromPrice * exp(this.logRatio * share + this.deviation * (noise - chord))
    return Math.min(Math.max(boundedPrice(price), low), high)
  }
}
