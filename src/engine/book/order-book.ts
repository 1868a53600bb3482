import { assert } from '../../numeric/assert.ts'
import { RecordStore } from '../../numeric/records.ts'
import type { Side } from '../codes.ts'
import { buy, none } from '../codes.ts'

/* A row of a queue is 32 bytes: its quantity (a double), its level (or `noLevel`), and its neighbours. */
const restingBytes = 32
const levelAt = 2
const previousAt = 3
const nextAt = 4

/*
 * The queue links of the order table's rows, for all books of a venue. They are derived: every live row rests, in the
 * order of its priority in the order table. They are kept apart from the order table because a cancel also touches its
 * neighbours in the queue, and small records side by side are more often in the cache.
 */
export class RestingTable extends RecordStore {
  constructor() {
    super(0, restingBytes)
  }

  /** Index of a row's first integer. */
  placeOf(row: number): number {
    return row << 3
  }

  isResting(row: number): boolean {
    return this.integers[(row << 3) | levelAt] !== noLevel
  }
}

/* A level is 32 bytes, four doubles or eight integers: its key, its quantity, its oldest and its newest row. */
const levelDoubles = 4
const keyAt = 0
const quantityAt = 1
const headAt = 4
const tailAt = 5

/*
 * The clients' book of one asset: resting orders and legs of quotes, by price, then time.
 *
 * Ordering invariant: a level is a doubly linked list of rows, oldest first; levels are sorted by price. `rest`,
 * `reduce` and `remove` cost O(1) within a level, so 20,000 orders at one price are cancelled as fast as at 20,000
 * prices. The book decides nothing: it knows no accounts, limits or money.
 */
export class OrderBook {
  private readonly resting: RestingTable
  private readonly bids = new PriceLevels()
  private readonly asks = new PriceLevels()
  /** The levels' records. Keys are the price of a bid and the negated price of an ask: the greater, the better. */
  private levels = new Float64Array(levelDoubles * 64)
  private links = new Int32Array(this.levels.buffer)
  /** Levels ever used, and one for `noLevel`. */
  private levelCount = 1
  private firstFreeLevel = noLevel

  constructor(resting: RestingTable) {
    this.resting = resting
  }

  /** Oldest row at the best price of a side, or -1. */
  bestRow(side: Side): number {
    const level = this.sideOf(side).best
    return level === noLevel ? none : this.headOf(level)
  }

  bestTicks(side: Side): number {
    const { best, bestKey } = this.sideOf(side)
    return best === noLevel ? none : Math.abs(bestKey)
  }

  /** The row next in the queue at the same price, or -1. */
  rowAfter(row: number): number {
    return Number(this.resting.integers[this.resting.placeOf(row) | nextAt])
  }

  /** Quantity that a row shows. */
  stepsOf(row: number): number {
    return Number(this.resting.doubles[this.resting.placeOf(row) >> 1])
  }

  /** Adds a row that does not rest yet at its limit price, behind all that rest there. */
  rest(row: number, side: Side, ticks: number, steps: number): void {
    const { resting } = this
    const queue = resting.integers
    const at = resting.placeOf(row)
    const key = side === buy ? ticks : -ticks
    const fresh = this.freeLevel()
    const level = this.sideOf(side).findOrAdd(key, fresh)
    if (level === fresh) this.takeLevel(level, key)
    const { levels, links } = this
    const link = level << 3
    const tail = Number(links[link | tailAt])
    resting.doubles[at >> 1] = steps
    queue[at | levelAt] = level
    queue[at | previousAt] = tail
    queue[at | nextAt] = none
    if (tail === none) links[link | headAt] = row
    else queue[resting.placeOf(tail) | nextAt] = row
    links[link | tailAt] = row
    this.addSteps(levels, level, steps)
  }

  remove(row: number): void {
    const { resting, levels, links } = this
    const queue = resting.integers
    const at = resting.placeOf(row)
    const level = Number(queue[at | levelAt])
    const previous = Number(queue[at | previousAt])
    const next = Number(queue[at | nextAt])
    const link = level << 3
    queue[at | levelAt] = noLevel
    if (previous === none) links[link | headAt] = next
    else queue[resting.placeOf(previous) | nextAt] = next
    if (next === none) links[link | tailAt] = previous
    else queue[resting.placeOf(next) | previousAt] = previous
    if (previous === none && next === none) this.dropLevel(level)
    else this.addSteps(levels, level, -this.stepsOf(row))
  }

  /** Reduces what a resting row shows by `steps`, for a fill or a smaller amendment; the row keeps its place. */
  reduce(row: number, steps: number): void {
    const { doubles, integers } = this.resting
    const at = this.resting.placeOf(row)
    doubles[at >> 1] = Number(doubles[at >> 1]) - steps
    this.addSteps(this.levels, Number(integers[at | levelAt]), -steps)
  }

  /** Calls back with each level's price, quantity and oldest row, best first, until it answers false. */
  visitLevels(
    side: Side,
    visitor: (priceTicks: number, quantitySteps: number, head: number) => boolean,
  ): void {
    this.sideOf(side).visit((level) =>
      visitor(
        Math.abs(this.keyOf(level)),
        Number(this.levels[(level << 2) | quantityAt]),
        this.headOf(level),
      ),
    )
  }

  private sideOf(side: Side): PriceLevels {
    return side === buy ? this.bids : this.asks
  }

  private keyOf(level: number): number {
    return Number(this.levels[(level << 2) | keyAt])
  }

  private headOf(level: number): number {
    return Number(this.links[(level << 3) | headAt])
  }

