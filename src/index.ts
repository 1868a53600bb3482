import {
  aBoolean,
  aNumber,
  anObjectLike,
  aText,
  aTextOrNumber,
  checkOption,
  checkOptions,
  describeValue,
  type OptionsOf,
  oneOfTexts,
  optionList,
} from './api/options.ts'
import { readBookFiles } from './cli/recordings/books/scenario-books.ts'
import { createPreparedStore } from './cli/recordings/prepared-store.ts'
import { readRecordingFiles } from './cli/recordings/read-recording.ts'
import { openScenario } from './cli/scenario/scenario-files.ts'
import { formatBookFault } from './market/books/readers/book-facts.ts'
import type { Candle } from './market/recordings/candle.ts'
import { listCandles } from './market/recordings/candle-table.ts'
import type { FileOptions } from './market/recordings/file-options.ts'
import type { RecordingInfo } from './market/recordings/interpretation.ts'
import type { CompiledScenario } from './scenario/compile/compiled.ts'
import type { ReadBook } from './scenario/file/recorded-books.ts'
import { aSeed } from './world/world-options.ts'

export { backtest } from './backtest/backtest.ts'
export type { BacktestOptions } from './backtest/backtest-options.ts'
export { runLive } from './backtest/live/run-live.ts'
export type { BacktestResult } from './backtest/result.ts'
export { defineStrategy, type Strategy } from './backtest/strategy.ts'
export type { SweepOptions } from './backtest/sweep/sweep.ts'
export { sweep } from './backtest/sweep/sweep.ts'
export type { SweepResult } from './backtest/sweep/sweep-result.ts'
export { createVenueClient, type VenueClient } from './client/create-venue-client.ts'
export { toStep } from './client/to-step.ts'
export { VenueError } from './client/venue-error.ts'
export type { Command, Outcome } from './engine/command.ts'
export type { WorldSnapshot } from './journal/world-snapshot.ts'
export type { FileOptions } from './market/recordings/file-options.ts'
export type { OpenWorld as World } from './pipeline/fetch.ts'
export type { CompiledScenario } from './scenario/compile/compiled.ts'
export {
  createWorld,
  forkWorld,
  type LibraryWorldOptions as WorldOptions,
  type StartVenueOptions,
  startVenue,
  type TestVenue,
} from './testing/start-venue.ts'
export type { TestWorld } from './testing/test-world.ts'
export type { InProcessAnswer } from './world/answer-in-process.ts'
export {
  changeSettings,
  giveKey,
  installFault,
  openAccount,
  removeFault,
  repeatChange,
  revokeApiKey,
  scheduleActions,
  setClock,
  setRateLimits,
} from './world/change-world.ts'

const scenarioOptions = {
  /** The seed, in place of the scenario's. */
  seed: aSeed,
  /** Values for the scenario's own `params`. */
  params: anObjectLike<Readonly<Record<string, string | number>>>(),
  /** Where relative paths start; the current directory by default. */
  cwd: aText,
}

export type ScenarioOptions = OptionsOf<typeof scenarioOptions>

/**
 * Loads a scenario from a file, or by the name of a shipped one such as `calm`. Rejects with every problem of the
 * file, each as `file:line:column path: reason`, and with a TypeError for an option that does not exist.
 */
export async function loadScenario(
  nameOrFile: string,
  options: ScenarioOptions = {},
): Promise<CompiledScenario> {
  if (typeof nameOrFile !== 'string')
    throw new TypeError(
      `loadScenario takes the name of a scenario or a file, found ${describeValue(nameOrFile)}`,
    )
  checkOptions('loadScenario', options, scenarioOptions)
  const params = Object.entries(options.params ?? {})
  for (const [name, value] of params) checkOption('loadScenario', `params.${name}`, value, aTextOrNumber)
  return openScenario({
    scenario: nameOrFile,
    cwd: options.cwd ?? process.cwd(),
    params: new Map(params.map(([name, value]) => [name, String(value)])),
    seed: options.seed === undefined ? null : String(options.seed),
  })
}

const recordingOptions = {
  columns: anObjectLike<NonNullable<FileOptions['columns']>>(),
  times: oneOfTexts('open', 'close'),
  zone: aText,
  dates: oneOfTexts('day-first', 'month-first'),
  decimal: oneOfTexts('point', 'comma'),
  volumeIn: oneOfTexts('asset', 'usd'),
  symbol: aText,
  skipBad: aBoolean,
  sort: aBoolean,
  dedupe: oneOfTexts('first', 'last'),
  /** Whether files are kept prepared in `.otcsim/recordings`, and taken from there; false by default. */
  cache: aBoolean,
  /** Where relative paths start; the current directory by default. */
  cwd: aText,
}

/** A recording of one file or several, for `backtest(strategy, { candles, notes })`. */
export interface RecordingData {
  readonly candles: readonly Candle[]
  /** How each file was understood, which stands in the result's warnings. */
  readonly notes: readonly RecordingInfo[]
}

/**
 * Reads a recording of candles or trades from a file, from files, or from a pattern such as `2024-*.csv`, as the command
 * line and scenarios do. Rejects with a RangeError that names the file, the row and the option that decides.
 */
export async function readRecording(
  files: string | readonly string[],
  options: OptionsOf<typeof recordingOptions> = {},
): Promise<RecordingData> {
  checkOptions('readRecording', options, recordingOptions)
  const { cache = false, cwd = process.cwd(), ...own } = options
  const names = typeof files === 'string' ? [files] : files
  const answer = readRecordingFiles(names, own, cwd, cache ? createPreparedStore(cwd) : null)
  if (!answer.ok) throw new RangeError(answer.reason)
  return { candles: listCandles(answer.candles), notes: answer.notes }
}

const recordedBookOptions = {
  /** Files of the trades of the same time; left out where the files of the book hold them. */
  trades: optionList(aText),
  symbol: aText,
  skipBad: aBoolean,
  sort: aBoolean,
  holdGaps: aBoolean,
  shiftTrades: aNumber,
  /** Whether the prepared form is kept in `.otcsim/recordings`, and taken from there; true by default. */
  cache: aBoolean,
  /** Where relative paths start, and where the prepared form is kept; the current directory by default. */
  cwd: aText,
}

/**
 * Reads a recorded order book from a file, or from files in order of time, for `backtest(strategy, { books: { BTC } })`.
 * What was read is kept in `.otcsim/recordings`, so a second run starts at once. Rejects with a RangeError that names
 * every fault with its file, line, field and remedy.
 */
export async function readRecordedBook(
  files: string | readonly string[],
  options: OptionsOf<typeof recordedBookOptions> = {},
): Promise<ReadBook> {
  checkOptions('readRecordedBook', options, recordedBookOptions)
  const { cache = true, cwd = process.cwd(), trades = [], ...own } = options
  const named = { book: typeof files === 'string' ? [files] : files, trades }
  const store = cache ? createPreparedStore(cwd) : null
  const answer = readBookFiles(named, own, { price: null, quantity: null }, { cwd, store })
  if (!answer.ok) throw new RangeError(answer.faults.map(formatBookFault).join('\n'))
  return answer.read
}
