import type { Command } from 'commander'
import { describeLikeness, isGenerated, judgeLikeness } from '../backtest/report/likeness.ts'
import { hashSource } from '../backtest/report/page-assets.ts'
import { resolveSource } from '../backtest/source.ts'
import { parseSeeds } from '../backtest/sweep/plan.ts'
import { createMarket } from '../market/create-market.ts'
import type { Market } from '../market/market.ts'
import { standardizedMoments } from '../metrics/samples.ts'
import { log } from '../numeric/portable-math.ts'
import { quantileOfSorted } from '../numeric/quantile.ts'
import { formatDuration, millisPerYear, millisToIso, parseDuration } from '../numeric/time-text.ts'
import { parseDecimal } from '../numeric/units.ts'
import type { Chart, Layer } from '../pages/chart.ts'
import { findExtent } from '../pages/frame.ts'
import { countHistogram, makeFanLayers, makeHistogramBars, makeNormalOverlay } from '../pages/histogram.ts'
import { factsMarkup, type Section, tableMarkup } from '../pages/html.ts'
import { renderPage } from '../pages/page.ts'
import { collectPictures, type Pictures } from '../pages/pictures.ts'
import { element, escapeText } from '../pages/svg-text.ts'
import { formatValue } from '../pages/ticks.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { computeEndMillis } from '../scenario/run/run-scenario.ts'
import { defineCommand } from './define-command.ts'
import { formatSuggestion, usageFailure } from './failure.ts'
import { writeResult } from './files.ts'
import { aFlag, cacheFlag, configFlag, type FlagsOf, pairsOf, paramFlag } from './flags.ts'
import { colorOf, formatMoney, isSecondRound } from './pictures.ts'
import { openScenario, reportFilesRead } from './scenario/scenario-files.ts'
import { startProgressLine, type Terminal } from './terminal.ts'

const pathsFlags = {
  model: aFlag('<kind>', 'a price model instead, such as market or gbm,vol=0.6'),
  price: aFlag('<usd>', 'the price at the start, for --model', { default: '50000', needs: ['model'] }),
  seeds: aFlag('<list>', 'such as 1..24, or 1,2,7', { default: '1..12' }),
  span: aFlag('<time>', "how long, such as 30d; by default to the scenario's end, or 7d"),
  asset: aFlag('<symbol>', 'only this asset'),
  param: paramFlag,
  cache: cacheFlag,
  html: { ...aFlag('<file>', 'the HTML file; stdout by default'), formerNames: ['out'] },
  config: configFlag,
}

type PathsOptions = FlagsOf<typeof pathsFlags>

export const pathsCommand = defineCommand({
  flags: pathsFlags,
  takes: { '[scenario]': 'a scenario file, or the name of a shipped scenario' },
  conflicts: [{ with: 'model', options: ['param'] }],
  act: paths,
})

/** The maximum number of points of a path. More could not be seen. */
const maximumPoints = 1_500
const maximumSeeds = 1_000
/** The most seeds whose paths are judged: a market takes much memory, and so many seeds have enough days. */
const judgedSeeds = 50
const defaultSpanMillis = 7 * 86_400_000

function paths(
  given: PathsOptions,
  terminal: Terminal,
  scenario: string | undefined,
  command: Command,
): void {
  const isModelChosen = command.getOptionValueSource('model') === 'cli'
  // The scenario is an argument of the command line, so it beats a model that is a setting.
  const options = scenario === undefined || isModelChosen ? given : omitModel(given)
  if ((scenario === undefined) === (options.model === undefined)) {
    throw usageFailure('name a scenario, or a price model with --model')
  }
  const seeds = readSeeds(options.seeds)
  const open = (seed: string): CompiledScenario => openSource(scenario, options, seed, terminal)
  const first = open(seeds[0] ?? '1')
  reportFilesRead(first, terminal)
  const spanMillis = readSpanMillis(first, options)
  const stepMillis = chooseStepMillis(first.venue.gridMillis, spanMillis)
  const points = Math.floor(spanMillis / stepMillis) + 1
  const progress = startProgressLine(terminal, 'paths')
  const sets = chooseAssets(first, options).map((symbol): PathSet => ({ symbol, paths: [] }))
  const markets: Market[] = []
  for (const [place, seed] of seeds.entries()) {
    const compiled = place === 0 ? first : open(seed)
    const market = createMarket(compiled.venue.market)
    if (place < judgedSeeds) markets.push(market)
    for (const set of sets)
      set.paths.push({ seed, prices: samplePrices(compiled, market, set.symbol, { stepMillis, points }) })
    progress.update((place + 1) / seeds.length, first.venue.startMillis)
  }
  progress.end()
  const title = `Price paths: ${options.model ?? first.name}`
  const facts = factsMarkup([
    ['market', options.model === undefined ? `scenario ${first.name}` : `model ${options.model}`],
    ['seeds', seeds.length > 20 ? `${seeds.length}, ${seeds[0]} to ${seeds.at(-1)}` : seeds.join(', ')],
    ['span', `${formatDuration(spanMillis)}, a point each ${formatDuration(stepMillis)}`],
  ])
  const lead = element('h1', {}, escapeText(title)) + facts
  const sections = sets.map((set, place) => {
    const section = drawSection(set, place, first.venue.startMillis, stepMillis)
    return { ...section, body: section.body + describeAllLikeness(first, markets, set, spanMillis) }
  })
  const page = renderPage({ title, lead, sections }, hashSource)
  writeResult(terminal, options.html, page)
}

