import { assert } from './assert.ts'
import { element } from './columns.ts'
import { exp, inverseNormal, log } from './portable-math.ts'

/*
 * Named random streams. Every purpose, asset and block of time has its own, so that another asset, account, order
 * or read never shifts a draw, and any block can be reached without the ones before it.
 */

/** The stream of one block; the same four names always give the same draws. */
export function createStream(seed: string, purpose: string, asset: string, block: number): RandomStream {
  const name = `${seed}/${purpose}/${asset}/${block}`
  const first = mash(afterSpaces, name)
  const second = mash(first, name)
  return seededStream(first, second, mash(second, name))
}

/**
 * The streams of one purpose for those who go from block to block. Ten neighbours, whose names differ in their last
 * digit, are hashed side by side: a processor waits for most of what one hash takes.
 */
export class StreamSeries {
  private readonly prefix: string
  /** Of the ten blocks, by last digit, what the three passes of the hash came to. */
  private readonly first = new Float64Array(10)
  private readonly second = new Float64Array(10)
  private readonly third = new Float64Array(10)
  private tens = Number.NaN

  constructor(seed: string, purpose: string, asset: string) {
    this.prefix = `${seed}/${purpose}/${asset}/`
  }

  at(block: number): RandomStream {
    const { first, second, third } = this
    // Of -1 to -9, too, the tens are others than of 0 to 9.
    const tens = block < 0 ? -1 - Math.floor(-block / 10) : Math.floor(block / 10)
    if (tens !== this.tens) this.hash(`${this.prefix}${String(block).slice(0, -1)}`, tens)
    const digit = Math.abs(block % 10)
    return seededStream(element(first, digit), element(second, digit), element(third, digit))
  }

  private hash(name: string, tens: number): void {
    const { first, second, third } = this
    first.fill(mash(afterSpaces, name))
    mashDigits(first)
    second.set(first)
    mashAll(second, name)
    mashDigits(second)
    third.set(second)
    mashAll(third, name)
    mashDigits(third)
    this.tens = tens
  }
}

export function resumeStream([s0, s1, s2, carry]: RandomState): RandomStream {
  return new RandomStream(s0, s1, s2, carry)
}

/** Alea's three fractions and its carry. */
export type RandomState = readonly [s0: number, s1: number, s2: number, carry: number]

/**
 * Johannes Baagoe's Alea, bit for bit as the package seedrandom has it: a market makes a stream for each block of each
 * purpose, and as a class one costs half as much and leaves less garbage.
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

  /** Strictly between 0 and 1, in steps of 2^-53. */
  uniform(): number {
    const high = this.next()
    const draw = high + ((this.next() * 0x200000) | 0) * 1.1102230246251565e-16 // 2^-53
    return draw > 0 ? draw : 5.551115123125783e-17 // 2^-54: half a step for the one draw in 2^53 that is 0
  }

  /** Standard normal, from one uniform. */
  normal(): number {
    return inverseNormal(this.uniform())
  }

  /** Exponential with mean 1, from one uniform. */
  exponential(): number {
    return -log(this.uniform())
  }

  /**
   * Chi-square with `freedom` degrees of freedom, at least 2: twice a gamma variable, by Marsaglia and Tsang's method
   * (ACM Transactions on Mathematical Software 26, 2000), which takes two uniforms, and more in one case of fifty.
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

  /** The number of events when `mean` are expected, by inversion: one uniform for each 256 of the mean. */
  poisson(mean: number): number {
    assert(mean >= 0 && mean < 1e9, 'a Poisson mean is 0 or more and finite')
    let count = 0
    let rest = mean
    for (; rest > 256; rest -= 256) count += invertPoisson(256, this.uniform())
    return rest > 0 ? count + invertPoisson(rest, this.uniform()) : count
  }

  /** The same draw for one of these means, from its `poissonTable`. */
  tabulatedPoisson(table: Float64Array): number {
    const uniform = this.uniform()
    let count = 0
    while (uniform > element(table, count)) count += 1
    return count
  }

  /** An integer from 0 to `bound` - 1, from one uniform. */
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

/** Baagoe's hash of texts one after the other, from a state to the next. */
function mash(state: number, text: string): number {
  let n = state
  for (let place = 0; place < text.length; place += 1) n = mashCode(n, text.charCodeAt(place))
  return n
}

/** The same of several states. */
function mashAll(states: Float64Array, text: string): void {
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place)
    for (let lane = 0; lane < states.length; lane += 1) states[lane] = mashCode(element(states, lane), code)
  }
}

/** The same, each with its own digit. */
function mashDigits(states: Float64Array): void {
  for (let digit = 0; digit < states.length; digit += 1)
    states[digit] = mashCode(element(states, digit), codeOfZero + digit)
}

const codeOfZero = '0'.charCodeAt(0)

function mashCode(state: number, code: number): number {
  let n = state + code
  let h = 0.02519603282416938 * n
  n = h >>> 0
  h -= n
  h *= n
  n = h >>> 0
  h -= n
  return n + h * 0x100000000
}

/** The stream of a name that the hash's three passes have come over. */
function seededStream(first: number, second: number, third: number): RandomStream {
  return new RandomStream(
    difference(space0, fraction(first)),
    difference(space1, fraction(second)),
    difference(space2, fraction(third)),
    1,
  )
}

function fraction(state: number): number {
  return (state >>> 0) * 2.3283064365386963e-10
}

function difference(from: number, less: number): number {
  const left = from - less
  return left < 0 ? left + 1 : left
}

/* Every seeding begins with three spaces. */
const afterOne = mash(0xefc8249d, ' ')
const afterTwo = mash(afterOne, ' ')
const afterSpaces = mash(afterTwo, ' ')
const [space0, space1, space2] = [fraction(afterOne), fraction(afterTwo), fraction(afterSpaces)]

/** The chances of at most 0, 1, 2, ... events where `mean`, at most 256, are expected, up to 1. */
export function poissonTable(mean: number): Float64Array {
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

function invertPoisson(mean: number, uniform: number): number {
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
