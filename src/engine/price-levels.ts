import { assert } from '../numeric/assert.ts'

/** A page is 32 words of 32 bits, so that one more word says which of them are not empty. */
const pageKeys = 1_024
const wordBits = 32

/** The levels of 1,024 neighbouring keys; a level is only there where its bit is set. */
interface Page {
  /** The page's first key is 1,024 times this. */
  number: number
  readonly levels: Int32Array
  readonly words: Int32Array
  summary: number
}

/*
 * The price levels of one side of a book: a ladder in pages, with a bitmap to find the next best.
 *
 * Ordering invariant: the best level has the greatest key, so the caller passes `price` for bids and `-price` for
 * asks. Pages that hold a level stand in `filled`, numbers ascending; an emptied page is kept for the next use, so
 * memory follows the book and not the prices that it has seen.
 * Cost: find, insert and remove are a few array accesses, whatever the number of levels. Only entering another page
 * (1,024 ticks on) costs a map look-up.
 */
export class PriceLevels {
  private readonly pages = new Map<number, Page>()
  private readonly filled: Page[] = []
  private readonly spare: Page[] = []
  private bestKeyCached = Number.NEGATIVE_INFINITY
  private bestLevelCached = -1
  /** The page last used; `pages` has it unless it is empty. */
  private last: Page = newPage()

  /** The best level, or -1. */
  get best(): number {
    return this.bestLevelCached
  }

  /** The key of the best level, or minus infinity. */
  get bestKey(): number {
    return this.bestKeyCached
  }

  /** The level of a key, or -1. */
  find(key: number): number {
    const page = this.pageOf(Math.floor(key / pageKeys))
    if (page === undefined) return -1
    const place = key - page.number * pageKeys
    const word = page.words[place >>> 5] ?? 0
    return (word >>> (place & 31)) & 1 ? (page.levels[place] ?? -1) : -1
  }

  /** Adds a key that is not there. */
  insert(key: number, level: number): void {
    const number = Math.floor(key / pageKeys)
    const page = this.pageOf(number) ?? this.addPage(number)
    const place = key - number * pageKeys
    const word = place >>> 5
    page.levels[place] = level
    page.words[word] = (page.words[word] ?? 0) | (1 << (place & 31))
    page.summary |= 1 << word
    if (key > this.bestKeyCached) {
      this.bestKeyCached = key
      this.bestLevelCached = level
    }
  }

  /** Removes a key that is there. */
  remove(key: number): void {
    const page = this.pageOf(Math.floor(key / pageKeys))
    assert(page !== undefined, 'a level that is removed is in the book')
    const place = key - page.number * pageKeys
    const word = place >>> 5
    const bits = (page.words[word] ?? 0) & ~(1 << (place & 31))
    page.words[word] = bits
    if (bits === 0) {
      page.summary &= ~(1 << word)
      if (page.summary === 0) this.dropPage(page)
    }
    if (key === this.bestKeyCached) this.refreshBest()
  }

  /** Calls back with each level, best first, until it answers false. */
  visit(visitor: (level: number) => boolean): void {
    for (let index = this.filled.length - 1; index >= 0; index -= 1) {
      const page = this.filled[index]
      if (page === undefined) return
      let summary = page.summary
      while (summary !== 0) {
        const word = 31 - Math.clz32(summary)
        summary &= ~(1 << word)
        let bits = page.words[word] ?? 0
        while (bits !== 0) {
          const bit = 31 - Math.clz32(bits)
          bits &= ~(1 << bit)
          if (!visitor(page.levels[word * wordBits + bit] ?? -1)) return
        }
      }
    }
  }

  private pageOf(number: number): Page | undefined {
    if (this.last.number === number) return this.last
    const page = this.pages.get(number)
    if (page !== undefined) this.last = page
    return page
  }

  private addPage(number: number): Page {
    const page = this.spare.pop() ?? newPage()
    page.number = number
    this.pages.set(number, page)
    this.filled.splice(this.filledIndex(number), 0, page)
    this.last = page
    return page
  }

  private dropPage(page: Page): void {
    this.pages.delete(page.number)
    this.filled.splice(this.filledIndex(page.number), 1)
    page.number = Number.NaN
    this.spare.push(page)
  }

  /** First place in `filled` whose number is not below. */
  private filledIndex(number: number): number {
    let low = 0
    let high = this.filled.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.filled[middle]?.number ?? 0) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  private refreshBest(): void {
    const page = this.filled[this.filled.length - 1]
    if (page === undefined) {
      this.bestKeyCached = Number.NEGATIVE_INFINITY
      this.bestLevelCached = -1
      return
    }
    const word = 31 - Math.clz32(page.summary)
    const place = word * wordBits + 31 - Math.clz32(page.words[word] ?? 0)
    this.bestKeyCached = page.number * pageKeys + place
    this.bestLevelCached = page.levels[place] ?? -1
  }
}

/** No key belongs to an unnumbered page. */
function newPage(): Page {
  return {
    number: Number.NaN,
    levels: new Int32Array(pageKeys),
    words: new Int32Array(pageKeys / wordBits),
    summary: 0,
  }
}
