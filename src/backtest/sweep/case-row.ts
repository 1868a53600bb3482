import { codecFor, decoded } from '../../journal/codec.ts'
import { anyList, anyNumber, nullable, type RecordOf, record, text, typed } from '../../shape/shape.ts'
import type { SweepCase, SweepPlan } from './plan.ts'
import { caseFields, namedCodecs, scenarioOf, sortedByName, workIn, workShape } from './plan.ts'

const rowShape = record({
  ...caseFields,
  /** The digest of the run; null where the strategy failed. */
  digest: nullable(text()),
  /** By name; null where a figure is undefined for the run. */
  metrics: typed<{ readonly [name: string]: number | null }>({ $ref: 'numbersByName' }),
  /** Total value in USD at equal steps from the start of the run to its end; at most 101 of them. */
  equity: anyList(anyNumber()),
  /** Why the strategy failed before the end; null where it did not. */
  failure: nullable(text()),
})

/** The result of one case: plain data, and a pure function of the case. */
export type CaseRow = RecordOf<typeof rowShape>

const rowCodec = codecFor<CaseRow>(rowShape, namedCodecs)

/** A row as it is stored and compared: the keys in a fixed order, metrics by name. */
export function rowText(row: CaseRow): string {
  return JSON.stringify(rowCodec.encode({ ...row, metrics: sortedByName(row.metrics) }))
}

/** A row from a file or a queue; null for anything else. */
export const asRow = (value: unknown): CaseRow | null => decoded(rowCodec, value)

const taskShape = record({
  ...caseFields,
  work: workShape,
  /** Which of the parameters are the scenario's; the others are the strategy's. */
  scenarioParameters: anyList(text()),
  /** The digest that the scenario must have with them. */
  scenarioDigest: text(),
})

/** A case as it travels to the thread or machine that runs it: everything that is needed, as plain JSON data. */
export type CaseTask = RecordOf<typeof taskShape>

const taskCodec = codecFor<CaseTask>(taskShape, namedCodecs)

/** What a queue brings; null for anything but a case. */
export const asTask = (value: unknown): CaseTask | null => decoded(taskCodec, value)

/** A row, or why cases of this work cannot run here at all. */
export type TaskAnswer =
  | { readonly ok: true; readonly row: CaseRow }
  | { readonly ok: false; readonly problem: string }

export function taskOf(plan: SweepPlan, each: SweepCase): CaseTask {
  const scenarioParameters = plan.grid.filter(({ of }) => of === 'scenario').map(({ name }) => name)
  const work = workIn(plan.work, each.window)
  return { ...each, work, scenarioParameters, scenarioDigest: scenarioOf(plan, each.parameters) }
}
