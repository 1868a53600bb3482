import { firstClientAccount, sideNames } from '../../engine/codes.ts'
import { computeBalance } from '../../engine/reports/balances.ts'
import type { State } from '../../engine/state.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import { decimalToNumber, decimalToText } from '../../numeric/units.ts'
import { eventNameOf, findActionLabel } from '../../scenario/actions/actions.ts'
import type { CompiledScenario, Expectation, ScriptedMoment } from '../../scenario/compile/compiled.ts'
import type { SourceLocation } from '../../scenario/file/tree.ts'
import { computeFigure } from '../../scenario/predicates/run-figures.ts'
import type { ExpectationFailure } from '../../scenario/run/expectation-evaluator.ts'
import type { ScenarioRun } from '../../scenario/run/run-scenario.ts'
import type { Paint } from '../terminal.ts'
import type { RunSeries } from './run-series.ts'

/** The report of one run as plain data, which threads can send and reporters show. */
export type RunReport = Readonly<ReturnType<typeof createRunReport>>

export interface Check {
  readonly text: string
  readonly message: string | null
  /** The place of the expectation; when it failed, of the first bound that was not met. */
  readonly place: SourceLocation
  /** How the expectation failed; null when it held. */
  readonly failure: CheckFailure | null
}

export type CheckFailure = Pick<ExpectationFailure, 'expected' | 'got' | 'places'>

export type FailedCheck = Check & { readonly failure: CheckFailure }

/** The maximum number of fills and refusals that are listed. A run may have millions. */
const maximumLines = 50

interface RunDetails {
  readonly file: string
  readonly replay: string
  /** The data of charts; null when nothing is drawn. */
  readonly series: RunSeries | null
  readonly wallMillis: number
}

/** Creates the report of one run. */
export function createRunReport(scenario: CompiledScenario, run: ScenarioRun, details: RunDetails) {
  const { state } = run
  const checks = listChecks(scenario, run)
  return {
    name: scenario.variant === '' ? scenario.name : `${scenario.name} [${scenario.variant}]`,
    seed: scenario.venue.seed,
    ok: checks.every(({ failure }) => failure === null),
    spanMillis: state.nowMillis - scenario.venue.startMillis,
    digest: run.digest,
    sequence: run.sequence,
    fillCount: state.fills.count,
    /** The first fills, as text. */
    fills: formatFills(state, run, scenario),
    refusals: formatRefusals(run),
    balances: formatBalances(state),
    figures: listFigures(state, scenario),
    checks,
    /** The recorded values that `--update` writes. */
    recorded: run.recorded,
    /** The number that each expectation over the whole matrix needs from this run, by its index in the scenario. */
    aggregates: run.aggregates.map(({ expectation, value }) => ({
      place: scenario.expectations.indexOf(expectation),
      value,
    })),
    ...details,
  }
}

export function listFailures(report: RunReport): readonly FailedCheck[] {
  return report.checks.flatMap((check) =>
    check.failure === null ? [] : [{ ...check, failure: check.failure }],
  )
}

/** Returns whether a report judges all runs of a matrix. It then has no seed, time or digest of its own. */
export const isOverall = ({ digest }: RunReport): boolean => digest === ''

function listChecks(scenario: CompiledScenario, run: ScenarioRun): readonly Check[] {
  const own = scenario.expectations.filter(({ aggregate }) => aggregate === null)
  const checks = own.map((expectation): Check => {
    const found = run.failures.find((failure) => failure.expectation === expectation)
    const failure =
      found === undefined ? null : { expected: found.expected, got: found.got, places: found.places }
    const { message, place } = expectation
    const text = formatExpectation(expectation, scenario.venue.startMillis)
    return { text, message, place: found?.places[0] ?? place, failure }
  })
  const { pinned } = scenario
  if (pinned === null) return checks
  const { digest, place } = pinned
  const got = `the run ended with ${run.digest}`
  const failure =
    run.brokenPin === null ? null : { expected: `journalDigest: ${digest}`, got, places: [place] }
  return [...checks, { text: `journalDigest ${digest}`, message: null, place, failure }]
}

