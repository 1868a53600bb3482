import { priceNumber, usdNumber } from '../../api/answer.ts'
import { equityAtoms } from '../../engine/assessment.ts'
import { firstClientAccount, none } from '../../engine/codes.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import type { State } from '../../engine/state.ts'
import { Float64Column } from '../../numeric/columns.ts'
import { millisPerDay, roundSpans } from '../../numeric/time-text.ts'
import type { PublicEvent } from '../events/describe-event.ts'

/** A client's fill, in the decimal numbers of the interface. */
export interface Fill extends Moment {
  readonly account: string
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly quantity: number
  readonly id: string
}

/** One row of a price history: instant in milliseconds, journal line, and prices; null is an empty side of the book. */
export type PriceRow = readonly (number | null)[]

/** The prices and fills of an asset within a window of time. */
export interface PriceWindow {
  /** The start of the stretch of time around the moment: the world's start, or its last restore or reset. */
  readonly begins: Moment
  /** The restore or reset that ended this stretch; null if it still goes on. */
  readonly ends: Moment | null
  /** The length of the spans of which only the first, last, lowest and highest rows are given; 0 if all rows are. */
  readonly stepMillis: number
  /** Mark, best bid and best ask after each change of one of them, beginning with the row that held at the start. */
  readonly rows: readonly PriceRow[]
  /**
   * Price of each trade, and the quantity traded since the row before: their sum is the volume, also where rows are
   * left out.
   */
  readonly trades: readonly PriceRow[]
  readonly fills: readonly Fill[]
}

export interface PriceHistoryQuery {
  readonly around: Moment
  readonly fromMillis: number
  readonly toMillis: number
  /** The largest number of spans into which the window is cut. */
  readonly spans: number
}

/** How many fills are kept at least; when there are twice as many, the older half is dropped. */
const maximumFills = 50_000

/** The prices of one asset and the fills of clients in it, from the first moment of a world's history on. */
export class PriceHistory {
  private readonly prices = new MomentTable(3)
  /** Price, and the quantity traded so far in smallest units. */
  private readonly trades = new MomentTable(2)
  private tradedUnits = 0
  private fills: Fill[] = []
  private last: readonly number[] = []

  /** Adds mark, best bid and best ask if one of them has changed, or if time has gone back. */
  recordPrices(state: State, asset: number, moment: Moment): void {
    const { bidTicks, askTicks } = topOfBook(state, asset)
    const ticks = [state.markTicks.get(asset), bidTicks, askTicks]
    const isBack = moment.atMillis < this.prices.lastMillis
    if (!isBack && ticks.every((value, column) => value === this.last[column])) return
    this.last = ticks
    const { pair } = state.assets.tradedAsset(asset)
    const priceOf = (value: number): number => (value === none ? Number.NaN : priceNumber(pair, value))
    this.prices.add(moment, ticks.map(priceOf))
  }

  /** Adds a trade's price and its clients' fills. */
  addTrade(event: PublicEvent, moment: Moment): void {
    const { account, makerAccount, side, orderId, quoteId, makerOrderId, makerQuoteId } = event
    const terms = { ...moment, price: Number(event['price']), quantity: Number(event['quantity']) }
    this.tradedUnits += Math.round(terms.quantity * unitsPerQuantity)
    this.trades.add(moment, [terms.price, this.tradedUnits])
    const isBuy = side === 'buy'
    if (typeof account === 'string')
      this.fills.push({ ...terms, account, side: isBuy ? 'buy' : 'sell', id: String(orderId ?? quoteId) })
    if (typeof makerAccount === 'string') {
      const id = String(makerOrderId ?? makerQuoteId)
      this.fills.push({ ...terms, account: makerAccount, side: isBuy ? 'sell' : 'buy', id })
    }
    if (this.fills.length >= 2 * maximumFills) this.fills = this.fills.slice(maximumFills)
  }

  /** Returns the rows, trades and fills between two instants, thinned out to about the number of spans asked for. */
  window({ around, fromMillis, toMillis, spans }: PriceHistoryQuery): PriceWindow {
    const run = this.prices.rangeAround(around)
    const begins = this.prices.moment(run.from)
    const ends = this.prices.momentOrNull(run.to)
    const rows = this.prices.between(run, fromMillis, toMillis, true)
    const stepMillis = this.prices.chooseStepMillis(rows, spans)
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
      rows: this.prices.toRows(rows, stepMillis),
      trades: this.toTradeRows(this.trades.between(own, fromMillis, toMillis, false), stepMillis),
      fills: this.fills.filter(isShown),
    }
  }

  /** Returns rows of trades, each with the quantity since the row before in place of the quantity so far. */
  private toTradeRows(range: RowRange, stepMillis: number): readonly PriceRow[] {
    let before = range.from === 0 ? 0 : this.trades.value(range.from - 1, 1)
    return this.trades.toRows(range, stepMillis).map(([at = null, line = null, price = null, total]) => {
      const units = (total ?? before) - before
      before += units
      return [at, line, price, units / unitsPerQuantity]
    })
  }
}

/** Quantities have at most eight decimals, and whole numbers add up exactly. */
const unitsPerQuantity = 1e8

/** What an account was worth over time, in the stretch of time around a moment. */
export type EquityWindow = Pick<PriceWindow, 'begins' | 'ends' | 'stepMillis' | 'rows'>

/** What each client account is worth, in USD at the marks, from the first moment of a world's history on. */
export class EquityHistory {
  private readonly tables: MomentTable[] = []
  private readonly last: number[] = []

