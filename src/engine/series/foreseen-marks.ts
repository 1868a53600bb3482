import type { ImpactState } from '../../market/liquidity/impact.ts'
import { noImpact } from '../../market/liquidity/impact.ts'
import type { PathOverride } from '../../market/path-override.ts'
import { doubleAt } from '../../numeric/columns.ts'

/** A power of two, and no less than markets remember prices. */
const kept = 1024

/** The marks of grid indices that were looked ahead at: a memory of what was computed, and no state. */
export class ForeseenMarks {
  private readonly indices = new Float64Array(kept)
  private readonly ticks = new Float64Array(kept)
  /** What they were foreseen under: data that is replaced when it changes, never changed. */
  private impact: ImpactState = noImpact
  private overrides: readonly PathOverride[] = []
  private prices = new Float64Array(0)

  /** An array for the prices that marks are made of; the last one is used again. */
  room(count: number): Float64Array {
    if (this.prices.length < count) this.prices = new Float64Array(2 * count)
    return this.prices
  }

  /** The mark of a grid index above 0 under an impact and overrides; 0 where it is not known. */
  ticksAt(gridIndex: number, impact: ImpactState, overrides: readonly PathOverride[]): number {
    if (impact !== this.impact || overrides !== this.overrides) return 0
    const place = gridIndex & (kept - 1)
    return this.indices[place] === gridIndex ? doubleAt(this.ticks, place) : 0
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
