import { assert } from '../../numeric/assert.ts'
import {
  Float64Column,
  Int32Column,
  RecordStore,
  SmallFloat64Field,
  SmallInt32Field,
  smallRecordBytes,
} from '../../numeric/columns.ts'
import { type PriceTicks, priceTicks } from '../../numeric/units.ts'
import { type AnyOrderRow, buy, type NoRow, none, type OrderRow, orderRow, type Side } from '../codes.ts'

/**
 * The queue links of the order table's rows, for all books of a venue. The links are derived: every live row rests,
 * in the order of its priority in the order table.
 */
export class RestingTable extends RecordStore {
  readonly steps = new SmallFloat64Field(this, 0)
  /** The level that a row rests at, or `noLevel`. */
  readonly level = new SmallInt32Field(this, 8)
  /** The row's neighbours in the queue of its level; -1 at the ends. */
  readonly older = new SmallInt32Field(this, 12)
  readonly younger = new SmallInt32Field(this, 16)

  constructor() {
    super(smallRecordBytes)
  }

  isResting(row: number): boolean {
    return this.level.get(row) !== noLevel
  }
}

/**
 * The price levels of one book, numbered from 1. The youngest row of a free level is the number of the next free
 * level.
 */
class LevelTable {
  /** The price of a bid and the negated price of an ask: the greater, the better. */
  readonly key = new Float64Column()
  readonly steps = new Float64Column()
  readonly oldest = new Int32Column()
  readonly youngest = new Int32Column()
  private count = 1
  private firstFree = noLevel

  /** Returns the number that the next new level will get. */
  nextLevel(): number {
    return this.firstFree === noLevel ? this.count : this.firstFree
  }

  /** Makes the level of number `next` one of this key, without rows. */
  allocate(key: number): void {
    const level = this.nextLevel()
    if (level === this.count) {
      this.count += 1
      for (const column of [this.key, this.steps, this.oldest, this.youngest]) column.reserve(this.count)
    } else this.firstFree = this.youngest.get(level)
    this.key.set(level, key)
    this.steps.set(level, 0)
    this.oldest.set(level, none)
    this.youngest.set(level, none)
  }

  free(level: number): void {
    this.youngest.set(level, this.firstFree)
    this.firstFree = level
  }
}

/**
 * The clients' book of one asset: resting orders and legs of quotes, by price, then time.
 *
 * Ordering invariant: a level is a doubly linked list of rows, oldest first; levels are sorted by price. `rest`,
 * `reduce` and `remove` cost O(1) within a level, so 20,000 orders at one price are cancelled as fast as at 20,000
 * prices. The book decides nothing: it knows no accounts, limits or money.
 */
export class ClientBook {
  private readonly resting: RestingTable
  private readonly levels = new LevelTable()
  private readonly bids = new PriceLevels()
  private readonly asks = new PriceLevels()

  constructor(resting: RestingTable) {
    this.resting = resting
  }

  /** Returns the oldest row at the best price of a side, or -1. */
  bestRow(side: Side): OrderRow | NoRow {
    const level = this.sideOf(side).best
    return level === noLevel ? none : orderRow(this.levels.oldest.get(level))
  }

  bestTicks(side: Side): PriceTicks | NoRow {
    const { best, bestKey } = this.sideOf(side)
    return best === noLevel ? none : priceTicks(Math.abs(bestKey))
  }

  /** Returns the oldest row at a price, or -1. */
  oldestAt(side: Side, ticks: number): OrderRow | NoRow {
    const level = this.sideOf(side).find(side === buy ? ticks : -ticks)
    return level === noLevel ? none : orderRow(this.levels.oldest.get(level))
  }

  /** Returns the row next in the queue at the same price, or -1. */
  rowAfter(row: AnyOrderRow): OrderRow | NoRow {
    return orderRow(this.resting.younger.get(row))
  }

  stepsOf(row: number): number {
    return this.resting.steps.get(row)
  }

