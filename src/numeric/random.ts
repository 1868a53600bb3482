import { assert } from './assert.ts'
import { element } from './columns.ts'
import { exp, inverseNormal, log } from './portable-math.ts'

/*
 * Named random streams. Every purpose, asset and block of time has its own, so that another asset, account, order or
 * read never shifts a draw, and any block can be generated without the ones before it.
 */

/** Creates the random stream of one block. Equal arguments always give the same draws. */
export function createStream(seed: string, purpose: string, asset: string, block: number): RandomStream {
  const name = `${seed}/${purpose}/${asset}/${block}`
  const first = hashText(afterSpaces, name)
  const second = hashText(first, name)
  return makeStream(first, second, hashText(second, name))
}

/**
 * The random streams of one purpose, for callers that go from block to block. Ten neighbouring blocks, whose names differ
 * in the last digit only, are hashed side by side: a single hash mostly waits for its own latency.
 */
export class StreamSeries {
  private readonly prefix: string
  /** The states after the first, second and third pass of the hash, by the last digit of the block. */
  private readonly first = new Float64Array(10)
  private readonly second = new Float64Array(10)
  private readonly third = new Float64Array(10)
  private tens = Number.NaN

  constructor(seed: string, purpose: string, asset: string) {
    this.prefix = `${seed}/${purpose}/${asset}/`
  }

  /** Creates the stream of a block: the one that `createStream` makes for the same names. */
  at(block: number): RandomStream {
    const { first, second, third } = this
    // Blocks -9 to -1 must not share their tens with 0 to 9: their names begin with a minus sign.
    const tens = block < 0 ? -1 - Math.floor(-block / 10) : Math.floor(block / 10)
    if (tens !== this.tens) this.hash(`${this.prefix}${String(block).slice(0, -1)}`, tens)
    const digit = Math.abs(block % 10)
    return makeStream(element(first, digit), element(second, digit), element(third, digit))
  }

  private hash(name: string, tens: number): void {
    const { first, second, third } = this
    first.fill(hashText(afterSpaces, name))
    hashDigitsInto(first)
    second.set(first)
    hashTextInto(second, name)
    hashDigitsInto(second)
    third.set(second)
    hashTextInto(third, name)
    hashDigitsInto(third)
    this.tens = tens
  }
}

/** Creates a stream that continues from the state of another one. */
export function resumeStream([s0, s1, s2, carry]: RandomState): RandomStream {
  return new RandomStream(s0, s1, s2, carry)
}

/** The state of a `RandomStream`: Alea's three fractions and its carry. */
export type RandomState = readonly [s0: number, s1: number, s2: number, carry: number]

/**
 * A random stream: Johannes Baagoe's Alea, bit for bit as in the package seedrandom. It is a class of our own because a
 * market creates a stream for each block of each purpose, and this one costs half as much and leaves less garbage.
 */
export class RandomStream {
  private s0: number
  private s1: number
  private s2: number
  private carry: number

  constructor(s0: number, s1: number, s2: number, carry: number) {
    this.s0 = s0
    this.s1 = s1
    this.s2 = s2
    this.carry = carry
  }

  /** Draws a number strictly between 0 and 1, in steps of 2^-53. */
  uniform(): number {
    const high = this.next()
    const draw = high + ((this.next() * 0x200000) | 0) * 1.1102230246251565e-16 // 2^-53
    return draw > 0 ? draw : 5.551115123125783e-17 // 2^-54: half a step for the one draw in 2^53 that is 0
  }

  /** Draws a standard normal variable, from one uniform. */
  normal(): number {
    return inverseNormal(this.uniform())
  }

  /** Draws an exponential variable with mean 1, from one uniform. */
  exponential(): number {
    return -log(this.uniform())
  }

