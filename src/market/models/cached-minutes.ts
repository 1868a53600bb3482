/**
 * Cache of the last few blocks of minutes (or of other steps of a model) that were read, by their index. The
 * objects are created once and then overwritten: do not keep one. A block whose writing throws is not cached.
 */
export class CachedMinutes<Block> {
  private readonly blocks: Block[] = []
  private readonly indices: Float64Array
  private readonly create: () => Block
  private readonly write: (index: number, block: Block) => void

  /** Creates a cache of `count` blocks, a power of two. `create` makes an empty block, `write` fills it. */
  constructor(count: number, create: () => Block, write: (index: number, block: Block) => void) {
    this.indices = new Float64Array(count).fill(Number.NaN)
    this.create = create
    this.write = write
  }

  /** Returns the block of an index, writing it when it is not cached. */
  at(index: number): Block {
    const { blocks, indices } = this
    const place = index & (indices.length - 1)
    blocks[place] ??= this.create()
    const block = blocks[place]
    if (indices[place] !== index) {
      indices[place] = Number.NaN
      this.write(index, block)
      indices[place] = index
    }
    return block
  }
}