  /** Adds a row that does not rest yet at its limit price, behind all that rest there. */
  rest(row: AnyOrderRow, side: Side, ticks: number, steps: number): void {
    const { resting, levels } = this
    const key = side === buy ? ticks : -ticks
    const fresh = levels.nextLevel()
    const level = this.sideOf(side).findOrAdd(key, fresh)
    if (level === fresh) levels.allocate(key)
    const last = levels.youngest.get(level)
    resting.steps.set(row, steps)
    resting.level.set(row, level)
    resting.older.set(row, last)
    resting.younger.set(row, none)
    if (last === none) levels.oldest.set(level, row)
    else resting.younger.set(last, row)
    levels.youngest.set(level, row)
    levels.steps.set(level, levels.steps.get(level) + steps)
  }

  remove(row: AnyOrderRow): void {
    const { resting, levels } = this
    const level = resting.level.get(row)
    const older = resting.older.get(row)
    const younger = resting.younger.get(row)
    resting.level.set(row, noLevel)
    if (older === none) levels.oldest.set(level, younger)
    else resting.younger.set(older, younger)
    if (younger === none) levels.youngest.set(level, older)
    else resting.older.set(younger, older)
    if (older === none && younger === none) this.dropLevel(level)
    else levels.steps.set(level, levels.steps.get(level) - resting.steps.get(row))
  }

  /** Reduces what a resting row shows by `steps`, for a fill or a smaller amendment; the row keeps its place. */
  reduce(row: AnyOrderRow, steps: number): void {
    const { resting, levels } = this
    const level = resting.level.get(row)
    resting.steps.set(row, resting.steps.get(row) - steps)
    levels.steps.set(level, levels.steps.get(level) - steps)
  }

  /** Calls back with each level's price, quantity and oldest row, best first, until it answers false. */
  visitLevels(
    side: Side,
    visitor: (priceTicks: number, quantitySteps: number, head: OrderRow | NoRow) => boolean,
  ): void {
    const { key, steps, oldest } = this.levels
    this.sideOf(side).visit((level) =>
      visitor(Math.abs(key.get(level)), steps.get(level), orderRow(oldest.get(level))),
    )
  }

  private sideOf(side: Side): PriceLevels {
    return side === buy ? this.bids : this.asks
  }

  private dropLevel(level: number): void {
    const key = this.levels.key.get(level)
    if (key > 0) this.bids.remove(key)
    else this.asks.remove(key)
    this.levels.free(level)
  }
}

/** Follows which rows rest in a book. */
export interface BookListener {
  addResting(row: AnyOrderRow, side: Side, ticks: number): void
  removeResting(row: AnyOrderRow): void
}

/** A clients' book whose listener hears of every row that begins or ceases to rest; books without one ask for none. */
export class FollowedBook extends ClientBook {
  private readonly listener: BookListener

  constructor(resting: RestingTable, listener: BookListener) {
    super(resting)
    this.listener = listener
  }

  override rest(row: AnyOrderRow, side: Side, ticks: number, steps: number): void {
    super.rest(row, side, ticks, steps)
    this.listener.addResting(row, side, ticks)
  }

  override remove(row: AnyOrderRow): void {
    super.remove(row)
    this.listener.removeResting(row)
  }
}

/** The level of a price that has none: levels are numbered from 1. */
export const noLevel = 0
/**
 * How many keys a page has: 32 words of 32 bits, so that one more word (the summary) shows which of them are not 0.
 */
const pageKeys = 1_024
const wordBits = 32
const emptyPagesKept = 8

/** The levels of 1,024 neighbouring keys, and a bit for each key that has one. */
interface Page {
  /** The number of the page; its first key is 1,024 times that. */
  number: number
  readonly levels: Int32Column
  readonly words: Int32Column
  summary: number
}

/**
 * The price levels of one side of a book: an array in pages, with bitmaps to find the next best level.
 *
 * Ordering invariant: the best level has the greatest key, so the caller passes `price` for bids and `-price` for
 * asks. `pages` are sorted by ascending number, and the last one that is not empty holds the best level. A page that
 * becomes empty stays until there are eight of them and a new page is needed, so a price that comes and goes does not
 * make pages over and over. Cost: finding, adding and removing are a few array accesses, however many levels there
 * are; only a key on another page than the one before costs a binary search of the pages.
 */
export class PriceLevels {
  /** The best level, and its key. Without prices the level is `noLevel`, and the key means nothing. */
  best = noLevel
  bestKey = 0
  private readonly pages: Page[] = []
  private readonly spare: Page[] = []
  private filledPages = 0
  private last: Page | null = null

