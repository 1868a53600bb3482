import type { WorldSnapshot } from '../world-snapshot.ts'
import { countUntil, type Moment } from './moment.ts'

interface Checkpoint extends Moment {
  readonly snapshot: WorldSnapshot
}

/** So many at most; then every second one goes, and they are taken half as often from there on. */
const mostCheckpoints = 32
const fewestCheckpoints = 3
/** Of their largest tables: worlds with many orders keep fewer. */
const mostBytes = 256 * 1_048_576

/** Snapshots along the way of a world, from which its past is done again. */
export class Checkpoints {
  private kept: readonly Checkpoint[] = []
  /** How much work lies between two of them, as often as they were thinned out. */
  private spread = 1

  get stride(): number {
    return this.spread
  }

  add(moment: Moment, snapshot: WorldSnapshot): void {
    this.kept = [...this.kept, { ...moment, snapshot }]
    const { orders, fills, quotes } = snapshot.venue
    const bytes = [orders, fills, quotes].reduce((sum, { records }) => sum + records.byteLength, 0)
    const mayStay = this.kept.length * bytes <= mostBytes || this.kept.length <= fewestCheckpoints
    if (this.kept.length <= mostCheckpoints && mayStay) return
    this.kept = this.kept.filter((_, index) => index % 2 === 0)
    this.spread *= 2
  }

  /** The last one that is not after a moment; null when there is none. */
  before(moment: Moment): Checkpoint | null {
    return this.kept[countUntil(this.kept, moment) - 1] ?? null
  }
}
