import { availableParallelism } from 'node:os'
import { type ReadingKey, readingKeys } from '../../api/readings/readings.ts'
import { defineCommand } from '../define-command.ts'
import { CliFailure, exitCode, formatSuggestion, usageFailure } from '../failure.ts'
import {
  accountFlag,
  aFlag,
  aSwitch,
  configFlag,
  type FlagsOf,
  jsonFlag,
  parsedFlag,
  wholeNumber,
} from '../flags.ts'
import { shrinkList } from '../journal/shrink.ts'
import { environmentNames } from '../serve/child-environment.ts'
import { startLocalVenue, worldFlags } from '../serve/local-venue.ts'
import {
  createPainter,
  createStopSignal,
  jsonLine,
  type Paint,
  startStatusLine,
  type Terminal,
} from '../terminal.ts'
import {
  baseline,
  formatSetting,
  listFaultCells,
  listPairCells,
  listSingleCells,
  type MatrixCell,
  type ReadingSetting,
  readPins,
} from './matrix-cells.ts'
import { type CellOutcome, runCell, runInParallel, type SuiteOptions } from './matrix-run.ts'

const matrixFlags = {
  ...worldFlags,
  depth: parsedFlag(
    wholeNumber(1, 2),
    '<number>',
    '1: one value at a time; 2: then combinations in which every two values meet',
    { default: 2 },
  ),
  pairwise: aSwitch('stands for --depth 2, which is the default'),
  only: parsedFlag((text) => text.split(','), '<names>', 'only these readings and faults, comma-separated'),
  require: parsedFlag(
    (text) => text.split(','),
    '<names>',
    'fail only for these readings and faults, comma-separated',
  ),
  faults: { ...aSwitch('vary readings only', { default: true }), isNegated: true },
  pins: aFlag('<file>', 'known readings, which do not vary; by default readings.json if it exists'),
  jobs: parsedFlag(wholeNumber(1, 256), '<number>', 'how many run at a time', {
    default: availableParallelism(),
  }),
  timeout: parsedFlag(wholeNumber(1, 86_400), '<seconds>', 'how long one run may take', { default: 300 }),
  account: accountFlag('give the tests the key of'),
  json: jsonFlag,
  config: configFlag,
}

type MatrixOptions = FlagsOf<typeof matrixFlags>

export const matrixCommand = defineCommand({
  flags: matrixFlags,
  takes: { '<command...>': 'the command that runs the tests, after --' },
  note:
    `The tests find ${environmentNames}. What they print\nas TAP, JUnit or JSON of vitest or jest, on stdout or into the ` +
    'file named by OTC_REPORT_FILE, names the tests that break.',
  act: matrix,
})

/**
 * Runs `otcsim matrix`. Fails when a required reading or fault breaks the suite, or the suite fails without any (1).
 */
async function matrix(options: MatrixOptions, terminal: Terminal, words: readonly string[]): Promise<void> {
  const pins = readPins(options.pins, terminal)
  const required = options.require ?? []
  checkNames(options, pins)
  const keys = readingKeys.filter(
    (key) => !Object.hasOwn(pins, key) && (options.only === undefined || options.only.includes(key)),
  )
  const cells = chooseCells(keys, options)
  if (cells.length === 0)
    throw usageFailure('nothing is tried: every reading and fault that was asked for is pinned or left out')
  const venue = await startLocalVenue(options, terminal)
  const stop = createStopSignal(terminal)
  const suite: SuiteOptions = {
    words,
    account: options.account ?? null,
    timeoutMillis: options.timeout * 1000,
    pins,
    stop: stop.signal,
  }
  try {
    let done = 0
    const run = async (cell: MatrixCell): Promise<CellOutcome> => {
      const outcome = stop.signal.aborted ? null : await runCell(venue, cell, suite, terminal)
      // A run that a signal ended has not failed.
      if (outcome === null || stop.signal.aborted)
        throw new CliFailure(exitCode.interrupted, `interrupted after ${done} runs`)
      done += 1
      return outcome
    }
    const first = await run(baseline)
    const fault = findBaselineFault(first)
    if (fault !== null) {
      terminal.err(first.output)
      if (options.json === true) terminal.out(formatMatrixJson(reportBrokenBaseline(first)))
      throw new CliFailure(exitCode.expectationFailed, fault)
    }
    const report = await runMatrix(run, first, keys, cells, options, terminal)
    if (options.json === true) terminal.out(formatMatrixJson(report))
    else terminal.out(formatMatrix(report, createPainter(terminal, terminal.isOutTty)))
    const broken = [...report.singles, ...report.combinations].filter(({ cell }) =>
      isRequired(cell, required),
    )
    if (broken.length > 0) {
      const verb = broken.length === 1 ? 'breaks' : 'break'
      const message = `${broken.length} of the required readings and faults ${verb} the suite`
      throw new CliFailure(exitCode.expectationFailed, message)
    }
  } finally {
    stop.ignore()
    await venue.close()
  }
}

