import { createRequire } from 'node:module'

const alea: (seed: string) => () => number = createRequire(import.meta.url)('seedrandom/lib/alea.js')

/** Seeded draws for the workloads. */
export class Random {
  private readonly draw: () => number

  constructor(seed: string) {
    this.draw = alea(seed)
  }

  /** In [0, 1). */
  unit(): number {
    return this.draw()
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.draw() * bound)
  }

  /** An integer in [low, high]. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  chance(probability: number): boolean {
    return this.draw() < probability
  }
}
