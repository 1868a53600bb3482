import { element } from '../../numeric/columns.ts'
import { createStream, type RandomStream } from '../../numeric/random.ts'
import { CachedMinutes } from './cached-minutes.ts'
import type { StreamNames } from './price-model.ts'
import { OutwardValues } from './stepped-path.ts'

/**
 * Steps of a Markov chain of numbers that is known at 0 and drawn outwards from there, forwards by its own
 * kernel and backwards by the reversed one.
 */
export interface ChainKernel {
  /** Draws the value at 0. */
  start(stream: RandomStream): number
  /** Draws the value after this one. */
  forward(value: number, stream: RandomStream): number
  /** Draws a value before this one, by the distribution of the chain reversed in time. */
  backward(value: number, stream: RandomStream): number
}

/** Number of steps in a block. */
const chainBlock = 256

/**
 * Markov chain of numbers in blocks that each have a stream of their own. The value at each block's edge is
 * kept, so a block costs no more once the chain has reached that far, whatever was read in between.
 */
export class OutwardChain {
  private readonly kernel: ChainKernel
  private readonly names: StreamNames
  private readonly purpose: string
  private readonly edges: OutwardValues
  private readonly blocks = new CachedMinutes(
    4,
    () => new Float64Array(chainBlock + 1),
    (index, values) => this.fill(index, values),
  )

  constructor(kernel: ChainKernel, names: StreamNames, purpose: string) {
    this.kernel = kernel
    this.names = names
    this.purpose = purpose
    this.edges = new OutwardValues(
      kernel.start(createStream(names.seed, `${purpose}/start`, names.symbol, 0)),
    )
  }

  /** Returns the value at a step from 0, which may be negative. */
  at(step: number): number {
    const index = Math.floor(step / chainBlock)
    return element(this.block(index), step - index * chainBlock)
  }

  /** Returns the values of the 257 steps from 256 * index on. The array is reused: do not keep it. */
  block(index: number): Float64Array {
    for (let next = this.edges.last; next < index; next += 1) this.blocks.at(next)
    for (let next = this.edges.first - 1; next > index; next -= 1) this.blocks.at(next)
    return this.blocks.at(index)
  }

  private fill(index: number, values: Float64Array): void {
    const { edges, kernel } = this
    const stream = createStream(this.names.seed, this.purpose, this.names.symbol, index)
    if (index >= 0) {
      let value = edges.get(index)
      values[0] = value
      for (let i = 1; i <= chainBlock; i += 1) {
        value = kernel.forward(value, stream)
        values[i] = value
      }
      edges.set(index + 1, value)
    } else {
      let value = edges.get(index + 1)
      values[chainBlock] = value
      for (let i = chainBlock - 1; i >= 0; i -= 1) {
        value = kernel.backward(value, stream)
        values[i] = value
      }
      edges.set(index, value)
    }
  }
}
