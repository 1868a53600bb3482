import { sourceHash } from '../../backtest/report/page-assets.ts'
import { log } from '../../numeric/portable-math.ts'
import { quantileOfSorted } from '../../numeric/quantile.ts'
import { formatDuration, millisPerYear, millisToIso } from '../../numeric/time-text.ts'
import type { Chart, Layer } from '../../pages/chart.ts'
import { fanLayers, histogram, histogramBars, normalOverlay } from '../../pages/histogram.ts'
import { factsMarkup, type Section, tableMarkup } from '../../pages/html.ts'
import { pageText } from '../../pages/page.ts'
import { collectPictures, type Pictures } from '../../pages/pictures.ts'
import { element, escapeText } from '../../pages/svg-text.ts'
import { valueLabel } from '../../pages/ticks.ts'
import { colorOf, money } from '../pictures.ts'

/** One asset's paths; prices stand at equal steps from the start. */
export interface PathSet {
  readonly symbol: string
  readonly paths: { readonly seed: string; readonly prices: Float64Array }[]
}

export interface PathPictures {
  readonly name: string
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly startMillis: number
  readonly stepMillis: number
  readonly sets: readonly PathSet[]
}

/** From this many seeds on, a fan shows more than single lines. */
const fanMinimum = 20
const maximumLines = 8

/** A page with each asset's paths, the distribution of its returns, and a table of its seeds. */
export function drawPaths({ name, facts, startMillis, stepMillis, sets }: PathPictures): string {
  const title = `Price paths: ${name}`
  const lead = element('h1', {}, escapeText(title)) + factsMarkup(facts)
  const sections = sets.map((set, place) => sectionOf(set, place, startMillis, stepMillis))
  return pageText({ title, lead, sections }, sourceHash)
}

function sectionOf(set: PathSet, place: number, startMillis: number, stepMillis: number): Section {
  const count = set.paths[0]?.prices.length ?? 0
  const xs = Float64Array.from({ length: count }, (_, point) => startMillis + point * stepMillis)
  const isFan = set.paths.length >= fanMinimum
  const lines = set.paths.slice(0, isFan ? 3 : maximumLines).map(({ seed, prices }, index): Layer => {
    return { kind: 'line', label: `seed ${seed}`, color: colorOf(isFan ? index + 1 : index), xs, ys: prices }
  })
  const fan = isFan
    ? fanLayers(
        xs,
        set.paths.map(({ prices }) => prices),
      )
    : []
  const ends = set.paths.map(({ prices }) => prices.at(-1) ?? Number.NaN).sort((left, right) => left - right)
  const description =
    `${set.symbol} from ${millisToIso(startMillis)} over ${formatDuration(Math.max(0, count - 1) * stepMillis)}: ` +
    `at the end the lowest of ${set.paths.length} seeds is at ${money(ends[0])}, the median at ` +
    `${money(quantileOfSorted(ends, 0.5))}, the highest at ${money(ends.at(-1))} USD.`
  const pictures = collectPictures()
  const prices: Chart = {
    id: `paths-${place}`,
    title: `Prices of ${set.symbol}`,
    description,
    x: { kind: 'time' },
    panels: [{ title: `${set.symbol}, USD`, height: 260, layers: [...fan, ...lines] }],
  }
  const table = tableMarkup({
    caption: 'Every seed',
    head: ['Seed', 'Start', 'Lowest', 'Highest', 'End', 'Return', 'Volatility a year'],
    rows: set.paths.map(({ seed, prices: path }) => rowOf(seed, path, stepMillis)),
  })
  const body = pictures.chart(prices) + returnsPicture(set, place, stepMillis, pictures) + table
  return { id: `asset-${place}`, title: set.symbol, body }
}

/** The distribution of one step's returns over all seeds, and the normal curve that it does not follow. */
function returnsPicture(set: PathSet, place: number, stepMillis: number, pictures: Pictures): string {
  const returns = set.paths.flatMap(({ prices }) => [...logReturns(prices)].map((value) => value * 100))
  const made = histogram(returns, 61)
  if (made === null || made.sd === 0) return ''
  const overlay = normalOverlay(made, 2)
  const fourth =
    returns.reduce((sum, value) => sum + fourthPower((value - made.mean) / made.sd), 0) / returns.length
  const step = formatDuration(stepMillis)
  return pictures.chart({
    id: `returns-${place}`,
    title: `Returns of ${set.symbol} over ${step}`,
    description: `Standard deviation ${made.sd.toPrecision(3)} %, excess kurtosis ${(fourth - 3).toPrecision(3)} (0 is normal).`,
    x: { kind: 'number', label: `return over ${step}`, suffix: '%' },
    panels: [
      {
        title: `Returns over ${step}, count (logarithmic)`,
        isLog: true,
        from: 0.7,
        height: 140,
        layers: [
          {
            ...histogramBars(made, `excess kurtosis ${(fourth - 3).toPrecision(3)}`),
            bases: made.counts.map(() => 0.7),
          },
          ...(overlay === null ? [] : [overlay]),
        ],
      },
    ],
  })
}

function rowOf(seed: string, prices: Float64Array, stepMillis: number): readonly string[] {
  const first = prices[0] ?? Number.NaN
  const last = prices.at(-1) ?? Number.NaN
  const returns = logReturns(prices)
  const squares = returns.reduce((sum, value) => sum + value * value, 0)
  const perYear = millisPerYear / stepMillis
  const vol = returns.length === 0 ? Number.NaN : Math.sqrt((squares / returns.length) * perYear)
  let lowest = first
  let highest = first
  for (const price of prices) {
    if (price < lowest) lowest = price
    if (price > highest) highest = price
  }
  return [
    seed,
    money(first),
    money(lowest),
    money(highest),
    money(last),
    percent(last / first - 1),
    percent(vol),
  ]
}

function logReturns(prices: Float64Array): Float64Array {
  return Float64Array.from({ length: Math.max(0, prices.length - 1) }, (_, place) => {
    return log((prices[place + 1] ?? 1) / (prices[place] ?? 1))
  })
}

function fourthPower(value: number): number {
  return value * value * value * value
}

const percent = (value: number): string =>
  Number.isFinite(value) ? `${valueLabel(value * 100, 1)} %` : 'n/a'
