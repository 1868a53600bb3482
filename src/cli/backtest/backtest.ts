import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OptionKinds, type OptionsOf, omitUndefined, readFlags } from '../../api/options.ts'
import { backtestUnlisted } from '../../backtest/backtest.ts'
import { type BacktestOptions, runOptions } from '../../backtest/backtest-options.ts'
import { liveOptions, runLive } from '../../backtest/live/run-live.ts'
import { loadStrategy, StrategyFileError } from '../../backtest/loading/load-strategy.ts'
import { describeParameter, listParameterTexts } from '../../backtest/parameters.ts'
import type { RunResult } from '../../backtest/result.ts'
import { type MarketOptions, marketOptions, type SourceOptions } from '../../backtest/source.ts'
import type { Strategy } from '../../backtest/strategy.ts'
import { rejectUnhandled, StrategyError, UnhandledRejection } from '../../backtest/strategy-answers.ts'
import { ConnectionError } from '../../client/venue-error.ts'
import { JournalFile, JournalUnwritable } from '../../journal/journal-file.ts'
import { readProofs } from '../../journal/missing-lines.ts'
import type { RecordingInfo } from '../../market/recordings/interpretation.ts'
import { startFileJournal } from '../../world/journals/file-journal.ts'
import type { World } from '../../world/world.ts'
import { defineCommand } from '../define-command.ts'
import { formatEvidence } from '../evidence.ts'
import { CliFailure, diskFailure, exitCode, systemReason, usageFailure, writeReason } from '../failure.ts'
import { makeParentFolders, reportWritten } from '../files.ts'
import { pairsOf } from '../flags.ts'
import { refuseMissingLines } from '../read-journal.ts'
import { readBooks } from '../recordings/books/book-flags.ts'
import { formatFiles } from '../recordings/named-files.ts'
import { openScenario, reportStores } from '../scenario/scenario-files.ts'
import { createPainter, startProgressLine, type Terminal, writeJsonLine } from '../terminal.ts'
import { version } from '../version.ts'
import {
  type BacktestFlags,
  backtestFlags,
  nameFlags,
  readRecordings,
  runConflicts,
  sourceAlternatives,
} from './backtest-flags.ts'
import {
  countAssertionEvidence,
  formatBacktest,
  judgeConditions,
  parseConditions,
  readSeedDistribution,
  writeReport,
  writeTables,
} from './backtest-outputs.ts'

export const backtestCommand = defineCommand({
  flags: backtestFlags,
  takes: { '<strategy>': 'a file that exports a strategy, TypeScript or JavaScript' },
  conflicts: runConflicts,
  alternatives: sourceAlternatives,
  act: runBacktest,
})

/**
 * Runs `otcsim backtest`. Fails when the strategy or the options are unusable, the strategy throws, or an `--assert`
 * fails.
 */
