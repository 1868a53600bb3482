import { element } from '../../numeric/columns.ts'
import type { Lattice } from './price-model.ts'

/** A noise that can be read at any instant: a Gaussian path, or several that are weighted into one. */
export interface NoisePath {
  /** Writes the values at the lattice's instants of a minute, from 0 on. */
  fill(minute: number, lattice: Lattice, values: Float64Array): void
  /** The value at an instant, milliseconds after the market's start. */
  at(offsetMillis: number): number
  /** Writes the increments of `count` minutes from `minute` on. */
  fillIncrements(minute: number, count: number, increments: Float64Array): void
}

/** The weighted sum of paths: with the rows of a Cholesky factor as weights, noises that are correlated. */
export class WeightedNoise implements NoisePath {
  private readonly parts: readonly { readonly weight: number; readonly path: NoisePath }[]
  private scratch = new Float64Array(60)

  constructor(parts: readonly { readonly weight: number; readonly path: NoisePath }[]) {
    this.parts = parts
  }

  fill(minute: number, lattice: Lattice, values: Float64Array): void {
    const { count } = lattice
    if (this.scratch.length < count) this.scratch = new Float64Array(count)
    values.fill(0, 0, count)
    for (const { weight, path } of this.parts) {
      path.fill(minute, lattice, this.scratch)
      this.add(weight, count, values)
    }
  }

  at(offsetMillis: number): number {
    let sum = 0
    for (const { weight, path } of this.parts) sum += weight * path.at(offsetMillis)
    return sum
  }

  fillIncrements(minute: number, count: number, increments: Float64Array): void {
    if (this.scratch.length < count) this.scratch = new Float64Array(count)
    increments.fill(0, 0, count)
    for (const { weight, path } of this.parts) {
      path.fillIncrements(minute, count, this.scratch)
      this.add(weight, count, increments)
    }
  }

  private add(weight: number, count: number, sums: Float64Array): void {
    for (let i = 0; i < count; i += 1) sums[i] = element(sums, i) + weight * element(this.scratch, i)
  }
}
