import type { CaseRow } from '../sweep/case-row.ts'
import type { SweepPlan } from '../sweep/plan.ts'
import type { CellSummary } from '../sweep/summary.ts'

export interface SweepContext {
  readonly version: string
  /** Those of the plan, some of which may not be done yet. */
  readonly cases: number
  readonly objective: string
}

/** What the sections of a sweep's report are made of. */
export interface SweepView {
  readonly plan: SweepPlan
  readonly rows: readonly CaseRow[]
  readonly objective: string
  readonly cells: readonly CellSummary[]
  /** The cell with the best median of the objective; null where no run has one. */
  readonly best: CellSummary | null
}
