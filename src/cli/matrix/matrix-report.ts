import { type Evidence, formatEvidence } from '../evidence.ts'
import { formatCount, jsonLine, type Paint } from '../terminal.ts'
import { formatSetting, type MatrixCell } from './matrix-cells.ts'
import type { CellOutcome } from './matrix-run.ts'

/** How a suite has done in one cell of the matrix. */
export interface JudgedCell {
  readonly cell: MatrixCell
  /** A flaky suite has failed, and has passed when the cell or the runner repeated it. */
  readonly kind: 'passed' | 'flaky' | 'broken'
  /** Whether a request has met the cell's readings, each with its value, or its fault. */
  readonly isMet: boolean
  readonly requests: number
  /** How the suite failed here; null when it never did. */
  readonly seen: Break | null
}

/** How one run of a suite has failed. */
interface Break {
  readonly code: number
  readonly isTimeout: boolean
  /** What no exit code says: that the suite asked for nothing, or that its report is not whole; null for neither. */
  readonly reason: string | null
  /** The tests that no longer pass; null when their names are not known. */
  readonly tests: readonly string[] | null
}

export interface MatrixReport {
  /** How many tests the suite has; null when it does not report them. */
  readonly tests: number | null
  /** How many single values and faults were tried. */
  readonly tried: number
  /** How many combinations were tried. */
  readonly rows: number
  readonly singles: readonly JudgedCell[]
  /** The combinations that break the suite or make it flaky. */
  readonly combinations: readonly JudgedCell[]
  /** `readings` and `faults` count what requests have met among the single values and faults. */
  readonly lookedAt: Evidence
  readonly leftOut: { readonly readings: number; readonly faults: number }
}

/** Says why the run under the usual readings proves nothing about others; null when it is sound. */
export function findBaselineFault(first: CellOutcome): string | null {
  const { code, tests, met, isReportUnread } = first
  const fails = 'the suite already fails under the default readings'
  if (code !== 0) return fails
  if (isReportUnread) return `${fails}: its report has no format that is known`
  if (tests !== null && tests.failed.length > 0)
    return `${fails}: ${describeDisagreement(tests.failed.length)}`
  if (tests?.isWhole === false) return `${fails}: ${cutReport}`
  if (tests?.passed.length === 0) return 'nothing was judged: no test of the suite ran and passed'
  return met.requests > 0
    ? null
    : 'nothing was judged: the suite asked its venue for nothing; it must use OTC_BASE_URL and OTC_API_KEY, or a world of otcsim in its tests'
}

const describeDisagreement = (count: number): string =>
  `it ends with 0, but its report names ${count === 1 ? 'a failed test' : `${count} failed tests`}`

const cutReport = 'its report ends before its end'

/** Runs a suite in a cell, and once more where it fails, because what passes then is not broken but flaky. */
export async function judgeCell(
  cell: MatrixCell,
  run: (cell: MatrixCell) => Promise<CellOutcome>,
  first: CellOutcome,
): Promise<JudgedCell> {
  const outcome = await run(cell)
  const found = findBreak(outcome, first)
  if (found === null) {
    const retried = listMore(outcome.tests?.retried ?? [], first.tests?.retried ?? [])
    const seen: Break = { code: 0, isTimeout: false, reason: null, tests: retried }
    const isFlaky = retried.length > 0
    return { cell, kind: isFlaky ? 'flaky' : 'passed', ...outcome.met, seen: isFlaky ? seen : null }
  }
  const again = await run(cell)
  const foundAgain = findBreak(again, first)
  const isMet = outcome.met.isMet || again.met.isMet
  const requests = outcome.met.requests + again.met.requests
  return { cell, kind: foundAgain === null ? 'flaky' : 'broken', isMet, requests, seen: foundAgain ?? found }
}

/**
 * Returns how one run of the suite fails, with the tests that no longer pass if their names are known; null when it
 * passes. Exit code and report decide together: a test that passed by default must run and pass, and where several
 * have one name, as many of them. A suite that asks for nothing fails, too.
 */
export function findBreak({ code, isTimeout, tests, met }: CellOutcome, first: CellOutcome): Break | null {
  const failed = [...new Set(tests?.failed)]
  const missing = listMore(first.tests?.passed ?? [], [...(tests?.passed ?? []), ...failed])
  const isUnsaid = code === 0 && !isTimeout
  const reason =
    met.requests === 0 ? 'asks its venue for nothing' : tests?.isWhole === false ? cutReport : null
  if (isUnsaid && failed.length === 0 && missing.length === 0 && reason === null) return null
  // A suite that says itself that it failed may have ended before its other tests.
  const names = [...failed, ...(isUnsaid ? missing.map((name) => `${name} (did not run)`) : [])]
  return { code, isTimeout, reason, tests: names.length === 0 ? null : names }
}

/** Returns the names that are more often in a list than in another one, each once. */
function listMore(names: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const name of others) counts.set(name, (counts.get(name) ?? 0) + 1)
  const more = new Set<string>()
  for (const name of names) {
    const left = counts.get(name) ?? 0
    if (left === 0) more.add(name)
    else counts.set(name, left - 1)
  }
  return [...more]
}

/**
 * Says why the command fails; null when it does not. Without `required` names, everything must pass. What is required
 * must have been met, too: a suite that never comes near a reading says nothing about it.
 */
