import { isObject } from '../../api/json.ts'
import type { SweepCase, SweepPlan, SweepWindow, SweepWork } from './plan.ts'
import { asWindow, asWork, isTextRecord, isTexts, scenarioOf, workIn } from './plan.ts'

/** The result of one case: plain data, and a pure function of the case. */
export interface CaseRow {
  readonly id: string
  readonly seed: string
  readonly parameters: SweepCase['parameters']
  /** In a walk forward, the window that it ran over. */
  readonly window?: SweepWindow
  /** The digest of the run; null where the strategy failed. */
  readonly digest: string | null
  /** By name; null where a figure is undefined for the run. */
  readonly metrics: { readonly [name: string]: number | null }
  /** Total value in USD at equal steps from the start of the run to its end; at most 101 of them. */
  readonly equity: readonly number[]
  /** Why the strategy failed before the end; null where it did not. */
  readonly failure: string | null
}

/** A row as it is stored and compared: the keys in a fixed order, metrics by name. */
export function rowText(row: CaseRow): string {
  const metrics = Object.entries(row.metrics).sort(([left], [right]) => (left < right ? -1 : 1))
  return JSON.stringify({
    id: row.id,
    seed: row.seed,
    parameters: row.parameters,
    ...(row.window === undefined ? {} : { window: { from: row.window.from, to: row.window.to } }),
    digest: row.digest,
    metrics: Object.fromEntries(metrics),
    equity: row.equity,
    failure: row.failure,
  })
}

/** A row from a file or a queue; null for anything else. */
export function asRow(value: unknown): CaseRow | null {
  if (!isObject(value)) return null
  const { id, seed, parameters, digest, metrics, equity, failure } = value
  if (typeof id !== 'string' || typeof seed !== 'string' || !isTextRecord(parameters)) return null
  if (!isTextOrNull(digest) || !isTextOrNull(failure)) return null
  if (!isMetrics(metrics) || !isNumbers(equity)) return null
  const window = asWindow(value['window'])
  return { id, seed, parameters, ...(window === null ? {} : { window }), digest, metrics, equity, failure }
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number')
}

function isMetrics(value: unknown): value is CaseRow['metrics'] {
  return isObject(value) && Object.values(value).every((item) => item === null || typeof item === 'number')
}

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
