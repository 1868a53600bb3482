import { assert } from '../../numeric/assert.ts'
import { createStream } from '../../numeric/random.ts'
import type { GaussianProcess } from './gaussian-process.ts'
import type { Lattice, StreamNames } from './price-model.ts'
import { minuteMillis } from './price-model.ts'
import { blockMinutes, SpanTree } from './span-tree.ts'

/*
 * A Gaussian Markov process (Brownian motion, Ornstein-Uhlenbeck) that can be read at any instant, before or after
 * its start, without running what lies between: Levy's construction. The ends of a span of five centuries are drawn
 * first, then the middle given both ends, and so on down to blocks of 64 minutes; a block is filled with its minutes
 * in the same way. Each node and each block has its own stream, so the path is the same in whatever order it is read.
 *
 * Inside a minute the process is refined to whole seconds, and inside a second to the lattice that is asked for.
 * So minute closes, and whole seconds too, are the same on every grid.
 */
export class GaussianPath {
  private readonly process: GaussianProcess
  private readonly names: StreamNames
  private readonly purpose: string
  private readonly tree: SpanTree
  private readonly blocks: readonly MinuteBlock[]
  private readonly secondValues = new Float64Array(61)
  private secondsMinute = Number.NaN

  /** `purpose` names the streams: two paths of one asset with the same purpose are one path. */
  constructor(process: GaussianProcess, names: StreamNames, purpose: string) {
    this.process = process
    this.names = names
    this.purpose = purpose
    this.tree = new SpanTree(process, names, `${purpose}/span`)
    this.blocks = [emptyBlock(), emptyBlock(), emptyBlock(), emptyBlock()]
  }

  /** Writes the values at the lattice's instants of a minute, from 0 on. */
  fill(minute: number, lattice: Lattice, values: Float64Array): void {
    const { firstMillis, stepMillis, count } = lattice
    if (count === 1 && firstMillis === minuteMillis) {
      values[0] = this.atMinute(minute + 1)
      return
    }
    const seconds = this.secondsOf(minute)
    if (firstMillis % 1000 === 0 && stepMillis % 1000 === 0) {
      for (let i = 0; i < count; i += 1) values[i] = seconds[(firstMillis + i * stepMillis) / 1000] ?? 0
      return
    }
    this.fillFractions(minute, lattice, values)
  }

  /**
   * The value at an instant, for the ends of a bridge. Choice: between whole seconds it is interpolated, not refined,
   * so that it does not depend on a lattice; the refinement there is a matter of a basis point.
   */
  at(offsetMillis: number): number {
    const minute = Math.floor(offsetMillis / minuteMillis)
    const withinMillis = offsetMillis - minute * minuteMillis
    if (withinMillis === 0) return this.atMinute(minute)
    const seconds = this.secondsOf(minute)
    const second = Math.floor(withinMillis / 1000)
    const from = seconds[second] ?? 0
    const share = withinMillis / 1000 - second
    return share === 0 ? from : from + ((seconds[second + 1] ?? 0) - from) * share
  }

  /** The value at the start of a minute. */
  private atMinute(minute: number): number {
    const index = Math.floor(minute / blockMinutes)
    return this.blockOf(index).values[minute - index * blockMinutes] ?? 0
  }

  private blockOf(index: number): MinuteBlock {
    const block = this.blocks[index & 3]
    assert(block !== undefined, 'there are four places for blocks')
    if (block.index !== index) this.fillBlock(index, block)
    return block
  }

  private fillBlock(index: number, block: MinuteBlock): void {
    const { values } = block
    this.tree.readEnds(index * blockMinutes, values)
    const stream = createStream(this.names.seed, `${this.purpose}/minutes`, this.names.symbol, index)
    for (let half = blockMinutes / 2; half >= 1; half /= 2) {
      const { weight, deviation } = this.process.middle(half)
      for (let minute = half; minute < blockMinutes; minute += 2 * half) {
        const ends = (values[minute - half] ?? 0) + (values[minute + half] ?? 0)
        values[minute] = weight * ends + deviation * stream.normal()
      }
    }
    block.index = index
  }

  private secondsOf(minute: number): Float64Array {
    const values = this.secondValues
    if (this.secondsMinute === minute) return values
    const end = this.atMinute(minute + 1)
    let value = this.atMinute(minute)
    const stream = createStream(this.names.seed, `${this.purpose}/seconds`, this.names.symbol, minute)
    const { startWeights, endWeights, deviations } = this.process.seconds()
    values[0] = value
    for (let second = 1; second < 60; second += 1) {
      value =
        (startWeights[second] ?? 0) * value +
        (endWeights[second] ?? 0) * end +
        (deviations[second] ?? 0) * stream.normal()
      values[second] = value
    }
    values[60] = end
    this.secondsMinute = minute
    return values
  }

  /** Within a second every process is a Brownian bridge: no pull is felt in so short a time. */
  private fillFractions(minute: number, lattice: Lattice, values: Float64Array): void {
    const seconds = this.secondsOf(minute)
    const stream = createStream(this.names.seed, `${this.purpose}/fractions`, this.names.symbol, minute)
    const variancePerMilli = this.process.secondVariance / 1000
    let fromMillis = 0
    let from = seconds[0] ?? 0
    for (let i = 0; i < lattice.count; i += 1) {
      const atMillis = lattice.firstMillis + i * lattice.stepMillis
      const second = Math.floor(atMillis / 1000)
      if (second * 1000 >= fromMillis) {
        fromMillis = second * 1000
        from = seconds[second] ?? 0
      }
      if (atMillis > fromMillis) {
        const leftMillis = (second + 1) * 1000 - fromMillis
        const stepMillis = atMillis - fromMillis
        const to = seconds[second + 1] ?? 0
        const variance = (variancePerMilli * stepMillis * (leftMillis - stepMillis)) / leftMillis
        from += ((to - from) * stepMillis) / leftMillis + Math.sqrt(variance) * stream.normal()
        fromMillis = atMillis
      }
      values[i] = from
    }
  }
}

interface MinuteBlock {
  index: number
  /** At the start of each minute, and at the end of the last. */
  readonly values: Float64Array
}

function emptyBlock(): MinuteBlock {
  return { index: Number.NaN, values: new Float64Array(blockMinutes + 1) }
}
