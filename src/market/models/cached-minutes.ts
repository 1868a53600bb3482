/*
 * The last few blocks that were asked for, by their index. A place is made when it is first needed, and then written
 * again and again: do not keep a block. One whose writing stops the run is not remembered.
 */
export class CachedMinutes<Block> {
  private readonly blocks: Block[] = []
  private readonly indices: Float64Array
  private readonly create: () => Block
  private readonly write: (index: number, block: Block) => void

  /** `count` is a power of two. */
  constructor(count: number, create: () => Block, write: (index: number, block: Block) => void) {
    this.indices = new Float64Array(count).fill(Number.NaN)
    this.create = create
    this.write = write
  }

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
