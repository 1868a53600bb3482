import type { Figures } from '../../src/metrics/realism/facts.ts'
import { median } from '../support/statistics.ts'

/** Figures of several paths or windows, which are judged by their medians. */
export class Sample {
  private readonly values = new Map<string, number[]>()

  add(figures: Figures): void {
    for (const [name, value] of Object.entries(figures)) {
      const known = this.values.get(name)
      if (known === undefined) this.values.set(name, [value])
      else known.push(value)
    }
  }

  get names(): readonly string[] {
    return [...this.values.keys()]
  }

  /** NaN for a figure that was never measured. */
  median(name: string): number {
    return median(this.values.get(name) ?? [])
  }

  least(name: string): number {
    return Math.min(...(this.values.get(name) ?? []))
  }

  most(name: string): number {
    return Math.max(...(this.values.get(name) ?? []))
  }
}
