import { millisToIso } from '../../numeric/time-text.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { type ParameterDeclarations, resolveParameters } from '../parameters.ts'
import type { ParameterValues } from '../result.ts'
import { resolveRunSpan } from '../run-span.ts'
import {
  type CaseRow,
  describeUnknown,
  formatCell,
  listCases,
  narrowToWindow,
  type ParseResult,
  pickParameters,
  type SweepPlan,
  type SweepSetup,
  sourceNames,
} from './plan.ts'
import { parseResults } from './sweep-result.ts'

/** The cases of a sweep that differ from a run in nothing but the seed. */
export interface SeedDistribution {
  readonly seeds: number
  /** How many seeds the sweep was to have; some may not be done. */
  readonly plannedSeeds: number
  /** How many of the cases failed, and have no profit. */
  readonly failed: number
  /** Profits in USD, one for each seed that did not fail. */
  readonly profits: readonly number[]
}

/** A run, with everything that identifies it among the cases of a sweep. */
export interface RunCase {
  readonly version: string
  readonly strategyDigest: string
  readonly declarations: ParameterDeclarations
  readonly scenario: CompiledScenario
  readonly scenarioDigest: string
  /** Its options as texts, by their names, as a plan has them. */
  readonly options: SweepSetup['options']
  readonly parameters: ParameterValues
  readonly seed: string
  /** The digest of its end; null where it is not known. */
  readonly digest: string | null
}

/**
 * Finds the seeds of a run in the results of a sweep: the cases that differ from it in nothing but the seed. Says what
 * the first difference is where there are none: the version, the strategy, the market, the span, an option, a parameter,
 * or what came of the seed that both have.
 */
export function findSeeds(results: string, run: RunCase): ParseResult<SeedDistribution> {
  const parsed = parseResults(results)
  if (!parsed.ok) return parsed
  const { plan, plannedSeeds, rows } = parsed.value
  const { strategy, version } = plan.work
  if (version !== run.version) return refuse(`it was made by otcsim ${version}, and this is ${run.version}`)
  if (strategy.digest !== run.strategyDigest)
    return refuse(
      `its strategy ${strategy.file} is another one (${strategy.digest || 'not known'}) than this run's (${run.strategyDigest})`,
    )
  const known = new Set(listCases(plan).map(({ id }) => id))
  const foreign = rows.findIndex(({ id }) => !known.has(id))
  if (foreign >= 0) return refuse(`its line ${foreign + 2} is not a case of the plan in its first line`)
  const steps: readonly Step[] = [sameMarket, sameSpan, sameOptions, sameParameters]
  let left = rows
  for (const step of steps) {
    const next = step(plan, left, run)
    if (!next.ok) return next
    left = next.value
  }
  const own = left.find(({ seed }) => seed === run.seed)
  if (own?.digest !== undefined && run.digest !== null && own.digest !== run.digest)
    return refuse(
      [
        `its case of seed ${JSON.stringify(run.seed)} ended with ${own.digest ?? 'a failure'}, and this run with ${run.digest}, though all that is known of them is equal.`,
        describeUnknown(plan) ?? 'The strategy is not a function of its inputs.',
      ].join(' '),
    )
  const profits = left.flatMap(({ metrics }) => metrics['returns.profit'] ?? [])
  if (profits.length === 0) return refuse('none of its cases has a profit')
  const failed = left.filter(({ failure }) => failure !== null).length
  return { ok: true, value: { seeds: left.length, plannedSeeds, failed, profits } }
}

type Step = (plan: SweepPlan, rows: readonly CaseRow[], run: RunCase) => ParseResult<readonly CaseRow[]>

const refuse = (problem: string): { readonly ok: false; readonly problem: string } => ({ ok: false, problem })

const sameMarket: Step = (plan, rows, { scenarioDigest }) => {
  const { digests, name } = plan.work.scenario
  const findDigest = (row: CaseRow) =>
    digests[formatCell(Object.fromEntries(pickParameters(plan, row, 'scenario')))]
  const found = rows.filter((row) => findDigest(row) === scenarioDigest)
  if (found.length > 0) return { ok: true, value: found }
  return refuse(
    `its market ${name} is another one (${Object.values(digests).join(', ')}) than this run's (${scenarioDigest})`,
  )
}

const sameSpan: Step = (plan, rows, run) => {
  const formatSpan = (options: SweepSetup['options']) => {
    const { fromMillis, toMillis } = resolveRunSpan(run.scenario, options)
    return `${millisToIso(fromMillis)} to ${millisToIso(toMillis)}`
  }
  const own = formatSpan(run.options)
  const rowSpan = ({ window }: CaseRow) => formatSpan(narrowToWindow(plan.work, window).options)
  const found = rows.filter((row) => rowSpan(row) === own)
  if (found.length > 0) return { ok: true, value: found }
  const spans = [...new Set(rows.map(rowSpan))]
  const [first = ''] = spans
  const more = spans.length > 1 ? ` (the first of ${spans.length} windows)` : ''
  return refuse(`it ran over ${first}${more}, and this run over ${own}`)
}

const sameOptions: Step = ({ work }, rows, run) => {
  const names = [...new Set([...Object.keys(work.options), ...Object.keys(run.options)])].sort()
  const different = names.find((name) => !isOfMarketOrSpan(name) && work.options[name] !== run.options[name])
  if (different === undefined) return { ok: true, value: rows }
  const [there, here] = [work.options[different], run.options[different]].map(describeOption)
  return refuse(`its option ${different} is ${there}, and here it is ${here}`)
}

const isOfMarketOrSpan = (name: string): boolean => sourceNames.has(name) || name === 'from' || name === 'to'

const describeOption = (value: string | undefined): string =>
  value === undefined ? 'left out' : value === '' ? 'set' : value

const sameParameters: Step = (plan, rows, { declarations, parameters }) => {
  const resolveValues = (row: CaseRow) =>
    resolveParameters(declarations, Object.fromEntries(pickParameters(plan, row, 'strategy')))
  const names = Object.keys(parameters)
  const found = rows.filter((row) => {
    const values = resolveValues(row)
    return names.every((name) => values[name] === parameters[name])
  })
  if (found.length > 0) return { ok: true, value: found }
  for (const name of names) {
    const values = [...new Set(rows.map((row) => resolveValues(row)[name]))]
    if (!values.includes(parameters[name]))
      return refuse(`its parameter ${name} is ${values.join(' or ')}, and here it is ${parameters[name]}`)
  }
  const wanted = names.map((name) => `${name}=${parameters[name]}`)
  return refuse(`none of its cases has ${wanted.join(' ')}`)
}
