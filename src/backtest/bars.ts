import type { CandleTable } from '../market/recordings/candle-table.ts'
import { missing } from '../numeric/assert.ts'
import { bisectPlaces, element } from '../numeric/columns.ts'
import type { Bar } from './strategy.ts'

/**
 * Returns what a recording traded in (from, to] of the asset at a place in the host's `assets`, in units of the asset;
 * null when it is unknown.
 */
export type ReadVolume = (place: number, fromMillis: number, toMillis: number) => number | null

/**
 * Makes bars from the mids at ticks. A bar covers (from, to], where both are multiples of its span since 1970; the mid
 * at `from` is its open. A bar that began before the first tick is left out.
 */
export class BarMaker {
  private readonly spanMillis: number
  private readonly symbols: readonly string[]
  private readonly readVolume: ReadVolume
  private readonly places: readonly number[]
  private readonly open: Float64Array
  private readonly high: Float64Array
  private readonly low: Float64Array
  private readonly close: Float64Array
  private toMillis = 0
  private isWhole = false

  /** `symbols` are the assets to make bars of; `places` are their places in the host's `assets`. */
  constructor(
    spanMillis: number,
    symbols: readonly string[],
    volumeOf: ReadVolume,
    places: readonly number[],
  ) {
    this.spanMillis = spanMillis
    this.symbols = symbols
    this.readVolume = volumeOf
    this.places = places
    this.open = new Float64Array(symbols.length)
    this.high = new Float64Array(symbols.length)
    this.low = new Float64Array(symbols.length)
    this.close = new Float64Array(symbols.length)
  }

  /**
   * Adds the mids of a tick, which begin in `mids` at index `from`. Returns the bars that this tick completes, one for
   * each asset in the order of `symbols`.
   */
  add(atMillis: number, mids: Float64Array, from: number): readonly Bar[] {
    if (atMillis < this.toMillis) {
      this.extend(mids, from)
      return noBars
    }
    // A mid at the very end still belongs to the bar, and also opens the next one.
    if (atMillis === this.toMillis) this.extend(mids, from)
    const bars = this.isWhole ? this.makeBars() : noBars
    this.startBar(atMillis, mids, from)
    return bars
  }

  private extend(mids: Float64Array, from: number): void {
    const { close, high, low } = this
    for (let index = 0; index < close.length; index += 1) {
      const mid = element(mids, from + index)
      close[index] = mid
      if (mid > element(high, index)) high[index] = mid
      if (mid < element(low, index)) low[index] = mid
    }
  }

  private startBar(atMillis: number, mids: Float64Array, from: number): void {
    const { close, high, low, open, spanMillis } = this
    const isFirst = this.toMillis === 0
    this.toMillis = (Math.floor(atMillis / spanMillis) + 1) * spanMillis
    this.isWhole = !isFirst || atMillis % spanMillis === 0
    for (let index = 0; index < close.length; index += 1) {
      const mid = element(mids, from + index)
      open[index] = mid
      high[index] = mid
      low[index] = mid
      close[index] = mid
    }
  }

  private makeBars(): readonly Bar[] {
    const { symbols } = this
    if (symbols.length === 1) return [this.makeBar(0)]
    return symbols.map((_, index) => this.makeBar(index))
  }

  private makeBar(index: number): Bar {
    const { close, high, low, open, places, spanMillis, symbols, toMillis, readVolume } = this
    const fromMillis = toMillis - spanMillis
    return {
      asset: symbols[index] ?? '',
      fromMillis,
      toMillis,
      open: element(open, index),
      high: element(high, index),
      low: element(low, index),
      close: element(close, index),
      volume: readVolume(places[index] ?? missing('each asset has its place'), fromMillis, toMillis),
    }
  }
}

const noBars: readonly Bar[] = []

/**
 * Makes bars from recorded candles whose span divides the span of the bars, so that bars and candles agree to the last
 * digit. A stretch without candles has no bar. A bar is shown at the first tick at or after its end.
 */
export class CandleBars {
  private readonly spanMillis: number
  private readonly offsetMillis: number
  private readonly recordings: readonly NamedTable[]
  /** For each recording, the index of the first candle that has not been shown. */
  private readonly places: Float64Array
  private endMillis = Number.NEGATIVE_INFINITY

  private constructor(spanMillis: number, offsetMillis: number, recordings: readonly NamedTable[]) {
    this.spanMillis = spanMillis
    this.offsetMillis = offsetMillis
    this.recordings = recordings
    this.places = new Float64Array(recordings.length)
  }

