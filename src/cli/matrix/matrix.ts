import { availableParallelism } from 'node:os'
import { type ReadingKey, type Readings, readingKeys, resolveReadings } from '../../api/readings/readings.ts'
import { assert } from '../../numeric/assert.ts'
import type { World } from '../../world/world.ts'
import { resolveScenarioReadings } from '../../world/world-options.ts'
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
import { makeUnservedWorld, worldFlags } from '../serve/local-venue.ts'
import { createPainter, createStopSignal, startCountLine, type Terminal } from '../terminal.ts'
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
import {
  findBaselineFault,
  findBreak,
  formatMatrix,
  formatMatrixJson,
  type JudgedCell,
  judgeCell,
  judgeMatrix,
  type MatrixReport,
  reportBrokenBaseline,
} from './matrix-report.ts'
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
 * Runs `otcsim matrix`. Fails (1) when a required reading or fault breaks the suite, makes it flaky or is never met, when
 * the suite fails without any, and when nothing was looked at.
 */
async function matrix(options: MatrixOptions, terminal: Terminal, words: readonly string[]): Promise<void> {
  const pins = readPins(options.pins, terminal)
  const faults = options.faults ? listFaultCells() : []
  checkNames(options, pins)
  const { only } = options
  const isChosen = (name: string): boolean => only === undefined || only.includes(name)
  const keys = readingKeys.filter((key) => !Object.hasOwn(pins, key) && isChosen(key))
  const world = await makeUnservedWorld(options, terminal)
  const usual = combineWithPins(world, options, pins)
  const cells = [...listSingleCells(keys, usual), ...faults.filter(({ name }) => isChosen(name))]
  if (cells.length === 0)
    throw usageFailure('nothing is tried: every reading and fault that was asked for is pinned or left out')
  const stop = createStopSignal(terminal)
  const suite: SuiteOptions = {
    words,
    account: options.account ?? null,
    timeoutMillis: options.timeout * 1000,
    world,
    usual,
    chosen: options,
    stop: stop.signal,
  }
  try {
    let done = 0
    const run = async (cell: MatrixCell): Promise<CellOutcome> => {
      const outcome = stop.signal.aborted ? null : await runCell(cell, suite, terminal)
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
      if (options.json === true) terminal.out(formatMatrixJson(reportBrokenBaseline(first), fault))
      throw new CliFailure(exitCode.expectationFailed, fault)
    }
    const report = await runMatrix(run, first, { keys, usual, cells }, options, terminal)
    const verdict = judgeMatrix(report, options.require ?? [])
    if (options.json === true) terminal.out(formatMatrixJson(report, verdict))
    else terminal.out(formatMatrix(report, createPainter(terminal, terminal.isOutTty)))
    if (verdict !== null) throw new CliFailure(exitCode.expectationFailed, verdict)
  } finally {
    stop.ignore()
  }
}

/** Combines the readings of the options with the pinned ones. Ends the command where the two disagree. */
function combineWithPins(
  { readings, scenario }: World,
  { readings: chosen }: MatrixOptions,
  pins: { readonly [key: string]: string },
): Readings {
  const scenarioReadings = resolveScenarioReadings(scenario)
  for (const key of readingKeys) {
    const pin = pins[key]
    const isStated = chosen !== undefined && readings[key] !== scenarioReadings[key]
    if (pin !== undefined && isStated && pin !== readings[key])
      throw usageFailure(`${key} is pinned as ${pin}, but --readings says ${readings[key]}`)
  }
  const combined = resolveReadings(pins, readings)
  assert(combined.ok, 'pins have been checked')
  return combined.value
}

interface Plan {
  readonly keys: readonly ReadingKey[]
  readonly usual: Readings
  readonly cells: readonly MatrixCell[]
}

async function runMatrix(
  run: (cell: MatrixCell) => Promise<CellOutcome>,
  first: CellOutcome,
  { keys, usual, cells }: Plan,
  options: MatrixOptions,
  terminal: Terminal,
): Promise<MatrixReport> {
  const runAll = (all: readonly MatrixCell[]): Promise<readonly JudgedCell[]> => {
    const line = startCountLine(terminal, 'combinations')
    let [done, failed] = [0, 0]
    const work = async (cell: MatrixCell) => {
      const judged = await judgeCell(cell, run, first)
      done += 1
      if (judged.kind !== 'passed') failed += 1
      line.update({ done, of: all.length, failed }, cell.name)
      return judged
    }
    return runInParallel(all, options.jobs, work).finally(line.clear)
  }
  const singles = await runAll(cells)
  const broken = singles.filter(({ kind }) => kind === 'broken').flatMap(({ cell }) => cell.settings)
  const rows = await runAll(options.depth >= 2 ? listPairCells(keys, usual, broken) : [])
  const combinations: JudgedCell[] = []
  for (const row of rows) {
    if (row.kind === 'passed') continue
    const found = row.kind === 'broken' ? await shrinkCombination(row, run, first) : row
    if (!combinations.some(({ cell }) => cell.name === found.cell.name)) combinations.push(found)
  }
  const requests = [...singles, ...rows].reduce((sum, { requests: count }) => sum + count, first.met.requests)
  const met = singles.filter(({ isMet }) => isMet)
  return {
    // The suite's tests, if it reports them.
    tests: first.tests === null ? null : first.tests.passed.length,
    tried: cells.length,
    rows: rows.length,
    singles,
    combinations,
    lookedAt: {
      requests,
      ...(first.tests === null ? {} : { tests: first.tests.passed.length }),
      readings: met.filter(({ cell }) => cell.fault === null).length,
      faults: met.filter(({ cell }) => cell.fault !== null).length,
    },
    leftOut: {
      readings: readingKeys.length - keys.length,
      faults: listFaultCells().length - cells.filter(({ fault }) => fault !== null).length,
    },
  }
}

/**
 * Reduces a failing combination to the fewest settings with which the suite still fails, and judges those. Where they
 * then pass, the combination is flaky.
 */
async function shrinkCombination(
  row: JudgedCell,
  run: (cell: MatrixCell) => Promise<CellOutcome>,
  first: CellOutcome,
): Promise<JudgedCell> {
  const makeCell = (settings: readonly ReadingSetting[]): MatrixCell => ({
    name: settings.map(formatSetting).join(' with '),
    settings,
    fault: null,
  })
  const settings = await shrinkList(
    row.cell.settings,
    async (candidate) => findBreak(await run(makeCell(candidate)), first) !== null,
  )
  const cell = makeCell(settings)
  const judged = await judgeCell(cell, run, first)
  return judged.kind === 'passed' ? { ...row, cell, kind: 'flaky' } : judged
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
    const hint = formatSuggestion(name, known, 'name')
    throw usageFailure(`${name} is neither a reading nor a fault${hint}`)
  }
  const isTried = (name: string): boolean =>
    (only === undefined || only.includes(name)) && (faults || !faultNames.includes(name))
  const pinned = required.find((name) => Object.hasOwn(pins, name))
  if (pinned !== undefined) throw usageFailure(`${pinned} is required, but pinned, so it is not tried`)
  const left = required.find((name) => !isTried(name))
  if (left !== undefined) throw usageFailure(`${left} is required, but not among what is tried`)
}
