import { assert } from '../../numeric/assert.ts'
import { createStream } from '../../numeric/random.ts'
import type { GaussianProcess } from './gaussian-process.ts'
import type { StreamNames } from './price-model.ts'

/** Minutes of the spans at the bottom of the tree. */
export const blockMinutes = 64

/*
 * The upper part of Levy's construction: a binary tree of spans with the process's value at their ends. Of it only
 * the way to the last block is remembered, so that the next block costs two draws, and any other at most 23.
 */
export class SpanTree {
  private readonly process: GaussianProcess
  private readonly names: StreamNames
  private readonly purpose: string
  private readonly starts = new Float64Array(depth + 1)
  private readonly lefts = new Float64Array(depth + 1)
  private readonly rights = new Float64Array(depth + 1)
  private knownDepth = -1

  constructor(process: GaussianProcess, names: StreamNames, purpose: string) {
    this.process = process
    this.names = names
    this.purpose = purpose
  }

  /** Writes the values at both ends of the block that starts at a minute to places 0 and 64. */
  readEnds(minute: number, values: Float64Array): void {
    assert(minute >= -halfSpanMinutes && minute < halfSpanMinutes, 'a market lasts at most 510 years')
    this.climbTo(minute)
    if (this.knownDepth < 0) this.enterRoot(minute)
    while (this.knownDepth < depth) this.descendTowards(minute)
    values[0] = this.lefts[depth] ?? 0
    values[blockMinutes] = this.rights[depth] ?? 0
  }

  /** Forgets the spans that do not hold the minute. */
  private climbTo(minute: number): void {
    while (this.knownDepth >= 0) {
      const start = this.starts[this.knownDepth] ?? 0
      if (minute >= start && minute < start + spanMinutes(this.knownDepth)) return
      this.knownDepth -= 1
    }
  }

  /** The process is known at its start, between the two roots. It looks the same backwards as forwards. */
  private enterRoot(minute: number): void {
    const isAfter = minute >= 0
    const { weight, deviation } = this.process.transition(halfSpanMinutes)
    const farMinute = isAfter ? halfSpanMinutes : -halfSpanMinutes
    const far = weight * this.process.start + deviation * this.draw(farMinute)
    this.starts[0] = isAfter ? 0 : -halfSpanMinutes
    this.lefts[0] = isAfter ? this.process.start : far
    this.rights[0] = isAfter ? far : this.process.start
    this.knownDepth = 0
  }

  private descendTowards(minute: number): void {
    const start = this.starts[this.knownDepth] ?? 0
    const left = this.lefts[this.knownDepth] ?? 0
    const right = this.rights[this.knownDepth] ?? 0
    const half = spanMinutes(this.knownDepth) / 2
    const { weight, deviation } = this.process.middle(half)
    const middle = weight * (left + right) + deviation * this.draw(start + half)
    const isRight = minute >= start + half
    this.knownDepth += 1
    this.starts[this.knownDepth] = isRight ? start + half : start
    this.lefts[this.knownDepth] = isRight ? middle : left
    this.rights[this.knownDepth] = isRight ? right : middle
  }

  /** A node is named by the minute at which its value stands. */
  private draw(minute: number): number {
    return createStream(this.names.seed, this.purpose, this.names.symbol, minute).normal()
  }
}

/* Two halves of 2^28 minutes, 510 years each; 22 halvings lead to a block. */
const halfSpanMinutes = 268_435_456
const depth = 22
const spans = Float64Array.from({ length: depth + 1 }, (_, level) => halfSpanMinutes / (1 << level))

function spanMinutes(level: number): number {
  return spans[level] ?? 0
}
