import type { CandleGrid, CandleSection } from '../market/recordings/candle-phases.ts'
import type { CandleTable } from '../market/recordings/candle-table.ts'
import { missing } from '../numeric/assert.ts'
import { bisectPlaces, element } from '../numeric/columns.ts'
import type { Bar } from './strategy.ts'

/**
 * Makes bars from recorded candles, so that bars and candles agree to the last digit. Each recording has a grid of its
 * own: bars of the candles' span are the candles, with their own times; bars of a multiple of it join the candles from
 * one multiple since 1970 to the next, shifted by the candles' phase. A stretch without candles has no bar. A bar is
 * shown at the first tick at or after its end.
 */
export class CandleBars {
  private readonly recordings: readonly RecordingBars[]
  private endMillis = Number.NEGATIVE_INFINITY

  private constructor(recordings: readonly RecordingBars[]) {
    this.recordings = recordings
  }

  /** Creates bars of the given recordings; null where an asset has none, or its candles do not fit into such bars. */
  static create(
    spanMillis: number,
    symbols: readonly string[],
    tables: readonly (CandleTable | null)[],
  ): CandleBars | null {
    const known = tables.filter((table) => table !== null)
    if (known.length < symbols.length || known.length === 0) return null
    const grids = known.map(({ grid }) => grid)
    const spans = chooseBarSpans(grids, spanMillis)
    if (spans === null) return null
    const recordings = known.map((table, place) => {
      const { phases, spanMillis: candleMillis } = grids[place] ?? missing('each recording has a grid')
      const barMillis = spans[place] ?? candleMillis
      return new RecordingBars(
        symbols[place] ?? '',
        table,
        barMillis,
        barMillis === candleMillis ? null : phases,
      )
    })
    return new CandleBars(recordings)
  }

  /** The end of the next bar; positive infinity after the last one, negative infinity before `startAt` was called. */
  get nextEndMillis(): number {
    return this.endMillis
  }

  get isStarted(): boolean {
    return this.endMillis !== Number.NEGATIVE_INFINITY
  }

  /** Starts each recording with its first bar that begins at or after an instant. */
  startAt(sinceMillis: number): void {
    for (const recording of this.recordings) recording.startAt(sinceMillis)
    this.endMillis = this.findNextEnd()
  }

  /**
   * Starts each recording so that `count` of its bars end by an instant. Returns the fewest that a recording has, at
   * most `count`. `guessMillis` is where these bars begin in a recording without gaps.
   */
  startBefore(untilMillis: number, count: number, guessMillis: number): number {
    const counts = this.recordings.map((recording) => recording.startBefore(untilMillis, count, guessMillis))
    this.endMillis = this.findNextEnd()
    return Math.min(...counts)
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
        const recording = this.recordings[index] ?? missing('a bar is one of a recording')
        if (recording.nextEndMillis !== toMillis) continue
        const bar = recording.take()
        // Nearly always there is only one bar, and a list grown by push reserves room for seventeen.
        if (bars === null) bars = [bar]
        else bars.push(bar)
      }
      this.endMillis = this.findNextEnd()
    }
    return bars ?? noBars
  }

  private findNextEnd(): number {
    let nextMillis = Number.POSITIVE_INFINITY
    for (let index = 0; index < this.recordings.length; index += 1) {
      const recording = this.recordings[index] ?? missing('a bar is one of a recording')
      nextMillis = Math.min(nextMillis, recording.nextEndMillis)
    }
    return nextMillis
  }
}

/**
 * Returns the span of each recording's bars for a wanted span; null where bars of mids have to do.
 *
 * Choice: beside a recording that fits, one that does not has bars of its own span, because no others were recorded of
 * it, and the bars of the first stay its candles whatever runs beside it. Alone, such a recording gives bars of mids.
 */
function chooseBarSpans(grids: readonly CandleGrid[], barMillis: number): readonly number[] | null {
  if (!grids.some((grid) => fitsInBars(grid, barMillis))) return null
  return grids.map((grid) => (fitsInBars(grid, barMillis) ? barMillis : grid.spanMillis))
}

/**
 * Returns whether candles fit into bars of a span: bars of their own span do whatever their phases are and however the
 * spans of some differ; longer ones need candles of one span that divides theirs.
 */
export function fitsInBars({ spanMillis, phases }: CandleGrid, barMillis: number): boolean {
  return barMillis === spanMillis || (phases !== null && barMillis % spanMillis === 0)
}

