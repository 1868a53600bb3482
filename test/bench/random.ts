import type { RandomStream } from '../../src/numeric/random.ts'
import { createStream } from '../../src/numeric/random.ts'

/** Seeded draws for the workloads. */
export class Random {
  private readonly stream: RandomStream

  constructor(seed: string, workload: string) {
    this.stream = createStream(seed, 'bench', workload, 0)
  }

  /** In (0, 1). */
  unit(): number {
    return this.stream.uniform()
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    return this.stream.integer(bound)
  }

  /** An integer in [low, high]. */
  between(low: number, high: number): number {
    return low + this.stream.integer(high - low + 1)
  }

  chance(probability: number): boolean {
    return this.stream.uniform() < probability
  }
}
