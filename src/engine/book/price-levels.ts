import { assert } from '../../numeric/assert.ts'

/** The level of a price that has none: levels are numbered from 1. */
export const noLevel = 0
/** A page has 32 words of 32 bits, so one more word (its summary) tells which of them are not 0. */
const pageKeys = 1_024
const wordBits = 32
/** Empty pages that may stay among the filled ones. */
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
  /** The page used last, as long as it is among the pages. */
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

  /** Removes a key that is there. */
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
