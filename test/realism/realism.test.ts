import { describe, expect, test } from 'vitest'
import { createMarket } from '../../src/market/create-market.ts'
import type { AssetMarketSpec } from '../../src/market/market-spec.ts'
import { isWithinBand } from '../../src/metrics/realism/bands.ts'
import { computeHourFigures, computeMinuteFigures } from '../../src/metrics/realism/facts.ts'
import { judgeWindows } from '../../src/metrics/realism/judge.ts'
import { cutMarketWindows } from '../../src/metrics/realism/market-windows.ts'
import { daysOfMinutes } from '../../src/metrics/realism/window-features.ts'
import type { PathWindow } from '../../src/metrics/realism/windows.ts'
import { dayFigures, pairFigures } from './long-facts.ts'
import { minuteReturns, startMillis } from './measure.ts'
import { Sample } from './sample.ts'
import { aggregated } from './series.ts'
import { assetOf, candidates, defaultAsset } from './specs.ts'
import { printSection } from './table.ts'

/* The fast part of the realism suite; `npm run realism` is all of it. Medians over three windows. */

const minutes = 50_400
const seeds = ['1', '2', '3']

describe('the default market', () => {
  const runs = seeds.map((seed) => minuteReturns(['BTC', 'ETH', 'SOL'].map(defaultAsset), seed, 3 * minutes))
  const sample = new Sample()
  for (const [bitcoin] of runs) {
    if (bitcoin === undefined) throw new Error('There is no path')
    for (let window = 0; window < 3; window += 1) {
      sample.add(computeMinuteFigures(bitcoin.subarray(window * minutes, (window + 1) * minutes)))
    }
    sample.add(computeHourFigures(aggregated(bitcoin, 60)))
    sample.add(dayFigures(aggregated(bitcoin, 15), 96))
  }

  test.each([
    'kurtosis 1m',
    'kurtosis 1h',
    'tail index 1m',
    'linear memory 1m',
    'variance ratio 60m',
    'memory of size 1m',
    'memory of size 60m',
    'memory of size 1440m',
    'memory decay',
    'sd of log realized volatility',
    'memory of it 1d',
    'kurtosis of return over it',
    'leverage 1h',
    'jumps beyond 8 sd a day',
  ])('%s is that of a real market', (name) => {
    expect([name, sample.median(name), isWithinBand(name, sample.median(name))]).toEqual([
      name,
      expect.any(Number),
      true,
    ])
  })

  test('has correlated returns, more so in stress', () => {
    const [ether, solana] = [new Sample(), new Sample()]
    for (const [btc, eth, sol] of runs) {
      if (btc === undefined || eth === undefined || sol === undefined) throw new Error('There is no path')
      ether.add(pairFigures(aggregated(btc, 60), aggregated(eth, 60)))
      solana.add(pairFigures(aggregated(btc, 60), aggregated(sol, 60)))
    }
    expect(ether.median('correlation')).toBeGreaterThan(0.78)
    expect(ether.median('rise in stress')).toBeGreaterThan(0.03)
    expect(solana.median('correlation')).toBeGreaterThan(0.5)
    expect(solana.median('lower tail dependence')).toBeGreaterThan(0.25)
  })
})

test.each(candidates)('$name fails the facts that it must', ({ model, fails }) => {
  const [returns] = minuteReturns([assetOf(model)], '1', 2 * minutes)
  if (returns === undefined) throw new Error('There is no path')
  const figures = computeMinuteFigures(returns)
  const measured = fails.filter((name) => name in figures)
  expect(measured.length).toBeGreaterThan(0)
  expect(measured.filter((name) => isWithinBand(name, figures[name] ?? 0))).toEqual([])
})

test('the windows begin on a Monday', () => {
  expect(new Date(startMillis).getUTCDay()).toBe(1)
})

test('a figure out of its band is marked in the table', () => {
  const row = { fact: 1, name: 'kurtosis 1m', band: '10 .. 150', values: ['3.00'], isOk: false }
  expect(printSection({ title: 'T', columns: ['BTC'], rows: [row] }).split('\n')).toEqual([
    'T',
    'fact  figure            band   BTC',
    '   1  kurtosis 1m  10 .. 150  3.00  OUT',
    '',
  ])
})

describe('the judge', () => {
  /** A week of each of many seeds, so that no side has a wilder month than the other by chance. */
  const drawWeeks = (asset: AssetMarketSpec, names: string): readonly PathWindow[] =>
    Array.from({ length: 24 }, (_, place) => {
      const market = createMarket({
        seed: `${names}${place}`,
        startMillis,
        gridMillis: 60_000,
        assets: [asset],
      })
      const span = { market, asset: 0, fromMillis: startMillis, toMillis: startMillis + 7 * 86_400_000 }
      return cutMarketWindows(span, daysOfMinutes).windows.map((window) => ({ ...window, group: place }))
    }).flat()
  const usual = drawWeeks(defaultAsset('BTC'), 'a')

  test.each(candidates)('tells $name from the default market', ({ model }) => {
    expect(judgeWindows(usual, drawWeeks(assetOf(model), 'b'))?.auc).toBeGreaterThan(0.9)
  })

  test('does not tell the default market from itself', () => {
    const verdict = judgeWindows(usual, drawWeeks(defaultAsset('BTC'), 'b'))
    expect([verdict?.realWindows, verdict?.generatedWindows]).toEqual([168, 168])
    expect(Math.abs((verdict?.auc ?? Number.NaN) - 0.5)).toBeLessThan(0.12)
  })
})
