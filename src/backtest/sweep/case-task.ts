import { isObject } from '../../api/json.ts'
import type { CaseRow } from './case-row.ts'
import { type SweepCase, type SweepPlan, type SweepWork, scenarioOf, workIn } from './plan.ts'
import { asWindow, asWork, isTextRecord, isTexts } from './plan-file.ts'

/** A case as it travels to the thread or machine that runs it: everything that is needed, as plain JSON data. */
export interface CaseTask extends SweepCase {
  readonly work: SweepWork
  /** Which of the parameters are the scenario's; the others are the strategy's. */
  readonly scenarioParameters: readonly string[]
  /** The digest that the scenario must have with them. */
  readonly scenarioDigest: string
}

/** A row, or why cases of this work cannot run here at all. */
export type TaskAnswer =
  | { readonly ok: true; readonly row: CaseRow }
  | { readonly ok: false; readonly problem: string }

export function taskOf(plan: SweepPlan, each: SweepCase): CaseTask {
  const scenarioParameters = plan.grid.filter(({ of }) => of === 'scenario').map(({ name }) => name)
  const work = workIn(plan.work, each.window)
  return { ...each, work, scenarioParameters, scenarioDigest: scenarioOf(plan, each.parameters) }
}

/** Narrows what a queue brings; null for anything else. */
export function asTask(value: unknown): CaseTask | null {
  if (!isObject(value)) return null
  const { id, seed, parameters, scenarioDigest, scenarioParameters } = value
  const work = asWork(value['work'])
  if (work === null || typeof id !== 'string' || typeof seed !== 'string') return null
  if (!isTextRecord(parameters) || !isTexts(scenarioParameters)) return null
  if (typeof scenarioDigest !== 'string') return null
  const window = asWindow(value['window'])
  const place = window === null ? {} : { window }
  return { id, seed, parameters, ...place, work, scenarioParameters, scenarioDigest }
}