const noBars: readonly Bar[] = []

/** The bars of one recording, from a place in its table on. */
class RecordingBars {
  /** The end of the next bar; positive infinity after the last one. */
  nextEndMillis = Number.POSITIVE_INFINITY
  private readonly symbol: string
  private readonly table: CandleTable
  private readonly spanMillis: number
  /** The phases of the candles; null where each candle is a bar. */
  private readonly phases: readonly CandleSection[] | null
  private phase = 0
  /** The first candle that has not been shown. */
  private place = 0

  constructor(
    symbol: string,
    table: CandleTable,
    spanMillis: number,
    phases: readonly CandleSection[] | null,
  ) {
    this.symbol = symbol
    this.table = table
    this.spanMillis = spanMillis
    this.phases = phases
  }

  startAt(sinceMillis: number): void {
    const { phases, table } = this
    if (phases === null) {
      this.moveTo(bisectPlaces(table.count, (place) => element(table.atMillis, place) >= sinceMillis))
      return
    }
    for (const [index, phase] of phases.entries()) {
      const place = this.findFirst(phase, sinceMillis)
      if (place < this.findLimit(index)) {
        this.moveTo(place)
        return
      }
    }
    this.moveTo(table.count)
  }

  startBefore(untilMillis: number, count: number, guessMillis: number): number {
    let begins = this.listBegins(guessMillis, untilMillis)
    if (begins.length < count) begins = this.listBegins(Number.NEGATIVE_INFINITY, untilMillis)
    if (begins.length < count) return begins.length
    this.moveTo(begins[begins.length - count] ?? this.place)
    return count
  }

  /** Takes the next bar, which there must be. */
  take(): Bar {
    const { nextEndMillis: toMillis, phases, place: first, spanMillis, symbol, table } = this
    const last = this.findLast()
    let high = element(table.high, first)
    let low = element(table.low, first)
    let volume = element(table.volume, first)
    for (let place = first + 1; place <= last; place += 1) {
      high = Math.max(high, element(table.high, place))
      low = Math.min(low, element(table.low, place))
      volume += element(table.volume, place)
    }
    this.moveTo(last + 1)
    return {
      asset: symbol,
      fromMillis: phases === null ? element(table.atMillis, first) : toMillis - spanMillis,
      toMillis,
      open: element(table.open, first),
      high,
      low,
      close: element(table.close, last),
      volume: table.hasVolume ? volume : null,
    }
  }

  /** Lists the first candles of the bars that begin at or after one instant and end by another. */
  private listBegins(sinceMillis: number, untilMillis: number): readonly number[] {
    const begins: number[] = []
    for (this.startAt(sinceMillis); this.nextEndMillis <= untilMillis; this.moveTo(this.findLast() + 1))
      begins.push(this.place)
    return begins
  }

  private moveTo(place: number): void {
    const { phases, spanMillis, table } = this
    this.place = place
    if (place >= table.count) {
      this.nextEndMillis = Number.POSITIVE_INFINITY
    } else if (phases === null) {
      this.nextEndMillis = element(table.endMillis, place)
    } else {
      while (this.phase > 0 && place < (phases[this.phase]?.first ?? 0)) this.phase -= 1
      while (place >= this.findLimit(this.phase)) this.phase += 1
      const offsetMillis = phases[this.phase]?.offsetMillis ?? 0
      const bar = Math.floor((element(table.atMillis, place) - offsetMillis) / spanMillis)
      this.nextEndMillis = (bar + 1) * spanMillis + offsetMillis
    }
  }

  /** Returns the last candle of the next bar. */
  private findLast(): number {
    const { nextEndMillis, phases, table } = this
    let last = this.place
    if (phases === null) return last
    const limit = this.findLimit(this.phase)
    while (last + 1 < limit && element(table.atMillis, last + 1) < nextEndMillis) last += 1
    return last
  }

  /** Returns the first candle of a phase, or one after it, whose bar begins at or after an instant. */
  private findFirst({ first, offsetMillis }: CandleSection, sinceMillis: number): number {
    const { spanMillis, table } = this
    const firstMillis = Math.ceil((sinceMillis - offsetMillis) / spanMillis) * spanMillis + offsetMillis
    const place = bisectPlaces(table.count, (candidate) => element(table.atMillis, candidate) >= firstMillis)
    return Math.max(first, place)
  }

  private findLimit(phase: number): number {
    return this.phases?.[phase + 1]?.first ?? this.table.count
  }
}