  /** Returns the level of a key; a key without one gets the level `fresh`. */
  findOrAdd(key: number, fresh: number): number {
    const number = Math.floor(key / pageKeys)
    const page = this.findPage(number) ?? this.addPage(number)
    const place = key - number * pageKeys
    const level = page.levels.get(place)
    if (level !== noLevel) return level
    if (page.summary === 0) this.filledPages += 1
    const word = place >>> 5
    page.levels.set(place, fresh)
    page.words.set(word, page.words.get(word) | (1 << (place & 31)))
    page.summary |= 1 << word
    if (this.best === noLevel || key > this.bestKey) {
      this.best = fresh
      this.bestKey = key
    }
    return fresh
  }

  /** Returns the level of a key, or `noLevel`. */
  find(key: number): number {
    const number = Math.floor(key / pageKeys)
    return this.findPage(number)?.levels.get(key - number * pageKeys) ?? noLevel
  }

  remove(key: number): void {
    const number = Math.floor(key / pageKeys)
    const page = this.findPage(number)
    assert(page !== null, 'a level that is removed is in the book')
    const place = key - number * pageKeys
    const word = place >>> 5
    page.levels.set(place, noLevel)
    const bits = page.words.get(word) & ~(1 << (place & 31))
    page.words.set(word, bits)
    if (bits === 0) {
      page.summary &= ~(1 << word)
      if (page.summary === 0) this.filledPages -= 1
    }
    if (key === this.bestKey) this.refreshBest()
  }

  /** Calls back with each level, best first, until it returns false. */
  visit(visitor: (level: number) => boolean): void {
    this.pages.findLast((page) => !visitPage(page, visitor))
  }

  private findPage(number: number): Page | null {
    const { last } = this
    if (last !== null && last.number === number) return last
    const page = this.pages[this.findPageIndex(number)]
    if (page === undefined || page.number !== number) return null
    this.last = page
    return page
  }

  private addPage(number: number): Page {
    if (this.pages.length >= this.filledPages + emptyPagesKept) this.dropEmptyPages()
    const page = this.spare.pop() ?? newPage(number)
    page.number = number
    this.pages.splice(this.findPageIndex(number), 0, page)
    this.last = page
    return page
  }

  private dropEmptyPages(): void {
    let kept = 0
    for (const page of this.pages) {
      if (page.summary !== 0) {
        this.pages[kept] = page
        kept += 1
      } else this.spare.push(page)
    }
    this.pages.length = kept
    this.last = null
  }

  /** Returns the place of the first page whose number is not below this one. */
  private findPageIndex(number: number): number {
    const { pages } = this
    let low = 0
    let high = pages.length
    // Most orders that come or go look for a page: a function that compares would be made for each of them.
    while (low < high) {
      const middle = (low + high) >>> 1
      const page = pages[middle]
      if (page !== undefined && page.number < number) low = middle + 1
      else high = middle
    }
    return low
  }

  private refreshBest(): void {
    let index = this.pages.length - 1
    while (index >= 0 && this.pages[index]?.summary === 0) index -= 1
    const page = this.pages[index]
    if (page === undefined) {
      this.best = noLevel
      return
    }
    const word = 31 - Math.clz32(page.summary)
    const place = word * wordBits + 31 - Math.clz32(page.words.get(word))
    this.best = page.levels.get(place)
    this.bestKey = page.number * pageKeys + place
  }
}

/** Calls back with each level of a page, best first; false as soon as the visitor answers so. */
function visitPage(page: Page, visitor: (level: number) => boolean): boolean {
  let summary = page.summary
  while (summary !== 0) {
    const word = 31 - Math.clz32(summary)
    summary &= ~(1 << word)
    let bits = page.words.get(word)
    while (bits !== 0) {
      const bit = 31 - Math.clz32(bits)
      bits &= ~(1 << bit)
      if (!visitor(page.levels.get(word * wordBits + bit))) return false
    }
  }
  return true
}

function newPage(number: number): Page {
  return {
    number,
    levels: new Int32Column(pageKeys),
    words: new Int32Column(pageKeys / wordBits),
    summary: 0,
  }
}
