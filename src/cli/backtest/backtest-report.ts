import { resolve } from 'node:path'
import { usdNumber } from '../../api/amounts.ts'
import { parseJson } from '../../api/json.ts'
import { flagOf, shellWord } from '../../backtest/command-words.ts'
import { pageAssets } from '../../backtest/report/page-assets.ts'
import { checkRealism } from '../../backtest/report/realism-check.ts'
import type {
  AccountLimits,
  Assertion,
  ReportContext,
  SeedDistribution,
} from '../../backtest/report/report-context.ts'
import { runReport } from '../../backtest/report/run-report.ts'
import type { BacktestResult, ParameterValues } from '../../backtest/result.ts'
import { asRow } from '../../backtest/sweep/case-row.ts'
import type { World } from '../../world/world.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { isPairs, pairsOf } from '../option-parsers.ts'
import { readFile } from '../read-file.ts'
import { version } from '../version.ts'
import { writeFile } from '../write-file.ts'
import { type BacktestFlags, usualOptions } from './backtest-flags.ts'

export interface ReportRequest {
  /** The file, and the folder that its name is relative to. */
  readonly file: string
  readonly cwd: string
  readonly strategyFile: string
  readonly flags: BacktestFlags
  readonly result: BacktestResult
  readonly parameters: ReportContext['parameters']
  /** The world of the run; null where it ran elsewhere. */
  readonly world: World | null
  /** The digest of the run's journal, where one was kept. */
  readonly journalDigest: string | null
  readonly assertions: readonly Assertion[]
}

/** Writes the report of a run as one HTML file. */
export function writeReport(request: ReportRequest): void {
  const { assertions, cwd, file, flags, journalDigest, parameters, result, strategyFile, world } = request
  const context: ReportContext = {
    version,
    command: commandOf(strategyFile, flags, result.seed),
    parameters,
    journalDigest,
    assertions,
    limits: world === null ? null : limitsOf(world, result.account),
    realism: world === null ? null : realismOf(world, result),
    seeds:
      flags.among === undefined ? null : amongSeeds(flags.among, cwd, result.parameters, pairsOf(flags.set)),
  }
  writeFile(cwd, file, runReport(result, context, pageAssets()))
}

/** The command that repeats the run, with its seed. Outputs and settings files are left out. */
function commandOf(strategyFile: string, flags: BacktestFlags, seed: string): string {
  const words = ['otcsim', 'backtest', shellWord(strategyFile)]
  for (const [name, value] of Object.entries(flags)) {
    if (leftOut.has(name) || usualOptions.get(name) === value) continue
    const flag = flagOf(name)
    if (isPairs(value)) {
      for (const [key, text] of value) words.push(flag, shellWord(`${key}=${text}`))
    } else if (Array.isArray(value)) {
      for (const text of value) words.push(flag, shellWord(String(text)))
    } else if (value === true) words.push(flag)
    else if (typeof value === 'string')
      for (const line of value.split('\n')) words.push(flag, shellWord(line))
  }
  // A captured run has its own seed.
  if (flags.resume === undefined) words.push('--seed', shellWord(seed))
  return words.join(' ')
}

const leftOut: ReadonlySet<string> = new Set([
  ...['seed', 'html', 'journal', 'json', 'config', 'capture', 'captureAt', 'among'],
  // Reports are passed on; secrets must not be.
  ...['apiSecret', 'adminToken'],
])

/** The limits at the beginning of the run: those that a scenario changes later do not fit into one line of a chart. */
function limitsOf(world: World, account: string): AccountLimits | null {
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

function realismOf(world: World, { fills, fromMillis, toMillis }: BacktestResult): ReportContext['realism'] {
  const assets = [...new Set(fills.map(({ asset }) => asset))]
  const { market } = world.venue.state
  return checkRealism({ market, spec: world.scenario.venue.market, fromMillis, toMillis, assets })
}

const maximumBytes = 1_000_000_000

/**
 * The profits of a sweep's cases that have a run's parameters, as `sweep --ndjson` wrote them. `texts` are the
 * parameters as given. Errors: the file cannot be read, or has no such case.
 */
function amongSeeds(
  file: string,
  cwd: string,
  parameters: ParameterValues,
  texts: ReadonlyMap<string, string>,
): SeedDistribution {
  const path = resolve(cwd, file)
  const bytes = readFile(cwd, path, maximumBytes, exitCode.unusableData)
  const profits: number[] = []
  for (const line of bytes.toString('utf8').split('\n')) {
    const row = line === '' ? null : asRow(parseJson(line))
    const isLike = Object.entries(row?.parameters ?? {}).every(
      ([name, text]) => String(parameters[name]) === text || texts.get(name) === text,
    )
    const profit = row?.metrics['returns.profit']
    if (isLike && typeof profit === 'number') profits.push(profit)
  }
  if (profits.length > 0) return { seeds: profits.length, profits }
  throw new CliFailure(
    exitCode.unusableData,
    `${path} has no case of a sweep with the parameters of this run`,
  )
}