function chooseCells(keys: readonly ReadingKey[], { faults, only }: MatrixOptions): readonly MatrixCell[] {
  const chosen = listFaultCells().filter(({ name }) => faults && (only === undefined || only.includes(name)))
  return [...listSingleCells(keys), ...chosen]
}

/** Says why the run under the default readings proves nothing about others; null when it is sound. */
function findBaselineFault({ code, tests }: CellOutcome): string | null {
  if (code !== 0) return 'the suite already fails under the default readings'
  if (tests === null) return null
  if (tests.failed.length > 0)
    return `the suite already fails under the default readings: ${sayDisagreement(tests.failed.length)}`
  return tests.passed.length === 0 ? 'nothing was judged: no test of the suite ran and passed' : null
}

const sayDisagreement = (count: number): string =>
  `it ends with 0, but its report names ${count === 1 ? 'a failed test' : `${count} failed tests`}`

async function runMatrix(
  run: (cell: MatrixCell) => Promise<CellOutcome>,
  first: CellOutcome,
  keys: readonly ReadingKey[],
  cells: readonly MatrixCell[],
  options: MatrixOptions,
  terminal: Terminal,
) {
  const runAll = (all: readonly MatrixCell[]): Promise<readonly CellOutcome[]> => {
    const line = startStatusLine(terminal)
    let done = 0
    const work = async (cell: MatrixCell) => {
      const outcome = await run(cell)
      done += 1
      line.tell(done / all.length, () => `${done} of ${all.length}  ${cell.name}`)
      return outcome
    }
    return runInParallel(all, options.jobs, work).finally(line.end)
  }
  const outcomes = await runAll(cells)
  const singles = outcomes.map((outcome) => findBreak(outcome, first)).filter((found) => found !== null)
  const broken = singles.flatMap(({ cell }) => cell.settings)
  const pairs = options.depth >= 2 ? listPairCells(keys, broken) : []
  const rows = await runAll(pairs)
  const combinations: Break[] = []
  for (const outcome of rows) {
    if (findBreak(outcome, first) === null) continue
    const found = findBreak(await shrinkCombination(outcome.cell, run, first), first)
    if (found !== null && !combinations.some(({ cell }) => cell.name === found.cell.name))
      combinations.push(found)
  }
  // `tests` counts the suite's tests if it reports them, `tried` the single values and faults, `rows` the combinations.
  const tests = first.tests === null ? null : first.tests.passed.length
  return { tests, tried: cells.length, rows: rows.length, singles, combinations }
}

/** Reduces a failing combination to the fewest settings with which the suite still fails, and runs those. */
async function shrinkCombination(
  cell: MatrixCell,
  run: (cell: MatrixCell) => Promise<CellOutcome>,
  first: CellOutcome,
): Promise<CellOutcome> {
  const makeCell = (settings: readonly ReadingSetting[]): MatrixCell => ({
    name: settings.map(formatSetting).join(' with '),
    settings,
    fault: null,
  })
  const settings = await shrinkList(
    cell.settings,
    async (candidate) => findBreak(await run(makeCell(candidate)), first) !== null,
  )
  return run(makeCell(settings))
}

/** Returns whether the command must fail when this cell breaks the suite. An empty list requires everything. */
function isRequired(cell: MatrixCell, required: readonly string[]): boolean {
  if (required.length === 0) return true
  return cell.settings.some(({ key }) => required.includes(key)) || required.includes(cell.name)
}

/**
 * Checks `--only` and `--require`. Everything required must be tried, or the command would succeed without testing it.
 */
