import alea from 'seedrandom/lib/alea.js'
import { assert } from './assert.ts'
import { exp, inverseNormal, log } from './portable-math.ts'

/*
 * Named random streams. Every purpose, asset and block of time has its own, so that another asset, account, order
 * or read never shifts a draw, and any block can be reached without the ones before it.
 */

/** The stream of one block; the same four names always give the same draws. */
export function createStream(seed: string, purpose: string, asset: string, block: number): RandomStream {
  return new RandomStream(alea(`${seed}/${purpose}/${asset}/${block}`, { state: true }))
}

/** A stream that continues from where `state` was taken. */
export function resumeStream(state: RandomState): RandomStream {
  const [s0, s1, s2, c] = state
  return new RandomStream(alea('', { state: { s0, s1, s2, c } }))
}

/** Alea's three fractions and its carry. */
export type RandomState = readonly [s0: number, s1: number, s2: number, carry: number]

export class RandomStream {
  private readonly generator: Generator

  constructor(generator: Generator) {
    this.generator = generator
  }

  /** Strictly between 0 and 1, in steps of 2^-53. */
  uniform(): number {
    const draw = this.generator.double()
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

  /** An integer from 0 to `bound` - 1, from one uniform. */
  integer(bound: number): number {
    assert(Number.isSafeInteger(bound) && bound > 0, 'a bound is a positive integer')
    return Math.floor(this.uniform() * bound)
  }

  state(): RandomState {
    const { s0, s1, s2, c } = this.generator.state()
    return [s0, s1, s2, c]
  }
}

/** What a stream needs of its generator. */
interface Generator {
  double(): number
  state(): { readonly s0: number; readonly s1: number; readonly s2: number; readonly c: number }
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
