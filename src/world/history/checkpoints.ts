import { tableBytes, type WorldSnapshot } from '../world-snapshot.ts'
import { countUntil, type Moment } from './moment.ts'

interface Checkpoint extends Moment {
  readonly snapshot: WorldSnapshot
}

/** When there are more, every second one goes, and from then on they are taken half as often. */
const maximumCheckpoints = 32
const fewestCheckpoints = 3
/** The bound on the bytes of their tables: worlds with many orders keep fewer. */
const maximumBytes = 256 * 1_048_576

/** Snapshots along a world's way, from which its past is made again. */
export class Checkpoints {
  private kept: readonly Checkpoint[] = []
  /** How much work lies between two checkpoints; it doubles when they are thinned out. */
  private spread = 1

  get stride(): number {
    return this.spread
  }

  add(moment: Moment, snapshot: WorldSnapshot): void {
    this.kept = [...this.kept, { ...moment, snapshot }]
    const mayStay =
      this.kept.length * tableBytes(snapshot) <= maximumBytes || this.kept.length <= fewestCheckpoints
    if (this.kept.length <= maximumCheckpoints && mayStay) return
    this.kept = this.kept.filter((_, index) => index % 2 === 0)
    this.spread *= 2
  }

  /** The last checkpoint that is not after a moment; null when there is none. */
  before(moment: Moment): Checkpoint | null {
    return this.kept[countUntil(this.kept, moment) - 1] ?? null
  }
}
