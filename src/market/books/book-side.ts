import { bisectItems, element, integerElement } from '../../numeric/columns.ts'

/** What stands for no key: the key of no price, for prices are positive 32-bit integers. */
export const noKey = -2_147_483_648

const pageBits = 10
const pageKeys = 1 << pageBits
const pageMask = pageKeys - 1

/** The levels of 1,024 neighbouring keys, and a bit for each key that has one. */
interface Page {
  readonly number: number
  /** Quantities in steps; 0 where there is no level. */
  readonly steps: Float64Array
  readonly words: Int32Array
  /** A bit for each word that is not 0. */
  summary: number
}

/**
 * The levels of one side of a recorded book: quantities by key in pages, with bitmaps to find the next level.
 *
 * The greater key is the better price, so the caller passes `price` for bids and `-price` for asks. A level is there
 * while its quantity rounds to a step or more; what is stored is the quantity as given, fractions of a step included.
 * A quantity is set in a few array accesses, however many levels there are.
 */
export class BookSide {
  /** The best key, or `noKey`. It is the greatest one, unless `moveBestBelow` has passed levels over. */
  bestKey = noKey
  private readonly byNumber = new Map<number, Page>()
  /** All pages, by ascending number; empty ones stay. */
  private pages: Page[] = []
  private last: Page

  constructor() {
    this.last = this.addPage(0)
  }

  /** Returns the quantity of a key in steps; 0 without a level. */
  stepsAt(key: number): number {
    const page = this.findPage(key >> pageBits)
    return page === null ? 0 : element(page.steps, key & pageMask)
  }

  /** Sets the quantity of a key and returns the old one, both in steps. */
  set(key: number, steps: number): number {
    const number = key >> pageBits
    let page = this.last
    if (page.number !== number) {
      page = this.byNumber.get(number) ?? this.addPage(number)
      this.last = page
    }
    const place = key & pageMask
    const old = element(page.steps, place)
    if (steps >= leastSteps) {
      page.steps[place] = steps
      if (old === 0) {
        const word = place >>> 5
        page.words[word] = integerElement(page.words, word) | (1 << (place & 31))
        page.summary |= 1 << word
        if (key > this.bestKey) this.bestKey = key
      }
    } else if (old !== 0) {
      page.steps[place] = 0
      const word = place >>> 5
      const bits = integerElement(page.words, word) & ~(1 << (place & 31))
      page.words[word] = bits
      if (bits === 0) page.summary &= ~(1 << word)
      if (key === this.bestKey) this.bestKey = this.findBelow(key)
    }
    return old
  }

  /** Makes the best level the first one whose key is below this, and leaves the levels above it where they are. */
  moveBestBelow(key: number): void {
    this.bestKey = this.findBelow(key)
  }

  /** Makes an existing level the best one. */
  raiseBest(key: number): void {
    if (key > this.bestKey) this.bestKey = key
  }

  /** Returns the greatest key with a level below this one, or `noKey`. */
  findBelow(key: number): number {
    if (key === noKey) return noKey
    const below = key - 1
    const number = below >> pageBits
    const page = this.findPage(number)
    const found = page === null ? noKey : findInPage(page, below & pageMask)
    if (found !== noKey) return found
    for (let index = bisectItems(this.pages, (other) => other.number >= number) - 1; index >= 0; index -= 1) {
      const other = this.pages[index]
      if (other !== undefined && other.summary !== 0) return findInPage(other, pageMask)
    }
    return noKey
  }

  /** Returns the least key with a level, or `noKey`. */
  findWorst(): number {
    for (const { number, summary, words } of this.pages) {
      if (summary === 0) continue
      const word = 31 - Math.clz32(summary & -summary)
      const bits = integerElement(words, word)
      return (number << pageBits) + (word << 5) + 31 - Math.clz32(bits & -bits)
    }
    return noKey
  }

  /** Removes every level, so that the side is empty. */
  clear(): void {
    this.byNumber.clear()
    this.pages = []
    this.bestKey = noKey
    this.last = this.addPage(0)
  }

  private findPage(number: number): Page | null {
    if (this.last.number === number) return this.last
    const page = this.byNumber.get(number)
    if (page === undefined) return null
    this.last = page
    return page
  }

  private addPage(number: number): Page {
    const page = {
      number,
      steps: new Float64Array(pageKeys),
      words: new Int32Array(pageKeys / 32),
      summary: 0,
    }
    this.byNumber.set(number, page)
    this.pages.splice(
      bisectItems(this.pages, (other) => other.number >= number),
      0,
      page,
    )
    return page
  }
}

/** The least quantity that is shown: half a step, which rounds to one. */
export const leastSteps = 0.5

/** Returns the greatest key of a page with a level at this place or below, or `noKey`. */
function findInPage(page: Page, place: number): number {
  const word = place >>> 5
  const bits = integerElement(page.words, word) & (0xffff_ffff >>> (31 - (place & 31)))
  if (bits !== 0) return (page.number << pageBits) + (word << 5) + 31 - Math.clz32(bits)
  const summary = word === 0 ? 0 : page.summary & (0xffff_ffff >>> (32 - word))
  if (summary === 0) return noKey
  const lower = 31 - Math.clz32(summary)
  return (page.number << pageBits) + (lower << 5) + 31 - Math.clz32(integerElement(page.words, lower))
}
