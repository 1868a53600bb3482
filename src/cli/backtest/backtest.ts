import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { onlyGiven } from '../../api/option-kinds.ts'
import { backtest } from '../../backtest/backtest.ts'
import type { BacktestOptions } from '../../backtest/backtest-options.ts'
import type { BacktestCapture, CaptureOptions } from '../../backtest/capture/capture.ts'
import {
  captureDocument,
  readCaptureDocument,
  resumeBacktest,
} from '../../backtest/capture/capture-document.ts'
import type { LatencyOptions } from '../../backtest/latency.ts'
import { parseLatency } from '../../backtest/latency.ts'
import type { LiveOptions } from '../../backtest/live/run-live.ts'
import { runLive } from '../../backtest/live/run-live.ts'
import { loadStrategy, StrategyFileError } from '../../backtest/load-strategy.ts'
import { describeParameter, parameterTexts } from '../../backtest/parameters.ts'
import type { BacktestResult } from '../../backtest/result.ts'
import type { MarketOptions, SourceOptions } from '../../backtest/source.ts'
import type { Strategy } from '../../backtest/strategy.ts'
import { StrategyError, UnwaitedRejection, withoutUnwaited } from '../../backtest/strategy-answers.ts'
import { ConnectionError } from '../../client/venue-error.ts'
import { JournalFile, JournalUnwritable } from '../../journal/journal-file.ts'
import { flattenMetrics } from '../../metrics/flatten-metrics.ts'
import { parseDecimal } from '../../numeric/decimal.ts'
import { fileJournal } from '../../world/journals/file-journal.ts'
import type { World } from '../../world/world.ts'
import { CliFailure, diskFailure, exitCode, systemReason, writeReason } from '../failure.ts'
import {
  gatherPairs,
  gatherTexts,
  pairsOf,
  parseAddress,
  parseSeed,
  refuseUnusedFlags,
} from '../option-parsers.ts'
import { progressLine } from '../progress.ts'
import { readFile } from '../read-file.ts'
import { openScenario } from '../scenario/scenario-files.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { painter } from '../terminal.ts'
import { version } from '../version.ts'
import { makeFolderOf, writeNewFile } from '../write-file.ts'
import type { BacktestFlags } from './backtest-flags.ts'
import {
  conflictsOfRuns,
  gatherFiles,
  inFlags,
  needsOfRuns,
  readRecordings,
  shownFiles,
} from './backtest-flags.ts'
import { backtestTable, judgeConditions, parseConditions } from './backtest-outputs.ts'

/** `otcsim backtest STRATEGY`: a strategy in virtual time, with its figures. */
export function backtestCommand(terminal: Terminal): Command {
  const pairs = (flags: string, text: string) => new Option(flags, text).argParser(gatherPairs)
  const command = new Command('backtest')
    .argument('<strategy>', 'a file that exports a strategy, TypeScript or JavaScript')
    .option('--seed <text>', "instead of the scenario's seed", parseSeed)
    .addOption(pairs('--set <name=value>', 'a parameter of the strategy; may be repeated'))
    .addOption(pairs('--param <name=value>', 'a parameter of the scenario; may be repeated'))
  return addRunOptions(command)
    .option('--json', 'the whole result on stdout instead of the table')
    .option('--assert <condition>', 'such as "drawdown.maximum > -0.1"; may be repeated', gatherTexts)
    .option('--html <file>', 'write a report as one HTML file')
    .option('--among <file>', 'the --ndjson of a sweep: the --html report shows this run among its seeds')
    .option('--journal <file>', 'write the journal of the run here, for otcsim replay')
    .option('--capture-at <time>', 'when the run is written to --capture: a time, or a span after --from')
    .option('--capture <file>', 'write the captured run here, for --resume; the run continues')
    .option('--resume <file>', 'continue a captured run instead of starting one')
    .option('--live <url>', 'run over HTTP, against a simulator or a service such as staging', parseAddress)
    .addOption(
      new Option('--clock <mode>', 'of --live: stepped in a world of its own, or as it is')
        .choices(['manual', 'realtime'])
        .default('manual'),
    )
    .option('--api-key <key>', 'the API key, for --live --clock realtime')
    .option('--api-secret <secret>', 'its secret, for --live --clock realtime')
    .option('--admin-token <text>', 'the admin token of the simulator, for --live --clock manual')
    .addOption(configOption())
    .action(async (file: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      refuseUnusedFlags(command, needsOfRuns, conflictsOfRuns)
      await runBacktest(file, command.opts(), terminal)
    })
}

