import { Hash128 } from '../../numeric/hash.ts'
import { HashSum } from '../../numeric/hash-sum.ts'
import { addToHash } from './add-to-hash.ts'

/*
 * A digest of values that some rows get when they are written, and that never change: the sum of the hashes of row and
 * value.
 *
 * Invariant: `sum` is that of the values of the first `count` rows; there are `size` of them.
 */
export class TextSums {
  private readonly values: ReadonlyMap<number, unknown>
  private readonly sum = new HashSum()
  private readonly hash = new Hash128()
  private readonly words = new Int32Array(4)
  private count = 0
  private size = 0

  constructor(values: ReadonlyMap<number, unknown>) {
    this.values = values
  }

  /** The number of all values, and the four words of the sum over the first `count` rows. */
  summary(count: number): readonly number[] {
    const { values } = this
    for (let row = this.count; row < count && this.size < values.size; row += 1) this.addRow(row)
    this.count = count
    return [values.size, ...this.sum.words()]
  }

  private addRow(row: number): void {
    const value = this.values.get(row)
    if (value === undefined) return
    this.hash.reset()
    this.hash.addInteger(row)
    addToHash(this.hash, value)
    this.sum.add(this.hash.finish(this.words))
    this.size += 1
  }
}
