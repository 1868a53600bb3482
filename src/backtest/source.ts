import { nearestWord } from '../api/nearest-word.ts'
import {
  aNumber,
  anObjectLike,
  aText,
  checkOptions,
  listOrObject,
  type OptionsOf,
  omitUndefined,
  oneOfTexts,
  optionList,
  textOrObject,
  withFlag,
} from '../api/options.ts'
import { type Candles, candleAt, getCandleTable, lastCandle } from '../market/recordings/candle-table.ts'
import { checkCandles, checkTrades } from '../market/recordings/check-recording.ts'
import type { RecordingInfo } from '../market/recordings/interpretation.ts'
import { toAssetVolumes } from '../market/recordings/recording.ts'
import { convertCandlesToTrades } from '../market/recordings/trade-table.ts'
import { element } from '../numeric/columns.ts'
import { formatDuration, lastWorldMillis, millisPerHour, millisToIso } from '../numeric/time-text.ts'
import { parseDecimal } from '../numeric/units.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { formatMistake } from '../scenario/file/mistake.ts'
import type { ReadBook } from '../scenario/file/recorded-books.ts'
import { loadScenarioValue } from '../scenario/load-tree.ts'
import { createShippedLibrary, loadShipped } from '../world/shipped/shipped-scenarios.ts'
import { aSeed } from '../world/world-options.ts'
import type { DataSource } from './result.ts'

const needsMarket = { needs: ['data', 'book', 'model'] }
const needsBook = { needs: ['book'] }

/** The settings of the venue around a recording or a model, named as in a scenario. */
export const marketOptions = {
  asset: withFlag(
    aText,
    '<symbol>',
    'the asset to trade, for --data, --book and --model; BTC by default',
    needsMarket,
  ),
  /** The price at the start in USD, for a model; 50,000 by default. */
  price: withFlag(aNumber, '<usd>', 'the price at the start, for --model; 50000 by default', {
    needs: ['model'],
  }),
  /** The start of the market. By default it is the start of the recording, or 2026-01-05. */
  start: aText,
  /** The unit of the volumes of `candles`; `asset` by default, which is what `readRecording` gives. */
  volumeIn: oneOfTexts('asset', 'usd'),
  /** The name of the data in reports. */
  name: aText,
  /**
   * The grid of the venue's clock. By default it is a quarter of a candle, so that each of its four prices has an
   * instant, or a second.
   */
  grid: withFlag(
    aText,
    '<span>',
    "the grid of the venue's clock, for --data, --book and --model",
    needsMarket,
  ),
  /** The account's money at the start in USD; 1,000,000 by default. */
  cash: withFlag(
    aNumber,
    '<usd>',
    'what the account starts with, for --data, --book and --model; 1000000 by default',
    needsMarket,
  ),
  makerBps: withFlag(
    aNumber,
    '<number>',
    'maker fee in basis points, for --data, --book and --model; 0 by default',
    needsMarket,
  ),
  takerBps: withFlag(
    aNumber,
    '<number>',
    'taker fee in basis points, for --data, --book and --model; 10 by default',
    needsMarket,
  ),
  type: oneOfTexts('cash', 'margin'),
  /**
   * Where resting orders stand among what a recorded book shows at their price: a law such as `riskAverse`, the default,
   * with its exponent behind a colon, `power:2`.
   */
  queueLaw: withFlag(
    aText,
    '<law>',
    'where resting orders stand in a recorded book: front, riskAverse (the default), power:2, power2:2, power3:2, log or log2',
    needsBook,
  ),
  /** What an order gets where a recorded book crosses it, or a trade goes through its price; `shown` by default. */
  fills: withFlag(
    oneOfTexts('shown', 'whole'),
    '<rule>',
    'what an order gets that a recorded book crosses: what was shown, or all of it',
    needsBook,
  ),
  /** Where an order stands beyond what a recorded book shows; `behind` by default. */
  beyond: withFlag(
    oneOfTexts('behind', 'front'),
    '<place>',
    'where an order stands beyond the prices that a recorded book shows',
    needsBook,
  ),
  /** What happens where a recorded book has no rows for a minute; `hold` by default. */
  gaps: withFlag(
    oneOfTexts('hold', 'halt', 'fail'),
    '<rule>',
    'what happens where a recorded book has no rows for a minute',
    needsBook,
  ),
  /** The choices of another simulator, for comparison. */
  like: withFlag(oneOfTexts('hftbacktest'), '<name>', 'take the choices of hftbacktest, to compare fills', {
    ...needsBook,
  }),
  /** The `liquidity` block of a scenario; overrides the usual house ladder. */
  liquidity: anObjectLike<Readonly<Record<string, unknown>>>(),
  /** The `flow` block of a scenario; overrides the usual synthetic takers. */
  flow: anObjectLike<Readonly<Record<string, unknown>>>(),
}

