import { flagName } from '../../api/options.ts'
import { runOptions } from '../../backtest/backtest-options.ts'
import { liveOptions } from '../../backtest/live/run-live.ts'
import { marketOptions, type SourceOptions, sourceOptions } from '../../backtest/source.ts'
import type { Candles } from '../../market/recordings/candle-table.ts'
import type { RecordingInfo } from '../../market/recordings/interpretation.ts'

import { dataFailure, usageFailure } from '../failure.ts'
import {
  aFlag,
  aSwitch,
  cacheFlag,
  configFlag,
  type FlagRow,
  type FlagsOf,
  gatherPairs,
  gatherTexts,
  paramFlag,
  parseAddress,
  parsedFlag,
  parseSeed,
} from '../flags.ts'
import type { OptionAlternatives, OptionConflict } from '../option-conflicts.ts'
import { bookFlags } from '../recordings/books/book-flags.ts'
import { createFileFlags, readFileOptions } from '../recordings/file-flags.ts'
import { gatherByAsset, gatherFiles, parseNamedFiles } from '../recordings/named-files.ts'
import { createPreparedStore } from '../recordings/prepared-store.ts'
import { nameFileFlags, readRecordingFiles } from '../recordings/read-recording.ts'

const { account, client, equityGrid, from, latency, rateLimits, riskFreeRate, tick, to, warmUp } = runOptions
const { asset, beyond, cash, fills, gaps, grid, like, makerBps, price, queueLaw, takerBps } = marketOptions
const { scenario, model, seed } = sourceOptions
const { adminToken, apiKey, apiSecret, clock } = liveOptions

/** Options of one backtest and of every case of a sweep: everything but the seed and the parameters. */
export const runFlags = {
  scenario,
  data: parsedFlag(
    gatherFiles,
    '<file>',
    'a recording of candles or trades, or its files, such as jan.csv,feb.csv or 2024-*.csv; for several assets BTC=FILE, repeated',
  ),
  ...createFileFlags({ needs: ['data'] }, { needs: ['data', 'book'] }),
  cache: cacheFlag,
  ...bookFlags,
  queueLaw,
  fills,
  beyond,
  gaps,
  like,
  model,
  asset,
  price,
  cash,
  margin: aSwitch('the account may short, within a leverage of 5; for --data, --book and --model', {
    needs: ['data', 'book', 'model'],
  }),
  makerBps,
  takerBps,
  grid,
  from,
  to,
  warmUp,
  account,
  tick,
  equityGrid,
  riskFreeRate,
  latency,
  client,
  rateLimits,
}

/** The options of `backtest`, in the order of its help. */
export const backtestFlags = {
  seed: { ...seed, parse: parseSeed },
  set: parsedFlag(gatherPairs, '<name=value>', 'a parameter of the strategy; may be repeated'),
  param: paramFlag,
  ...runFlags,
  json: aSwitch('the whole result on stdout instead of the table'),
  csv: aFlag('<folder>', 'write equity, orders, fills, trips, quotes and series as CSV files'),
  parquet: aFlag('<folder>', 'write them as Parquet files, for pandas and polars'),
  assert: parsedFlag(gatherTexts, '<condition>', 'such as "drawdown.maximum > -0.1"; may be repeated'),
  html: aFlag('<file>', 'write a report as one HTML file'),
  among: aFlag('<file>', 'the --ndjson of a sweep: the --html report shows this run among its seeds', {
    needs: ['html'],
  }),
  beside: aFlag('<file>', 'the --json of another run: the --html report compares the two', {
    needs: ['html'],
  }),
  journal: aFlag('<file>', 'write the journal of the run here, for otcsim replay'),
  live: parsedFlag(parseAddress, '<url>', 'run over HTTP, against a simulator or a service such as staging'),
  clock,
  apiKey,
  apiSecret,
  adminToken,
  config: configFlag,
}

/** Options of one backtest. All are optional, because a sweep's case states only what differs from the defaults. */
export type BacktestFlags = Partial<FlagsOf<typeof backtestFlags>>

/**
 * Selects the flags that say how a case is run, as texts that a task carries to its worker. Switches that are not as
 * usual become empty texts.
 */
export function selectRunOptions(flags: BacktestFlags): Readonly<Record<string, string>> {
  const options: Record<string, string> = {}
  const given = new Map<string, unknown>(Object.entries(flags))
  for (const [name, { flag }] of runRows) {
    const value = given.get(name)
    if (typeof value === 'string' && value !== flag.default) options[name] = value
    if (typeof value === 'boolean' && value !== (flag.default ?? false)) options[name] = ''
  }
  return options
}

/** Restores the flags of a case from the texts that its task carries. */
export function restoreFlags(options: Readonly<Record<string, string>>): BacktestFlags {
  const switches = runRows.filter(([, { flag }]) => flag.value === null)
  return {
    ...options,
    ...Object.fromEntries(
      switches.map(([name, { flag }]) => [name, (options[name] !== undefined) !== (flag.default ?? false)]),
    ),
  }
}