/** What a run, and every case of a sweep, is made of: everything but the seed and the parameters. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--scenario <name>', 'a shipped scenario or a file')
    .option(
      '--data <file>',
      'a recording of candles or trades: CSV, plain, gzip or zip; for several assets BTC=FILE, repeated',
      gatherFiles,
    )
    .addOption(
      new Option('--volume-in <unit>', 'of the volumes of --data').choices(['asset', 'usd']).default('asset'),
    )
    .option('--model <kind>', 'a price model, such as market or gbm,vol=0.6')
    .option('--asset <symbol>', 'the asset to trade, for --data and --model; BTC by default')
    .option('--price <usd>', 'the price at the start, for --model; 50000 by default')
    .option('--cash <usd>', 'what the account starts with, for --data and --model; 1000000 by default')
    .option('--margin', 'the account may short, within a leverage of 5; for --data and --model')
    .option('--maker-bps <number>', 'fee of makers, for --data and --model; 0 by default')
    .option('--taker-bps <number>', 'fee of takers, for --data and --model; 10 by default')
    .option('--grid <span>', "the grid of the venue's clock, for --data and --model")
    .option('--from <time>', 'when the strategy begins: a time, or a span after the start')
    .option('--to <time>', 'when it ends: a time, or a span after that')
    .option('--warm-up <bars>', "bars that are there before --from, instead of the strategy's warmUp")
    .option('--account <id>', "trade with this account instead of the strategy's")
    .option('--tick <span>', 'the span between two looks at the feed')
    .option('--equity-grid <span>', 'the span between two points of the equity', '1h')
    .option(
      '--risk-free-rate <fraction>',
      'yearly interest that ratios and alpha are in excess of: 0.04 is 4 %; 0 by default',
    )
    .option('--latency <delays>', 'such as 5ms, or order=5ms,response=3ms,feed=normal(20ms, 5ms)')
    .addOption(
      new Option('--client <kind>', 'answers at once, or promises as over HTTP')
        .choices(['sync', 'async'])
        .default('sync'),
    )
    .option('--rate-limits', "the venue's rate limits hold, by its own time")
}

/**
 * Runs a strategy and prints its figures. Fails when the strategy or the options cannot be used, or the strategy
 * throws.
 */
