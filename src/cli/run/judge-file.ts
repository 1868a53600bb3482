import { quantileOfSorted } from '../../numeric/quantile.ts'
import type {
  Aggregate,
  AggregateStat,
  CompiledScenario,
  Expectation,
} from '../../scenario/compile/compiled.ts'
import type { SourceLocation } from '../../scenario/file/tree.ts'
import {
  type ExactDecimal,
  exactFromText,
  exactToText,
  holdsExactly,
} from '../../scenario/predicates/exact.ts'
import type { MatrixFile } from '../scenario/scenario-files.ts'
import { formatCount } from '../terminal.ts'
import { formatReplayCommand } from './run-one.ts'
import {
  type Check,
  type CheckFailure,
  formatPlace,
  isJudged,
  judgeChecks,
  listFailures,
  makeUnreachedCheck,
  type RunReport,
} from './run-report.ts'

/** Returns whether one report says all about a file: it has one run, and no expectation over several. */
export const isSingleRun = ({ variants }: MatrixFile, { aggregateCount }: RunReport): boolean =>
  variants.length === 1 && aggregateCount === 0

/**
 * Says why a file passes without anything judged, by the reports of its runs; null when something was judged or has
 * failed. A file that was asked for nothing holds nothing.
 */
export function findFileLack(reports: readonly RunReport[]): string | null {
  if (reports.some((report) => isJudged(report) || listFailures(report).length > 0)) return null
  const counts = reports.map(({ checks, aggregateCount }) => checks.length + aggregateCount)
  const most = Math.max(0, ...counts)
  return most === 0
    ? 'there is no expectation'
    : `there ${most === 1 ? 'is' : 'are'} ${formatCount(most, 'expectation')}, and none was judged`
}

/**
 * Judges all runs of a file together, in a report of their own: its expectations over all runs, which are judged only
 * where each of them ran, and whether anything was judged at all. Returns null when there is nothing to say. `mayLack`
 * lets a file pass of which nothing was judged.
 */
export function judgeFile(
  scenario: CompiledScenario,
  opened: MatrixFile,
  reports: readonly RunReport[],
  mayLack: boolean,
): RunReport | null {
  const [first] = reports
  if (first === undefined || isSingleRun(opened, first)) return null
  const checks = listAggregateChecks(scenario, opened, reports)
  const whole: RunReport = {
    name: `${scenario.name} [${formatPart(opened, reports)}]`,
    file: opened.file,
    seed: opened.request.seed ?? '',
    ...judgeChecks(checks, null, null),
    replay: formatReplayCommand(opened, null, ''),
    requests: null,
    spanMillis: 0,
    digest: '',
    sequence: 0,
    fillCount: 0,
    fills: [],
    refusals: [],
    idle: [],
    balances: [],
    figures: [],
    marks: [],
    thresholds: [],
    recorded: [],
    aggregateCount: 0,
    aggregates: [],
    series: null,
    wallMillis: 0,
  }
  const lack = mayLack ? null : findFileLack([...reports, whole])
  return checks.length === 0 && lack === null ? null : { ...whole, ...judgeChecks(checks, lack, null) }
}

type AggregateExpectation = Expectation & { readonly aggregate: Aggregate }

function listAggregateChecks(
  { expectations, unreached, venue }: CompiledScenario,
  opened: MatrixFile,
  reports: readonly RunReport[],
): readonly Check[] {
  const isWhole = reports.length === opened.variants.length
  return [...expectations, ...unreached].flatMap((expectation): readonly Check[] => {
    const { aggregate, message, place } = expectation
    if (aggregate === null) return []
    const values = reports.map(({ aggregates }) => findValue(aggregates, place))
    // Parameters may move the end, so what is after it in one run may be reached in another one.
    const isUnreached = unreached.includes(expectation)
    if (isUnreached && values.every((value) => value === null))
      return [makeUnreachedCheck(expectation, venue.startMillis)]
    if (isWhole) {
      const mayBeUnjudged = expectation.mayBeUnjudged || isUnreached
      return [judgeAggregate({ ...expectation, aggregate, mayBeUnjudged }, values)]
    }
    const unjudged = `only ${formatPart(opened, reports)} ran, and it is judged over all of them`
    const text = formatAggregate(aggregate)
    return [{ text, message, place, failure: null, unjudged, evaluations: 0, known: 0 }]
  })
}

const findValue = (aggregates: RunReport['aggregates'], place: SourceLocation): string | null =>
  aggregates.find((one) => one.place === formatPlace(place))?.value ?? null

/** Formats how many of a file's runs there are reports of: `all 4 runs`, `2 of 4 runs`. */
function formatPart({ variants }: MatrixFile, reports: readonly RunReport[]): string {
  const whole = formatCount(variants.length, 'run')
  return reports.length === variants.length ? `all ${whole}` : `${reports.length} of ${whole}`
}

/** Judges a statistic over all runs. It fails, or is not judged where it may be, when any run lacks its number. */
function judgeAggregate(
  { aggregate, message, place, mayBeUnjudged }: AggregateExpectation,
  values: readonly (string | null)[],
): Check {
  const numbers = values
    .map((text) => (text === null ? null : exactFromText(text)))
    .filter((one) => one !== null)
  const counts = { evaluations: values.length, known: numbers.length }
  const check = { ...counts, text: formatAggregate(aggregate), message, place, failure: null, unjudged: null }
  const missing = values.length - numbers.length
  if (missing > 0) {
    const got = `${missing} of ${values.length} runs have no ${aggregate.name}`
    if (mayBeUnjudged) return { ...check, unjudged: got }
    return { ...check, failure: { expected: check.text, got, places: [place] } }
  }
  const failure = findUnmetBounds(aggregate, numbers, place)
  return { ...check, place: failure?.places[0] ?? place, failure }
}

function findUnmetBounds(
  aggregate: Aggregate,
  numbers: readonly ExactDecimal[],
  place: SourceLocation,
): CheckFailure | null {
  const expected = formatAggregate(aggregate)
  const value = computeStatistic(aggregate.stat, numbers)
  if (value === null) return { expected, got: 'there were no runs', places: [place] }
  const unmet = aggregate.bounds.filter((bound) => !holdsExactly(value, bound.comparison, bound.value))
  if (unmet.length === 0) return null
  const got = `${aggregate.stat} over ${numbers.length} runs = ${exactToText(value)}`
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
