import { assert } from '../numeric/assert.ts'

const blockSize = 64

/** A run of neighbouring levels; keys ascend. */
interface Block {
  readonly keys: Float64Array
  readonly levels: Int32Array
  count: number
}

/*
 * The price levels of one side of a book, sorted: a two-level list of small blocks.
 *
 * Ordering invariant: keys ascend over blocks and within them, and the best level has the greatest key, so the
 * caller passes `price` for bids and `-price` for asks. Work happens near the end, where the market is: the best
 * level is O(1), and a new best level is a push.
 * Cost: find, insert and remove are a binary search over the blocks and one within a block; a block holds 64.
 */
export class PriceLevels {
  private readonly blocks: Block[] = []
  private levelCount = 0
  private bestKeyCached = Number.NEGATIVE_INFINITY
  private bestLevelCached = -1

  get size(): number {
    return this.levelCount
  }

  /** The best level, or -1. */
  get best(): number {
    return this.bestLevelCached
  }

  /** The level of a key, or -1. */
  find(key: number): number {
    if (key >= this.bestKeyCached) return key === this.bestKeyCached ? this.bestLevelCached : -1
    const index = this.blockOf(key)
    const block = this.blockAt(index)
    const place = placeOf(block, key)
    return place < block.count && block.keys[place] === key ? levelAt(block, place) : -1
  }

  /** Adds a key that is not there. */
  insert(key: number, level: number): void {
    this.levelCount += 1
    if (this.blocks.length === 0) this.blocks.push(newBlock())
    let index = this.blockOf(key)
    let block = this.blockAt(index)
    if (block.count === blockSize) {
      this.blocks.splice(index + 1, 0, split(block))
      const right = this.blockAt(index + 1)
      if (keyAt(right, 0) <= key) {
        index += 1
        block = right
      }
    }
    const place = placeOf(block, key)
    for (let at = block.count; at > place; at -= 1) {
      block.keys[at] = keyAt(block, at - 1)
      block.levels[at] = levelAt(block, at - 1)
    }
    block.keys[place] = key
    block.levels[place] = level
    block.count += 1
    this.refreshBest()
  }

  /** Removes a key that is there. */
  remove(key: number): void {
    this.levelCount -= 1
    const index = this.blockOf(key)
    const block = this.blockAt(index)
    const place = placeOf(block, key)
    assert(place < block.count && block.keys[place] === key, 'a level that is removed is in the book')
    block.count -= 1
    for (let at = place; at < block.count; at += 1) {
      block.keys[at] = keyAt(block, at + 1)
      block.levels[at] = levelAt(block, at + 1)
    }
    if (block.count === 0) this.blocks.splice(index, 1)
    this.refreshBest()
  }

  /** Calls back with each level, best first, until it answers false. */
  visit(visitor: (level: number) => boolean): void {
    for (let index = this.blocks.length - 1; index >= 0; index -= 1) {
      const block = this.blockAt(index)
      for (let place = block.count - 1; place >= 0; place -= 1) {
        if (!visitor(levelAt(block, place))) return
      }
    }
  }

  /** Last block whose first key is not above `key`, or the first block. */
  private blockOf(key: number): number {
    let low = 0
    let high = this.blocks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (keyAt(this.blockAt(middle), 0) <= key) low = middle
      else high = middle - 1
    }
    return low
  }

  private blockAt(index: number): Block {
    const block = this.blocks[index]
    assert(block !== undefined, 'a block index is within the side')
    return block
  }

  private refreshBest(): void {
    const last = this.blocks[this.blocks.length - 1]
    this.bestKeyCached = last === undefined ? Number.NEGATIVE_INFINITY : keyAt(last, last.count - 1)
    this.bestLevelCached = last === undefined ? -1 : levelAt(last, last.count - 1)
  }
}

function newBlock(): Block {
  return { keys: new Float64Array(blockSize), levels: new Int32Array(blockSize), count: 0 }
}

/** Moves the upper half to a new block. */
function split(block: Block): Block {
  const right = newBlock()
  const half = blockSize >>> 1
  right.keys.set(block.keys.subarray(half))
  right.levels.set(block.levels.subarray(half))
  right.count = blockSize - half
  block.count = half
  return right
}

/** First place whose key is not below `key`. */
function placeOf(block: Block, key: number): number {
  let low = 0
  let high = block.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keyAt(block, middle) < key) low = middle + 1
    else high = middle
  }
  return low
}

function keyAt(block: Block, place: number): number {
  return block.keys[place] ?? Number.NaN
}

function levelAt(block: Block, place: number): number {
  return block.levels[place] ?? -1
}
