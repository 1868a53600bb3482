import { quoteShellWord } from '../../backtest/parameters.ts'
import { quantileOfSorted } from '../../numeric/quantile.ts'
import type { Aggregate, AggregateStat, CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { Variant } from '../../scenario/file/params.ts'
import type { SourceLocation } from '../../scenario/file/tree.ts'
import {
  type ExactDecimal,
  exactFromText,
  exactToText,
  holdsExactly,
} from '../../scenario/predicates/exact.ts'
import { computeEndMillis, type Progress, runScenario } from '../../scenario/run/run-scenario.ts'
import type { MatrixFile } from '../scenario/scenario-files.ts'
import { type Check, type CheckFailure, createRunReport, type RunReport } from './run-report.ts'
import { recordSeries, targetSamples } from './run-series.ts'

export interface RunTask {
  readonly opened: MatrixFile
  readonly variant: Variant
  /** Whether prices and equity are recorded for charts. */
  readonly hasCharts: boolean
}

export function runOne(scenario: CompiledScenario, task: RunTask, progress: Progress): RunReport {
  const { opened, hasCharts } = task
  const startedAt = performance.now()
  const recorder =
    hasCharts || scenario.report.hasCharts ? recordSeries(scenario, computeEndMillis(scenario)) : null
  const run = runScenario(scenario, {
    progress,
    ...(recorder === null ? {} : { watch: recorder.look, sink: recorder.sink, stops: targetSamples }),
  })
  return createRunReport(scenario, run, {
    file: opened.file,
    replay: formatReplayCommand(opened, task.variant, scenario.venue.seed),
    series: recorder?.series ?? null,
    wallMillis: performance.now() - startedAt,
  })
}

/** Formats the command that repeats a run; without a variant, that of all runs of the matrix. */
function formatReplayCommand({ file, request }: MatrixFile, variant: Variant | null, seed: string): string {
  const isOfMatrix = variant === null || variant.name !== ''
  const seeded = isOfMatrix ? request.seed : seed
  return [
    `npx otcsim run ${quoteShellWord(file)}`,
    ...(seeded === null ? [] : [`--seed ${quoteShellWord(seeded)}`]),
    ...[...request.params].map(([name, value]) => `--param ${quoteShellWord(`${name}=${value}`)}`),
    ...(isOfMatrix && variant !== null ? [`--only ${quoteShellWord(`[${variant.name}]`)}`] : []),
  ].join(' ')
}

/**
 * Judges the expectations over all runs of a matrix, in a report of their own; null when there are none. An expectation
 * fails when any run lacks its number, rather than being judged on the other runs alone.
 */
export function judgeMatrix(
  scenario: CompiledScenario,
  opened: MatrixFile,
  reports: readonly RunReport[],
): RunReport | null {
  const checks = scenario.expectations.flatMap(({ aggregate, message, place }, index): readonly Check[] => {
    if (aggregate === null) return []
    const values = reports.map((report) => report.aggregates.find((it) => it.place === index)?.value ?? null)
    const failure = judgeAggregate(aggregate, values, place)
    return [{ text: formatAggregate(aggregate), message, place: failure?.places[0] ?? place, failure }]
  })
  if (checks.length === 0 || reports.length === 0) return null
  return {
    name: `${scenario.name} [all ${reports.length} runs]`,
    file: opened.file,
    seed: opened.request.seed ?? '',
    ok: checks.every(({ failure }) => failure === null),
    replay: formatReplayCommand(opened, null, ''),
    spanMillis: 0,
    digest: '',
    sequence: 0,
    fillCount: 0,
    fills: [],
    refusals: [],
    balances: [],
    figures: [],
    checks,
    recorded: [],
    aggregates: [],
    series: null,
    wallMillis: 0,
  }
}

function judgeAggregate(
  aggregate: Aggregate,
  values: readonly (string | null)[],
  place: SourceLocation,
): CheckFailure | null {
  const expected = formatAggregate(aggregate)
  const numbers = values
    .map((text) => (text === null ? null : exactFromText(text)))
    .filter((one) => one !== null)
  const missing = values.length - numbers.length
  if (missing > 0)
    return { expected, got: `${missing} of ${values.length} runs have no ${aggregate.name}`, places: [place] }
  const value = computeStatistic(aggregate.stat, numbers)
  if (value === null) return { expected, got: 'there were no runs', places: [place] }
  const unmet = aggregate.bounds.filter((bound) => !holdsExactly(value, bound.comparison, bound.value))
  if (unmet.length === 0) return null
  const got = `${aggregate.stat} over ${values.length} runs = ${exactToText(value)}`
  return { expected, got, places: unmet.map((bound) => bound.place) }
}

function formatAggregate({ stat, over, name, bounds }: Aggregate): string {
  const parts = bounds.map(({ comparison, value }) => `${comparison} ${exactToText(value)}`)
  return `${stat} over ${over} of ${name} ${parts.join(' and ')}`
}

const quantiles: { readonly [stat in Exclude<AggregateStat, 'mean'>]: number } = {
  min: 0,
  p5: 0.05,
  p25: 0.25,
  median: 0.5,
  p75: 0.75,
  p95: 0.95,
  max: 1,
}

/** Computes a statistic of all runs, rounded to twelve significant digits; null without values. */
function computeStatistic(stat: AggregateStat, values: readonly ExactDecimal[]): ExactDecimal | null {
  const sorted = values.map((value) => Number(exactToText(value))).sort((left, right) => left - right)
  if (sorted.length === 0) return null
  if (stat === 'mean')
    return roundToTwelveDigits(sorted.reduce((sum, value) => sum + value, 0) / sorted.length)
  return roundToTwelveDigits(quantileOfSorted(sorted, quantiles[stat]))
}

const roundToTwelveDigits = (value: number): ExactDecimal | null =>
  exactFromText(String(Number(value.toPrecision(12))))
