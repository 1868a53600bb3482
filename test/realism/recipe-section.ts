import type { Figures } from '../../src/metrics/realism/facts.ts'
import { sumNeighbours } from '../../src/metrics/realism/window-statistics.ts'
import { minuteReturns } from './measure.ts'
import { hourFacts, minuteFacts } from './recipe-facts.ts'
import { Sample } from './sample.ts'
import { defaultAsset } from './specs.ts'
import { figureText, type Row, rangeText, type Section, spreadText } from './table.ts'

/* The tables of facts of market-recipe.md: recorded medians and ranges, and where fresh seeds lie. */

type FactBand = readonly [name: string, median: number, least: number, most: number]

/** Recorded windows of 50,000 minutes of BTC and ETH, 2021 to 2025. */
const minuteBands: readonly FactBand[] = [
  ['kurt 1m', 47.8, 6.31, 923],
  ['kurt 15m', 18.7, 7.87, 118],
  ['kurt 1h of minutes', 12.7, 4.47, 48.2],
  ['hill 1m 1 %', 3.01, 2.37, 4.16],
  ['hill 1m 2.5 %', 2.87, 2.66, 3.4],
  ['acf |r| 1m 1', 0.377, 0.284, 0.469],
  ['acf |r| 1m 5', 0.287, 0.207, 0.36],
  ['acf |r| 1m 15', 0.251, 0.145, 0.313],
  ['acf |r| 1m 60', 0.173, 0.0975, 0.246],
  ['acf |r| 1m 240', 0.112, 0.0455, 0.171],
  ['acf |r| 1m 1440', 0.0901, 0.0514, 0.181],
  ['acf |r| 1m 10080', 0.0633, 0.0169, 0.167],
  ['acf r 1m 1', -0.00604, -0.0447, 0.0522],
  ['VR15', 0.986, 0.691, 1.09],
  ['VR60', 0.957, 0.751, 1.18],
  ['H logRV 10m', 0.109, 0.0774, 0.287],
  ['H logRV 1h', 0.209, 0.107, 0.288],
  ['sd lnRV 1h', 1.08, 0.893, 1.69],
  ['acf lnRV 1h 1', 0.741, 0.594, 0.855],
  ['acf lnRV 1h 24', 0.35, 0.0322, 0.542],
  ['zeta2 - 2 zeta1', -0.0298, -0.0612, 0.0174],
  ['aftershock 1-10', 1.77, 1.27, 2.6],
  ['aftershock 30-60', 1.55, 1.21, 2.19],
  ['kurt local', 28.6, 3.41, 332],
  ['hill local 1 %', 3.66, 2.68, 4.51],
  ['quarter / rest', 1.14, 1.08, 1.19],
  ['first minute', 1.13, 1.04, 1.25],
  ['zeros', 0.0149, 0.002, 0.0978],
  ['P same', 0.485, 0.436, 0.497],
  ['lev 1m', -0.0182, -0.169, 0.0401],
  ['top 1 % of variance', 0.341, 0.225, 0.499],
]

/** Recorded years of hours of eight assets, 2020 to 2026. */
const hourBands: readonly FactBand[] = [
  ['kurt 1h', 16.4, 9.83, 128],
  ['kurt 1d', 3.57, 1.14, 64.8],
  ['hill 1h 2.5 %', 3.09, 2.12, 3.61],
  ['hill 1d 5 %', 3.26, 2.01, 4.23],
  ['acf |r| 1h 1', 0.243, 0.195, 0.333],
  ['acf |r| 1h 3', 0.197, 0.0992, 0.293],
  ['acf |r| 1h 6', 0.167, 0.0901, 0.212],
  ['acf |r| 1h 24', 0.138, 0.092, 0.216],
  ['acf |r| 1h 168', 0.0826, 0.0548, 0.134],
  ['acf |r| 1h 720', 0.0369, -0.027, 0.0758],
  ['P same 1h', 0.467, 0.453, 0.5],
  ['acf r 1h 1', -0.028, -0.0655, 0.018],
  ['VR24', 1.01, 0.831, 1.31],
  ['lev 1h', -0.0309, -0.065, 0.017],
  ['sd lnRV d', 1.01, 0.788, 1.2],
  ['acf lnRV d 1', 0.564, 0.403, 0.627],
  ['acf lnRV d 5', 0.312, 0.117, 0.462],
  ['acf lnRV d 20', 0.135, -0.103, 0.218],
  ['lev d', -0.0868, -0.17, 0.198],
  ['Zumbach', 0.238, 0.159, 0.33],
  ['Zumbach d', 0.152, 0.0731, 0.257],
  ['days > 5 %', 74, 18, 182],
  ['days > 10 %', 15, 1, 79],
  ['volatility a year', 0.864, 0.427, 1.85],
  ['rev 1h', 0.0426, -0.0541, 0.188],
]

const yearMinutes = 525_600
const windowMinutes = 49_980

/** Measures the facts of the default market on seeds that no fit has seen: years of BTC, ETH and SOL. */
export function recipeSection(seeds: readonly string[], years: number): Section {
  const [minutes, hours] = [new Sample(), new Sample()]
  for (const seed of seeds) {
    for (const symbol of ['BTC', 'ETH', 'SOL']) {
      const [returns] = minuteReturns([defaultAsset(symbol)], seed, years * yearMinutes)
      if (returns === undefined) continue
      hours.add(hourFacts(sumNeighbours(returns, 60)))
      if (symbol !== 'SOL') addWindows(minutes, returns)
    }
  }
  const rows = [
    ...minuteBands.map((band) => makeRow(band, minutes)),
    ...hourBands.map((band) => makeRow(band, hours)),
  ]
  const title = `The recipe's facts over seeds ${seeds.join(', ')}, ${years} years each: medians [least, greatest]`
  return { title, columns: ['recorded', 'market'], rows }
}

/** Two windows of each year. */
function addWindows(sample: Sample, returns: Float64Array): void {
  for (let from = 0; from + windowMinutes <= returns.length; from += yearMinutes / 2)
    sample.add(minuteFacts(returns.subarray(from, from + windowMinutes)) satisfies Figures)
}

function makeRow([name, median, least, most]: FactBand, sample: Sample): Row {
  const value = sample.median(name)
  const isOk = value >= least && value <= most
  return {
    fact: 0,
    name,
    band: rangeText(least, most),
    values: [figureText(median), spreadText(sample, name)],
    isOk,
  }
}
