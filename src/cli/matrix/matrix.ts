import { type ReadingKey, readingKeys } from '../../api/readings/readings.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { shrinkList } from '../journal/shrink-list.ts'
import { meant } from '../meant.ts'
import { statusLine } from '../progress.ts'
import type { FirstWorldOptions } from '../serve/first-world.ts'
import { startLocalVenue } from '../serve/local-venue.ts'
import { painter, type Terminal } from '../terminal.ts'
import {
  baseline,
  type Cell,
  faultCells,
  pairCells,
  type Setting,
  settingText,
  singleCells,
} from './matrix-cells.ts'
import {
  type Break,
  breaksOf,
  brokenFromTheStart,
  type MatrixReport,
  matrixText,
  reportJson,
} from './matrix-report.ts'
import { type CellOutcome, inParallel, runCell, type SuiteOptions } from './matrix-run.ts'
import { readPins } from './pinned-readings.ts'

export interface MatrixOptions extends FirstWorldOptions {
  readonly account?: string
  readonly depth: number
  readonly jobs: number
  readonly timeout: number
  readonly only?: readonly string[]
  readonly require?: readonly string[]
  readonly faults: boolean
  readonly pins?: string
  readonly json?: boolean
}

/**
 * Runs a suite of tests under every value of every reading, under faults, and then under combinations in which every
 * two values meet. Fails when something that is required breaks a test (1), and when the suite fails to begin with
 * (1).
 */
export async function matrix(
  words: readonly string[],
  options: MatrixOptions,
  terminal: Terminal,
): Promise<void> {
  const pins = readPins(options.pins, terminal)
  const required = options.require ?? []
  checkNames(options)
  const keys = readingKeys.filter(
    (key) => !Object.hasOwn(pins, key) && (options.only === undefined || options.only.includes(key)),
  )
  const interruption = new AbortController()
  const suite: SuiteOptions = {
    words,
    account: options.account ?? null,
    timeoutMillis: options.timeout * 1000,
    pins,
    stop: interruption.signal,
  }
  const venue = await startLocalVenue(options, terminal)
  const listenNoMore = terminal.onStop(() => interruption.abort())
  try {
    let done = 0
    const run = async (cell: Cell): Promise<CellOutcome> => {
      const outcome = interruption.signal.aborted ? null : await runCell(venue, cell, suite, terminal)
      // A run that was ended by a signal has not failed.
      if (outcome === null || interruption.signal.aborted)
        throw new CliFailure(exitCode.interrupted, `interrupted after ${done} runs`)
      done += 1
      return outcome
    }
    const first = await run(baseline)
    if (first.code !== 0) {
      terminal.err(first.output)
      if (options.json === true) terminal.out(reportJson(brokenFromTheStart(first)))
      const message = 'the suite fails under the default readings already'
      throw new CliFailure(exitCode.expectationFailed, message)
    }
    const report = await runMatrix(run, first, keys, options, terminal)
    if (options.json === true) terminal.out(reportJson(report))
    else terminal.out(matrixText(report, painter(terminal, terminal.isOutTty)))
    const broken = [...report.singles, ...report.combinations].filter(({ cell }) =>
      isRequired(cell, required),
    )
    if (broken.length > 0) {
      const verb = broken.length === 1 ? 'breaks' : 'break'
      const message = `${broken.length} of the required readings and faults ${verb} the suite`
      throw new CliFailure(exitCode.expectationFailed, message)
    }
  } finally {
    listenNoMore()
    await venue.close()
  }
}

async function runMatrix(
  run: (cell: Cell) => Promise<CellOutcome>,
  first: CellOutcome,
  keys: readonly ReadingKey[],
  options: MatrixOptions,
  terminal: Terminal,
): Promise<MatrixReport> {
  const faults = options.faults ? faultCells() : []
  const isChosen = ({ name }: Cell) => options.only === undefined || options.only.includes(name)
  const cells = [...singleCells(keys), ...faults.filter(isChosen)]
  const runAll = (all: readonly Cell[]): Promise<readonly CellOutcome[]> => {
    const line = statusLine(terminal)
    let done = 0
    const work = async (cell: Cell) => {
      const outcome = await run(cell)
      done += 1
      line.tell(done / all.length, () => `${done} of ${all.length}  ${cell.name}`)
      return outcome
    }
    return inParallel(all, options.jobs, work).finally(line.end)
  }
  const outcomes = await runAll(cells)
  const singles = outcomes.map((outcome) => breaksOf(outcome, first)).filter((found) => found !== null)
  const broken = singles.flatMap(({ cell }) => cell.settings)
  const pairs = options.depth >= 2 ? pairCells(keys, broken) : []
  const rows = await runAll(pairs)
  const combinations: Break[] = []
  for (const outcome of rows) {
    if (breaksOf(outcome, first) === null) continue
    const found = breaksOf(await smallest(outcome.cell, run, first), first)
    if (found !== null && !combinations.some(({ cell }) => cell.name === found.cell.name))
      combinations.push(found)
  }
  const tests = first.tests === null ? null : first.tests.passed.length
  return { tests, tried: cells.length, rows: rows.length, singles, combinations }
}

/** The fewest settings of a failing combination with which the suite still fails. */
async function smallest(
  cell: Cell,
  run: (cell: Cell) => Promise<CellOutcome>,
  first: CellOutcome,
): Promise<CellOutcome> {
  const cellOf = (settings: readonly Setting[]): Cell => ({
    name: settings.map(settingText).join(' with '),
    settings,
    fault: null,
  })
  const settings = await shrinkList(
    cell.settings,
    async (candidate) => breaksOf(await run(cellOf(candidate)), first) !== null,
  )
  return run(cellOf(settings))
}

/** Without a list everything is required. */
function isRequired(cell: Cell, required: readonly string[]): boolean {
  if (required.length === 0) return true
  return cell.settings.some(({ key }) => required.includes(key)) || required.includes(cell.name)
}

/** What is required must be among what is tried, or the command would succeed without having looked at it. */
function checkNames({ only, require: required = [], faults }: MatrixOptions): void {
  const faultNames = faultCells().map(({ name }) => name)
  const known: readonly string[] = [...readingKeys, ...faultNames]
  for (const name of [...(only ?? []), ...required]) {
    if (known.includes(name)) continue
    const hint = meant(name, known) || '; otcsim readings lists the readings'
    throw new CliFailure(exitCode.usage, `${name} is neither a reading nor a fault${hint}`)
  }
  const isTried = (name: string): boolean =>
    (only === undefined || only.includes(name)) && (faults || !faultNames.includes(name))
  const left = required.find((name) => !isTried(name))
  if (left !== undefined)
    throw new CliFailure(exitCode.usage, `${left} is required, but not among what is tried`)
}
