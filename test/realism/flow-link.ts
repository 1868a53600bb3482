import { createMarket } from '../../src/market/create-market.ts'
import { readFlow } from '../../src/market/flow/flow-spec.ts'
import type { Figures } from '../../src/metrics/realism/facts.ts'
import { autocorrelations } from '../../src/metrics/realism/memory.ts'
import { correlation } from '../../src/metrics/realism/moments.ts'
import { startMillis } from './measure.ts'
import { Sample } from './sample.ts'
import { defaultAsset } from './specs.ts'
import { figureText, type Row, rangeText, type Section, spreadText } from './table.ts'

/* How takers go with the price of their minute, and remember each other's side, at four rates. */

/** Takers a minute: 0.15, 1, 3 and 8 a second. */
export const rates = [9, 60, 180, 480]

/** What recorded takers do (market-recipe.md, "Flow"), and about how far a seed may be off. */
const linkBands: readonly (readonly [name: string, least: number, most: number])[] = [
  ['signed flow, return of the minute', 0.3, 0.5],
  ['signed flow, return of the next minute', -0.05, 0.05],
  ['sign memory 1', 0.35, 0.45],
  ['sign memory 10', 0.11, 0.21],
  ['sign memory 50', -0.01, 0.09],
]

/** Measures the link over so many minutes of BTC by seed, with as many takers a minute as are said. */
export function linkFigures(seed: string, ratePerMinute: number, minutes: number): Figures {
  const flow = readFlow({ kind: 'hawkes', ratePerMinute }, { symbol: 'BTC', touchBps: null }, [])
  const assets = [{ ...defaultAsset('BTC'), flow }]
  const market = createMarket({ seed, startMillis, gridMillis: 60_000, assets })
  const [counts, values] = [new Float64Array(minutes), new Float64Array(minutes)]
  const returns = new Float64Array(minutes)
  const signs: number[] = []
  let before = Math.log(market.fundamentalAt(0, 0))
  for (let minute = 0; minute < minutes; minute += 1) {
    let [count, value] = [0, 0]
    for (const { side, valueUsd } of market.arrivalsInMinute(0, minute)) {
      const sign = side === 'buy' ? 1 : -1
      signs.push(sign)
      count += sign
      value += sign * valueUsd
    }
    const level = Math.log(market.fundamentalAt(0, minute + 1))
    counts[minute] = count
    values[minute] = value
    returns[minute] = level - before
    before = level
  }
  const [first = Number.NaN, tenth = Number.NaN, fiftieth = Number.NaN] = autocorrelations(signs, [1, 10, 50])
  return {
    'signed flow, return of the minute': correlation(counts, returns),
    'signed USD, return of the minute': correlation(values, returns),
    'signed flow, return of the next minute': correlation(counts.subarray(0, -1), returns.subarray(1)),
    'sign memory 1': first,
    'sign memory 10': tenth,
    'sign memory 50': fiftieth,
  }
}

/** The takers of the default market at four rates: ten days each, forty of the rarest. */
export function linkSection(seeds: readonly string[]): Section {
  const samples = rates.map((rate) => {
    const sample = new Sample()
    for (const seed of seeds) sample.add(linkFigures(seed, rate, (rate < 10 ? 40 : 10) * 1_440))
    return sample
  })
  const rows = linkBands.map(
    ([name, least, most]): Row => ({
      fact: 14,
      name,
      band: rangeText(least, most),
      values: samples.map((sample) => spreadText(sample, name)),
      isOk: samples.every((sample) => sample.median(name) >= least && sample.median(name) <= most),
    }),
  )
  const usd = 'signed USD, return of the minute'
  rows.push({
    fact: 0,
    name: usd,
    band: '',
    values: samples.map((sample) => spreadText(sample, usd)),
    isOk: true,
  })
  const columns = rates.map((rate) => `${figureText(rate / 60)} a second`)
  return { title: 'Takers and the price at four rates', columns, rows }
}
