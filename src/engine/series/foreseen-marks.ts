import type { ImpactState } from '../../market/liquidity/impact.ts'
import { noImpact } from '../../market/liquidity/impact.ts'
import type { PathOverride } from '../../market/path-override.ts'

/** A power of two, and at least as many as the prices that markets remember. */
const kept = 1024

/** Marks of grid indices that were computed ahead of time: a cache, not part of the state. */
export class ForeseenMarks {
  private readonly indices = new Float64Array(kept)
  private readonly ticks = new Float64Array(kept)
  /** What the marks were computed with. Compared by identity: this data is replaced, never changed. */
  private impact: ImpactState = noImpact
  private overrides: readonly PathOverride[] = []
  private prices = new Float64Array(0)

  /** A reused array for at least `count` prices, from which marks are then made. */
  room(count: number): Float64Array {
    if (this.prices.length < count) this.prices = new Float64Array(2 * count)
    return this.prices
  }

  /** The mark at a grid index above 0 under an impact and overrides, in ticks; 0 where it is not known. */
  ticksAt(gridIndex: number, impact: ImpactState, overrides: readonly PathOverride[]): number {
    if (impact !== this.impact || overrides !== this.overrides) return 0
    const place = gridIndex & (kept - 1)
    return this.indices[place] === gridIndex ? Number(this.ticks[place]) : 0
  }

  remember(gridIndex: number, ticks: number, impact: ImpactState, overrides: readonly PathOverride[]): void {
    if (impact !== this.impact || overrides !== this.overrides) {
      this.impact = impact
      this.overrides = overrides
      this.indices.fill(0)
    }
    const place = gridIndex & (kept - 1)
    this.indices[place] = gridIndex
    this.ticks[place] = ticks
  }
}
