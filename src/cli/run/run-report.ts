import { firstClientAccount, sideNames } from '../../engine/codes.ts'
import { computeBalance } from '../../engine/reports/balances.ts'
import type { State } from '../../engine/state.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import { decimalToNumber, decimalToText } from '../../numeric/units.ts'
import { eventNameOf, findActionLabel, type ScriptedAction } from '../../scenario/actions/actions.ts'
import type {
  CompiledScenario,
  Expectation,
  PinnedDigest,
  ScriptedMoment,
} from '../../scenario/compile/compiled.ts'
import type { SourceLocation } from '../../scenario/file/tree.ts'
import { computeFigure } from '../../scenario/predicates/run-figures.ts'
import type { EvaluationCount, ExpectationFailure } from '../../scenario/run/expectation-evaluator.ts'
import type { ScenarioRun } from '../../scenario/run/run-scenario.ts'
import { addEvidence, type Evidence, formatEvidence } from '../evidence.ts'
import type { Paint } from '../terminal.ts'
import { listMarks, listRunBounds } from './run-marks.ts'
import type { RunSeries } from './run-series.ts'

/** The report of one run as plain data, which threads can send and reporters show. */
export type RunReport = Readonly<ReturnType<typeof createRunReport>>

export interface Check extends EvaluationCount {
  readonly text: string
  readonly message: string | null
  /** The place of the expectation; when it failed, of the first bound that was not met. */
  readonly place: SourceLocation
  /** How the expectation failed; null when it held or was not judged. */
  readonly failure: CheckFailure | null
  /** Why the expectation was not judged; null when it was. */
  readonly unjudged: string | null
}

export interface CheckFailure extends Pick<ExpectationFailure, 'expected' | 'got' | 'places'> {
  /** Where in the run it was seen; absent for a failure of the whole run. */
  readonly moment?: FailedPlace
}

/** The instant of a failure, and its expectation by its place in the scenario's list. */
export interface FailedPlace {
  readonly atMillis: number
  readonly expectation: number
}

export type FailedCheck = Pick<Check, 'text' | 'message' | 'place'> & { readonly failure: CheckFailure }

/** The maximum number of fills and refusals that are listed. A run may have millions. */
const maximumLines = 50

interface RunDetails {
  readonly file: string
  readonly replay: string
  /** How many requests the world has received from the client; null without a client. */
  readonly requests: number | null
  /** The data of charts; null when nothing is drawn. */
  readonly series: RunSeries | null
  /** The file in which the journal of a run with a client was kept; absent without one. */
  readonly journal?: string
  readonly wallMillis: number
}

/** Creates the report of one run. */
export function createRunReport(scenario: CompiledScenario, run: ScenarioRun, details: RunDetails) {
  const { state } = run
  const checks = listChecks(scenario, run)
  return {
    name: scenario.variant === '' ? scenario.name : `${scenario.name} [${scenario.variant}]`,
    seed: scenario.venue.seed,
    ...judgeChecks(checks, null, details.requests),
    spanMillis: state.nowMillis - scenario.venue.startMillis,
    digest: run.digest,
    sequence: run.sequence,
    fillCount: state.fills.count,
    /** The first fills, as text. */
    fills: formatFills(state, run, scenario),
    refusals: formatRefusals(run),
    /** The entries of the timeline that had no effect, as text. */
    idle: formatIdle(run),
    balances: formatBalances(state),
    figures: listFigures(state, scenario),
    marks: listMarks(scenario, run),
    thresholds: listRunBounds(scenario, run),
    /** The recorded values that `--update` writes. */
    recorded: run.recorded,
    /** How many expectations are judged over all runs of the file. */
    aggregateCount: scenario.expectations.filter(({ aggregate }) => aggregate !== null).length,
    /** The number that each expectation over the whole matrix needs from this run, by its place in the file. */
    aggregates: run.aggregates.map(({ expectation, value }) => ({
      place: formatPlace(expectation.place),
      value,
    })),
    ...details,
  }
}

/**
 * Returns the parts of a report that follow from its checks. `lack` says why nothing was judged where something had to
 * be, which is a failure.
 */
