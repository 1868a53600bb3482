import { millisPerDay } from '../numeric/time-text.ts'

/**
 * The instants at which an account is sampled: those of its grid, which is counted from 1970, and the midnights (UTC) that
 * the grid does not have. Daily returns need those, whatever the grid is.
 */
export class SampleTimes {
  /** The next instant; it is moved on by `skipNext`. */
  nextMillis: number
  private readonly stepMillis: number
  private readonly hasMidnights: boolean

  /** Begins after an instant. `stepMillis` is the time between two points of the grid. */
  constructor(afterMillis: number, stepMillis: number) {
    this.stepMillis = stepMillis
    this.hasMidnights = millisPerDay % stepMillis === 0
    this.nextMillis = afterMillis
    this.nextMillis = this.findAfter(afterMillis)
  }

  /** Whether the next instant is on the grid, and not a midnight between two of its points. */
  get isOnGrid(): boolean {
    return this.hasMidnights || this.nextMillis % this.stepMillis === 0
  }

  /** Moves on to the instant after the next one. */
  skipNext(): void {
    if (this.hasMidnights) this.nextMillis += this.stepMillis
    else this.nextMillis = this.findAfter(this.nextMillis)
  }

  private findAfter(atMillis: number): number {
    const onGrid = findMultipleAfter(atMillis, this.stepMillis)
    return this.hasMidnights ? onGrid : Math.min(onGrid, findMultipleAfter(atMillis, millisPerDay))
  }
}

/** Finds the first multiple of a span after an instant. */
export function findMultipleAfter(atMillis: number, spanMillis: number): number {
  return (Math.floor(atMillis / spanMillis) + 1) * spanMillis
}
