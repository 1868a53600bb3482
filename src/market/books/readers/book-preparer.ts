import { byteElement, element } from '../../../numeric/columns.ts'
import { type BookChunk, BookMaker, type BookSummary } from '../book-maker.ts'
import { bookChunkRows, bookRowKinds, bookRowSides } from '../recorded-book.ts'
import { type ClockComparison, compareLevels, fitClocks, TradeSample } from './book-clocks.ts'
import type { BookNotes } from './book-notes.ts'
import { type BookUnits, countSteps, stepNumber } from './book-units.ts'
import { fileOfPlace, lineOfPlace, type RowQueue, type RowTarget } from './row-queue.ts'

const { trade, clear, snapshot } = bookRowKinds
const { bid, ask } = bookRowSides
const microsPerMilli = 1_000
const maximumTicks = 2_147_483_647

/**
 * Thrown for a price that is no multiple of the step that was found in the beginning: the book is then read again with
 * a finer step.
 */
export class PriceOffStep extends Error {
  override readonly name = 'PriceOffStep'
  readonly price: number
  readonly filePlace: number

  constructor(price: number, filePlace: number) {
    super(`${price} is no multiple of the price step`)
    this.price = price
    this.filePlace = filePlace
  }
}

/** Figures of a book that was read. */
export interface BookCounts {
  readonly rows: number
  readonly changes: number
  readonly snapshotRows: number
  readonly clears: number
  readonly trades: number
  readonly tradesWithoutSide: number
  /** Trades at the best price of the side that they take, or beyond it, as the book was right before them. */
  readonly tradesAtBest: number
  /** Instants at whose end the book was crossed. */
  readonly crossedInstants: number
}

/**
 * Turns rows in order into a recorded book: prices to ticks, quantities to steps, times to milliseconds, rounded up. It
 * also holds the rows against each other: crossed books, prices off their step, trades without a book.
 */
export class BookPreparer implements RowTarget {
  readonly sample = new TradeSample()
  private readonly units: BookUnits
  private readonly notes: BookNotes
  private readonly isUnitGiven: boolean
  private readonly maker: BookMaker
  private places = new Float64Array(bookChunkRows)
  private readonly counts = {
    ...{ rows: 0, changes: 0, snapshotRows: 0, clears: 0, trades: 0, tradesWithoutSide: 0 },
    ...{ tradesAtBest: 0, crossedInstants: 0 },
  }
  private atMillis = 0
  private hasBook = false
  /** Where the first trade of the book stands; -1 before it. */
  private firstTradePlace = -1
  /** Levels that a level of the other side has reached within this instant: key by side, and place of what reached it. */
  private readonly reached = new Map<number, number>()

  /** `takeChunk` gets each chunk with the places of its rows. `isUnitGiven` says that the units are a pair's. */
  constructor(
    units: BookUnits,
    isUnitGiven: boolean,
    notes: BookNotes,
    takeChunk: (chunk: BookChunk, places: Float64Array) => void,
  ) {
    this.units = units
    this.isUnitGiven = isUnitGiven
    this.notes = notes
    this.maker = new BookMaker((chunk) => {
      takeChunk(chunk, this.places)
      this.places = new Float64Array(bookChunkRows)
    })
  }

  add(rows: RowQueue, place: number): void {
    const kind = byteElement(rows.kinds, place)
    const side = byteElement(rows.sides, place)
    const price = element(rows.prices, place)
    const filePlace = element(rows.places, place)
    const atMillis = Math.ceil(element(rows.atMicros, place) / microsPerMilli)
    if (atMillis > this.atMillis) {
      if (this.reached.size > 0) this.noteCrossed()
      this.atMillis = atMillis
    }
    const ticks = kind === clear && price === 0 ? 0 : this.countTicks(price, filePlace)
    if (ticks < 0) return
    if (kind === trade && !this.hasBook) {
      this.notes.leaveOut('trades before the book begins', lineOfPlace(filePlace))
      return
    }
    const steps = countSteps(element(rows.quantities, place), this.units.quantity)
    this.places[this.counts.rows % bookChunkRows] = filePlace
    this.counts.rows += 1
    if (kind === trade) this.addTrade(side, ticks, filePlace)
    else {
      this.hasBook = true
      if (kind === clear) this.counts.clears += 1
      else if (kind === snapshot) this.counts.snapshotRows += 1
      else this.counts.changes += 1
      if (kind !== clear) this.watchCrossing(side, ticks, steps, filePlace)
    }
    this.maker.add(atMillis, kind, side, ticks, steps)
  }

  /** Ends the book, which must have a row, and says how its trades go with it. */
  finish(): BookSummary & { readonly counts: BookCounts; readonly clocks: ClockComparison | null } {
    if (this.reached.size > 0) this.noteCrossed()
    const summary = this.maker.finish()
    const clocks = fitClocks(summary.index, this.sample)
    this.judgeTrades(clocks, compareLevels(summary.index, this.sample))
    return { ...summary, counts: this.counts, clocks }
  }

  get rowCount(): number {
    return this.counts.rows
  }

  private addTrade(side: number, ticks: number, filePlace: number): void {
    if (this.firstTradePlace < 0) this.firstTradePlace = filePlace
    this.counts.trades += 1
    const { askTicks, bidTicks } = this.maker.book
    if (side !== bid && side !== ask) this.counts.tradesWithoutSide += 1
    else if (side === bid ? askTicks > 0 && ticks >= askTicks : ticks <= bidTicks)
      this.counts.tradesAtBest += 1
    this.sample.add(this.atMillis, side, ticks)
  }

