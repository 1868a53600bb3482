import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { onlyGiven } from '../../api/only-given.ts'
import { backtest } from '../../backtest/backtest.ts'
import type { BacktestOptions } from '../../backtest/backtest-options.ts'
import { resumeBacktest } from '../../backtest/capture/resume-backtest.ts'
import { type LatencyOptions, parseLatency } from '../../backtest/latency.ts'
import { loadStrategy, StrategyFileError } from '../../backtest/load-strategy.ts'
import { describeParameter, parameterTexts } from '../../backtest/parameters.ts'
import type { BacktestResult } from '../../backtest/result.ts'
import type { MarketOptions, SourceOptions } from '../../backtest/source.ts'
import type { Strategy } from '../../backtest/strategy.ts'
import { StrategyError } from '../../backtest/strategy-answers.ts'
import { UnwaitedRejection, withoutUnwaited } from '../../backtest/unwaited-rejection.ts'
import { flattenMetrics } from '../../metrics/flatten-metrics.ts'
import { fileJournal } from '../../world/journal/file/file-journal.ts'
import { JournalFile } from '../../world/journal/file/journal-file.ts'
import { JournalUnwritable } from '../../world/journal-unwritable.ts'
import type { World } from '../../world/world.ts'
import { judgeConditions, parseConditions } from '../assertions.ts'
import { CliFailure, diskFailure, exitCode, writeReason } from '../failure.ts'
import { pairsOf } from '../option-parsers.ts'
import { ownStackLines } from '../own-stack-lines.ts'
import { progressLine } from '../progress.ts'
import { openScenario } from '../scenario/scenario-files.ts'
import { painter, type Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { makeFolderOf } from '../write-file.ts'
import { captureOptionsOf, readCapture } from './backtest-capture.ts'
import type { BacktestFlags } from './backtest-flags.ts'
import { runLiveBy } from './backtest-live.ts'
import { backtestTable } from './backtest-table.ts'
import { inFlags } from './flag-words.ts'
import { numberOf } from './number-of.ts'
import { readRecordings, shownFiles } from './recording-files.ts'

/**
 * Runs a strategy and prints its figures. Fails when the strategy or the options cannot be used, or the strategy
 * throws.
 */
export async function runBacktest(file: string, flags: BacktestFlags, terminal: Terminal): Promise<void> {
  const conditions = parseConditions(flags.assert ?? [])
  const strategy = await openStrategy(file, terminal.cwd)
  const progress = progressLine(terminal, strategy.name)
  const worlds: World[] = []
  const resumed = flags.resume === undefined ? null : readCapture(flags.resume, terminal.cwd)
  const journals: JournalFile[] = []
  const onWorld = (world: World): void => {
    worlds.push(world)
    if (flags.journal === undefined) return
    // Only now, or a run that is refused would leave an empty file, which the next one must not write to.
    const journal = openJournal(flags.journal, terminal.cwd)
    journals.push(journal)
    fileJournal(world, journal, { otcsim: version, start: resumed?.world ?? null })
  }
  const watch = { ...captureOptionsOf(flags, terminal.cwd), progress: progress.tell, onWorld }
  const run = (): Promise<BacktestResult> => {
    if (flags.live !== undefined) return runLiveBy(strategy, flags, flags.live, terminal, progress.tell)
    if (resumed !== null) return resumeBacktest(strategy, resumed, watch)
    return backtest(strategy, { ...optionsOf(flags, terminal.cwd), ...watch })
  }
  const result = await carryOut(strategy, run, progress.end)
  const [journal = null] = journals
  const journalDigest = journal?.end.hash ?? null
  journal?.close()
  // The strategy may have caught the error.
  if (journal !== null && journal.problem !== null)
    throw diskFailure(new JournalUnwritable(journal.path, journal.problem))
  const assertions = judgeConditions(conditions, flattenMetrics(result.metrics))
  const parameters = parameterTexts(strategy.parameters ?? {}, result.parameters)
  if (flags.html !== undefined) {
    const { writeReport } = await import('./backtest-report.ts')
    const [world = null] = worlds
    writeReport({
      file: flags.html,
      cwd: terminal.cwd,
      strategyFile: file,
      flags,
      result,
      parameters,
      world,
      journalDigest,
      assertions,
    })
  }
  if (flags.json === true) terminal.out(`${JSON.stringify(result)}\n`)
  else terminal.out(backtestTable(result, parameters, painter(terminal, terminal.isOutTty)))
  const failed = assertions
    .filter(({ isMet }) => !isMet)
    .map(({ text, got }) => `not met: ${text} (is ${got})`)
  if (failed.length > 0) throw new CliFailure(exitCode.expectationFailed, failed.join('\n'))
}

export async function openStrategy(file: string, cwd: string): Promise<Strategy> {
  try {
    return await loadStrategy(file, cwd)
  } catch (error) {
    if (error instanceof StrategyFileError) throw new CliFailure(exitCode.usage, error.message)
    throw error
  }
}

/** A run's journal is a new file. Errors: it already exists, or cannot be written. */
function openJournal(given: string, cwd: string): JournalFile {
  const path = resolve(cwd, given)
  makeFolderOf(cwd, given)
  try {
    if (existsSync(path)) throw new Error('it already exists')
    const file = new JournalFile(path, 'os')
    file.continueAt(0, '', 0, null)
    return file
  } catch (error) {
    throw new CliFailure(exitCode.usage, `cannot write ${path}: ${writeReason(error)}`)
  }
}

async function carryOut(
  strategy: Strategy,
  run: () => Promise<BacktestResult>,
  end: () => void,
): Promise<BacktestResult> {
  try {
    return await withoutUnwaited(run)
  } catch (error) {
    // The error reaches the strategy through its call, but is not its fault.
    const disk = diskFailure(error)
    if (disk !== null) throw disk
    if (error instanceof StrategyError || error instanceof UnwaitedRejection)
      throw new CliFailure(exitCode.expectationFailed, stackOf(error))
    if (error instanceof RangeError)
      throw new CliFailure(exitCode.usage, withParameters(inFlags(error.message), strategy))
    throw error
  } finally {
    end()
  }
}

/** The lines of a stack in the strategy's own files: that is where its author has to look. */
function stackOf(error: Error): string {
  const { cause } = error
  return [error.message, ...ownStackLines(cause instanceof Error ? (cause.stack ?? '') : '')].join('\n')
}

function withParameters(message: string, { parameters = {} }: Strategy): string {
  if (!/parameter/.test(message)) return message
  const lines = Object.entries(parameters).map(([name, one]) => `  ${describeParameter(name, one)}`)
  return [message, ...lines].join('\n')
}

/** The options of a run, from the flags. Ends the command when one cannot be used. */
export function optionsOf(flags: BacktestFlags, cwd: string): BacktestOptions {
  const set = Object.fromEntries(pairsOf(flags.set))
  const { account, client, equityGrid, from, seed, tick, to } = flags
  const warmUp = numberOf('--warm-up', flags.warmUp)
  const riskFreeRate = numberOf('--risk-free-rate', flags.riskFreeRate)
  return {
    ...sourceOf(flags, cwd),
    ...onlyGiven({ seed, from, to, account, tick, warmUp, riskFreeRate, equityGrid, client }),
    ...(flags.latency === undefined ? {} : { latency: latencyIn(flags.latency) }),
    ...(flags.rateLimits === true ? { rateLimits: true } : {}),
    parameters: set,
  }
}

function latencyIn(text: string): LatencyOptions {
  try {
    return parseLatency(text)
  } catch (error) {
    throw new CliFailure(exitCode.usage, inFlags(error instanceof Error ? error.message : String(error)))
  }
}

function sourceOf(flags: BacktestFlags, cwd: string): SourceOptions {
  const { data, model, scenario } = flags
  const given = [scenario, data, model].filter((one) => one !== undefined)
  if (given.length > 1) throw new CliFailure(exitCode.usage, 'give one of --scenario, --data and --model')
  if (data !== undefined) {
    const candles = readRecordings(data, flags.asset, cwd)
    return onlyGiven({ candles, market: { ...marketOf(flags), name: shownFiles(data) } })
  }
  if (model !== undefined) return { model, market: marketOf(flags) }
  const compiled = openScenario({
    scenario: scenario ?? 'calm',
    cwd,
    params: pairsOf(flags.param),
    seed: flags.seed ?? null,
  })
  return { scenario: compiled }
}

function marketOf(flags: BacktestFlags): MarketOptions {
  const { asset, grid, volumeIn } = flags
  const price = numberOf('--price', flags.price)
  const cash = numberOf('--cash', flags.cash)
  const makerBps = numberOf('--maker-bps', flags.makerBps)
  const takerBps = numberOf('--taker-bps', flags.takerBps)
  const type = flags.margin === true ? 'margin' : undefined
  return onlyGiven({ asset, grid, volumeIn, type, price, cash, makerBps, takerBps })
}