  /**
   * Creates bars of the given recordings; returns null where an asset has no recording, or its candles do not fit into
   * such bars. Bars begin at multiples of their span since 1970, shifted by the offset of the candles.
   */
  static create(
    spanMillis: number,
    symbols: readonly string[],
    tables: readonly (CandleTable | null)[],
  ): CandleBars | null {
    let offsetMillis: number | null = null
    const recordings: NamedTable[] = []
    for (const [place, symbol] of symbols.entries()) {
      const table = tables[place] ?? null
      const own = table === null ? null : findBarOffset(table, spanMillis)
      if (table === null || own === null || (offsetMillis !== null && offsetMillis !== own)) return null
      offsetMillis = own
      recordings.push({ symbol, table })
    }
    return offsetMillis === null ? null : new CandleBars(spanMillis, offsetMillis, recordings)
  }

  /** The end of the next bar; positive infinity after the last one, negative infinity before `startAt` was called. */
  get nextEndMillis(): number {
    return this.endMillis
  }

  get isStarted(): boolean {
    return this.endMillis !== Number.NEGATIVE_INFINITY
  }

  /** Starts with the first bar that begins at or after an instant. */
  startAt(sinceMillis: number): void {
    const { offsetMillis, places, recordings, spanMillis } = this
    const firstMillis = Math.ceil((sinceMillis - offsetMillis) / spanMillis) * spanMillis + offsetMillis
    for (const [index, { table }] of recordings.entries())
      places[index] = bisectPlaces(table.count, (place) => element(table.atMillis, place) >= firstMillis)
    this.endMillis = this.findNextEnd()
  }

  /**
   * Returns the bars that have ended by an instant and were not returned before, oldest first, and within one instant
   * in the order of the assets.
   */
  takeUntil(atMillis: number): readonly Bar[] {
    let bars: Bar[] | null = null
    while (atMillis >= this.endMillis) {
      const toMillis = this.endMillis
      for (let index = 0; index < this.recordings.length; index += 1) {
        const bar = this.takeBar(index, toMillis)
        if (bar === null) continue
        // Nearly always there is only one bar, and a list grown by push reserves room for seventeen.
        if (bars === null) bars = [bar]
        else bars.push(bar)
      }
      this.endMillis = this.findNextEnd()
    }
    return bars ?? noBars
  }

  private findNextEnd(): number {
    const { offsetMillis, places, recordings, spanMillis } = this
    let nextMillis = Number.POSITIVE_INFINITY
    for (let index = 0; index < recordings.length; index += 1) {
      const place = element(places, index)
      const table = recordings[index]?.table
      if (table === undefined || place >= table.count) continue
      const bar = Math.floor((element(table.atMillis, place) - offsetMillis) / spanMillis)
      nextMillis = Math.min(nextMillis, (bar + 1) * spanMillis + offsetMillis)
    }
    return nextMillis
  }

  /** Takes the candles of an asset up to the end of a bar and joins them; returns null where there are none. */
  private takeBar(index: number, toMillis: number): Bar | null {
    const { places, spanMillis } = this
    const { symbol, table } = this.recordings[index] ?? missing('a bar is one of a recording')
    const first = element(places, index)
    let place = first
    let high = 0
    let low = Number.POSITIVE_INFINITY
    let volume = 0
    for (; place < table.count && element(table.atMillis, place) < toMillis; place += 1) {
      high = Math.max(high, element(table.high, place))
      low = Math.min(low, element(table.low, place))
      volume += element(table.volume, place)
    }
    if (place === first) return null
    places[index] = place
    return {
      asset: symbol,
      fromMillis: toMillis - spanMillis,
      toMillis,
      open: element(table.open, first),
      high,
      low,
      close: element(table.close, place - 1),
      volume: table.hasVolume ? volume : null,
    }
  }
}

interface NamedTable {
  readonly symbol: string
  readonly table: CandleTable
}

/**
 * Returns by how many milliseconds bars are shifted from multiples of their span to fit a recording; null where a
 * candle crosses the end of a bar.
 */
function findBarOffset({ atMillis, count, endMillis }: CandleTable, spanMillis: number): number | null {
  const candleMillis = element(endMillis, 0) - element(atMillis, 0)
  const offsetMillis = element(atMillis, 0) % candleMillis
  if (spanMillis % candleMillis !== 0) return null
  for (let place = 0; place < count; place += 1) {
    const begin = element(atMillis, place)
    if (begin % candleMillis !== offsetMillis || element(endMillis, place) !== begin + candleMillis)
      return null
  }
  return offsetMillis
}