  /** Adds the equity of each account that has changed, or that of all if time has gone back. */
  record(state: State, moment: Moment): void {
    for (let account = firstClientAccount; account < state.accounts.ids.length; account += 1) {
      const place = account - firstClientAccount
      const table = this.tables[place] ?? new MomentTable(1)
      this.tables[place] = table
      const atoms = equityAtoms(state, account)
      if (this.last[place] === atoms && moment.atMillis >= table.lastMillis) continue
      this.last[place] = atoms
      table.add(moment, [usdNumber(atoms)])
    }
  }

  /** Returns the rows of an account between two instants, thinned out as prices are. An account that is new has none. */
  window(account: number, { around, fromMillis, toMillis, spans }: PriceHistoryQuery): EquityWindow {
    const table = this.tables[account - firstClientAccount]
    if (table === undefined) return { begins: around, ends: null, stepMillis: 0, rows: [] }
    const run = table.rangeAround(around)
    const range = table.between(run, fromMillis, toMillis, true)
    const stepMillis = table.chooseStepMillis(range, spans)
    const [begins, ends] = [table.momentOrNull(run.from) ?? around, table.momentOrNull(run.to)]
    return { begins, ends, stepMillis, rows: table.toRows(range, stepMillis) }
  }
}

interface RowRange {
  readonly from: number
  readonly to: number
}

/** When there are this many rows, the older half is thinned out to its extremes. */
const maximumRows = 200_000
/** How many rows are thinned out to the extremes of one group. */
const rowsThinnedTogether = 32
/** With no more rows than this per span, all of them are returned. */
const rowsPerSpan = 4

/**
 * Rows of numbers, each at a moment; NaN stands for an absent value. Columns 0 and 1 are the instant and the sequence.
 */
class MomentTable {
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
    if (this.count >= maximumRows) this.thinOlderHalf()
    this.write(this.count, [atMillis, sequence, ...values])
    this.count += 1
  }

  moment(row: number): Moment {
    return { sequence: this.numbers.get(row * this.width + 1), atMillis: this.millis(row) }
  }

  /** Returns the value of a row in a column, from 0 on. */
  value(row: number, column: number): number {
    return this.numbers.get(row * this.width + 2 + column)
  }

  momentOrNull(row: number): Moment | null {
    return row < this.count ? this.moment(row) : null
  }

  countBefore(moment: Moment | null): number {
    if (moment === null) return this.count
    return search(0, this.count, (row) => isAfter(moment, this.moment(row)))
  }

  /** Returns the rows around a moment between which time never goes back. */
  rangeAround(moment: Moment): RowRange {
    let to = search(0, this.count, (row) => !isAfter(this.moment(row), moment))
    let from = Math.max(0, to - 1)
    while (from > 0 && this.millis(from - 1) <= this.millis(from)) from -= 1
    while (to < this.count && (to === 0 || this.millis(to - 1) <= this.millis(to))) to += 1
    return { from, to }
  }

  /** Narrows a range to a span of time. `withHeld` adds the row before the span, whose values hold at its start. */
  between({ from, to }: RowRange, fromMillis: number, toMillis: number, withHeld: boolean): RowRange {
    const first = search(from, to, (row) => this.millis(row) < fromMillis)
    const held = withHeld && first > from && (first === to || this.millis(first) > fromMillis) ? 1 : 0
    return { from: first - held, to: search(first, to, (row) => this.millis(row) <= toMillis) }
  }

  chooseStepMillis({ from, to }: RowRange, spans: number): number {
    if (to - from <= spans * rowsPerSpan) return 0
    const atLeast = (this.millis(to - 1) - this.millis(from)) / spans
    return roundSpans.find((step) => step >= atLeast) ?? Math.ceil(atLeast / millisPerDay) * millisPerDay
  }

  toRows({ from, to }: RowRange, stepMillis: number): readonly PriceRow[] {
    const rows = Array.from({ length: to - from }, (_, place) => from + place)
    const kept =
      stepMillis === 0 ? rows : this.selectExtremes(rows, (row) => Math.floor(this.millis(row) / stepMillis))
    return kept.map((row) => this.read(row).map((value) => (Number.isNaN(value) ? null : value)))
  }

  /** Selects the first and last row of each span, and the rows with its lowest and highest values. */
  private selectExtremes(rows: readonly number[], spanOf: (row: number) => number): readonly number[] {
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
        // A side of the book that was empty within the span must not look as if it never had been.
        if (known.length < among.length) chosen.add(among.find((row) => Number.isNaN(value(row))))
      }
      kept.push(...among.filter((row) => chosen.has(row)))
      start = end
    }
    return kept
  }

  /** Thins out the older half to its extremes. The rows at which time goes back stay. */
  private thinOlderHalf(): void {
    const older = Array.from({ length: this.count >> 1 }, (_, row) => row)
    let run = 0
    const numberSpan = (row: number): number => {
      if (row > 0 && this.millis(row - 1) > this.millis(row)) run += 1
      return run * this.count + Math.floor(row / rowsThinnedTogether)
    }
    const spans = older.map(numberSpan)
    const kept = this.selectExtremes(older, (row) => spans[row] ?? 0)
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
 * A point in a world's past: after a line of its journal, at an instant no later than that of the next line. Only lines
 * come from outside; whatever happens between two of them is caused by time alone.
 */
export interface Moment {
  readonly sequence: number
  readonly atMillis: number
}

/** Returns whether one moment comes after another. */
export function isAfter(left: Moment, right: Moment): boolean {
  return (
    left.sequence > right.sequence || (left.sequence === right.sequence && left.atMillis > right.atMillis)
  )
}

/** Returns how many items of a sorted list are not after a moment. */
export function countUntil(list: readonly Moment[], moment: Moment): number {
  return search(0, list.length, (place) => {
    const candidate = list[place]
    return candidate !== undefined && !isAfter(candidate, moment)
  })
}

/** Finds the first place from `from` on where a condition fails that holds for all places before it. */
function search(from: number, to: number, holds: (place: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
