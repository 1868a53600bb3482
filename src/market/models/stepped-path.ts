import { assert } from '../../numeric/assert.ts'
import { element, Float64Column } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { createStream } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { CachedMinutes } from './cached-minutes.ts'
import type { NoisePath } from './gaussian-path.ts'
import { clampPrice, type Grid, type PriceModel, type StreamNames } from './price-model.ts'

/*
 * Paths made of the returns of minutes. Minutes come in blocks, and the returns of any block can be computed
 * directly. Only the level is a running sum, so a block far away costs the blocks between, once: their edges
 * are kept. Within a minute the path goes from level to level by a Brownian bridge, and a jump happens at one
 * instant. So minute closes are the same on every grid.
 */

/** Number of minutes in a block. */
export const blockMinutes = 256

/** Minutes of one block of a model; all values are logarithmic. */
export interface MinuteBlock {
  /** The logarithmic return of each minute, without its jumps. */
  readonly returns: Float64Array
  /** Sum of each minute's jumps, 0 where there is none. */
  readonly jumps: Float64Array
  /**
   * Width of each minute's bridge: the standard deviation of its return without jumps, given everything but the
   * bridge's own noise.
   */
  readonly deviations: Float64Array
  /** Volatility at each minute's start relative to the long run's. */
  readonly activities: Float64Array
}

/** Source of a path's minutes and of the noise within them. */
export interface BlockSource {
  /** Writes the minutes of a block. */
  fillBlock(block: number, out: MinuteBlock): void
  /** Adds a minute's noise at a grid's instants; it is 0 at both ends of the minute. */
  addBridge(minute: number, grid: Grid, block: MinuteBlock, values: Float64Array): void
}

/** Logarithm of a price as a running sum of a source's returns and jumps. */
export class SteppedPath {
  private readonly source: BlockSource
  private readonly names: StreamNames
  private readonly edges: OutwardValues
  private readonly blocks = new CachedMinutes(8, createBlock, (index, block) => this.writeBlock(index, block))

  /** Creates a path. `edges` are levels that paths from an equal source have walked through, and will. */
  constructor(source: BlockSource, names: StreamNames, edges = new OutwardValues(0)) {
    this.source = source
    this.names = names
    this.edges = edges
  }

  /**
   * Writes the logarithm of the price relative to that at the market's start, at a grid's instants of a minute.
   */
  fill(minute: number, grid: Grid, values: Float64Array): void {
    const { firstMillis, stepMillis, count } = grid
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
    const jumpMillis = jump === 0 ? 0 : this.drawJumpMillis(minute)
    const change = to - jump - from
    for (let i = 0; i < count; i += 1) {
      const atMillis = firstMillis + i * stepMillis
      const jumped = jump !== 0 && atMillis >= jumpMillis ? jump : 0
      values[i] = from + (change * atMillis) / millisPerMinute + jumped
    }
    this.source.addBridge(minute, grid, block, values)
    if (firstMillis + (count - 1) * stepMillis === millisPerMinute) values[count - 1] = to
  }

  /** Returns the volatility at a minute's start relative to the long run's. */
  activityAt(minute: number): number {
    const index = Math.floor(minute / blockMinutes)
    return element(this.block(index).activities, minute - index * blockMinutes)
  }

  /** Returns the logarithmic return of a minute, its jumps included. */
  returnIn(minute: number): number {
    const index = Math.floor(minute / blockMinutes)
    const { levels } = this.block(index)
    const place = minute - index * blockMinutes
    return element(levels, place + 1) - element(levels, place)
  }

  private block(index: number): Block {
    for (let next = this.edges.last; next < index; next += 1) this.blocks.at(next)
    for (let next = this.edges.first - 1; next > index; next -= 1) this.blocks.at(next)
    return this.blocks.at(index)
  }

  private writeBlock(index: number, block: Block): void {
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
  }

  /** Draws the instant, in whole milliseconds, at which all jumps of a minute happen. */
  private drawJumpMillis(minute: number): number {
    const { seed, symbol } = this.names
    return 1 + createStream(seed, 'path/jump-at', symbol, minute).integer(millisPerMinute)
  }
}

interface Block extends MinuteBlock {
  /** Levels at the start of each minute and at the block's end. */
  readonly levels: Float64Array
}

function createBlock(): Block {
  return {
    returns: new Float64Array(blockMinutes),
    jumps: new Float64Array(blockMinutes),
    deviations: new Float64Array(blockMinutes),
    activities: new Float64Array(blockMinutes).fill(1),
    levels: new Float64Array(blockMinutes + 1),
  }
}

/**
 * Values at whole numbers, known from 0 outwards: each new one is next to one that is known. A value takes
 * eight bytes and is kept, so what a process has passed through once can be reached directly from then on.
 */
export class OutwardValues {
  private readonly after = new Float64Column()
  private readonly before = new Float64Column()
  private greatest = 0
  private least = 0

  constructor(start: number) {
    this.after.set(0, start)
  }

  /** Greatest index that is known. */
  get last(): number {
    return this.greatest
  }

  /** Least index that is known. */
  get first(): number {
    return this.least
  }

  get(place: number): number {
    assert(place <= this.greatest && place >= this.least, 'a value is known before it is read')
    return place >= 0 ? this.after.get(place) : this.before.get(-place)
  }

  set(place: number, value: number): void {
    assert(place <= this.greatest + 1 && place >= this.least - 1, 'values are known from 0 outwards')
    if (place >= 0) {
      this.after.reserve(place + 1)
      this.after.set(place, value)
      this.greatest = Math.max(this.greatest, place)
    } else {
      this.before.reserve(1 - place)
      this.before.set(-place, value)
      this.least = Math.min(this.least, place)
    }
  }
}

/**
 * Creates a price model from a model's minutes, starting at `price`. Its noise is a Brownian motion of which
 * `fillBlock` has taken the minutes; the bridges within them belong to the same motion.
 */
export function createSteppedModel(
  price: number,
  fillBlock: BlockSource['fillBlock'],
  noise: NoisePath,
  names: StreamNames,
): PriceModel {
  return createPathModel(price, new SteppedPath({ fillBlock, addBridge: createBridge(noise) }, names))
}

/** Creates a price model from a path, starting at `price`. */
export function createPathModel(price: number, path: SteppedPath): PriceModel {
  return {
    fillPrices(minute, grid, prices) {
      path.fill(minute, grid, prices)
      for (let i = 0; i < grid.count; i += 1) prices[i] = clampPrice(price * exp(element(prices, i)))
    },
    activityAt: (minute) => path.activityAt(minute),
  }
}

/** Creates the noise within a minute: the motion less its chord, times the block's deviation. */
function createBridge(noise: NoisePath): BlockSource['addBridge'] {
  let noises = new Float64Array(60)
  return (minute: number, grid: Grid, block: MinuteBlock, values: Float64Array): void => {
    const { firstMillis, stepMillis, count } = grid
    const deviation = element(block.deviations, minute - Math.floor(minute / blockMinutes) * blockMinutes)
    if (noises.length < count) noises = new Float64Array(count)
    noise.fill(minute, grid, noises)
    const from = noise.at(minute * millisPerMinute)
    const slope = (noise.at((minute + 1) * millisPerMinute) - from) / millisPerMinute
    for (let i = 0; i < count; i += 1) {
      const chord = from + slope * (firstMillis + i * stepMillis)
      values[i] = element(values, i) + deviation * (element(noises, i) - chord)
    }
  }
}