export function judgeChecks(checks: readonly Check[], lack: string | null, requests: number | null) {
  const lookedAt: Evidence = {
    expectations: checks.filter(({ evaluations }) => evaluations > 0).length,
    evaluations: checks.reduce((sum, { evaluations }) => sum + evaluations, 0),
    knownValues: checks.reduce((sum, { known }) => sum + known, 0),
    ...(requests === null ? {} : { requests }),
  }
  const ok = lack === null && checks.every(({ failure }) => failure === null)
  return { ok, checks, lack, lookedAt }
}

/** Returns whether anything of a report was judged, so that it can speak for anything. */
export const isJudged = ({ lookedAt }: Pick<RunReport, 'lookedAt'>): boolean =>
  (lookedAt.knownValues ?? 0) > 0

/** Returns the verdict of a run in words. */
export function nameVerdict(report: RunReport): 'passed' | 'failed' | 'not judged' {
  if (!report.ok) return 'failed'
  return isJudged(report) ? 'passed' : 'not judged'
}

export function listFailures({ checks, file, lack }: RunReport): readonly FailedCheck[] {
  const failed = checks.flatMap((check) =>
    check.failure === null ? [] : [{ ...check, failure: check.failure }],
  )
  return lack === null ? failed : [...failed, makeLackFailure(file, lack)]
}

/** Returns the verdict on an expectation in words. */
export const nameResult = ({ failure, unjudged }: Check): 'held' | 'failed' | 'not judged' =>
  failure !== null ? 'failed' : unjudged === null ? 'held' : 'not judged'

/** Formats how often an expectation was evaluated, and how often it was known then. */
export const formatCounts = ({ evaluations, known }: EvaluationCount): string =>
  `known ${known} of ${evaluations} times`

/** Says what all runs together are worth. */
export function formatVerdict(reports: readonly RunReport[]): string {
  const count = reports.length
  const failed = reports.filter(({ ok }) => !ok).length
  if (failed > 0) return count === 1 ? 'the run failed' : `${failed} of ${count} runs failed`
  if (!reports.some(isJudged)) return 'nothing was judged'
  if (count === 1) return 'the run passed'
  const unjudged = reports.filter((report) => !isJudged(report) && report.aggregateCount === 0).length
  return unjudged === 0
    ? `all ${count} runs passed`
    : `${count - unjudged} of ${count} runs passed, ${unjudged} not judged`
}

/** Adds up what all runs together have looked at. */
export const sumEvidence = (reports: readonly RunReport[]): Evidence =>
  addEvidence([
    { expectations: 0, evaluations: 0, knownValues: 0 },
    ...reports.map(({ lookedAt }) => lookedAt),
  ])

function makeLackFailure(file: string, lack: string): FailedCheck {
  const place = { file, line: 1, column: 1 }
  const failure = { expected: 'an expectation that is judged', got: lack, places: [place] }
  return { text: 'something is judged', message: 'nothing was judged', place, failure }
}

/** Returns whether a report judges all runs of a matrix. It then has no seed, time or digest of its own. */
export const isOverall = ({ digest }: RunReport): boolean => digest === ''

function listChecks(scenario: CompiledScenario, run: ScenarioRun): readonly Check[] {
  const { startMillis } = scenario.venue
  const ofRun = ({ aggregate }: Expectation): boolean => aggregate === null
  const own = scenario.expectations.filter(ofRun).map((expectation): Check => {
    const found = run.failures.find((failure) => failure.expectation === expectation)
    const unjudged = run.unjudged.find((one) => one.expectation === expectation)?.reason ?? null
    const failure = found === undefined ? null : makeCheckFailure(scenario, found)
    const { message, place } = expectation
    const { evaluations = 0, known = 0 } = run.counts.get(expectation) ?? {}
    const text = formatExpectation(expectation, startMillis)
    return { text, message, place: found?.places[0] ?? place, failure, unjudged, evaluations, known }
  })
  const unreached = scenario.unreached.filter(ofRun).map((one) => makeUnreachedCheck(one, startMillis))
  const { pinned } = scenario
  if (pinned === null) return [...own, ...unreached]
  const got = `the run ended with ${run.digest}`
  const expected = `journalDigest: ${pinned.digest}`
  const failure = run.brokenPin === null ? null : { expected, got, places: [pinned.place] }
  return [...own, ...unreached, { ...makePinCheck(pinned), failure, evaluations: 1, known: 1 }]
}