/**
 * Adds the values of a case's parameters that are not the strategy's: those of its scenario or, where books are recorded,
 * the law of their queues.
 */
export function addMarketParameters(
  flags: BacktestFlags,
  parameters: ReadonlyMap<string, string>,
): BacktestFlags {
  if (flags.book === undefined) return { ...flags, param: parameters }
  const law = parameters.get('queueLaw')
  return law === undefined ? flags : { ...flags, queueLaw: law }
}

const runRows: readonly (readonly [string, FlagRow])[] = Object.entries(runFlags)

/** The sources of a market, of which a run has one. */
export const sourceAlternatives: readonly OptionAlternatives[] = [
  [['scenario'], ['data'], ['book', 'trades'], ['model']],
]

const ofScenarios = { param: '--set gives parameters of the strategy' }

/** Options that would have no effect together: --data, --model and --live ignore parts of a scenario. */
export const runConflicts: readonly OptionConflict[] = [
  { with: 'data', options: ['param', 'book'], meant: ofScenarios },
  { with: 'book', options: ['param', 'model'], meant: ofScenarios },
  { with: 'model', options: ['param'], meant: ofScenarios },
  {
    with: 'live',
    options: ['data', 'book', 'model', 'param', 'from', 'client', 'rateLimits', 'journal', 'among'],
  },
]

/*
 * A setting has one name in scenario files and another as a flag. Messages about flags must name the flag. Messages
 * about a scenario file name a place in that file, and stay as they are.
 */
const flagByField: readonly (readonly [field: RegExp, flag: string])[] = [
  [/^market\.(?:assets\.[^:]*\.liquidity\.)?queue(?:Law|\.law|\.exponent)?(?=: )/, '--queue-law'],
  [/^market\.assets\.[^:]*\.model\.data(?=: )/, '--data'],
  [/^market\.assets\.[^:]*\.model(?:\.kind)?(?=: )/, '--model'],
  [/^market\.assets\.[^:]*\.model\.([\w.[\]]+)(?=: )/, '--model, $1'],
  [/^market\.assets\.[^:]*\.price(?=: )/, '--price'],
  [/^market\.assets\.[^:]*(?=: )/, '--asset'],
  [/^accounts\[0\]\.balances\.USD(?=: )/, '--cash'],
  [/^fees\.makerBps(?=: )/, '--maker-bps'],
  [/^fees\.takerBps(?=: )/, '--taker-bps'],
  [/^clock\.grid(?=: )/, '--grid'],
  [/^candles(?=: )/, '--data'],
  [/^books(?=: )/, '--book'],
]

/** Replaces the field at the start of each line of a message by the flag that sets it. */
export function nameFlags(message: string): string {
  return message
    .split('\n')
    .map((line) => {
      const known = flagByField.find(([field]) => field.test(line))
      const named = known === undefined ? nameFlag(line) : line.replace(known[0], known[1])
      return nameFileFlags(named)
    })
    .join('\n')
}

/** Replaces the option's name at the start of a line by its flag; other lines stay as they are. */
const nameFlag = (line: string): string =>
  line.replace(/^\w+(?=[.:])/, (name) =>
    name === 'walkForward' || Object.hasOwn(backtestFlags, name) ? flagName(name) : name,
  )

/** The recordings of a run, and what is to be said of how their files were understood. */
export interface ReadRecordings {
  readonly candles: NonNullable<SourceOptions['candles']>
  readonly notes: readonly RecordingInfo[]
}

/**
 * Reads the recordings that `--data` names: one alone, or one for each asset. Ends the command when a file cannot be
 * read, or when it is unclear which asset a recording belongs to.
 */
export function readRecordings(flags: BacktestFlags, data: string, cwd: string): ReadRecordings {
  const named = parseNamedFiles(data, cwd)
  const options = readFileOptions(flags)
  const store = flags.cache === false ? null : createPreparedStore(cwd)
  const notes: RecordingInfo[] = []
  const read = (files: readonly string[]): Candles => {
    const answer = readRecordingFiles(files, options, cwd, store)
    if (!answer.ok) throw dataFailure(nameFileFlags(answer.reason))
    notes.push(...answer.notes.map((note) => ({ ...note, line: nameFileFlags(note.line) })))
    return answer.candles
  }
  const [first] = named
  if (first?.asset === null && named.length === 1) return { candles: read(first.files), notes }
  if (flags.asset !== undefined) throw usageFailure('--asset does not go with --data that names its asset')
  const byAsset = gatherByAsset(named, '--data', cwd)
  const candles = Object.fromEntries([...byAsset].map(([symbol, files]) => [symbol, read(files)]))
  return { candles, notes }
}