  private addSteps(levels: Float64Array, level: number, steps: number): void {
    const at = (level << 2) | quantityAt
    levels[at] = Number(levels[at]) + steps
  }

  private freeLevel(): number {
    return this.firstFreeLevel === noLevel ? this.levelCount : this.firstFreeLevel
  }

  private takeLevel(level: number, key: number): void {
    if (level === this.levelCount) {
      this.levelCount += 1
      if (this.levelCount * levelDoubles > this.levels.length) this.growLevels()
    } else {
      this.firstFreeLevel = Number(this.links[(level << 3) | tailAt])
    }
    this.levels[(level << 2) | keyAt] = key
    this.levels[(level << 2) | quantityAt] = 0
    this.links[(level << 3) | headAt] = none
    this.links[(level << 3) | tailAt] = none
  }

  /** A free level's tail is the next free one. */
  private dropLevel(level: number): void {
    const key = this.keyOf(level)
    if (key > 0) this.bids.remove(key)
    else this.asks.remove(key)
    this.links[(level << 3) | tailAt] = this.firstFreeLevel
    this.firstFreeLevel = level
  }

  private growLevels(): void {
    const grown = new Float64Array(2 * this.levels.length)
    grown.set(this.levels)
    this.levels = grown
    this.links = new Int32Array(grown.buffer)
  }
}

/** The level of a price that has none: levels are numbered from 1. */
export const noLevel = 0
/** A page has 32 words of 32 bits, so one more word (its summary) tells which of them are not 0. */
const pageKeys = 1_024
const wordBits = 32
const emptyPagesKept = 8

/** The levels of 1,024 neighbouring keys, and a bit for each key that has one. */
interface Page {
  /** The page's first key is 1,024 times this. */
  number: number
  readonly levels: Int32Array
  readonly words: Int32Array
  summary: number
}

/*
 * The price levels of one side of a book: an array in pages, with bitmaps to find the next best level.
 *
 * Ordering invariant: the best level has the greatest key, so the caller passes `price` for bids and `-price` for
 * asks. `pages` are sorted by ascending number, and the last one that is not empty holds the best level. A page that
 * becomes empty stays until there are eight of them and a new page is needed, so a price that comes and goes makes no
 * pages. Cost: finding, adding and removing are a few array accesses, however many levels there are; only a key on
 * another page than the one before costs a binary search of the pages.
 */
export class PriceLevels {
  /** The best level, and its key; of a side without prices `noLevel`, and any key. */
  best = noLevel
  bestKey = 0
  private readonly pages: Page[] = []
  private readonly spare: Page[] = []
  private filledPages = 0
  private last: Page | null = null

  /** The level of a key. One that has none gets `fresh`. */
  findOrAdd(key: number, fresh: number): number {
    const number = Math.floor(key / pageKeys)
    const page = this.pageOf(number) ?? this.addPage(number)
    const place = key - number * pageKeys
    const level = Number(page.levels[place])
    if (level !== noLevel) return level
    if (page.summary === 0) this.filledPages += 1
    const word = place >>> 5
    page.levels[place] = fresh
    page.words[word] = Number(page.words[word]) | (1 << (place & 31))
    page.summary |= 1 << word
    if (this.best === noLevel || key > this.bestKey) {
      this.best = fresh
      this.bestKey = key
    }
    return fresh
  }

  remove(key: number): void {
    const number = Math.floor(key / pageKeys)
    const page = this.pageOf(number)
    assert(page !== null, 'a level that is removed is in the book')
    const place = key - number * pageKeys
    const word = place >>> 5
    page.levels[place] = noLevel
    const bits = Number(page.words[word]) & ~(1 << (place & 31))
    page.words[word] = bits
    if (bits === 0) {
      page.summary &= ~(1 << word)
      if (page.summary === 0) this.filledPages -= 1
    }
    if (key === this.bestKey) this.refreshBest()
  }

  /** Calls back with each level, best first, until it answers false. */
  visit(visitor: (level: number) => boolean): void {
    this.pages.findLast((page) => !visitPage(page, visitor))
  }

  private pageOf(number: number): Page | null {
    const { last } = this
    if (last !== null && last.number === number) return last
    const page = this.pages[this.indexOf(number)]
    if (page === undefined || page.number !== number) return null
    this.last = page
    return page
  }

  private addPage(number: number): Page {
    if (this.pages.length >= this.filledPages + emptyPagesKept) this.dropEmptyPages()
    const page = this.spare.pop() ?? newPage(number)
    page.number = number
    this.pages.splice(this.indexOf(number), 0, page)
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

  /** Place of the first page whose number is not below this one. */
  private indexOf(number: number): number {
    let low = 0
    let high = this.pages.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (Number(this.pages[middle]?.number) < number) low = middle + 1
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
    const place = word * wordBits + 31 - Math.clz32(Number(page.words[word]))
    this.best = Number(page.levels[place])
    this.bestKey = page.number * pageKeys + place
  }
}

/** Calls back with each level of a page, best first; false as soon as the visitor answers so. */
function visitPage(page: Page, visitor: (level: number) => boolean): boolean {
  let summary = page.summary
  while (summary !== 0) {
    const word = 31 - Math.clz32(summary)
    summary &= ~(1 << word)
    let bits = Number(page.words[word])
    while (bits !== 0) {
      const bit = 31 - Math.clz32(bits)
      bits &= ~(1 << bit)
      if (!visitor(Number(page.levels[word * wordBits + bit]))) return false
    }
  }
  return true
}

function newPage(number: number): Page {
  return { number, levels: new Int32Array(pageKeys), words: new Int32Array(pageKeys / wordBits), summary: 0 }
}