export type MarketOptions = OptionsOf<typeof marketOptions>

/** The source of a run's market: exactly one of `scenario`, `candles`, `books` and `model`. */
export const sourceOptions = {
  /** A compiled scenario, or the name of a shipped one. */
  scenario: withFlag(textOrObject<CompiledScenario>(), '<name>', 'a shipped scenario or a file'),
  /**
   * A recording, oldest candle first, or one for each asset by its symbol. The market then covers the time that all of
   * them have.
   */
  candles: listOrObject<Candles | Readonly<Record<string, Candles>>>(),
  /** How the files of `candles` were understood, from `readRecording`; it stands in the result's warnings. */
  notes: optionList(anObjectLike<RecordingInfo>()),
  /**
   * Recorded books by the symbols of their assets, from `readRecordedBook`. The market then covers the time that all of
   * them have.
   */
  books: anObjectLike<Readonly<Record<string, ReadBook>>>(),
  /** A price model by its kind, `gbm`, or with parameters, `gbm,vol=0.6,drift=0`. */
  model: withFlag(aText, '<kind>', 'a price model, such as market or gbm,vol=0.6'),
  /** The venue around `candles`, `books` or `model`. */
  market: anObjectLike<MarketOptions>(),
  seed: aSeed,
}

export type SourceOptions = OptionsOf<typeof sourceOptions>

export interface ResolvedSource {
  readonly scenario: CompiledScenario
  readonly source: DataSource
}

export function pickSeed({ seed }: SourceOptions): { readonly seed?: string } {
  return seed === undefined ? {} : { seed: String(seed) }
}

/**
 * Resolves the source of a run to a compiled scenario. Throws a RangeError that lists every problem on a line of its
 * own.
 */
export function resolveSource(options: SourceOptions): ResolvedSource {
  const { books, candles, model, scenario, market = {} } = options
  checkOptions('market', market, marketOptions)
  const given = [scenario, candles, books, model].filter((one) => one !== undefined).length
  if (given !== 1) throw new RangeError('a backtest has one source: a scenario, candles, books or a model')
  if (scenario !== undefined) return resolveScenario(scenario, options)
  if (books !== undefined) return resolveBooks(books, options)
  return candles === undefined ? resolveModel(model ?? '', options) : resolveRecordings(candles, options)
}

function resolveScenario(scenario: CompiledScenario | string, options: SourceOptions): ResolvedSource {
  if (typeof scenario !== 'string') return { scenario, source: { kind: 'scenario', name: scenario.name } }
  const loaded = loadShipped(scenario, pickSeed(options))
  if (loaded === null) {
    const nearest = nearestWord(scenario, createShippedLibrary().names)
    const hint = nearest === null ? '' : `; did you mean "${nearest}"?`
    throw new RangeError(`no shipped scenario is called "${scenario}"${hint}`)
  }
  if (!loaded.ok) throw new RangeError(loaded.problems.map(formatMistake).join('\n'))
  return { scenario: loaded.value, source: { kind: 'scenario', name: scenario } }
}

