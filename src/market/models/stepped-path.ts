import { assert, missing } from '../../numeric/assert.ts'
import { element, Float64Column } from '../../numeric/columns.ts'
import { createStream } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import type { Lattice, StreamNames } from './price-model.ts'

/*
 * A path made of the returns of minutes. Minutes come in blocks, and the returns of any block can be had directly;
 * only the level is a running sum, so a block far away costs the blocks between, once: their edges are kept. Within a
 * minute the path goes from level to level by a Brownian bridge, and a jump happens at one instant. So minute closes
 * are the same on every grid.
 */
export const blockMinutes = 256

/** What a model gives for a block's minutes, all logarithmic. */
export interface MinuteBlock {
  /** The return without jumps. */
  readonly returns: Float64Array
  /** Of all jumps together, 0 where there is none. */
  readonly jumps: Float64Array
  /** Of the bridge: standard deviation of the return without jumps, given all but its own noise. */
  readonly deviations: Float64Array
  /** Volatility over the long run's. */
  readonly activities: Float64Array
}

export interface BlockSource {
  fillBlock(block: number, out: MinuteBlock): void
  /** Adds a minute's noise to the instants of a lattice: 0 at both ends of the minute. */
  addBridge(minute: number, lattice: Lattice, block: MinuteBlock, values: Float64Array): void
}

export class SteppedPath {
  private readonly source: BlockSource
  private readonly names: StreamNames
  private readonly edges = new OutwardValues(0)
  /** The last eight that were asked for; a place is made when it is first needed. */
  private readonly blocks: Block[] = []

  constructor(source: BlockSource, names: StreamNames) {
    this.source = source
    this.names = names
  }

  /** Writes the logarithm of the price over that at the market's start. */
  fill(minute: number, lattice: Lattice, values: Float64Array): void {
    const { firstMillis, stepMillis, count } = lattice
    const index = Math.floor(minute / blockMinutes)
    const place = minute - index * blockMinutes
    const block = this.block(index)
    const from = element(block.levels, place)
    const to = element(block.levels, place + 1)
    if (count === 1 && firstMillis === millisPerMinute) {
      values[0] = to
      return
    }
    const jump = element(block.jumps, place)
    const jumpMillis = jump === 0 ? 0 : this.jumpMillis(minute)
    const change = to - jump - from
    for (let i = 0; i < count; i += 1) {
      const atMillis = firstMillis + i * stepMillis
      const jumped = jump !== 0 && atMillis >= jumpMillis ? jump : 0
      values[i] = from + (change * atMillis) / millisPerMinute + jumped
    }
    this.source.addBridge(minute, lattice, block, values)
    if (firstMillis + (count - 1) * stepMillis === millisPerMinute) values[count - 1] = to
  }

  activityAt(minute: number): number {
    const index = Math.floor(minute / blockMinutes)
    return Number(this.block(index).activities[minute - index * blockMinutes])
  }

  private block(index: number): Block {
    this.blocks[index & 7] ??= createBlock()
    const known = this.blocks[index & 7] ?? missing('a path remembers eight blocks')
    if (known.index === index) return known
    for (let next = this.edges.last; next < index; next += 1) this.write(next)
    for (let next = this.edges.first - 1; next > index; next -= 1) this.write(next)
    return this.write(index)
  }

  private write(index: number): Block {
    this.blocks[index & 7] ??= createBlock()
    const block = this.blocks[index & 7] ?? missing('a path remembers eight blocks')
    if (block.index === index) return block
    block.index = Number.NaN
    block.jumps.fill(0)
    this.source.fillBlock(index, block)
    const { levels, returns, jumps } = block
    if (index >= 0) {
      let level = this.edges.get(index)
      levels[0] = level
      for (let i = 0; i < blockMinutes; i += 1) {
        level += element(returns, i) + element(jumps, i)
        levels[i + 1] = level
      }
      this.edges.set(index + 1, level)
    } else {
      let level = this.edges.get(index + 1)
      levels[blockMinutes] = level
      for (let i = blockMinutes - 1; i >= 0; i -= 1) {
        level -= element(returns, i) + element(jumps, i)
        levels[i] = level
      }
      this.edges.set(index, level)
    }
    block.index = index
    return block
  }

  /** Jumps of one minute happen together, at an instant of whole milliseconds. */
  private jumpMillis(minute: number): number {
    const { seed, symbol } = this.names
    return 1 + createStream(seed, 'path/jump-at', symbol, minute).integer(millisPerMinute)
  }
}

interface Block extends MinuteBlock {
  index: number
  /** At the start of each minute, and at the block's end. */
  readonly levels: Float64Array
}

function createBlock(): Block {
  return {
    index: Number.NaN,
    returns: new Float64Array(blockMinutes),
    jumps: new Float64Array(blockMinutes),
    deviations: new Float64Array(blockMinutes),
    activities: new Float64Array(blockMinutes).fill(1),
    levels: new Float64Array(blockMinutes + 1),
  }
}

/*
 * Values at the whole numbers, known from 0 outwards: each new one stands beside one that is known. Each value is
 * kept in eight bytes, so what a process has passed through once can be reached directly ever after.
 */
export class OutwardValues {
  private readonly after = new Float64Column()
  private readonly before = new Float64Column()
  private most = 0
  private least = 0

  constructor(start: number) {
    this.after.set(0, start)
  }

  /** The greatest and the least place that is known. */
  get last(): number {
    return this.most
  }

  get first(): number {
    return this.least
  }

  get(place: number): number {
    assert(place <= this.most && place >= this.least, 'a value is known before it is read')
    return place >= 0 ? this.after.get(place) : this.before.get(-place)
  }

  set(place: number, value: number): void {
    assert(place <= this.most + 1 && place >= this.least - 1, 'values are known from 0 outwards')
    if (place >= 0) {
      this.after.reserve(place + 1)
      this.after.set(place, value)
      this.most = Math.max(this.most, place)
    } else {
      this.before.reserve(1 - place)
      this.before.set(-place, value)
      this.least = Math.min(this.least, place)
    }
  }
}