function checkNames(
  { only, require: required = [], faults }: MatrixOptions,
  pins: { readonly [key: string]: string },
): void {
  const faultNames = listFaultCells().map(({ name }) => name)
  const known: readonly string[] = [...readingKeys, ...faultNames]
  for (const name of [...(only ?? []), ...required]) {
    if (known.includes(name)) continue
    const hint = formatSuggestion(name, known) || '; otcsim readings lists the readings'
    throw usageFailure(`${name} is neither a reading nor a fault${hint}`)
  }
  const isTried = (name: string): boolean =>
    (only === undefined || only.includes(name)) && (faults || !faultNames.includes(name))
  const pinned = required.find((name) => Object.hasOwn(pins, name))
  if (pinned !== undefined) throw usageFailure(`${pinned} is required, but pinned, so it is not tried`)
  const left = required.find((name) => !isTried(name))
  if (left !== undefined) throw usageFailure(`${left} is required, but not among what is tried`)
}

export type MatrixReport = Awaited<ReturnType<typeof runMatrix>>

type Break = NonNullable<ReturnType<typeof findBreak>>

/**
 * Returns how a cell breaks the suite, with the tests that no longer pass if their names are known; null when it
 * passes. The exit code and the report decide together: a test that passed by default must run and pass.
 */
function findBreak({ cell, code, isTimeout, tests }: CellOutcome, first: CellOutcome) {
  const passed = new Set(tests?.passed ?? [])
  const failed = new Set(tests?.failed ?? [])
  const missing = (first.tests?.passed ?? []).filter((name) => !passed.has(name) && !failed.has(name))
  const isUnsaid = code === 0 && !isTimeout
  if (isUnsaid && failed.size === 0 && missing.length === 0) return null
  // A suite that says itself that it failed may have ended before its other tests.
  const names: readonly string[] = [
    ...failed,
    ...(isUnsaid ? missing.map((name) => `${name} (did not run)`) : []),
  ]
  return { cell, code, isTimeout, tests: names.length === 0 ? null : names }
}

/** Makes the report for a suite that fails under the default readings: nothing else is tried. */
function reportBrokenBaseline({ cell, code, isTimeout, tests }: CellOutcome): MatrixReport {
  const broken = { cell, code, isTimeout, tests: tests?.failed ?? null }
  const count = tests === null ? null : tests.passed.length + tests.failed.length
  return { tests: count, tried: 0, rows: 0, singles: [broken], combinations: [] }
}

export function formatMatrix(report: MatrixReport, paint: Paint): string {
  const { tests, tried, rows, singles, combinations } = report
  const suite = tests === null ? 'the suite' : `${tests} tests`
  const lines = [
    `${suite} under ${tried} readings and faults one by one, and ${rows} combinations of readings`,
    '',
  ]
  const all = [...singles, ...combinations]
  for (const found of all) {
    lines.push(`${paint('red', '✗')} ${paint('bold', found.cell.name)}`)
    if (found.isTimeout) lines.push('    takes too long')
    else if (found.code === 0) lines.push('    ends with 0, but its report says otherwise')
    if (found.tests === null) lines.push(`    ends with ${found.code}`)
    for (const name of found.tests ?? []) lines.push(`    breaks: ${name}`)
  }
  if (all.length === 0) lines.push(`${paint('green', '✓')} nothing breaks it`)
  else lines.push('', `${all.length} break it; pin in readings.json what the venue is known to do`)
  const read = all.find(({ cell }) => cell.settings.length > 0)
  if (read !== undefined)
    lines.push(`one again: otcsim exec --readings ${read.cell.settings.map(formatSetting).join(',')} -- ...`)
  return `${lines.join('\n')}\n`
}

function formatMatrixJson({ tests, tried, rows, singles, combinations }: MatrixReport): string {
  const describeBreak = ({ cell, code, isTimeout, tests: names }: Break) => ({
    name: cell.name,
    readings: Object.fromEntries(cell.settings.map(({ key, value }) => [key, value])),
    fault: cell.fault === null ? null : cell.fault.type,
    code,
    timeout: isTimeout,
    tests: names,
  })
  return jsonLine({
    ok: singles.length + combinations.length === 0,
    tests,
    tried,
    rows,
    breaks: singles.map(describeBreak),
    combinations: combinations.map(describeBreak),
  })
}