function resolveRecordings(candles: Candles | NamedCandles, options: SourceOptions): ResolvedSource {
  const { market = {} } = options
  if (isNamed(candles) && market.asset !== undefined)
    throw new RangeError('market.asset: recordings by asset have their names already')
  const recordings = isNamed(candles) ? candles : { [market.asset ?? 'BTC']: candles }
  const { endMillis, gridMillis, startMillis } = findCommonSpan(recordings, isNamed(candles))
  const volumeIn = market.volumeIn ?? 'asset'
  // The name is part of the scenario and of its digest, so that of a single recording is always "candles".
  const nameOf = (symbol: string): string => (isNamed(candles) ? symbol : 'candles')
  const assets = Object.entries(recordings).map(([symbol, own]) => [
    symbol,
    { price: candleAt(own, 0)?.open ?? 0, model: { kind: 'replay', data: nameOf(symbol), volumeIn } },
  ])
  const document = createDocument(options, {
    clock: {
      start: market.start ?? millisToIso(startMillis),
      grid: market.grid ?? `${gridMillis}ms`,
      end: millisToIso(endMillis),
    },
    assets: Object.fromEntries(assets),
    // A recording's trades already are its volume; synthetic takers would add to it.
    flow: market.flow ?? { kind: 'none' },
  })
  const byName = new Map(Object.entries(recordings).map(([symbol, own]) => [nameOf(symbol), own]))
  return {
    scenario: { ...loadDocument(document, options, byName), filesRead: options.notes ?? [] },
    source: { kind: 'data', name: market.name ?? 'candles' },
  }
}

/** Resolves recorded books to a scenario over the time that all of them have. */
function resolveBooks(books: Readonly<Record<string, ReadBook>>, options: SourceOptions): ResolvedSource {
  const { market = {} } = options
  const named = Object.entries(books)
  const [first] = named
  if (first === undefined) throw new RangeError('books: there are none')
  if (market.asset !== undefined)
    throw new RangeError('market.asset: books by asset have their names already')
  const startMillis = Math.max(...named.map(([, { book }]) => book.firstMillis))
  const endMillis = Math.min(...named.map(([, { book }]) => book.lastMillis))
  if (endMillis <= startMillis)
    throw new RangeError(
      named.length === 1
        ? `books: all rows are of ${millisToIso(startMillis)}, so there is nothing to replay`
        : 'books: there is no time that all of them have',
    )
  const choices = readBookChoices(market)
  const document = createDocument(options, {
    clock: {
      start: market.start ?? millisToIso(startMillis),
      grid: market.grid ?? `${minimumGridMillis}ms`,
      end: millisToIso(endMillis),
    },
    assets: Object.fromEntries(
      named.map(([symbol]) => [
        symbol,
        { liquidity: { kind: 'recorded', data: symbol, ...choices }, flow: { kind: 'recorded' } },
      ]),
    ),
  })
  return {
    scenario: loadDocument(document, options, new Map(), books),
    source: { kind: 'data', name: market.name ?? 'books' },
  }
}

/** Reads how orders stand in recorded books, as the `liquidity` block of a scenario says it. */
function readBookChoices({ beyond, fills, gaps, like, queueLaw }: MarketOptions) {
  return omitUndefined({
    queue: queueLaw === undefined ? undefined : parseQueue(queueLaw),
    ...{ fills, beyond, gaps, like },
  })
}

/** Parses `riskAverse` or `power:2`. */
function parseQueue(text: string): { readonly law: string; readonly exponent?: number } {
  const [law = '', exponent, ...more] = text.split(':')
  if (exponent === undefined) return { law }
  const value = parseDecimal(exponent)
  if (value === null || more.length > 0)
    throw new RangeError(`market.queueLaw: expected a law such as riskAverse or power:2, found "${text}"`)
  return { law, exponent: Number(exponent) }
}

function resolveModel(text: string, options: SourceOptions): ResolvedSource {
  const { market = {} } = options
  const model = parseModel(text)
  const document = createDocument(options, {
    clock: { start: market.start ?? '2026-01-05T00:00:00Z', grid: market.grid ?? '1s' },
    assets: { [market.asset ?? 'BTC']: { price: market.price ?? 50_000, model } },
    ...(market.flow === undefined ? {} : { flow: market.flow }),
  })
  return { scenario: loadDocument(document, options, new Map()), source: { kind: 'model', name: text } }
}