const omitModel = ({ model: _, ...rest }: PathsOptions): PathsOptions => rest

function readSeeds(text: string): readonly string[] {
  const parsed = parseSeeds(text)
  if (parsed.ok && parsed.value.length <= maximumSeeds) return parsed.value
  throw usageFailure(parsed.ok ? `--seeds: at most ${maximumSeeds} seeds` : parsed.problem)
}

function openSource(
  scenario: string | undefined,
  options: PathsOptions,
  seed: string,
  terminal: Terminal,
): CompiledScenario {
  if (scenario !== undefined) {
    const params = pairsOf(options.param)
    return openScenario({ scenario, cwd: terminal.cwd, params, seed, cache: options.cache })
  }
  const price = parseDecimal(options.price) === null ? 0 : Number(options.price)
  if (!(price > 0)) throw usageFailure(`--price: expected an amount above 0, found "${options.price}"`)
  try {
    return resolveSource({ model: options.model ?? '', seed, market: { price, grid: '1m' } }).scenario
  } catch (error) {
    if (error instanceof RangeError) throw usageFailure(error.message)
    throw error
  }
}

function chooseAssets(first: CompiledScenario, { asset }: PathsOptions): readonly string[] {
  const symbols = first.venue.market.assets.map(({ symbol }) => symbol)
  if (asset === undefined) return symbols
  if (symbols.includes(asset)) return [asset]
  const hint = formatSuggestion(asset, symbols, 'asset')
  throw usageFailure(`no asset is called "${asset}"${hint}`)
}

function readSpanMillis(first: CompiledScenario, { span }: PathsOptions): number {
  if (span === undefined) {
    const whole = computeEndMillis(first) - first.venue.startMillis
    return whole > 0 && first.clock.endMillis !== null ? whole : defaultSpanMillis
  }
  const millis = parseDuration(span)
  if (millis !== null && millis >= first.venue.gridMillis && millis <= 3_660 * 86_400_000) return millis
  throw usageFailure(`--span: expected a time from the grid to 3660d, such as 30d, found "${span}"`)
}

/** Chooses the time between points: a multiple of the grid, so that the venue has each price, and round if possible. */
function chooseStepMillis(gridMillis: number, spanMillis: number): number {
  const least = spanMillis / maximumPoints
  const round = roundSteps.find((step) => step >= least && step % gridMillis === 0)
  return round ?? Math.max(1, Math.ceil(least / gridMillis)) * gridMillis
}

const roundSteps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 4, 6, 12, 24].map((hours) => hours * 3_600_000),
]

/** Samples the fundamental price, which neither trades nor the timeline have moved. */
function samplePrices(
  { venue }: CompiledScenario,
  market: Market,
  symbol: string,
  { stepMillis, points }: { readonly stepMillis: number; readonly points: number },
): Float64Array {
  const asset = venue.market.assets.findIndex((candidate) => candidate.symbol === symbol)
  const gridSteps = stepMillis / venue.gridMillis
  return Float64Array.from({ length: points }, (_, point) => market.fundamentalAt(asset, point * gridSteps))
}

/** Tells how like a real one the paths of an asset are; nothing of paths that are recorded or scripted. */
function describeAllLikeness(
  { venue }: CompiledScenario,
  markets: readonly Market[],
  { paths: all, symbol }: PathSet,
  spanMillis: number,
): string {
  const asset = venue.market.assets.findIndex((candidate) => candidate.symbol === symbol)
  const spec = venue.market.assets[asset]
  if (spec === undefined || !isGenerated(spec.model)) return ''
  const fromMillis = venue.startMillis
  const { verdicts, isCut } = judgeLikeness({ markets, asset, fromMillis, toMillis: fromMillis + spanMillis })
  const likeness = { verdicts, isCut: isCut || markets.length < all.length }
  const sentences = describeLikeness(likeness).map((sentence) => element('p', {}, escapeText(sentence)))
  return element('h3', {}, 'Is this like a real market?') + sentences.join('')
}

/** The paths of one asset. Prices are at equal steps from the start. */
interface PathSet {
  readonly symbol: string
  readonly paths: { readonly seed: string; readonly prices: Float64Array }[]
}

/** The number of seeds from which a fan chart replaces single lines. */
const fanMinimum = 20

/** Orders paths by their last price. */
function sortByEnd(paths: PathSet['paths']): PathSet['paths'] {
  const readEnd = ({ prices }: PathSet['paths'][number]): number => prices.at(-1) ?? Number.NaN
  return [...paths].sort((left, right) => readEnd(left) - readEnd(right))
}

