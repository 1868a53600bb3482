import { createHash } from 'node:crypto'
import { nearestWord } from '../../api/nearest-word.ts'
import type { CaseRow } from './case-row.ts'
import { rowText } from './case-row.ts'
import { type OutOfSample, outOfSample } from './out-of-sample.ts'
import type { SweepPlan } from './plan.ts'
import { caseCountOf, casesOf, planDigest } from './plan.ts'

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

/** The rows of a sweep in the order of its plan, and the cases that have none. */
interface OrderedRows {
  readonly rows: readonly CaseRow[]
  readonly missing: number
}

export function inPlanOrder(plan: SweepPlan, rows: Iterable<CaseRow>): OrderedRows {
  const byId = new Map<string, CaseRow>()
  for (const row of rows) byId.set(row.id, row)
  const ordered = casesOf(plan).flatMap(({ id }) => byId.get(id) ?? [])
  return { rows: ordered, missing: caseCountOf(plan) - ordered.length }
}

/**
 * A sweep's results as NDJSON: the plan without its seeds, then the rows in the order of the plan. The same bytes
 * whoever ran the cases, in whatever order and with however many interruptions.
 */
export function resultText(plan: SweepPlan, rows: readonly CaseRow[]): string {
  const { version, strategy, scenario, options } = plan.work
  const head = {
    format: 'otcsim sweep results 1',
    plan: planDigest(plan),
    version,
    strategy,
    scenario,
    options,
    grid: plan.grid,
    ...(plan.walkForward === undefined ? {} : { walkForward: plan.walkForward }),
    seeds: plan.seeds.length,
    cases: rows.length,
  }
  return `${[JSON.stringify(head), ...rows.map(rowText)].join('\n')}\n`
}

/** The digest of the results: 32 hex digits, printed after every sweep. */
export function resultDigest(plan: SweepPlan, rows: readonly CaseRow[]): string {
  return createHash('sha256').update(resultText(plan, rows)).digest('hex').slice(0, 32)
}