async function runBacktest(flags: BacktestFlags, terminal: Terminal, file: string): Promise<void> {
  const conditions = parseConditions(flags.assert ?? [])
  const strategy = await openStrategy(file, terminal.cwd)
  const progress = startProgressLine(terminal, strategy.name)
  const worlds: World[] = []
  const journals: JournalFile[] = []
  const onWorld = (world: World): void => {
    worlds.push(world)
    if (flags.journal === undefined) return
    // Opened only now: a refused run would leave an empty file, and the next run never overwrites a journal.
    const journal = openJournal(flags.journal, terminal.cwd)
    journals.push(journal)
    startFileJournal(world, journal, { otcsim: version, start: null }, { isAlone: true })
  }
  const run = (): Promise<RunResult> => {
    if (flags.live !== undefined) return runOverHttp(strategy, flags, flags.live, terminal, progress.update)
    const options = readBacktestOptions(flags, terminal.cwd)
    reportStores(listNotes(options), terminal)
    return backtestUnlisted(strategy, {
      ...options,
      progress: progress.update,
      onWorld,
    })
  }
  const result = await runStrategy(strategy, run, progress.end)
  const [journal = null] = journals
  const journalDigest = journal?.end.hash ?? null
  journal?.close()
  // The strategy may have caught the error of a failed write.
  if (journal !== null && journal.problem !== null)
    throw diskFailure(new JournalUnwritable(journal.path, journal.problem))
  if (journal !== null && flags.journal !== undefined) reportWritten(terminal, flags.journal)
  const assertions = judgeConditions(conditions, result.metrics)
  const parameters = listParameterTexts(strategy.parameters ?? {}, result.parameters)
  if (flags.html !== undefined) {
    const [world = null] = worlds
    const known = { strategyFile: file, flags, result }
    const seeds = readOtherSeeds(strategy, known, terminal.cwd)
    writeReport(flags.html, { ...known, parameters, journalDigest, assertions, seeds, terminal, world })
  }
  await writeTables(flags, result, terminal)
  if (flags.json === true) await writeJsonLine(terminal, result)
  else terminal.out(formatBacktest(result, parameters, createPainter(terminal, terminal.isOutTty)))
  if (assertions.length > 0) terminal.err(`${formatEvidence(countAssertionEvidence(assertions, result))}\n`)
  const failed = assertions
    .filter(({ isMet }) => !isMet)
    .map(({ text, got }) => `not met: ${text} (is ${got})`)
  if (failed.length > 0) throw new CliFailure(exitCode.expectationFailed, failed.join('\n'))
}

function readOtherSeeds(
  strategy: Strategy,
  run: { readonly strategyFile: string; readonly flags: BacktestFlags; readonly result: RunResult },
  cwd: string,
) {
  const { among, seed: _, ...unseeded } = run.flags
  if (among === undefined) return null
  return readSeedDistribution(among, cwd, { ...run, strategy, market: readBacktestOptions(unseeded, cwd) })
}

/** Lists how the files of a run were understood. */
function listNotes({ notes = [], scenario }: SourceOptions): readonly RecordingInfo[] {
  return typeof scenario === 'object' ? scenario.filesRead : notes
}

/** Loads a strategy from its file. Ends the command when the file does not export one. */
export async function openStrategy(file: string, cwd: string): Promise<Strategy> {
  try {
    return await loadStrategy(file, cwd)
  } catch (error) {
    if (error instanceof StrategyFileError) throw usageFailure(error.message)
    throw error
  }
}

/**
 * Creates the journal file of a run. Errors: the file already exists, or cannot be written (2); files beside it prove
 * lines of an earlier one (5).
 */
function openJournal(given: string, cwd: string): JournalFile {
  const path = resolve(cwd, given)
  makeParentFolders(cwd, given)
  if (!existsSync(path)) refuseMissingLines(given, readProofs(path), null)
  try {
    if (existsSync(path)) throw new Error('it already exists')
    const file = new JournalFile(path, 'os')
    file.continueAt({ sequence: 0, offset: 0, hash: '' }, null)
    return file
  } catch (error) {
    throw usageFailure(`cannot write ${path}: ${writeReason(error)}`)
  }
}

async function runStrategy(
  strategy: Strategy,
  run: () => Promise<RunResult>,
  end: () => void,
): Promise<RunResult> {
  try {
    return await rejectUnhandled(run)
  } catch (error) {
    // A full disk surfaces inside the strategy's call, but is not the strategy's fault.
    const disk = diskFailure(error)
    if (disk !== null) throw disk
    if (error instanceof StrategyError || error instanceof UnhandledRejection)
      throw new CliFailure(exitCode.expectationFailed, formatStrategyError(error))
    if (error instanceof RangeError) throw usageFailure(appendParameters(nameFlags(error.message), strategy))
    throw error
  } finally {
    end()
  }
}

/** Formats an error of a strategy with only the stack lines in its own files, where its author has to look. */
function formatStrategyError(error: Error): string {
  const { cause } = error
  return [error.message, ...selectOwnStackLines(cause instanceof Error ? (cause.stack ?? '') : '')].join('\n')
}

