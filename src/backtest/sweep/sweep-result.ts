import { nearestWord } from '../../api/nearest-word.ts'
import type { CaseRow } from './case-row.ts'
import { type OutOfSample, outOfSample } from './out-of-sample.ts'
import type { SweepPlan } from './plan.ts'

/** The result of a sweep: plain data, the same however many threads there were. */
export interface SweepResult {
  readonly plan: SweepPlan
  /** In the order of the plan: by window, then by seed, then by cell with the last parameter changing fastest. */
  readonly rows: readonly CaseRow[]
  /** How many there are when all are done. */
  readonly cases: number
  /** False where a signal has stopped the sweep. */
  readonly isComplete: boolean
  /** The digest of plan and rows, which the command prints, too. */
  readonly digest: string
}

/**
 * What a walk forward tells: which cell each training chose by that figure, and what became of it in the test. Throws a
 * RangeError for a sweep without a walk forward, and for a figure that no row has.
 */
export function outOfSampleOf({ plan, rows }: SweepResult, objective: string): OutOfSample {
  if (plan.walkForward === undefined) throw new RangeError('the sweep has no walkForward')
  const known = new Set(rows.flatMap(({ metrics }) => Object.keys(metrics)))
  if (known.size > 0 && !known.has(objective)) {
    const nearest = nearestWord(objective, [...known])
    throw new RangeError(
      `there is no figure "${objective}"${nearest === null ? '' : `; did you mean "${nearest}"?`}`,
    )
  }
  return outOfSample(plan, plan.walkForward, rows, objective)
}
