import { integerAt } from '../../numeric/columns.ts'
import { Hash128 } from '../../numeric/hash.ts'
import { HashSum } from '../../numeric/hash-sum.ts'
import { recordBytes } from '../../numeric/records.ts'
import type { Table } from '../tables/table.ts'

/** What a table's rows do after they were written. */
export interface RowLife {
  /** Whether a row may be another one later. Once it may not, it never does again. */
  mayChange(row: number): boolean
  /** When a row that may change did so last. */
  changedAtMillis(row: number): number
}

/*
 * A digest of a table that grows: the sum of its rows' hashes. Most rows are of the past and never change again, so only
 * those that are new, and those that live and have changed, are hashed when somebody asks.
 *
 * Invariant: `sum` is that of the first `count` rows as they were when they were asked about last; `living` are those of
 * them that may change, and `lanes` their hashes.
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
   * Takes in some of the rows that came since the last question, for whom the next one would be too long a stop. The
   * newest are left: most of them end soon, and would be hashed again.
   */
  proceed(): void {
    const end = Math.min(this.count + proceedRows, this.table.count - youngRows)
    for (; this.count < end; this.count += 1) this.hashNew(this.count)
  }

  /** Choice: what changed in the very millisecond of the last question may have done so after it. */
  private hashChanged(): void {
    const { living, lanes, life, words, askedAtMillis } = this
    let kept = 0
    for (let place = 0; place < living.length; place += 1) {
      const row = living[place] ?? 0
      const mayChange = life.mayChange(row)
      if (!mayChange || life.changedAtMillis(row) >= askedAtMillis) {
        this.sum.subtract(lanes, place * 4)
        this.hashRow(row)
        this.sum.add(words)
        for (let lane = 0; lane < 4; lane += 1) lanes[place * 4 + lane] = integerAt(words, lane)
      }
      if (!mayChange) continue
      living[kept] = row
      if (kept !== place)
        for (let lane = 0; lane < 4; lane += 1) lanes[kept * 4 + lane] = lanes[place * 4 + lane] ?? 0
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
/** More than a command makes on average, and so many of the newest rows. */
const proceedRows = 4
const youngRows = 128