function drawSection(set: PathSet, place: number, startMillis: number, stepMillis: number): Section {
  const count = set.paths[0]?.prices.length ?? 0
  const xs = Float64Array.from({ length: count }, (_, point) => startMillis + point * stepMillis)
  const isFan = set.paths.length >= fanMinimum
  const sorted = sortByEnd(set.paths)
  const ends = sorted.map(({ prices }) => prices.at(-1) ?? Number.NaN)
  const [lowest, highest] = [sorted[0], sorted.at(-1)]
  // A fan leaves lines out, so it draws those that the description names.
  const drawn = isFan ? [lowest, highest].flatMap((path) => path ?? []) : set.paths
  const lines = drawn.map(({ seed, prices }, index): Layer => {
    const look = { color: colorOf(isFan ? index + 1 : index), isDashed: isSecondRound(index) }
    return { kind: 'line', label: `seed ${seed}`, ...look, xs, ys: prices }
  })
  const fan = isFan
    ? makeFanLayers(
        xs,
        set.paths.map(({ prices }) => prices),
      )
    : []
  const description =
    `${set.symbol} from ${millisToIso(startMillis)} over ${formatDuration(Math.max(0, count - 1) * stepMillis)}: ` +
    `at the end the lowest of ${set.paths.length} seeds is at ${formatMoney(ends[0])} (seed ${lowest?.seed}), ` +
    `the median at ${formatMoney(quantileOfSorted(ends, 0.5))}, the highest at ${formatMoney(ends.at(-1))} USD ` +
    `(seed ${highest?.seed}). ` +
    (isFan
      ? `The bands hold all ${set.paths.length} seeds; lines are drawn for the lowest and the highest.`
      : 'Each seed is drawn.')
  const pictures = collectPictures()
  const prices: Chart = {
    id: `paths-${place}`,
    title: `Prices of ${set.symbol}`,
    description,
    x: { kind: 'time' },
    panels: [{ title: `${set.symbol}, USD`, height: 260, layers: [...fan, ...lines] }],
  }
  const table = tableMarkup({
    caption: `Every seed of ${set.symbol}`,
    head: ['Seed', 'Start', 'Lowest', 'Highest', 'End', 'Return', 'Volatility a year'],
    rows: set.paths.map(({ seed, prices: path }) => formatRow(seed, path, stepMillis)),
  })
  const body = pictures.chart(prices) + drawReturns(set, place, stepMillis, pictures) + table
  return { id: `asset-${place}`, title: set.symbol, body }
}

/** Draws the distribution of one-step returns over all seeds, with a normal curve for comparison. */
function drawReturns(set: PathSet, place: number, stepMillis: number, pictures: Pictures): string {
  const returns = set.paths.flatMap(({ prices }) =>
    [...computeLogReturns(prices)].map((value) => value * 100),
  )
  const made = countHistogram(returns, 61)
  if (made === null || made.sd === 0) return ''
  const overlay = makeNormalOverlay(made, 2)
  const kurtosis = formatValue((standardizedMoments(returns)?.kurtosis ?? 3) - 3, 2)
  const step = formatDuration(stepMillis)
  return pictures.chart({
    id: `returns-${place}`,
    title: `Returns of ${set.symbol} over ${step}`,
    description: `Standard deviation ${made.sd.toPrecision(3)} %, excess kurtosis ${kurtosis} (0 is normal).`,
    x: { kind: 'number', label: `return over ${step}`, suffix: '%' },
    panels: [
      {
        title: `Returns over ${step}, count (logarithmic)`,
        isLog: true,
        from: 0.7,
        height: 140,
        layers: [
          {
            ...makeHistogramBars(made, `excess kurtosis ${kurtosis}`),
            bases: made.counts.map(() => 0.7),
          },
          ...(overlay === null ? [] : [overlay]),
        ],
      },
    ],
  })
}

function formatRow(seed: string, prices: Float64Array, stepMillis: number): readonly string[] {
  const first = prices[0] ?? Number.NaN
  const last = prices.at(-1) ?? Number.NaN
  const returns = computeLogReturns(prices)
  const squares = returns.reduce((sum, value) => sum + value * value, 0)
  const perYear = millisPerYear / stepMillis
  const vol = returns.length === 0 ? Number.NaN : Math.sqrt((squares / returns.length) * perYear)
  const extent = findExtent([prices])
  const figures = [first, extent?.least, extent?.greatest, last].map(formatMoney)
  return [seed, ...figures, formatPercent(last / first - 1), formatPercent(vol)]
}

const computeLogReturns = (prices: Float64Array): Float64Array =>
  prices.subarray(1).map((price, place) => log(price / (prices[place] ?? 1)))

const formatPercent = (value: number): string =>
  Number.isFinite(value) ? `${formatValue(value * 100, 1)} %` : 'n/a'