/** Parses `gbm,vol=0.6` into the model block of a scenario, with numbers as numbers. Throws a RangeError for other texts. */
function parseModel(text: string): Record<string, unknown> {
  const [kind = '', ...fields] = text.split(',')
  const model = new Map<string, unknown>([['kind', kind.trim()]])
  for (const field of fields) {
    const [name = '', ...rest] = field.split('=').map((part) => part.trim())
    const value = rest.join('=')
    if (name === '' || rest.length === 0)
      throw new RangeError(`model: expected name=value behind the kind, found "${field.trim()}"`)
    if (model.has(name)) throw new RangeError(`model: ${name} is given twice`)
    model.set(name, parseDecimal(value) === null ? value : Number(value))
  }
  return Object.fromEntries(model)
}

interface MarketDescription {
  readonly clock: { readonly start: string; readonly grid: string; readonly end?: string }
  readonly assets: Readonly<Record<string, object>>
  readonly flow?: Readonly<Record<string, unknown>>
}

/** The finest grid that a scenario's clock may have. */
const minimumGridMillis = 100
const maximumGridMillis = millisPerHour

/** Limits that no strategy with a million reaches by accident; with the venue's own, limits would shape the result. */
const wideLimits = {
  maxOrderSize: { default: 50_000_000 },
  minOrderSize: { default: 0.00000001 },
  maxOrderValue: 1e8,
  maxDailyVolume: 1e9,
  maxOpenOrders: 10_000,
  maxOpenOrdersPerAsset: 10_000,
  maxExposure: 1e9,
  maxExposurePerAsset: { default: 1e9 },
}

function createDocument({ market = {} }: SourceOptions, { assets, clock, flow }: MarketDescription): unknown {
  const { cash = 1_000_000, liquidity, makerBps = 0, takerBps = 10, type = 'cash' } = market
  const ladder = liquidity === undefined ? {} : { liquidity }
  const withLadder = Object.entries(assets).map(([symbol, asset]) => [symbol, { ...asset, ...ladder }])
  return {
    version: 1,
    name: 'backtest',
    clock,
    market: { ...(flow === undefined ? {} : { flow }), assets: Object.fromEntries(withLadder) },
    fees: { makerBps, takerBps },
    accounts: [
      {
        id: 'desk',
        type,
        balances: { USD: cash },
        limits: { ...wideLimits, ...(type === 'margin' ? { maxLeverage: 5 } : {}) },
      },
    ],
  }
}

function loadDocument(
  document: unknown,
  options: SourceOptions,
  recordings: ReadonlyMap<string, Candles>,
  books: Readonly<Record<string, ReadBook>> = {},
): CompiledScenario {
  const loaded = loadScenarioValue(document, {
    ...pickSeed(options),
    readCandles: ({ name, options: { volumeIn } }) => {
      const candles = recordings.get(name) ?? []
      return { ok: true, candles: volumeIn === 'usd' ? toAssetVolumes(candles) : candles }
    },
    readBook: ({ symbol }) => {
      const read = books[symbol]
      return read === undefined
        ? { ok: false, reason: `there is no book of ${symbol}` }
        : { ok: true, ...read }
    },
  })
  if (!loaded.ok) throw new RangeError(loaded.problems.map(formatMistake).join('\n'))
  return loaded.value
}

type NamedCandles = Readonly<Record<string, Candles>>

function isNamed(candles: Candles | NamedCandles): candles is NamedCandles {
  return !Array.isArray(candles) && !isTable(candles)
}

/** Returns whether candles are a table, and not candles by asset, of which none is called `atMillis`. */
const isTable = (candles: object): boolean => 'atMillis' in candles && 'count' in candles

interface CommonSpan {
  /** The instant when all recordings have begun; `endMillis` is when the first of them ends. */
  readonly startMillis: number
  readonly endMillis: number
  /** The clock's grid, in milliseconds. */
  readonly gridMillis: number
}

/**
 * Finds the time that all recordings cover, and the clock's grid for them. Throws a RangeError for an empty or unsound
 * recording, for trades beside candles, and for recordings that share no time.
 */
