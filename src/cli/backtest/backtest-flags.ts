import { resolve } from 'node:path'
import { flagName } from '../../api/options.ts'
import { runOptions } from '../../backtest/backtest-options.ts'
import { liveOptions } from '../../backtest/live/run-live.ts'
import { marketOptions, type SourceOptions, sourceOptions } from '../../backtest/source.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import type { OptionConflict } from '../define-command.ts'
import { dataFailure, usageFailure } from '../failure.ts'
import {
  aFlag,
  aSwitch,
  configFlag,
  type FlagsOf,
  gatherPairs,
  gatherTexts,
  paramFlag,
  parseAddress,
  parsedFlag,
  parseSeed,
} from '../flags.ts'
import { readCandleFile } from '../scenario/read-candles.ts'

const { account, client, equityGrid, from, latency, rateLimits, riskFreeRate, tick, to, warmUp } = runOptions
const { asset, cash, grid, makerBps, price, takerBps, volumeIn } = marketOptions
const { scenario, model, seed } = sourceOptions
const { adminToken, apiKey, apiSecret, clock } = liveOptions

/** What a run, and every case of a sweep, is made of: everything but the seed and the parameters. */
export const runFlags = {
  scenario,
  data: parsedFlag(
    gatherFiles,
    '<file>',
    'a recording of candles or trades: CSV, plain, gzip or zip; for several assets BTC=FILE, repeated',
  ),
  volumeIn,
  model,
  asset,
  price,
  cash,
  margin: aSwitch('the account may short, within a leverage of 5; for --data and --model', {
    needs: ['data', 'model'],
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

/** Not all come from a command line: those of a sweep's case are only what is not as usual. */
export type BacktestFlags = Partial<FlagsOf<typeof backtestFlags>>

/** Markets made of --data or --model, and services, have no use for these. */
export const runConflicts: readonly OptionConflict[] = [
  { with: 'data', options: ['param'] },
  { with: 'model', options: ['param'] },
  {
    with: 'live',
    options: ['data', 'model', 'param', 'from', 'client', 'rateLimits', 'journal'],
  },
]

/*
 * A run's settings have one name in scenarios and another in code; a user of flags should read about flags.
 * Problems in a scenario's own file are reported with their place there, and are left as they are.
 */
const flagByField: readonly (readonly [field: RegExp, flag: string])[] = [
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
]

/** A message about a run's settings, each line with the flag that it is about instead of a field. */
export function nameFlags(message: string): string {
  return message
    .split('\n')
    .map((line) => {
      const known = flagByField.find(([field]) => field.test(line))
      const named = known === undefined ? nameFlag(line) : line.replace(known[0], known[1])
      return named.replace(/\bvolumeIn: usd\b/, '--volume-in usd')
    })
    .join('\n')
}

/** Fields that are options have the names of their flags. */
const nameFlag = (line: string): string =>
  line.replace(/^\w+(?=[.:])/, (name) =>
    name === 'walkForward' || Object.hasOwn(backtestFlags, name) ? flagName(name) : name,
  )

/*
 * `--data` may be given several times. Its values travel as one text with a line for each, so that every option of a
 * run is a single text.
 */

function gatherFiles(text: string, previous: unknown): string {
  return typeof previous === 'string' ? `${previous}\n${text}` : text
}

/**
 * `FILE`, or `BTC=FILE` once for each asset. The asset is null for a recording that does not say whose it is; a file whose
 * name looks as if it did is `./BTC=FILE`.
 */
export function parseRecordingFiles(data: string) {
  return data.split('\n').map((text) => {
    const [, asset = null, file = text] = /^([A-Za-z0-9]+)=(.+)$/.exec(text) ?? []
    return { asset, file }
  })
}

/** The files as they are shown in a sentence or in a line of a table. */
export const formatFiles = (data: string): string => data.replaceAll('\n', ' ')

/** Ends the command for a file that cannot be read, or a recording that cannot be told from another. */
export function readRecordings(
  data: string,
  asset: string | undefined,
  cwd: string,
): SourceOptions['candles'] {
  const files = parseRecordingFiles(data)
  const [first] = files
  if (first?.asset === null && files.length === 1) return readCandles(first.file, cwd)
  if (asset !== undefined) throw usageFailure('--asset does not go with --data that names its asset')
  const byAsset = new Map<string, readonly Candle[]>()
  for (const { asset: symbol, file } of files) {
    if (symbol === null) {
      const hint = `write --data BTC=${file}`
      throw usageFailure(`--data: of several recordings each names its asset; ${hint}`)
    }
    if (!/^[A-Z0-9]{1,16}$/.test(symbol))
      throw usageFailure(`--data: "${symbol}" is not an asset symbol, such as BTC`)
    if (byAsset.has(symbol))
      throw usageFailure(`--data: ${symbol} is there twice; an asset has one recording`)
    byAsset.set(symbol, readCandles(file, cwd))
  }
  return Object.fromEntries(byAsset)
}

function readCandles(file: string, cwd: string): readonly Candle[] {
  const answer = readCandleFile(resolve(cwd, file))
  if (!answer.ok) throw dataFailure(answer.reason)
  return answer.candles
}