function makeCheckFailure({ expectations }: CompiledScenario, found: ExpectationFailure): CheckFailure {
  const { atMillis, expected, got, places } = found
  return { expected, got, places, moment: { atMillis, expectation: expectations.indexOf(found.expectation) } }
}

/** Makes the check of a pinned digest that was not compared yet. */
export const makePinCheck = ({ digest, place }: PinnedDigest): Check => ({
  ...untold,
  text: `journalDigest ${digest}`,
  place,
})

export const makeUnreachedCheck = (expectation: Expectation, startMillis: number): Check => ({
  ...untold,
  text: formatExpectation(expectation, startMillis),
  message: expectation.message,
  place: expectation.place,
  unjudged: 'left out, because it is after the end of the run (ifReached)',
})

const untold = { message: null, failure: null, unjudged: null, evaluations: 0, known: 0 }

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
    const why = reason === null ? '' : `, ${reason}`
    return `${millisToIso(entry.at)}  ${formatAction(entry.action)}: ${problem}${why} (line ${entry.place.line})`
  })
}

function formatIdle({ idle }: ScenarioRun): readonly string[] {
  const lines = idle
    .slice(0, maximumLines)
    .map(
      ({ entry, reason }) =>
        `${entry.id ?? formatAction(entry.action)}: ${reason} (line ${entry.place.line})`,
    )
  return idle.length > maximumLines ? [...lines, `and ${idle.length - maximumLines} more`] : lines
}

function formatAction(action: ScriptedAction): string {
  const subject = findActionLabel(action)
  return subject === null ? eventNameOf(action) : `${eventNameOf(action)} ${subject.label}`
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
  const { style, sign } = marks[nameVerdict(report)]
  const about = isOverall(report)
    ? ''
    : `  seed "${seed}"  ${formatDuration(report.spanMillis)} of virtual time`
  const lines = [`${paint(style, sign)} ${paint('bold', name)}  ${file}${about}`]
  if (report.fillCount > 0) {
    lines.push(`  fills         ${report.fillCount}`, ...report.fills.map((fill) => `    ${fill}`))
    if (report.fillCount > report.fills.length)
      lines.push(`    and ${report.fillCount - report.fills.length} more`)
  }
  lines.push(...report.refusals.map((refusal) => `  refused       ${refusal}`))
  lines.push(...report.idle.map((idle) => `  no effect     ${idle}`))
  lines.push(...report.balances.map((balance) => `  balances      ${balance}`))
  for (const { account, name: figure, value } of report.figures)
    lines.push(`  metrics       ${account}  ${figure}  ${value === null ? 'n/a' : formatFigure(value)}`)
  for (const { place, message, failure } of listFailures(report)) {
    const lead = message === null ? '' : `${message}\n      `
    lines.push(
      `  ${paint('red', '✗')} ${formatPlace(place)}  ${lead}expected ${failure.expected}`,
      `      got      ${failure.got}`,
      ...formatCodeFrame(sources, place).map((line) => `      ${paintMarker(line, paint)}`),
    )
  }
  for (const { place, text, unjudged } of checks)
    if (unjudged !== null)
      lines.push(`  ${paint('yellow', '–')} ${formatPlace(place)}  not judged: ${text}`, `      ${unjudged}`)
  lines.push(`  expectations  ${formatHeld(report)}`, `  ${formatEvidence(report.lookedAt)}`)
  if (!isOverall(report)) lines.push(`  digest        ${report.digest}`)
  if (!ok) lines.push(`  replay        ${report.replay}`)
  return `${lines.join('\n')}\n`
}

const marks = {
  passed: { style: 'green', sign: '✓' },
  failed: { style: 'red', sign: '✗' },
  'not judged': { style: 'yellow', sign: '–' },
} as const

/** Formats how many expectations of a report held, and how many were not judged. */
export function formatHeld({ checks, aggregateCount }: RunReport): string {
  if (checks.length === 0) return aggregateCount === 0 ? 'none' : 'none of its own'
  const unjudged = checks.filter((check) => check.unjudged !== null).length
  const held = `${checks.filter((check) => nameResult(check) === 'held').length} of ${checks.length} held`
  return unjudged === 0 ? held : `${held}, ${unjudged} not judged`
}

export const formatPlace = ({ file, line, column }: SourceLocation): string => `${file}:${line}:${column}`

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
