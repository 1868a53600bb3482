import { resolve } from 'node:path'
import type { SourceOptions } from '../../backtest/source.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import { CliFailure, exitCode } from '../failure.ts'
import type { Need, OptionConflict } from '../option-parsers.ts'
import { readCandleFile } from '../scenario/read-candles.ts'

export interface BacktestFlags {
  readonly scenario?: string
  readonly param?: unknown
  readonly data?: string
  readonly model?: string
  readonly volumeIn?: 'asset' | 'usd'
  readonly asset?: string
  readonly price?: string
  readonly cash?: string
  readonly margin?: boolean
  readonly makerBps?: string
  readonly takerBps?: string
  readonly grid?: string
  readonly from?: string
  readonly to?: string
  readonly seed?: string
  readonly set?: unknown
  readonly account?: string
  readonly tick?: string
  readonly equityGrid?: string
  readonly latency?: string
  readonly warmUp?: string
  readonly riskFreeRate?: string
  readonly rateLimits?: boolean
  readonly client?: 'sync' | 'async'
  readonly json?: boolean
  readonly html?: string
  readonly among?: string
  readonly assert?: readonly string[]
  readonly journal?: string
  readonly captureAt?: string
  readonly capture?: string
  readonly resume?: string
  readonly live?: string
  readonly clock?: 'manual' | 'realtime'
  readonly apiKey?: string
  readonly apiSecret?: string
  readonly adminToken?: string
}

/**
 * The defaults of a run: a command that repeats it need not state them, and must not where they count only together
 * with another option.
 */
export const usualOptions: ReadonlyMap<string, string> = new Map([
  ['equityGrid', '1h'],
  ['client', 'sync'],
  ['volumeIn', 'asset'],
  ['clock', 'manual'],
])

/** Options of backtests and sweeps that do nothing without another one. */
export const needsOfRuns: readonly Need[] = [
  { needs: ['data'], options: ['volumeIn'] },
  { needs: ['model'], options: ['price'] },
  {
    needs: ['data', 'model'],
    options: ['asset', 'cash', 'margin', 'makerBps', 'takerBps', 'grid'],
  },
  { needs: ['html'], options: ['among'] },
  { needs: ['capture'], options: ['captureAt'] },
  { needs: ['captureAt'], options: ['capture'] },
  { needs: ['live'], options: ['clock', 'apiKey', 'apiSecret', 'adminToken'] },
]

/** Markets made of --data or --model, and services, have no use for these. */
export const conflictsOfRuns: readonly OptionConflict[] = [
  { with: 'data', options: ['param'] },
  { with: 'model', options: ['param'] },
  {
    with: 'live',
    options: ['data', 'model', 'param', 'from', 'client', 'rateLimits', 'journal', 'captureAt', 'resume'],
  },
  {
    // All of these are the captured run's own.
    with: 'resume',
    options: [
      ...['scenario', 'param', 'data', 'model', 'seed', 'set', 'from', 'to', 'account', 'tick'],
      ...['equityGrid', 'latency', 'client', 'rateLimits', 'warmUp', 'riskFreeRate'],
    ],
  },
]

/*
 * A run's settings have one name in scenarios and another in code; a user of flags should read about flags.
 * Problems in a scenario's own file are reported with their place there, and are left as they are.
 */
const flagOfField: readonly (readonly [field: RegExp, flag: string])[] = [
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
  [/^equityGrid(?=: )/, '--equity-grid'],
  [/^warmUp(?=: )/, '--warm-up'],
  [/^riskFreeRate(?=: )/, '--risk-free-rate'],
  [/^captureAt(?=: )/, '--capture-at'],
  [/^walkForward(?=: )/, '--walk-forward'],
  [/^(from|to|tick|account|latency)(?=[.:])/, '--$1'],
]

/** A message about a run's settings, each line with the flag that it is about instead of a field. */
export function inFlags(message: string): string {
  return message
    .split('\n')
    .map((line) => {
      const known = flagOfField.find(([field]) => field.test(line))
      const named = known === undefined ? line : line.replace(known[0], known[1])
      return named.replace(/\bvolumeIn: usd\b/, '--volume-in usd')
    })
    .join('\n')
}

/*
 * `--data` may be given several times. Its values travel as one text with a line for each, so that every option of a
 * run is a single text.
 */

/** Gathers the values of `--data`. */
export function gatherFiles(text: string, previous: unknown): string {
  return typeof previous === 'string' ? `${previous}\n${text}` : text
}

interface RecordingFile {
  /** Null for a recording that does not say whose it is. */
  readonly asset: string | null
  readonly file: string
}

/** `FILE`, or `BTC=FILE` once for each asset. A file whose name looks like that is `./BTC=FILE`. */
export function recordingFiles(data: string): readonly RecordingFile[] {
  return data.split('\n').map((text) => {
    const [, asset = null, file = text] = /^([A-Za-z0-9]+)=(.+)$/.exec(text) ?? []
    return { asset, file }
  })
}

/** The files as they are shown in a sentence or in a line of a table. */
export const shownFiles = (data: string): string => data.replaceAll('\n', ' ')

/**
 * The recordings that `--data` names. Ends the command for one that cannot be read, or that cannot be told from
 * another.
 */
export function readRecordings(
  data: string,
  asset: string | undefined,
  cwd: string,
): SourceOptions['candles'] {
  const files = recordingFiles(data)
  const [first] = files
  if (first?.asset === null && files.length === 1) return candlesIn(first.file, cwd)
  if (asset !== undefined)
    throw new CliFailure(exitCode.usage, '--asset does not go with --data that names its asset')
  const byAsset = new Map<string, readonly Candle[]>()
  for (const { asset: symbol, file } of files) {
    if (symbol === null) {
      const hint = `write --data BTC=${file}`
      throw new CliFailure(exitCode.usage, `--data: of several recordings each names its asset; ${hint}`)
    }
    if (!/^[A-Z0-9]{1,16}$/.test(symbol))
      throw new CliFailure(exitCode.usage, `--data: "${symbol}" is not an asset symbol, such as BTC`)
    if (byAsset.has(symbol))
      throw new CliFailure(exitCode.usage, `--data: ${symbol} is there twice; an asset has one recording`)
    byAsset.set(symbol, candlesIn(file, cwd))
  }
  return Object.fromEntries(byAsset)
}

function candlesIn(file: string, cwd: string): readonly Candle[] {
  const answer = readCandleFile(resolve(cwd, file))
  if (!answer.ok) throw new CliFailure(exitCode.unusableData, answer.reason)
  return answer.candles
}