async function runBacktest(file: string, flags: BacktestFlags, terminal: Terminal): Promise<void> {
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
    const { writeReport } = await import('./backtest-outputs.ts')
    const [world = null] = worlds
    writeReport({
      file: flags.html,
      terminal,
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
  const warmUp = parseNumber('--warm-up', flags.warmUp)
  const riskFreeRate = parseNumber('--risk-free-rate', flags.riskFreeRate)
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
  const price = parseNumber('--price', flags.price)
  const cash = parseNumber('--cash', flags.cash)
  const makerBps = parseNumber('--maker-bps', flags.makerBps)
  const takerBps = parseNumber('--taker-bps', flags.takerBps)
  const type = flags.margin === true ? 'margin' : undefined
  return onlyGiven({ asset, grid, volumeIn, type, price, cash, makerBps, takerBps })
}

const maximumBytes = 1_000_000_000

/** What the flags say about capturing a run. Errors: the file already exists. */
function captureOptionsOf(flags: BacktestFlags, cwd: string): CaptureOptions {
  const { capture, captureAt } = flags
  if (capture === undefined || captureAt === undefined) return {}
  if (existsSync(resolve(cwd, capture)))
    throw new CliFailure(exitCode.usage, `cannot write ${capture}: it already exists`)
  return { captureAt, onCapture: (captured) => write(capture, cwd, captured) }
}

/** A captured run from its file. Errors: it cannot be read, or holds none. */
function readCapture(file: string, cwd: string): BacktestCapture {
  const path = resolve(cwd, file)
  const bytes = readFile(cwd, path, maximumBytes, exitCode.unusableData)
  try {
    const document: unknown = JSON.parse(bytes.toString('utf8'))
    return readCaptureDocument(document)
  } catch (error) {
    if (error instanceof SyntaxError) throw new CliFailure(exitCode.unusableData, `${path} is not JSON`)
    if (error instanceof RangeError) throw new CliFailure(exitCode.unusableData, `${path}: ${error.message}`)
    throw error
  }
}

function write(file: string, cwd: string, captured: BacktestCapture): void {
  if (writeNewFile(cwd, file, `${JSON.stringify(captureDocument(captured))}\n`)) return
  throw new CliFailure(exitCode.usage, `cannot write ${file}: it already exists`)
}

/** Runs a strategy over HTTP. Errors: no time to run (2), nothing answers there (4). */
async function runLiveBy(
  strategy: Strategy,
  flags: BacktestFlags,
  url: string,
  terminal: Terminal,
  progress: (done: number, nowMillis: number) => void,
): Promise<BacktestResult> {
  if (flags.to === undefined) throw new CliFailure(exitCode.usage, '--live needs --to, such as 10m')
  let isEnded = false
  const stopListening = terminal.onStop(() => {
    isEnded = true
  })
  try {
    return await runLive(strategy, { ...liveOptions(flags, url, flags.to), progress, isEnded: () => isEnded })
  } catch (error) {
    if (error instanceof ConnectionError || isFetchFailure(error)) {
      throw new CliFailure(exitCode.unreachable, `${url} does not answer: ${reasonOf(error)}`)
    }
    throw error
  } finally {
    stopListening()
  }
}

function liveOptions(flags: BacktestFlags, baseUrl: string, span: string): LiveOptions {
  const { account, adminToken, apiKey, apiSecret, clock = 'manual', equityGrid, scenario, seed, tick } = flags
  const warmUp = parseNumber('--warm-up', flags.warmUp)
  const riskFreeRate = parseNumber('--risk-free-rate', flags.riskFreeRate)
  return {
    baseUrl,
    clock,
    span,
    parameters: Object.fromEntries(pairsOf(flags.set)),
    ...onlyGiven({
      account,
      adminToken,
      apiKey,
      apiSecret,
      equityGrid,
      scenario,
      seed,
      tick,
      warmUp,
      riskFreeRate,
    }),
    ...(flags.latency === undefined ? {} : { latency: parseLatency(flags.latency) }),
  }
}

/** Whether the platform's fetch threw because nobody answers. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return systemReason(cause ?? error)
}

const maximumLines = 4
const here = dirname(fileURLToPath(import.meta.url))

/** The lines of a stack that are neither Node's nor the bundle's, the innermost first, as many as help. */
export function ownStackLines(stack: string): readonly string[] {
  const lines = stack.split('\n').filter((line) => /^\s*at /.test(line))
  const own = lines.filter((line) => !line.includes('node:') && !line.includes(here))
  return own.slice(0, maximumLines).map(withoutSource)
}

/**
 * tsx runs TypeScript of a CommonJS package from an address that contains its whole text. What helps the reader is
 * the file; the line number is that of the generated text.
 */
function withoutSource(line: string): string {
  return line.replace(
    /data:text\/javascript,\S*[?&]filePath=([^\s):&]*?)(?:%3Fnamespace[^\s)]*|:[^\s)]*)?(?=\)|$)/,
    (_, path: string) => decodeURIComponent(path),
  )
}

/** The number that a flag was given; undefined where it was not. Ends the command for anything else. */
function parseNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  // JavaScript would accept '0x10', ' 1 ' and '' as numbers, too.
  if (parseDecimal(text) !== null) return Number(text)
  throw new CliFailure(exitCode.usage, `${flag}: expected a number, found "${text}"`)
}