  /** Returns a price in ticks; -1 after a fault. */
  private countTicks(price: number, filePlace: number): number {
    const ticks = countSteps(price, this.units.price)
    if (ticks === Math.round(ticks) && ticks >= 1 && ticks <= maximumTicks) return ticks
    if (!this.isUnitGiven && ticks !== Math.round(ticks)) throw new PriceOffStep(price, filePlace)
    const { notes, units } = this
    notes.beginFile(notes.files[fileOfPlace(filePlace)] ?? '')
    notes.addFault({
      ...{ kind: 'unit', line: lineOfPlace(filePlace), field: 'price', isFatal: true },
      message: `${price} is no multiple of the price step ${stepNumber(units.price)}, from 1 to ${maximumTicks} of them`,
      remedy: 'give the pair a priceStep of which all prices are multiples, or leave it away',
    })
    return -1
  }

  /**
   * Watches for levels that the other side reaches. Within an instant a message may still remove them; those that stay to
   * its end are a crossed book.
   */
  private watchCrossing(side: number, ticks: number, steps: number, filePlace: number): void {
    const { book } = this.maker
    const own = side === bid ? ticks : -ticks
    if (this.reached.size > 0) this.reached.delete(own)
    if (steps < 0.5) return
    if (side === bid) {
      for (let level = book.askTicks; level !== 0 && level <= ticks; level = book.nextTicks(ask, level))
        this.reached.set(-level, filePlace)
    } else
      for (let level = book.bidTicks; level !== 0 && level >= ticks; level = book.nextTicks(bid, level))
        this.reached.set(level, filePlace)
  }

  private noteCrossed(): void {
    const [place = 0] = this.reached.values()
    this.reached.clear()
    this.counts.crossedInstants += 1
    this.notes.beginFile(this.notes.files[fileOfPlace(place)] ?? '')
    this.notes.addFault({
      ...{ kind: 'crossed', line: lineOfPlace(place), field: 'price', isFatal: false },
      message: 'reaches the best price of the other side, which nothing removes in this instant',
      remedy:
        'the levels that it reaches count as gone; often, it means that rows are missing or out of order',
    })
  }

  /** Says where the trades of a recording do not go with its book. */
  private judgeTrades(clocks: ClockComparison | null, ratio: number | null): void {
    const { counts, notes } = this
    if (counts.trades === 0) {
      const outside = notes.listLeftOut().find(({ reason }) => reason.startsWith('trades '))
      if (outside !== undefined) {
        notes.beginFile(outside.file)
        addApartFault(notes, outside.firstLine)
      } else
        notes.addFault({
          ...{ kind: 'trades', line: 0, field: '', isFatal: false },
          message: 'there are no trades: resting orders fill only where the book crosses them',
          remedy: 'name the trades of the same time beside the book',
        })
      return
    }
    notes.beginFile(notes.files[fileOfPlace(this.firstTradePlace)] ?? '')
    const line = lineOfPlace(this.firstTradePlace)
    if (ratio !== null && (ratio > 2 || ratio < 0.5)) {
      notes.addFault({
        ...{ kind: 'unit', line, field: 'price', isFatal: true },
        message: `trades are at ${Number(ratio.toPrecision(3))} times the prices of the book`,
        remedy: 'name files of one symbol, whose prices have one unit',
      })
      return
    }
    if (clocks !== null) judgeClocks(clocks, notes, line)
  }
}

/** Says whether trades, the first of which stands on a line of the file in question, are on the clock of the book. */
function judgeClocks(
  { bestShare, bestShiftMillis, otherSideShare, share, trades }: ClockComparison,
  notes: BookNotes,
  line: number,
): void {
  const percent = (value: number): string => `${(100 * value).toFixed(0)} %`
  if (trades === 0) {
    addApartFault(notes, line)
    return
  }
  if (otherSideShare >= Math.max(share + 0.15, bestShare) && trades >= 20) {
    notes.addFault({
      ...{ kind: 'sides', line, field: 'side', isFatal: false },
      message: `the sides of trades are those of makers: ${percent(share)} of ${trades} trades are at the best price that they would take, and ${percent(otherSideShare)} with their sides exchanged`,
      remedy: 'exchange buy and sell in the file of the trades: their side is that of the taker',
    })
    return
  }
  if (Math.abs(bestShiftMillis) <= 200 || bestShare < share + 0.15 || trades < 20) return
  const later = bestShiftMillis > 0 ? 'later' : 'earlier'
  notes.addFault({
    ...{ kind: 'clocks', line, field: 'time', isFatal: false },
    message: `trades and book are on two clocks: ${percent(share)} of ${trades} trades are at the best price, and ${percent(bestShare)} if they were ${Math.abs(bestShiftMillis)} ms ${later}`,
    remedy: `move the trades with shiftTrades: ${bestShiftMillis}, or use the times of the exchange for both`,
  })
}

function addApartFault(notes: BookNotes, line: number): void {
  notes.addFault({
    ...{ kind: 'clocks', line, field: 'time', isFatal: true },
    message: 'no trade is within the time of the book',
    remedy: 'name the trades of the same time, or move them with shiftTrades, in milliseconds',
  })
}
