import { type CaseRow, rowText } from './case-row.ts'
import { casesOf, cellName, planDigest, type SweepCase, type SweepPlan } from './plan.ts'
import { readStore } from './store.ts'

export type Merged =
  | { readonly ok: true; readonly plan: SweepPlan; readonly rows: readonly CaseRow[] }
  | {
      readonly ok: false
      /** One problem a line. */
      readonly problems: readonly string[]
      /** Two machines got different results for the same case. */
      readonly isDeterminismBroken: boolean
    }

/**
 * Joins the stores of a plan's shards. They must belong to one plan, and together have every case once. Cases that are
 * missing or there twice, and stores of another version or plan, are reported, a line for each.
 */
export function mergeStores(paths: readonly string[]): Merged {
  const contents = paths.map((path) => ({ path, found: readStore(path) }))
  const unreadable = contents.flatMap(({ found }) => (found.ok ? [] : [found.problem]))
  if (unreadable.length > 0) return refused(unreadable)
  const stores = contents.flatMap(({ path, found }) =>
    found.ok ? [{ path, plan: found.plan, rows: found.rows }] : [],
  )
  const [first] = stores
  if (first === undefined) return refused(['there is nothing to merge'])
  const mixed = stores.flatMap(({ path, plan }) => mixProblem(path, plan, first))
  if (mixed.length > 0) return refused(mixed)
  return gather(first.plan, stores)
}

interface Shard {
  readonly path: string
  readonly plan: SweepPlan
  readonly rows: readonly CaseRow[]
}

const refused = (problems: readonly string[], isDeterminismBroken = false): Merged => ({
  ok: false,
  problems,
  isDeterminismBroken,
})

function mixProblem(path: string, { work, ...plan }: SweepPlan, first: Shard): readonly string[] {
  const wanted = first.plan.work
  const differs = (what: string, here: string, there: string) =>
    here === there ? [] : [`${path} has ${what} ${here}, ${first.path} ${there}`]
  const problems = [
    ...differs('version', work.version, wanted.version),
    ...differs('the strategy', work.strategy.digest, wanted.strategy.digest),
    ...differs(
      'the scenario',
      JSON.stringify(work.scenario.digests),
      JSON.stringify(wanted.scenario.digests),
    ),
  ]
  if (problems.length > 0) return problems
  return differs('the plan', planDigest({ work, ...plan }), planDigest(first.plan))
}

function gather(plan: SweepPlan, stores: readonly Shard[]): Merged {
  const seen = new Map<string, { readonly row: CaseRow; readonly path: string }>()
  const problems: string[] = []
  let isDeterminismBroken = false
  for (const { path, rows } of stores) {
    for (const row of rows) {
      const earlier = seen.get(row.id)
      if (earlier === undefined) {
        seen.set(row.id, { row, path })
        continue
      }
      const isEqual = rowText(earlier.row) === rowText(row)
      isDeterminismBroken ||= !isEqual
      const what = isEqual ? 'is there twice' : 'has two different results'
      problems.push(`${nameOf(row)} ${what}: in ${earlier.path} and ${path}`)
    }
  }
  const cases = casesOf(plan)
  const known = new Set(cases.map(({ id }) => id))
  for (const { row, path } of seen.values()) {
    if (!known.has(row.id)) problems.push(`${nameOf(row)} in ${path} is not a case of the plan`)
  }
  const rows: CaseRow[] = []
  for (const each of cases) {
    const found = seen.get(each.id)
    if (found === undefined) problems.push(`${nameOf(each)} is missing`)
    else rows.push(found.row)
  }
  return problems.length > 0 ? refused(problems, isDeterminismBroken) : { ok: true, plan, rows }
}

function nameOf({ id, seed, parameters, window }: SweepCase): string {
  const cell = cellName(parameters)
  const from = window === undefined ? '' : ` from ${window.from}`
  return `case ${id} (seed ${JSON.stringify(seed)}${cell === '' ? '' : ` ${cell}`}${from})`
}
