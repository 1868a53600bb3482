import { assert } from '../../numeric/assert.ts'

/*
 * The last bytes that were written, in one piece of memory that grows to a bound and then wraps around. Positions
 * count all bytes ever written, so none is given twice. What is written in one go lies in one piece.
 */
export class ByteRing {
  private readonly largest: number
  private memory: Buffer
  private head = 0

  /** Both sizes are powers of two. */
  constructor(smallest: number, largest: number) {
    this.memory = Buffer.alloc(smallest)
    this.largest = largest
  }

  /** The present memory; valid only until the next claim. */
  get bytes(): Buffer {
    return this.memory
  }

  /**
   * Makes room for up to `length` bytes in one piece, and answers their position. As long as it may, it grows rather
   * than overwrite what stands from `oldest` on.
   */
  claim(length: number, oldest: number): number {
    assert(length <= this.largest, 'what is written fits into the ring')
    let start = this.startOf(length)
    while (start + length - oldest > this.memory.length || length > this.memory.length) {
      if (this.memory.length >= this.largest) break
      this.grow(oldest)
      start = this.startOf(length)
    }
    this.head = start + length
    return start
  }

  /** Gives back what was claimed but not written: `end` is the position after the last byte written. */
  settle(end: number): void {
    this.head = end
  }

  /** Where a position is in `bytes`. */
  placeOf(position: number): number {
    return position % this.memory.length
  }

  /** Whether nothing from a position on has been overwritten. */
  holds(position: number): boolean {
    return position >= this.head - this.memory.length
  }

  /** A piece that would reach beyond the end of the memory begins at its start. */
  private startOf(length: number): number {
    const left = this.memory.length - this.placeOf(this.head)
    return length <= left ? this.head : this.head + left
  }

  /** A piece that did not wrap around before does not do so in twice the memory. */
  private grow(oldest: number): void {
    const before = this.memory
    const after = Buffer.alloc(before.length * 2)
    const first = Math.max(oldest, this.head - before.length, 0)
    for (let at = first; at < this.head; ) {
      const from = at % before.length
      const count = Math.min(before.length - from, this.head - at)
      before.copy(after, at % after.length, from, from + count)
      at += count
    }
    this.memory = after
  }
}
