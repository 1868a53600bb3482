import { Hash128 } from '../../numeric/hash.ts'
import { HashSum } from '../../numeric/hash-sum.ts'
import { recordBytes } from '../../numeric/records.ts'
import type { Table } from '../tables/table.ts'

/** When the rows of a table change after they were written. */
export interface RowLife {
  /** Whether a row may still change. Once it may not, it never may again. */
  mayChange(row: number): boolean
  /** When a row that may change last changed. */
  changedAtMillis(row: number): number
}

/*
 * A digest of a growing table: the sum of its rows' hashes. Most rows never change again, so only new rows, and live
 * ones that have changed, are hashed when the digest is asked for.
 *
 * Invariant: `sum` is that of the first `count` rows as they were when they were last hashed; `living` are those of
 * them that may still change, and `lanes` has their hashes.
 */
export class RowSums {
  private readonly table: Table
  private readonly life: RowLife
  private readonly sum = new HashSum()
  private readonly hash = new Hash128()
  private readonly words = new Int32Array(4)
  private count = 0
  private readonly living: number[] = []
  private readonly lanes: number[] = []
  private askedAtMillis = Number.NEGATIVE_INFINITY

  constructor(table: Table, life: RowLife) {
    this.table = table
    this.life = life
  }

  /** The number of rows and the four words of their sum. */
  summary(nowMillis: number): readonly number[] {
    this.hashChanged()
    for (; this.count < this.table.count; this.count += 1) this.hashNew(this.count)
    this.askedAtMillis = nowMillis
    return [this.count, ...this.sum.words()]
  }

  /**
   * Hashes some of the rows that came since the last summary, so that the next one does not take too long. The newest
   * rows are left out: most of them end soon, and would have to be hashed again.
   */
  proceed(): void {
    const end = Math.min(this.count + proceedRows, this.table.count - youngRows)
    for (; this.count < end; this.count += 1) this.hashNew(this.count)
  }

  /** What changed in the very millisecond of the last summary may have done so after it, and is hashed again. */
  private hashChanged(): void {
    const { living, lanes, life, words, askedAtMillis } = this
    let kept = 0
    for (let place = 0; place < living.length; place += 1) {
      const row = Number(living[place])
      const mayChange = life.mayChange(row)
      if (!mayChange || life.changedAtMillis(row) >= askedAtMillis) {
        this.sum.subtract(lanes, place * 4)
        this.hashRow(row)
        this.sum.add(words)
        for (let lane = 0; lane < 4; lane += 1) lanes[place * 4 + lane] = Number(words[lane])
      }
      if (!mayChange) continue
      living[kept] = row
      if (kept !== place)
        for (let lane = 0; lane < 4; lane += 1) lanes[kept * 4 + lane] = Number(lanes[place * 4 + lane])
      kept += 1
    }
    living.length = kept
    lanes.length = kept * 4
  }

  private hashNew(row: number): void {
    this.hashRow(row)
    this.sum.add(this.words)
    if (!this.life.mayChange(row)) return
    this.living.push(row)
    for (const word of this.words) this.lanes.push(word)
  }

  private hashRow(row: number): void {
    const { hash, table } = this
    const from = row * rowWords
    hash.reset()
    hash.addInteger(row)
    hash.addInt32Array(table.store.integers, from, from + rowWords)
    hash.finish(this.words)
  }
}

const rowWords = recordBytes / 4
/** Rows that `proceed` hashes: more than a command makes on average. */
const proceedRows = 4
/** The newest rows, which `proceed` leaves out. */
const youngRows = 128
