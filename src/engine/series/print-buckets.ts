import { assert } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { mostPackedBytes, packRows, unpackRows } from './packed-rows.ts'

/* Places within a bucket of prints. */
export const instant = 0
export const high = 1
export const low = 2
export const last = 3
export const steps = 4
export const atoms = 5
export const trades = 6
export const bucketWidth = 7

const blockShift = 8
const blockMask = 255
const blockLength = bucketWidth << blockShift
const noBuckets = new Float64Array(0)
const noBytes = new Uint8Array(0)

/**
 * The buckets of prints of a window, oldest first: appended at the end, dropped at the front. They lie in blocks of 256,
 * which come and go with the window, so that it grows without copying what is there.
 *
 * All blocks but the oldest and the newest are packed: a day of a busy market has millions of buckets, and a packed one
 * takes about a fifth. What is read in between is unpacked block by block, and the last few are kept.
 *
 * Invariant: packing does not show; every part reads as it was written.
 */
export class PrintRows {
  /** How many buckets were dropped, which is the number of the oldest one. */
  gone = 0
  count = 0
  /** The block of the newest bucket, which begins in it at `newest`; that is -1 after `close`. */
  rows: Float64Array = noBuckets
  newest = -1
  /** The blocks of the window, from the one with the oldest bucket on. */
  private readonly blocks: (Float64Array | Uint8Array)[] = []
  /** Blocks that were unpacked, each at the last bits of its number among all there ever were, and those numbers. */
  private readonly unpacked: Float64Array[] = []
  private readonly unpackedBlocks = [-1, -1, -1, -1]
  private packing = noBytes

  /** Appends a bucket without prints and makes it the newest one. */
  append(atMillis: number): void {
    const bucket = this.gone + this.count
    const place = (bucket >>> blockShift) - (this.gone >>> blockShift)
    let rows = this.blocks[place]
    if (!(rows instanceof Float64Array)) {
      rows = new Float64Array(blockLength)
      this.blocks[place] = rows
      if (place > 1) this.pack(place - 1)
    }
    this.rows = rows
    this.newest = (bucket & blockMask) * bucketWidth
    rows[this.newest + instant] = atMillis
    this.count += 1
  }

  /** Makes no bucket the newest one. The next one is appended as ever. */
  close(): void {
    this.newest = -1
  }

  dropOldest(): void {
    if ((this.gone & blockMask) === blockMask) this.blocks.shift()
    this.gone += 1
    this.count -= 1
  }

  /** Returns a part of the newest bucket; 0 after `close`. */
  newestField(part: number): number {
    return this.newest < 0 ? 0 : element(this.rows, this.newest + part)
  }

  /** Returns a part of the oldest bucket of a window that has some. */
  oldestField(part: number): number {
    return element(this.openOldest(), (this.gone & blockMask) * bucketWidth + part)
  }

  /** Returns a part of the bucket at a place, counted from the oldest one, 0. */
  field(place: number, part: number): number {
    const bucket = this.gone + place
    return element(this.openBlock(bucket >>> blockShift), (bucket & blockMask) * bucketWidth + part)
  }

  /** Returns all buckets, oldest first. */
  toArray(): Float64Array {
    const all = new Float64Array(this.count * bucketWidth)
    for (let place = 0; place < this.count; ) {
      const from = (this.gone + place) & blockMask
      const length = Math.min(blockMask + 1 - from, this.count - place)
      const rows = this.openBlock((this.gone + place) >>> blockShift)
      all.set(rows.subarray(from * bucketWidth, (from + length) * bucketWidth), place * bucketWidth)
      place += length
    }
    return all
  }

  private pack(place: number): void {
    const rows = this.blocks[place]
    if (!(rows instanceof Float64Array)) return
    if (this.packing === noBytes) this.packing = new Uint8Array(blockLength * mostPackedBytes)
    this.blocks[place] = packRows(rows, bucketWidth, this.packing) ?? rows
  }

  /** Returns the oldest block, which stays unpacked from now on: it is looked at whenever time passes. */
  private openOldest(): Float64Array {
    const [oldest] = this.blocks
    assert(oldest !== undefined, 'a window with buckets has a block')
    if (oldest instanceof Float64Array) return oldest
    const rows = new Float64Array(blockLength)
    unpackRows(oldest, bucketWidth, rows)
    this.blocks[0] = rows
    return rows
  }

  private openBlock(block: number): Float64Array {
    const place = block - (this.gone >>> blockShift)
    if (place === 0) return this.openOldest()
    const rows = this.blocks[place]
    assert(rows !== undefined, 'a bucket of the window has a block')
    if (rows instanceof Float64Array) return rows
    const slot = block & (this.unpackedBlocks.length - 1)
    this.unpacked[slot] ??= new Float64Array(blockLength)
    const unpacked = this.unpacked[slot]
    if (this.unpackedBlocks[slot] !== block) unpackRows(rows, bucketWidth, unpacked)
    this.unpackedBlocks[slot] = block
    return unpacked
  }
}