  /**
   * Draws a chi-square variable with `freedom` degrees of freedom, at least 2: twice a gamma variable by Marsaglia and
   * Tsang's method (ACM Transactions on Mathematical Software 26, 2000). It takes two uniforms, more in one case of fifty.
   */
  chiSquare(freedom: number): number {
    assert(freedom >= 2 && freedom < 1e9, 'degrees of freedom are at least 2')
    const d = freedom / 2 - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const z = this.normal()
      const root = 1 + c * z
      const uniform = this.uniform()
      if (root <= 0) continue
      const cube = root * root * root
      const square = z * z
      if (uniform < 1 - 0.0331 * square * square) return 2 * d * cube
      if (log(uniform) < 0.5 * square + d * (1 - cube + log(cube))) return 2 * d * cube
    }
  }

  /** Draws the number of events when `mean` are expected, by inversion. It takes one uniform for each 256 of the mean. */
  poisson(mean: number): number {
    assert(mean >= 0 && mean < 1e9, 'a Poisson mean is 0 or more and finite')
    let count = 0
    let rest = mean
    for (; rest > 256; rest -= 256) count += drawPoisson(256, this.uniform())
    return rest > 0 ? count + drawPoisson(rest, this.uniform()) : count
  }

  /** Draws what `poisson(mean)` would, faster, from the table that `makePoissonTable(mean)` has made. */
  poissonFromTable(table: Float64Array): number {
    const uniform = this.uniform()
    let count = 0
    while (uniform > element(table, count)) count += 1
    return count
  }

  /** Draws an integer from 0 to `bound` - 1, from one uniform. */
  integer(bound: number): number {
    assert(Number.isSafeInteger(bound) && bound > 0, 'a bound is a positive integer')
    return Math.floor(this.uniform() * bound)
  }

  state(): RandomState {
    return [this.s0, this.s1, this.s2, this.carry]
  }

  private next(): number {
    const sum = 2091639 * this.s0 + this.carry * 2.3283064365386963e-10 // 2^-32
    this.s0 = this.s1
    this.s1 = this.s2
    this.carry = sum | 0
    this.s2 = sum - this.carry
    return this.s2
  }
}

/** Adds a text to the state of Baagoe's hash ("mash") and returns the new state. */
function hashText(state: number, text: string): number {
  let n = state
  for (let place = 0; place < text.length; place += 1) n = hashCode(n, text.charCodeAt(place))
  return n
}

/** Adds a text to each of several hash states, in place. */
function hashTextInto(states: Float64Array, text: string): void {
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place)
    for (let lane = 0; lane < states.length; lane += 1) states[lane] = hashCode(element(states, lane), code)
  }
}

/** Adds to each of ten hash states the digit that is its index, in place. */
function hashDigitsInto(states: Float64Array): void {
  for (let digit = 0; digit < states.length; digit += 1)
    states[digit] = hashCode(element(states, digit), zeroCode + digit)
}

const zeroCode = '0'.charCodeAt(0)

function hashCode(state: number, code: number): number {
  let n = state + code
  let h = 0.02519603282416938 * n
  n = h >>> 0
  h -= n
  h *= n
  n = h >>> 0
  h -= n
  return n + h * 0x100000000
}

/** Creates a stream from the states after the three passes of the hash over its name. */
function makeStream(first: number, second: number, third: number): RandomStream {
  return new RandomStream(
    subtractFraction(space0, toFraction(first)),
    subtractFraction(space1, toFraction(second)),
    subtractFraction(space2, toFraction(third)),
    1,
  )
}

function toFraction(state: number): number {
  return (state >>> 0) * 2.3283064365386963e-10
}

function subtractFraction(from: number, less: number): number {
  const left = from - less
  return left < 0 ? left + 1 : left
}

/* Alea seeds every stream by hashing three spaces first. */
const afterOne = hashText(0xefc8249d, ' ')
const afterTwo = hashText(afterOne, ' ')
const afterSpaces = hashText(afterTwo, ' ')
const [space0, space1, space2] = [toFraction(afterOne), toFraction(afterTwo), toFraction(afterSpaces)]

/**
 * Computes the probabilities of at most 0, 1, 2, ... events when `mean`, at most 256, are expected. The last one is 1. It is
 * the table for `RandomStream.poissonFromTable`.
 */
export function makePoissonTable(mean: number): Float64Array {
  const chances: number[] = []
  let probability = exp(-mean)
  let cumulative = probability
  for (;;) {
    chances.push(cumulative)
    probability *= mean / chances.length
    const next = cumulative + probability
    if (next === cumulative && chances.length > mean) return Float64Array.of(...chances, 1)
    cumulative = next
  }
}

function drawPoisson(mean: number, uniform: number): number {
  let count = 0
  let probability = exp(-mean)
  let cumulative = probability
  while (uniform > cumulative) {
    count += 1
    probability *= mean / count
    const next = cumulative + probability
    if (next === cumulative && count > mean) break // as close to 1 as the sum gets
    cumulative = next
  }
  return count
}
