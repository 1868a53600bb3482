import { priceNumber } from '../../api/answer.ts'
import { none } from '../../engine/codes.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import type { State } from '../../engine/state.ts'
import { Float64Column } from '../../numeric/columns.ts'
import { millisPerDay, roundSpans } from '../../numeric/time-text.ts'
import type { PublicEvent } from '../events/describe-event.ts'

export interface Fill extends Moment {
  readonly account: string
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly quantity: number
  readonly id: string
}

/** The instant, the line, and prices; null for an empty side of the book. */
export type PriceRow = readonly (number | null)[]

export interface PriceWindow {
  /** Where the time begins that the moment is in: a restore or a reset takes the world back. */
  readonly begins: Moment
  /** Where it was taken back next; null for the time that goes on. */
  readonly ends: Moment | null
  /** How long the spans are of which only the first, last, lowest and highest rows are told; 0 where all are. */
  readonly stepMillis: number
  /** Mark, best bid and best ask after everything that changed one of them, from the one that held at the start. */
  readonly rows: readonly PriceRow[]
  readonly trades: readonly PriceRow[]
  readonly fills: readonly Fill[]
}

export interface PriceHistoryQuery {
  readonly around: Moment
  readonly fromMillis: number
  readonly toMillis: number
  /** Into how many spans the time is cut at most. */
  readonly spans: number
}

/** How many fills of clients are kept; the older half goes when there are twice as many. */
const maximumFills = 50_000

/** How the price of an asset has moved from a world's first moment on, and who has traded in it. */
export class PriceHistory {
  private readonly prices = new Trail(3)
  private readonly trades = new Trail(1)
  private fills: Fill[] = []
  private last: readonly number[] = []

  /** Notes mark, best bid and best ask where one of them is another than before. */
  look(state: State, asset: number, moment: Moment): void {
    const { bidTicks, askTicks } = topOfBook(state, asset)
    const ticks = [state.markTicks.get(asset), bidTicks, askTicks]
    const isBack = moment.atMillis < this.prices.lastMillis
    if (!isBack && ticks.every((value, column) => value === this.last[column])) return
    this.last = ticks
    const { pair } = state.assets.traded(asset)
    const priceOf = (value: number): number => (value === none ? Number.NaN : priceNumber(pair, value))
    this.prices.add(moment, ticks.map(priceOf))
  }

  addTrade(event: PublicEvent, moment: Moment): void {
    const { account, makerAccount, side, orderId, quoteId, makerOrderId, makerQuoteId } = event
    const terms = { ...moment, price: Number(event['price']), quantity: Number(event['quantity']) }
    this.trades.add(moment, [terms.price])
    const isBuy = side === 'buy'
    if (typeof account === 'string')
      this.fills.push({ ...terms, account, side: isBuy ? 'buy' : 'sell', id: String(orderId ?? quoteId) })
    if (typeof makerAccount === 'string') {
      const id = String(makerOrderId ?? makerQuoteId)
      this.fills.push({ ...terms, account: makerAccount, side: isBuy ? 'sell' : 'buy', id })
    }
    if (this.fills.length >= 2 * maximumFills) this.fills = this.fills.slice(maximumFills)
  }

  window({ around, fromMillis, toMillis, spans }: PriceHistoryQuery): PriceWindow {
    const run = this.prices.runAround(around)
    const begins = this.prices.moment(run.from)
    const ends = this.prices.momentOrNull(run.to)
    const rows = this.prices.between(run, fromMillis, toMillis, true)
    const stepMillis = this.prices.stepFor(rows, spans)
    const own = { from: this.trades.countBefore(begins), to: this.trades.countBefore(ends) }
    const isShown = (fill: Fill): boolean =>
      !isAfter(begins, fill) &&
      (ends === null || isAfter(ends, fill)) &&
      fill.atMillis >= fromMillis &&
      fill.atMillis <= toMillis
    return {
      begins,
      ends,
      stepMillis,
      rows: this.prices.shown(rows, stepMillis),
      trades: this.trades.shown(this.trades.between(own, fromMillis, toMillis, false), stepMillis),
      fills: this.fills.filter(isShown),
    }
  }
}

interface Rows {
  readonly from: number
  readonly to: number
}

/** When there are so many, the older half is thinned out to its extremes. */
const maximumRows = 200_000
const thinnedTogether = 32
/** So many rows a span are told as they are. */
const rowsOfSpan = 4

/** Rows of numbers at moments; NaN where there is none. */
class Trail {
  private readonly numbers = new Float64Column()
  private readonly width: number
  private count = 0

  constructor(width: number) {
    this.width = width + 2
  }

  get lastMillis(): number {
    return this.count === 0 ? Number.NEGATIVE_INFINITY : this.millis(this.count - 1)
  }

  add({ atMillis, sequence }: Moment, values: readonly number[]): void {
    if (this.count >= maximumRows) this.thin()
    this.write(this.count, [atMillis, sequence, ...values])
    this.count += 1
  }

  moment(row: number): Moment {
    return { sequence: this.numbers.get(row * this.width + 1), atMillis: this.millis(row) }
  }

