import { createHash } from 'node:crypto'
import { type CaseRow, rowText } from './case-row.ts'
import { caseCountOf, casesOf, planDigest, type SweepPlan } from './plan.ts'

/** The rows of a sweep in the order of its plan, and the cases that have none. */
export interface OrderedRows {
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