/** Formats an expectation with its moments, so that expectations of the same predicate have different names. */
function formatExpectation({ kind, at, since, predicate, to }: Expectation, startMillis: number): string {
  const verb = kind === 'by' && at === null ? 'eventually' : kind
  const moments = [since, at].flatMap((moment) => (moment === null ? [] : formatMoment(moment, startMillis)))
  const when = moments.length === 0 ? '' : ` ${moments.join(' to ')}`
  return `${verb}${when}: ${predicate.text}${to === null ? '' : ` -> ${to.text}`}`
}

function formatMoment(moment: ScriptedMoment, startMillis: number): string {
  if (moment.kind === 'at') return `+${formatDuration(moment.at - startMillis)}`
  return moment.offsetMillis === 0 ? moment.label : `${moment.label}+${formatDuration(moment.offsetMillis)}`
}

function formatFills(state: State, run: ScenarioRun, scenario: CompiledScenario): readonly string[] {
  const { fills, assets } = state
  const labels = mapOrdersToLabels(state, run, scenario)
  const lines: string[] = []
  for (let row = 0; row < Math.min(fills.count, maximumLines); row += 1) {
    const asset = fills.asset.get(row)
    const { pair } = assets.tradedAsset(asset)
    const quantity = formatSteps(fills.quantitySteps.get(row), pair.quantityStep)
    const price = formatSteps(fills.priceTicks.get(row), pair.priceStep)
    const feeAsset = fills.feeAsset.get(row)
    const fee = decimalToText(fills.feeAtoms.get(row), assets.config(feeAsset).scale)
    const parts = [
      millisToIso(fills.atMillis.get(row)),
      state.accounts.id(fills.account.get(row)),
      sideNames[fills.side.get(row)] ?? '',
      `${quantity} ${assets.symbol(asset)} @ ${price}`,
      `fee ${fee} ${assets.symbol(feeAsset)}`,
      labels.get(fills.order.get(row)) ?? '',
    ]
    lines.push(parts.join('  ').trimEnd())
  }
  return lines
}

/** Maps the rows of orders to the labels of the timeline. A quote has an order on each side. */
function mapOrdersToLabels(
  { quotes }: State,
  { named }: ScenarioRun,
  { timeline }: CompiledScenario,
): ReadonlyMap<number, string> {
  const labels = new Map<number, string>()
  for (const { action } of timeline) {
    if ((action.kind !== 'order' && action.kind !== 'quote') || action.label === undefined) continue
    const row = (action.kind === 'order' ? named.orders : named.quotes).get(action.label)
    if (row === undefined) continue
    const rows = action.kind === 'order' ? [row] : [quotes.bidLeg.get(row), quotes.askLeg.get(row)]
    for (const order of rows) labels.set(order, action.label)
  }
  return labels
}

function formatRefusals({ refusals }: ScenarioRun): readonly string[] {
  return refusals.slice(0, maximumLines).map(({ entry, problem, reason }) => {
    const subject = findActionLabel(entry.action)
    const label = subject === null ? '' : ` ${subject.label}`
    const why = reason === null ? '' : `, ${reason}`
    return `${millisToIso(entry.at)}  ${eventNameOf(entry.action)}${label}: ${problem}${why} (line ${entry.place.line})`
  })
}

/** Formats the balances of each client account, without accounts in which nothing has changed or is locked. */
function formatBalances(state: State): readonly string[] {
  const lines: string[] = []
  const { accounts, assets, config } = state
  for (const [index, account] of config.accounts.entries()) {
    const row = firstClientAccount + index
    const parts: string[] = []
    let hasMoved = false
    for (let asset = 0; asset < assets.count; asset += 1) {
      const balance = computeBalance(state, row, asset)
      const { scale, symbol } = assets.config(asset)
      const opening = account.balances.get(symbol) ?? 0
      if (balance.totalAtoms !== opening || balance.lockedAtoms !== 0) hasMoved = true
      if (balance.totalAtoms === 0 && opening === 0) continue
      const locked = balance.lockedAtoms === 0 ? '' : ` (${decimalToText(balance.lockedAtoms, scale)} locked)`
      parts.push(`${decimalToText(balance.totalAtoms, scale)} ${symbol}${locked}`)
    }
    if (hasMoved) lines.push(`${accounts.id(row)}  ${parts.join('  ')}  worth ${formatWorth(state, row)} USD`)
  }
  return lines
}