  momentOrNull(row: number): Moment | null {
    return row < this.count ? this.moment(row) : null
  }

  countBefore(moment: Moment | null): number {
    if (moment === null) return this.count
    return search(0, this.count, (row) => isAfter(moment, this.moment(row)))
  }

  /** The rows of the time that a moment is in: from where time went back before it to where it did after it. */
  runAround(moment: Moment): Rows {
    let to = search(0, this.count, (row) => !isAfter(this.moment(row), moment))
    let from = Math.max(0, to - 1)
    while (from > 0 && this.millis(from - 1) <= this.millis(from)) from -= 1
    while (to < this.count && (to === 0 || this.millis(to - 1) <= this.millis(to))) to += 1
    return { from, to }
  }

  /** Those of a run within a span; `withHeld`: and the one before it, which holds at its start. */
  between({ from, to }: Rows, fromMillis: number, toMillis: number, withHeld: boolean): Rows {
    const first = search(from, to, (row) => this.millis(row) < fromMillis)
    const held = withHeld && first > from && (first === to || this.millis(first) > fromMillis) ? 1 : 0
    return { from: first - held, to: search(first, to, (row) => this.millis(row) <= toMillis) }
  }

  stepFor({ from, to }: Rows, spans: number): number {
    if (to - from <= spans * rowsOfSpan) return 0
    const atLeast = (this.millis(to - 1) - this.millis(from)) / spans
    return roundSpans.find((step) => step >= atLeast) ?? Math.ceil(atLeast / millisPerDay) * millisPerDay
  }

  shown({ from, to }: Rows, stepMillis: number): readonly PriceRow[] {
    const rows = Array.from({ length: to - from }, (_, place) => from + place)
    const kept =
      stepMillis === 0 ? rows : this.extremes(rows, (row) => Math.floor(this.millis(row) / stepMillis))
    return kept.map((row) => this.read(row).map((value) => (Number.isNaN(value) ? null : value)))
  }

  /** The first and last row of each span, and those with its lowest and highest values. */
  private extremes(rows: readonly number[], spanOf: (row: number) => number): readonly number[] {
    const kept: number[] = []
    for (let start = 0; start < rows.length; ) {
      let end = start
      const span = spanOf(rows[start] ?? 0)
      while (end < rows.length && spanOf(rows[end] ?? 0) === span) end += 1
      const among = rows.slice(start, end)
      const chosen = new Set<number | undefined>([among[0], among.at(-1)])
      for (let column = 2; column < this.width; column += 1) {
        const value = (row: number): number => this.numbers.get(row * this.width + column)
        const known = among.filter((row) => !Number.isNaN(value(row)))
        let [low, high] = [known[0], known[0]]
        for (const row of known) {
          if (low !== undefined && value(row) < value(low)) low = row
          if (high !== undefined && value(row) > value(high)) high = row
        }
        chosen.add(low).add(high)
        // A side that empties within the span must not look as if it had stood.
        if (known.length < among.length) chosen.add(among.find((row) => Number.isNaN(value(row))))
      }
      kept.push(...among.filter((row) => chosen.has(row)))
      start = end
    }
    return kept
  }

  /** A run's first row stays: time goes back there. */
  private thin(): void {
    const older = Array.from({ length: this.count >> 1 }, (_, row) => row)
    let run = 0
    const spanOf = (row: number): number => {
      if (row > 0 && this.millis(row - 1) > this.millis(row)) run += 1
      return run * this.count + Math.floor(row / thinnedTogether)
    }
    const spans = older.map(spanOf)
    const kept = this.extremes(older, (row) => spans[row] ?? 0)
    const moved = [
      ...kept,
      ...Array.from({ length: this.count - older.length }, (_, row) => older.length + row),
    ]
    for (const [place, row] of moved.entries()) this.write(place, this.read(row))
    this.count = moved.length
  }

  private millis(row: number): number {
    return this.numbers.get(row * this.width)
  }

  private read(row: number): readonly number[] {
    return Array.from({ length: this.width }, (_, column) => this.numbers.get(row * this.width + column))
  }

  private write(row: number, values: readonly number[]): void {
    this.numbers.reserve((row + 1) * this.width)
    for (const [column, value] of values.entries()) this.numbers.set(row * this.width + column, value)
  }
}

/**
 * A point in a world's past: after a line of its journal, at an instant no later than that of the next line. Lines
 * are what came from outside; whatever happened between them was caused by time only.
 */
export interface Moment {
  readonly sequence: number
  readonly atMillis: number
}

export function isAfter(left: Moment, right: Moment): boolean {
  return (
    left.sequence > right.sequence || (left.sequence === right.sequence && left.atMillis > right.atMillis)
  )
}

/** How many items of a sorted list are not after a moment. */
export function countUntil(list: readonly Moment[], moment: Moment): number {
  return search(0, list.length, (place) => {
    const candidate = list[place]
    return candidate !== undefined && !isAfter(candidate, moment)
  })
}

/** The first place from `from` on at which the condition, which holds for the earlier ones, does not hold. */
function search(from: number, to: number, holds: (place: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