export function judgeMatrix(
  { singles, combinations, lookedAt }: MatrixReport,
  required: readonly string[],
): string | null {
  const isRequired = ({ cell }: JudgedCell): boolean =>
    required.length === 0 ||
    required.includes(cell.name) ||
    cell.settings.some(({ key }) => required.includes(key))
  const all = [...singles, ...combinations].filter(isRequired)
  const broken = all.filter(({ kind }) => kind === 'broken').length
  const flaky = all.filter(({ kind }) => kind === 'flaky').length
  const idle = required.length === 0 ? [] : all.filter(({ isMet }) => !isMet).map(({ cell }) => cell.name)
  const ofRequired = 'of the required readings and faults'
  const reasons = [
    broken === 0 ? [] : `${broken} ${ofRequired} ${broken === 1 ? 'breaks' : 'break'} the suite`,
    flaky === 0 ? [] : `${flaky} ${ofRequired} ${flaky === 1 ? 'makes' : 'make'} the suite flaky`,
    idle.length === 0 ? [] : `required, but met by no request: ${idle.join(', ')}`,
  ].flat()
  if (reasons.length > 0) return reasons.join('; ')
  return (lookedAt.readings ?? 0) + (lookedAt.faults ?? 0) > 0
    ? null
    : 'nothing was judged: no request has met a reading or a fault that was tried'
}

/** Makes the report for a suite that fails under the usual readings: nothing else is tried. */
export function reportBrokenBaseline({ cell, code, isTimeout, tests, met }: CellOutcome): MatrixReport {
  const seen: Break = { code, isTimeout, reason: null, tests: tests?.failed ?? null }
  const count = tests === null ? null : tests.passed.length + tests.failed.length
  return {
    tests: count,
    tried: 0,
    rows: 0,
    singles: [{ cell, kind: 'broken', ...met, seen }],
    combinations: [],
    lookedAt: { requests: met.requests, ...(count === null ? {} : { tests: count }), readings: 0, faults: 0 },
    leftOut: { readings: 0, faults: 0 },
  }
}

export function formatMatrix(report: MatrixReport, paint: Paint): string {
  const { tests, tried, rows, singles, combinations, lookedAt } = report
  const suite = tests === null ? 'the suite' : formatCount(tests, 'test')
  const lines = [
    `${suite} under ${tried} readings and faults one by one, and ${rows} combinations of readings`,
    formatEvidence(lookedAt),
    ...formatLeftOut(report),
    '',
  ]
  const all = [...singles, ...combinations]
  const broken = all.filter(({ kind }) => kind === 'broken')
  const flaky = all.filter(({ kind }) => kind === 'flaky')
  for (const found of [...broken, ...flaky]) lines.push(...formatFound(found, paint))
  const idle = singles.filter(({ isMet }) => !isMet).map(({ cell }) => cell.name)
  if (idle.length > 0) lines.push(`${paint('dim', '-')} never met by a request: ${idle.join(', ')}`)
  if (broken.length > 0)
    lines.push('', `${broken.length} break it; pin in readings.json what the venue is known to do`)
  else if (flaky.length === 0 && idle.length < singles.length)
    lines.push(`${paint('green', '✓')} nothing that its requests have met breaks it`)
  const read = broken.find(({ cell }) => cell.settings.length > 0)
  if (read !== undefined)
    lines.push(`one again: otcsim exec --readings ${read.cell.settings.map(formatSetting).join(',')} -- ...`)
  return `${lines.join('\n')}\n`
}

/** Says how many readings and faults were not tried, because a part that was judged does not speak for the whole. */
function formatLeftOut({ leftOut: { readings, faults } }: MatrixReport): readonly string[] {
  const parts = [
    readings === 0 ? [] : formatCount(readings, 'reading'),
    faults === 0 ? [] : formatCount(faults, 'fault'),
  ].flat()
  return parts.length === 0 ? [] : [`left out, so nothing is known of them: ${parts.join(', ')}`]
}

function formatFound({ cell, kind, isMet, seen }: JudgedCell, paint: Paint): readonly string[] {
  const mark = kind === 'broken' ? paint('red', '✗') : paint('yellow', '~')
  const lines = [
    `${mark} ${paint('bold', cell.name)}${kind === 'flaky' ? '  flaky: passes when repeated' : ''}`,
  ]
  if (seen === null) return lines
  if (seen.isTimeout) lines.push('    takes too long')
  else if (kind === 'broken' && seen.code === 0)
    lines.push(`    ends with 0, but ${seen.reason ?? 'its report says otherwise'}`)
  if (seen.tests === null && seen.code !== 0) lines.push(`    ends with ${seen.code}`)
  for (const name of seen.tests ?? []) lines.push(`    breaks: ${name}`)
  if (!isMet) lines.push('    although no request has met it')
  return lines
}

export function formatMatrixJson(
  { tests, tried, rows, singles, combinations, lookedAt, leftOut }: MatrixReport,
  verdict: string | null,
): string {
  const describe = ({ cell, isMet, seen }: JudgedCell) => ({
    name: cell.name,
    readings: Object.fromEntries(cell.settings.map(({ key, value }) => [key, value])),
    fault: cell.fault === null ? null : cell.fault.type,
    code: seen?.code ?? 0,
    timeout: seen?.isTimeout ?? false,
    met: isMet,
    reason: seen?.reason ?? null,
    tests: seen?.tests ?? null,
  })
  const select = (cells: readonly JudgedCell[], kind: JudgedCell['kind']) =>
    cells.filter((judged) => judged.kind === kind).map(describe)
  return jsonLine({
    ok: verdict === null,
    verdict,
    tests,
    tried,
    rows,
    breaks: select(singles, 'broken'),
    combinations: select(combinations, 'broken'),
    flaky: select([...singles, ...combinations], 'flaky'),
    neverMet: tried === 0 ? [] : singles.filter(({ isMet }) => !isMet).map(({ cell }) => cell.name),
    leftOut,
    lookedAt,
  })
}