function formatWorth(state: State, account: number): string {
  let atoms = 0
  for (let asset = 0; asset < state.assets.count; asset += 1)
    atoms += computeBalance(state, account, asset).usdValueAtoms
  return Number.isSafeInteger(atoms) ? decimalToText(atoms, 6) : `about ${decimalToNumber(atoms, 6)}`
}

function listFigures(state: State, { report, access }: CompiledScenario) {
  return access.flatMap(({ id }, index) =>
    report.metrics.map((name) => ({
      account: id,
      name,
      value: computeFigure(state, firstClientAccount + index, name),
    })),
  )
}

const formatSteps = (count: number, step: { readonly units: number; readonly scale: number }): string =>
  decimalToText(count * step.units, step.scale)

export function formatPrettyReport(
  report: RunReport,
  sources: ReadonlyMap<string, string>,
  paint: Paint,
): string {
  const { name, file, seed, ok, checks } = report
  const mark = ok ? paint('green', '✓') : paint('red', '✗')
  const about = isOverall(report)
    ? ''
    : `  seed "${seed}"  ${formatDuration(report.spanMillis)} of virtual time`
  const lines = [`${mark} ${paint('bold', name)}  ${file}${about}`]
  if (report.fillCount > 0) {
    lines.push(`  fills         ${report.fillCount}`, ...report.fills.map((fill) => `    ${fill}`))
    if (report.fillCount > report.fills.length)
      lines.push(`    and ${report.fillCount - report.fills.length} more`)
  }
  lines.push(...report.refusals.map((refusal) => `  refused       ${refusal}`))
  lines.push(...report.balances.map((balance) => `  balances      ${balance}`))
  for (const { account, name: figure, value } of report.figures)
    lines.push(`  metrics       ${account}  ${figure}  ${value === null ? 'n/a' : formatFigure(value)}`)
  const failures = listFailures(report)
  for (const { place, message, failure } of failures) {
    const lead = message === null ? '' : `${message}\n      `
    lines.push(
      `  ${paint('red', '✗')} ${place.file}:${place.line}:${place.column}  ${lead}expected ${failure.expected}`,
      `      got      ${failure.got}`,
      ...formatCodeFrame(sources, place).map((line) => `      ${paintMarker(line, paint)}`),
    )
  }
  lines.push(`  expectations  ${checks.length - failures.length} of ${checks.length} held`)
  if (!isOverall(report)) lines.push(`  digest        ${report.digest}`)
  if (!ok) lines.push(`  replay        ${report.replay}`)
  return `${lines.join('\n')}\n`
}

const paintMarker = (line: string, paint: Paint): string =>
  line.startsWith('>') ? `${paint('red', '>')}${line.slice(1)}` : line

/** Formats a figure with six significant digits. */
export const formatFigure = (value: number): string => String(Number(value.toPrecision(6)))

export function formatFailure(
  { failure, place }: FailedCheck,
  { replay }: RunReport,
  sources: ReadonlyMap<string, string>,
): readonly string[] {
  return [
    `expected ${failure.expected}`,
    `got      ${failure.got}`,
    ...formatCodeFrame(sources, place),
    `replay   ${replay}`,
  ]
}

/** Returns the marked line with its neighbours; nothing when the source is not available. */
function formatCodeFrame(
  sources: ReadonlyMap<string, string>,
  place: { readonly file: string; readonly line: number },
): readonly string[] {
  const source = sources.get(place.file)
  if (source === undefined || place.line === 0) return []
  const lines = source.split(/\r?\n/)
  const shown: string[] = []
  for (let line = Math.max(1, place.line - 1); line <= Math.min(lines.length, place.line + 1); line += 1) {
    const marker = line === place.line ? '>' : ' '
    shown.push(`${marker} ${String(line).padStart(4)} | ${lines[line - 1] ?? ''}`.trimEnd())
  }
  return shown
}
