import { assert } from '../../numeric/assert.ts'
import type { Candle, Print, ReplaySpec } from '../market.ts'
import type { Piece } from './bridged-line.ts'
import { bridgePiece, createBridgedLine, stillPiece } from './bridged-line.ts'
import type { PriceModel, Recording, StreamNames } from './price-model.ts'
import { TrailingActivity } from './trailing-activity.ts'

/**
 * Recorded candles as a path: open, low, high, close when a candle rises, else open, high, low, close, at 0, 1/4,
 * 3/4 and 1 of its span, with bridge noise between them that is clipped to its low and high. Candles stand in order
 * and do not overlap; times are their own (the market's start says where in the recording one begins).
 *
 * Choice: where a candle ends and the next begins, the price is the next one's open; both are printed. A candle's
 * volume is printed in four equal parts, at its four prices. Outside the recording the nearest price stays.
 */
export function createReplay(spec: ReplaySpec, startMillis: number, names: StreamNames): PriceModel {
  const recording = new CandleRecording(spec, startMillis)
  const line = createBridgedLine((at) => recording.pieceAt(at), spec.noiseVol, names, 'path')
  const fillPrices: PriceModel['fillPrices'] = (minute, lattice, prices) =>
    line.fillPrices(minute, lattice, prices)
  const activity = new TrailingActivity(fillPrices)
  return { recording, fillPrices, activityAt: (minute) => activity.at(minute) }
}

class CandleRecording implements Recording {
  private readonly candles: readonly Candle[]
  private readonly gaps: ReplaySpec['gaps']
  private readonly startMillis: number
  private lastIndex = 0

  constructor(spec: ReplaySpec, startMillis: number) {
    assert(spec.candles.length > 0, 'a recording has a candle')
    this.candles = spec.candles
    this.gaps = spec.gaps
    this.startMillis = startMillis
  }

  pieceAt(offsetMillis: number): Piece {
    const atMillis = this.startMillis + offsetMillis
    const index = this.lastBegunAt(atMillis)
    const candle = this.candles[index]
    const next = this.candles[index + 1]
    if (candle === undefined) {
      const first = this.candles[0]
      assert(first !== undefined, 'a recording has a candle')
      return stillPiece(Number.NEGATIVE_INFINITY, first.atMillis - this.startMillis, first.open)
    }
    const endMillis = candle.atMillis + candle.spanMillis
    if (atMillis < endMillis) return this.quarterOf(candle, atMillis)
    const fromMillis = endMillis - this.startMillis
    if (next === undefined) return stillPiece(fromMillis, Number.POSITIVE_INFINITY, candle.close)
    const toMillis = next.atMillis - this.startMillis
    if (this.gaps !== 'interpolate') return stillPiece(fromMillis, toMillis, candle.close)
    return bridgePiece(fromMillis, toMillis, candle.close, next.open)
  }

  /** In a gap, and before and after the recording; the instant at which a candle ends still belongs to it. */
  isHaltedAt(offsetMillis: number): boolean {
    if (this.gaps !== 'halt') return false
    const atMillis = this.startMillis + offsetMillis
    const candle = this.candles[this.lastBegunAt(atMillis)]
    return candle === undefined || atMillis > candle.atMillis + candle.spanMillis
  }

  printsBetween(fromMillis: number, toMillis: number): readonly Print[] {
    const after = this.startMillis + fromMillis
    const until = this.startMillis + toMillis
    let prints: Print[] | null = null
    // A candle that ends at `after` has nothing left to print, so the one begun there is early enough.
    for (let index = Math.max(0, this.lastBegunAt(after)); index < this.candles.length; index += 1) {
      const candle = this.candles[index]
      if (candle === undefined || candle.atMillis > until) break
      if (candle.volume === 0) continue
      prints ??= []
      appendPrints(candle, after, until, prints)
    }
    return prints ?? noPrints
  }

  /** Index of the last candle that has begun, -1 before the first. Time mostly goes on: the last answer's like are tried. */
  private lastBegunAt(atMillis: number): number {
    // Prices are asked for by a step's end, prints by its begin: to and fro by one or two.
    for (let index = this.lastIndex - 1; index <= this.lastIndex + 2; index += 1) {
      if (!this.isLastBegun(index, atMillis)) continue
      this.lastIndex = index
      return index
    }
    let low = 0
    let high = this.candles.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.candles[middle]?.atMillis ?? 0) <= atMillis) low = middle + 1
      else high = middle
    }
    this.lastIndex = Math.max(0, low - 1)
    return low - 1
  }

  private isLastBegun(index: number, atMillis: number): boolean {
    const candle = this.candles[index]
    const next = this.candles[index + 1]
    return (
      candle !== undefined && candle.atMillis <= atMillis && (next === undefined || atMillis < next.atMillis)
    )
  }

  private quarterOf(candle: Candle, atMillis: number): Piece {
    const { open, high, low, close } = candle
    const isRising = close >= open
    const first = isRising ? low : high
    const second = isRising ? high : low
    const begin = candle.atMillis - this.startMillis
    const quarter = begin + firstQuarterMillis(candle)
    const threeQuarters = begin + lastQuarterMillis(candle)
    const end = begin + candle.spanMillis
    const offsetMillis = atMillis - this.startMillis
    if (offsetMillis < quarter) return bridgePiece(begin, quarter, open, first, low, high)
    if (offsetMillis < threeQuarters) return bridgePiece(quarter, threeQuarters, first, second, low, high)
    return bridgePiece(threeQuarters, end, second, close, low, high)
  }
}

function appendPrints(candle: Candle, after: number, until: number, prints: Print[]): void {
  const { atMillis, spanMillis, open, high, low, close } = candle
  const isRising = close >= open
  const quantity = candle.volume / 4
  const append = (at: number, price: number): void => {
    if (at > after && at <= until) prints.push({ price, quantity })
  }
  append(atMillis, open)
  append(atMillis + firstQuarterMillis(candle), isRising ? low : high)
  append(atMillis + lastQuarterMillis(candle), isRising ? high : low)
  append(atMillis + spanMillis, close)
}

function firstQuarterMillis(candle: Candle): number {
  return Math.floor(candle.spanMillis / 4)
}

function lastQuarterMillis(candle: Candle): number {
  return Math.floor((candle.spanMillis * 3) / 4)
}

const noPrints: readonly Print[] = []