function findCommonSpan(recordings: NamedCandles, isNamed: boolean): CommonSpan {
  const spans = Object.entries(recordings).map(([symbol, candles]) => measureSpan(symbol, candles, isNamed))
  const [first] = spans
  if (first === undefined) throw new RangeError('candles: there are none')
  const other = spans.find(({ grid }) => (grid === null) !== (first.grid === null))
  if (other !== undefined) {
    throw new RangeError(
      `candles: ${other.symbol} has ${describeCandles(other)}, ${first.symbol} has ${describeCandles(first)}; trades are not mixed with candles`,
    )
  }
  const startMillis = Math.max(...spans.map((span) => span.startMillis))
  const endMillis = Math.min(...spans.map((span) => span.endMillis))
  const gridMillis = findGridMillis(spans, startMillis)
  if (startMillis < endMillis || spans.length === 1) return { startMillis, endMillis, gridMillis }
  const ranges = spans.map(
    (span) => `${span.symbol} ${formatInstant(span.startMillis)} to ${formatInstant(span.endMillis)}`,
  )
  throw new RangeError(`candles: the recordings have no time in common: ${ranges.join(', ')}`)
}

/**
 * Returns the coarsest grid from a market's start on that has an instant for each of the four prices of every candle,
 * so that recordings of other phases or spans are each on their own grid. It is a quarter of a candle for recordings
 * of one phase. It is never finer or coarser than a clock's grid may be.
 */
function findGridMillis(spans: readonly NamedSpan[], startMillis: number): number {
  const grids = spans.flatMap(({ grid }) => (grid === null ? [] : [grid]))
  if (grids.length === 0) return minimumGridMillis
  const quarters = grids.map(({ spanMillis }) => Math.floor(spanMillis / 4))
  const begins = grids.flatMap(({ begins }) => begins).map((begin) => Math.abs(begin - startMillis))
  let gridMillis = Math.min(maximumGridMillis, ...quarters)
  for (const distance of [...quarters, ...begins])
    if (distance >= minimumGridMillis) gridMillis = findCommonDivisor(gridMillis, distance)
  return Math.max(minimumGridMillis, gridMillis)
}

/** Returns the greatest common divisor of two integers from 0 (Euclid). */
function findCommonDivisor(left: number, right: number): number {
  let [divisor, rest] = [left, right]
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest]
  return divisor
}

interface RecordedGrid {
  /** The commonest span of a candle, in milliseconds. */
  readonly spanMillis: number
  /** The beginnings of candles from which those of all others differ by multiples of the span. */
  readonly begins: readonly number[]
}

interface NamedSpan {
  readonly symbol: string
  readonly startMillis: number
  readonly endMillis: number
  /** The grid of the candles; null for trades. */
  readonly grid: RecordedGrid | null
}

function measureSpan(symbol: string, candles: Candles, isNamed: boolean): NamedSpan {
  const field = isNamed ? `candles.${symbol}` : 'candles'
  const [first, last] = [candleAt(candles, 0), lastCandle(candles)]
  if (first === undefined || last === undefined) throw new RangeError(`${field}: there are none`)
  const trades = convertCandlesToTrades(candles)
  const flaw = trades === null ? checkCandles(candles) : checkTrades(trades)
  if (flaw !== null) {
    const name = isNamed
      ? flaw.field.replace(/^model\.(?:candles|trades)/, field)
      : flaw.field.replace(/^model\./, '')
    throw new RangeError(`${name} ${flaw.message}`)
  }
  const endMillis = last.atMillis + last.spanMillis
  if (endMillis > lastWorldMillis)
    throw new RangeError(`${field}: they end at ${endMillis} ms since 1970, beyond the year 9997`)
  const grid = trades === null ? findRecordedGrid(candles) : null
  return { symbol, startMillis: first.atMillis, endMillis, grid }
}

function findRecordedGrid(candles: Candles): RecordedGrid {
  const { atMillis, grid } = getCandleTable(candles)
  const { phases, spanMillis } = grid
  return {
    spanMillis,
    begins: phases === null ? [...atMillis] : phases.map(({ first }) => element(atMillis, first)),
  }
}

const describeCandles = ({ grid }: NamedSpan): string =>
  grid === null ? 'trades' : `candles of ${formatDuration(grid.spanMillis)}`

const formatInstant = (millis: number): string => millisToIso(millis).replace('.000Z', 'Z')