function appendParameters(message: string, { parameters = {} }: Strategy): string {
  if (!/parameter/.test(message)) return message
  const lines = Object.entries(parameters).map(([name, one]) => `  ${describeParameter(name, one)}`)
  return [message, ...lines].join('\n')
}

export function readBacktestOptions(flags: BacktestFlags, cwd: string): BacktestOptions {
  const { seed } = flags
  return {
    ...readSource(flags, cwd),
    ...omitUndefined({ seed }),
    ...readOptions(flags, runOptions),
    parameters: Object.fromEntries(pairsOf(flags.set)),
  }
}

/** Reads the options that the library shares with the command line. Ends the command for a malformed value. */
function readOptions<Kinds extends OptionKinds>(flags: BacktestFlags, kinds: Kinds): OptionsOf<Kinds> {
  try {
    return readFlags(flags, kinds)
  } catch (error) {
    throw usageFailure(nameFlags(error instanceof Error ? error.message : String(error)))
  }
}

function readSource(flags: BacktestFlags, cwd: string): SourceOptions {
  const { book, data, model, scenario } = flags
  if (book !== undefined) {
    const { asset: _, ...market } = readMarketOptions(flags)
    return { ...readBooks(flags, book, cwd), market: { ...market, name: formatFiles(book) } }
  }
  if (data !== undefined) {
    return {
      ...readRecordings(flags, data, cwd),
      market: { ...readMarketOptions(flags), name: formatFiles(data) },
    }
  }
  if (model !== undefined) return { model, market: readMarketOptions(flags) }
  const params = pairsOf(flags.param)
  return {
    scenario: openScenario({
      ...{ scenario: scenario ?? 'calm', cwd, params, seed: flags.seed ?? null },
      cache: flags.cache !== false,
    }),
  }
}

function readMarketOptions(flags: BacktestFlags): MarketOptions {
  return { ...readOptions(flags, marketOptions), ...(flags.margin === true ? { type: 'margin' } : {}) }
}

/** Runs a strategy over HTTP. Errors: `--to` is missing (2), nothing answers at the address (4). */
async function runOverHttp(
  strategy: Strategy,
  flags: BacktestFlags,
  url: string,
  terminal: Terminal,
  progress: (done: number, nowMillis: number) => void,
): Promise<RunResult> {
  if (flags.to === undefined) throw usageFailure('--live needs --to, such as 10m')
  let isEnded = false
  const stopListening = terminal.onStop(() => {
    isEnded = true
  })
  try {
    return await runLive(strategy, {
      clock: 'manual',
      ...readOptions(flags, liveOptions),
      baseUrl: url,
      span: flags.to,
      parameters: Object.fromEntries(pairsOf(flags.set)),
      progress,
      isEnded: () => isEnded,
    })
  } catch (error) {
    // `fetch` throws a TypeError with a cause when nothing answers.
    if (error instanceof ConnectionError || (error instanceof TypeError && error.cause instanceof Error))
      throw new CliFailure(
        exitCode.unreachable,
        `${url} does not answer: ${systemReason(error.cause ?? error)}`,
      )
    throw error
  } finally {
    stopListening()
  }
}

const maximumLines = 4
const here = dirname(fileURLToPath(import.meta.url))

/** Selects the stack lines that belong to neither Node nor this program: at most four, innermost first. */
export function selectOwnStackLines(stack: string): readonly string[] {
  const lines = stack.split('\n').filter((line) => /^\s*at /.test(line))
  const own = lines.filter((line) => !line.includes('node:') && !line.includes(here))
  return own.slice(0, maximumLines).map(removeSourceText)
}

/**
 * Replaces a `data:` address in a stack line by the file's path. tsx runs TypeScript of a CommonJS package from an
 * address that contains the whole source; its line numbers are those of the generated code, so they are dropped.
 */
function removeSourceText(line: string): string {
  return line.replace(
    /data:text\/javascript,\S*[?&]filePath=([^\s):&]*?)(?:%3Fnamespace[^\s)]*|:[^\s)]*)?(?=\)|$)/,
    (_, path: string) => decodeURIComponent(path),
  )
}
