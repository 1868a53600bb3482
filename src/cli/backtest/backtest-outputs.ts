import { join, resolve } from 'node:path'
import { usdNumber } from '../../api/answer.ts'
import { isObject, jsonField, parseJson } from '../../api/json.ts'
import { flagName } from '../../api/options.ts'
import { identifyStrategy } from '../../backtest/loading/strategy-identity.ts'
import { quoteShellWord } from '../../backtest/parameters.ts'
import { describeFigure, formatQuantity } from '../../backtest/report/figures.ts'
import { readPageAssets } from '../../backtest/report/page-assets.ts'
import { checkRealism } from '../../backtest/report/realism-check.ts'
import type { AccountLimits, Assertion, ReportContext } from '../../backtest/report/report-context.ts'
import { createRunReport } from '../../backtest/report/run-report.ts'
import { type BacktestResult, type RunResult, resultFormat, resultVersion } from '../../backtest/result.ts'
import { resolveSource, type SourceOptions } from '../../backtest/source.ts'
import type { Strategy } from '../../backtest/strategy.ts'
import { findSeeds, type SeedDistribution } from '../../backtest/sweep/among-seeds.ts'
import { scenarioDigest } from '../../backtest/sweep/digests.ts'
import { listTableParts } from '../../backtest/tables/result-tables.ts'
import { createTableParquet, formatCsv } from '../../backtest/tables/table-files.ts'
import {
  figureRow,
  findFigure,
  flattenMetrics,
  isFigureName,
  listFigureNames,
  type Metrics,
} from '../../metrics/metrics.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import type { World } from '../../world/world.ts'
import { isCounted } from '../evidence.ts'
import { dataFailure, exitCode, formatSuggestion, usageFailure } from '../failure.ts'
import { readTextFile, writeOutput } from '../files.ts'
import { type FlagRow, isPairs } from '../flags.ts'
import type { Paint, Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { type BacktestFlags, backtestFlags, selectRunOptions } from './backtest-flags.ts'

export interface ReportRequest
  extends Pick<ReportContext, 'parameters' | 'journalDigest' | 'assertions' | 'seeds'> {
  readonly terminal: Terminal
  readonly strategyFile: string
  readonly flags: BacktestFlags
  readonly result: RunResult
  /** The world of the run; null when it ran in another process. */
  readonly world: World | null
}

/** Writes the HTML report of a run, and reads the files that it is compared with. */
export function writeReport(file: string, request: ReportRequest): void {
  const { flags, result, strategyFile, terminal, world, ...known } = request
  const { beside } = flags
  const { cwd } = terminal
  const context: ReportContext = {
    ...known,
    version,
    command: formatRerunCommand(strategyFile, flags, result.seed),
    limits: world === null ? null : findLimits(world, result.account),
    realism: world === null ? null : assessRealism(world, result),
    beside: beside === undefined ? null : readResultFile(beside, cwd),
  }
  writeOutput(terminal, file, createRunReport(result, context, readPageAssets()))
}

/** Writes the tables of a run into the folders that `--csv` and `--parquet` name, a file for each, and says so. */
export async function writeTables(
  { csv, parquet }: BacktestFlags,
  result: RunResult,
  terminal: Terminal,
): Promise<void> {
  if (csv === undefined && parquet === undefined) return
  for (const table of listTableParts(result)) {
    if (csv !== undefined)
      writeOutput(terminal, join(csv, `${table.name}.csv`), { pieces: () => formatCsv(table) })
    if (parquet !== undefined)
      writeOutput(terminal, join(parquet, `${table.name}.parquet`), await createTableParquet(table))
  }
}

/**
 * Formats the command that repeats the run with the same seed. Output files and the configuration file are left out.
 */
function formatRerunCommand(strategyFile: string, flags: BacktestFlags, seed: string): string {
  const words = ['npx otcsim backtest', quoteShellWord(strategyFile)]
  for (const [name, value] of Object.entries(flags)) {
    if (omittedFlags.has(name) || value === flagRows.get(name)?.flag.default) continue
    const flag = flagName(name)
    if (isPairs(value)) {
      for (const [key, text] of value) words.push(flag, quoteShellWord(`${key}=${text}`))
    } else if (Array.isArray(value)) {
      for (const text of value) words.push(flag, quoteShellWord(String(text)))
    } else if (value === true) words.push(flag)
    else if (typeof value === 'string')
      for (const line of value.split('\n')) words.push(flag, quoteShellWord(line))
  }
  return [...words, '--seed', quoteShellWord(seed)].join(' ')
}

const flagRows: ReadonlyMap<string, FlagRow> = new Map(Object.entries(backtestFlags))

const omittedFlags: ReadonlySet<string> = new Set([
  ...['seed', 'html', 'csv', 'parquet', 'journal', 'json', 'config', 'among', 'beside'],
  // Reports are shared, so they must not contain secrets.
  ...['apiSecret', 'adminToken'],
])

/**
 * Returns the account's limits at the start of the run. Later changes are ignored: a chart draws one line per limit.
 */
function findLimits(world: World, account: string): AccountLimits | null {
  const limits = world.scenario.venue.accounts.find(({ id }) => id === account)?.limits
  if (limits === undefined) return null
  const { default: usual, bySymbol } = limits.maxExposurePerAsset
  const symbols = world.scenario.venue.market.assets.map(({ symbol }) => symbol)
  return {
    maxExposure: usdNumber(limits.maxExposure),
    maxExposurePerAsset: Object.fromEntries(
      symbols.map((symbol) => [symbol, usdNumber(bySymbol.get(symbol) ?? usual)]),
    ),
    maxLeverage: limits.maxLeverage / 1_000_000,
  }
}

function assessRealism(world: World, { fills, fromMillis, toMillis }: RunResult): ReportContext['realism'] {
  const assets = [...new Set(fills.map(({ asset }) => asset))]
  const { market } = world.venue.state
  return checkRealism({ market, spec: world.scenario.venue.market, fromMillis, toMillis, assets })
}

const maximumBytes = 1_000_000_000

interface SeedRequest extends Pick<ReportRequest, 'flags' | 'result' | 'strategyFile'> {
  readonly strategy: Strategy
  /** The market without the run's seed, as plans have it: each of their cases brings one. */
  readonly market: SourceOptions
}

/**
 * Reads the profits of the run's other seeds from a file that `sweep --ndjson` wrote. Ends the command when the file
 * cannot be read, or is of another strategy, market, span or the like.
 */
export function readSeedDistribution(
  file: string,
  cwd: string,
  { flags, market, result, strategy, strategyFile }: SeedRequest,
): SeedDistribution {
  const text = readTextFile(cwd, resolve(cwd, file), maximumBytes, exitCode.unusableData)
  const { scenario } = resolveSource(market)
  const found = findSeeds(text, {
    version,
    strategyDigest: identifyStrategy(resolve(cwd, strategyFile)).digest,
    declarations: strategy.parameters ?? {},
    scenario,
    scenarioDigest: scenarioDigest(scenario),
    options: selectRunOptions(flags),
    parameters: result.parameters,
    seed: result.seed,
    digest: result.digest,
  })
  if (found.ok) return found.value
  throw dataFailure(`--among ${file}: ${found.problem}`)
}

/** Reads a result that `backtest --json` wrote. Errors: the file cannot be read, or holds no result. */
function readResultFile(file: string, cwd: string): BacktestResult {
  const path = resolve(cwd, file)
  const result = parseJson(readTextFile(cwd, path, maximumBytes, exitCode.unusableData))
  if (isResult(result)) return result
  throw dataFailure(`${path} is not what otcsim backtest --json writes`)
}

/** Checks the format, the version and the required parts of a result. Its figures are not recomputed. */
const isResult = (value: unknown): value is BacktestResult =>
  isObject(value) &&
  value['format'] === resultFormat &&
  value['version'] === resultVersion &&
  isObject(value['metrics']) &&
  Array.isArray(jsonField(value['equity'], 'atMillis'))

export function formatBacktest(
  result: RunResult,
  parameterTexts: readonly (readonly [string, string])[],
  paint: Paint,
): string {
  const { account, fromMillis, metrics, seed, source, strategy, toMillis } = result
  const parameters = parameterTexts.map(([name, text]) => `${name}=${text}`)
  const head = `${paint('bold', strategy)}  ${source.kind} ${source.name}  seed "${seed}"  account ${account}`
  const lines = [
    head,
    `  ${millisToIso(fromMillis)} to ${millisToIso(toMillis)}${formatWarmUp(result)}${parameters.length === 0 ? '' : `  ${parameters.join(' ')}`}`,
    ...listRows(result).map(([name, value]) => `  ${name.padEnd(20)}${value}`),
    ...result.rejects
      .slice(0, 5)
      .map(({ count, message, reason }) => `  ${'refused'.padEnd(20)}${count} x ${reason}: ${message}`),
    ...(result.rejects.length > 5
      ? [
          `  ${'refused'.padEnd(20)}for ${result.rejects.length - 5} more reasons, which --json and --html list`,
        ]
      : []),
    ...[...explainRefusals(result), ...metrics.warnings].map((warning) => `  ${paint('yellow', warning)}`),
    `  ${'digest'.padEnd(20)}${result.digest ?? 'not known'}`,
  ]
  return `${lines.join('\n')}\n`
}

/** Says so where requests were refused and none made an order or a quote, and what may help. */
function explainRefusals({ metrics, quotes, rejects, source }: RunResult): readonly string[] {
  if (metrics.activity.orders > 0 || quotes.length > 0 || rejects.length === 0) return []
  const isPoor = rejects.some(({ reason }) => reason === 'INSUFFICIENT_BALANCE')
  const hint =
    isPoor && (source.kind === 'data' || source.kind === 'model')
      ? ' The account begins with money alone: --margin lets it sell what it has not bought.'
      : ''
  return [`No order and no quote was accepted, so there is nothing to judge.${hint}`]
}

const formatWarmUp = ({ warmUpBars }: RunResult): string =>
  warmUpBars === undefined ? '' : `  after ${warmUpBars} bars to warm up`

function listRows({ metrics }: RunResult): readonly (readonly [string, string])[] {
  const { benchmark, drawdown, maker, returns, sampling, trips } = metrics
  const text = (name: string): string => describeFigure(metrics, name).replaceAll('−', '-')
  const beyond =
    sampling.riskFreeRate === undefined ? '' : `, beyond ${(sampling.riskFreeRate * 100).toFixed(2)} % a year`
  const sample = `${sampling.returns} returns of ${formatDuration(sampling.ratioMillis)}${beyond}, ${text('sampling.days')} days`
  const error = returns.sharpe.value === null ? '' : ` ± ${text('returns.sharpeError')}`
  return [
    ['profit', `${text('returns.profit')}, ${text('returns.total')}`],
    [
      '  came from',
      `spread ${text('attribution.spread')}, inventory ${text('attribution.inventory')}, fees ${text('attribution.fees')}`,
    ],
    ...(benchmark.heldProfit === 0
      ? []
      : [
          [
            '  of that',
            `held from the start ${text('benchmark.heldProfit')}, by trading ${text('benchmark.tradingProfit')}`,
          ] as const,
        ]),
    ['buy and hold', formatBenchmark(metrics, text)],
    ['sample', sample],
    ['CAGR', text('returns.cagr')],
    ['volatility', text('returns.volatility')],
    ['Sharpe', `${text('returns.sharpe')}${error}`],
    ['Sortino', text('returns.sortino')],
    ['chance of skill', text('returns.probabilisticSharpe')],
    [
      'max drawdown',
      `${text('drawdown.maximum')}, longest ${formatDuration(drawdown.longestMillis)}${drawdown.isLongestOpen ? ', not over' : ''}`,
    ],
    [
      'trades',
      `${text('activity.orders')} orders, ${text('activity.fills')} fills, ${text('activity.volume')}`,
    ],
    ['round trips', formatTrips(metrics, text)],
    ...trips.open.map(
      ({ asset, quantity }) =>
        [
          '  still open',
          `${formatQuantity(quantity).replace('−', '-')} ${asset} at ${text(`trips.open.${asset}.averageCost`)}, unrealized ${text(`trips.open.${asset}.unrealized`)}, net of fees ${text(`trips.open.${asset}.netUnrealized`)}`,
        ] as const,
    ),
    ['costs', `fees ${text('costs.fees')}, slippage ${text('costs.slippageBps')}`],
    ...(maker.fills === 0
      ? []
      : [
          [
            'maker',
            `${text('maker.fills')} fills, spread ${text('maker.spreadBps')}, after 1m ${text('maker.markouts.60000.bps')} (${text('maker.markouts.60000.lowBps')} to ${text('maker.markouts.60000.highBps')})`,
          ] as const,
        ]),
  ]
}

/** Formats how the market did during the run. A reason that beta and alpha share is given once. */
function formatBenchmark({ benchmark }: Metrics, text: (name: string) => string): string {
  const { beta, marketReturn } = benchmark
  const market = text('benchmark.marketReturn')
  if (marketReturn.value === null) return market
  const fall = `${market}, max drawdown ${text('benchmark.marketDrawdown')}`
  if (beta.value === null) return `${fall}; beta and alpha ${text('benchmark.beta')}`
  const alpha = text('benchmark.alpha')
  return `${fall}; beta ${text('benchmark.beta')}, alpha ${alpha}${benchmark.alpha.value === null ? '' : ' a year'}`
}

function formatTrips({ trips }: Metrics, text: (name: string) => string): string {
  const count = text('trips.count')
  if (trips.hitRate.value === null && trips.netHitRate.value === null)
    return `${count}, hit rate ${text('trips.hitRate')}`
  return `${count}, hit rate ${text('trips.hitRate')}, net of fees ${text('trips.netHitRate')}; a trip ${text('trips.expectancy')}, net ${text('trips.netExpectancy')}`
}

type Condition = ReturnType<typeof parseConditions>[number]

const comparisons = {
  '<=': (value: number, bound: number) => value <= bound,
  '>=': (value: number, bound: number) => value >= bound,
  '==': (value: number, bound: number) => value === bound,
  '!=': (value: number, bound: number) => value !== bound,
  '<': (value: number, bound: number) => value < bound,
  '>': (value: number, bound: number) => value > bound,
}

/**
 * Parses conditions such as `drawdown.maximum > -0.1`: the name of a figure, a comparison, a number. Ends the command
 * for any other text, for a figure that no run has, for a number that is too large, and for what every count meets,
 * such as `activity.orders >= 0`.
 */
export function parseConditions(texts: readonly string[]) {
  return texts.map((text) => {
    const match = /^\s*([\w.-]+)\s*(<=|>=|==|!=|<|>)\s*(-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?)\s*$/.exec(text)
    const [, name = '', operator = '', bound = ''] = match ?? []
    if (!isComparison(operator)) {
      throw usageFailure(
        `--assert: expected a figure, a comparison and a number, such as "drawdown.maximum > -0.1", found "${text}"`,
      )
    }
    const condition = { text: `${name} ${operator} ${bound}`, name, operator, bound: Number(bound) }
    if (!Number.isFinite(condition.bound)) throw usageFailure(`--assert: ${bound} is too large, in "${text}"`)
    checkFigureName('--assert', name)
    if (figureRow(name)?.unit === 'count' && isMetByEveryCount(condition))
      throw usageFailure(`--assert: nothing can break "${condition.text}": every count meets it`)
    return condition
  })
}

/** Ends the command when no run can have a figure of this name, before anything is run. */
export function checkFigureName(flag: string, name: string): void {
  if (isFigureName(name)) return
  const hint = formatSuggestion(name, listFigureNames(name), 'figure')
  throw usageFailure(`${flag}: there is no figure "${name}"${hint}`)
}

/** Returns whether every whole number from 0 on meets a comparison with a bound. */
function isMetByEveryCount({
  operator,
  bound,
}: {
  operator: keyof typeof comparisons
  bound: number
}): boolean {
  const isCount = bound >= 0 && Number.isInteger(bound)
  return [0, 1, Number.MAX_VALUE, ...(isCount ? [bound] : [])].every((count) =>
    comparisons[operator](count, bound),
  )
}

/**
 * Judges each condition. A figure that is undefined for the run meets no condition. In a run without fills, every profit,
 * fall and cost is one of nothing, so it meets conditions about figures that count alone: those of `activity` and
 * `sampling`. Ends the command when a condition names a figure that does not exist.
 */
export function judgeConditions(conditions: readonly Condition[], metrics: Metrics): readonly Assertion[] {
  const figures = flattenMetrics(metrics)
  return conditions.map(({ bound, name, operator, text }) => {
    const value = figures[name]
    if (value === undefined) {
      const hint = formatSuggestion(name, Object.keys(figures), 'figure')
      throw usageFailure(`--assert: there is no figure "${name}"${hint}`)
    }
    if (value === null)
      return { text, isMet: false, got: `n/a: ${findFigure(metrics, name)?.reason ?? 'it is not defined'}` }
    const got = String(Number(value.toPrecision(6)))
    if (metrics.activity.fills === 0 && !isCounted(name))
      return { text, isMet: false, got: `${got}, and nothing was judged: the run has no fills` }
    return { text, isMet: comparisons[operator](value, bound), got }
  })
}

/** Counts what the conditions of a run rest on. */
export const countAssertionEvidence = (assertions: readonly Assertion[], { metrics }: RunResult) => ({
  conditions: assertions.length,
  returns: metrics.sampling.returns,
  fills: metrics.activity.fills,
})

const isComparison = (word: string): word is keyof typeof comparisons => Object.hasOwn(comparisons, word)
