import { describe, expect, test } from 'vitest'
import type { HawkesSpec } from '../../../src/market/models/hawkes.ts'
import type { MertonSpec } from '../../../src/market/models/merton.ts'
import type { ModelSpec } from '../../../src/market/models/price-models.ts'
import type { RegimesSpec } from '../../../src/market/models/regimes.ts'
import { excessKurtosis } from '../../../src/metrics/realism/moments.ts'
import { autocorrelation, mean, variance } from '../../support/statistics.ts'
import { asset, candle, gbm, marketOf, prices } from '../market-of.ts'
import { everyModel, swingingCandles } from './every-model.ts'
import { annualVol, minuteReturns, minutesPerYear } from './minute-returns.ts'

/** The mean over seeds of the price after some minutes, relative to the start; 1 for a price without drift. */
function meanGrowth(model: ModelSpec, minutes: number, seeds: number): { growth: number; error: number } {
  const ratios = Array.from({ length: seeds }, (_, seed) => {
    const market = marketOf([asset(model)], { gridMillis: 3_600_000, seed: `${seed}` })
    return market.fundamentalAt(0, minutes / 60) / 50_000
  })
  return { growth: mean(ratios), error: Math.sqrt(variance(ratios) / seeds) }
}

describe('every stochastic model', () => {
  const models: readonly (keyof typeof everyModel)[] = [
    'merton',
    'heston',
    'garch',
    'regimes',
    'hawkes',
    'market',
  ]

  test.each(models)('%s has its price at the start, in its history too', (kind) => {
    const market = marketOf([asset(everyModel[kind])])
    expect(market.fundamentalAt(0, 0)).toBe(50_000)
    expect(market.fundamentalAt(0, -1)).toBeGreaterThan(45_000)
    expect(market.fundamentalAt(0, -1)).toBeLessThan(55_000)
  })

  test.each(models)('%s has no drift but the stated one', (kind) => {
    const model = everyModel[kind]
    const expected = kind === 'merton' ? 1 + 0.2 / 365 : kind === 'regimes' ? 1 - 0.43 / 365 : 1
    const { growth, error } = meanGrowth(model, 2 * 1440, 80)
    expect(Math.abs(growth - expected)).toBeLessThan(4 * error)
  })

  test.each(models)('%s is the same read far ahead as step by step', (kind) => {
    const far = marketOf([asset(everyModel[kind])], { gridMillis: 60_000 })
    const near = marketOf([asset(everyModel[kind])], { gridMillis: 60_000 })
    for (const minute of [20_000, -9_000]) {
      const expected = far.fundamentalAt(0, minute)
      const step = Math.sign(minute)
      for (let at = 0; at !== minute; at += step) near.fundamentalAt(0, at)
      expect(near.fundamentalAt(0, minute)).toBe(expected)
    }
  })
})

describe('Merton', () => {
  const merton: MertonSpec = {
    kind: 'merton',
    vol: 0.55,
    drift: 0,
    jumpsPerYear: 5_000,
    jumpMean: -0.001,
    jumpSd: 0.01,
  }

  test('without jumps is geometric Brownian motion', () => {
    const plain = marketOf([asset({ ...merton, jumpsPerYear: 0 })])
    const brownian = marketOf([asset(gbm)])
    for (const index of [-90_000, -61, 1, 17, 60, 3_601, 86_400]) {
      expect(plain.fundamentalAt(0, index) / brownian.fundamentalAt(0, index)).toBeCloseTo(1, 11)
    }
  })

  test('has the variance of its motion plus that of its jumps', () => {
    const returns = minuteReturns(merton, 100_000)
    const expected = Math.sqrt(0.55 * 0.55 + 5_000 * (0.01 * 0.01 + 0.001 * 0.001))
    expect(annualVol(returns) / expected).toBeCloseTo(1, 1)
    expect(excessKurtosis(returns)).toBeGreaterThan(20)
  })

  test('makes each jump at one instant of its minute', () => {
    const path = prices(marketOf([asset({ ...merton, vol: 1e-6 })], { gridMillis: 250 }), 0, 40_000)
    const steps = path.slice(1).map((price, place) => Math.abs(Math.log(price / (path[place] ?? 1))))
    const jumps = steps.filter((step) => step > 1e-4)
    expect(jumps.length).toBeGreaterThan(0)
    expect(jumps.length).toBeLessThan(10) // 1.6 are expected in 10,000 seconds
  })
})

test('the variance of Heston returns to its mean, before and after the start', () => {
  const heston = { ...everyModel.heston, meanReversion: 2_000, volOfVariance: 20 }
  for (const from of [0, -60_000]) {
    const returns = minuteReturns(heston, 60_000, from)
    expect(annualVol(returns) / Math.sqrt(0.3)).toBeCloseTo(1, 1)
    const sizes = returns.map(Math.abs)
    expect(autocorrelation(sizes, 1)).toBeGreaterThan(0.05)
  }
})

describe('GARCH', () => {
  const garch: ModelSpec = {
    kind: 'garch',
    vol: 0.55,
    barMinutes: 1,
    alpha: 0.05,
    beta: 0.9,
    asymmetry: 0.04,
    tails: 8,
  }

  test('has its long-run volatility, and clusters', () => {
    const returns = minuteReturns(garch, 80_000)
    expect(annualVol(returns) / 0.55).toBeCloseTo(1, 1)
    expect(autocorrelation(returns.map(Math.abs), 1)).toBeGreaterThan(0.06)
    expect(autocorrelation(returns.map(Math.abs), 200)).toBeLessThan(0.02)
  })

  test('has a higher variance after falls than after rises', () => {
    const returns = minuteReturns(garch, 80_000)
    const next = (isFall: boolean): number =>
      mean(
        returns.flatMap((value, place) => {
          const after = returns[place + 1]
          return after !== undefined && value < 0 === isFall ? [after * after] : []
        }),
      )
    expect(next(true)).toBeGreaterThan(next(false) * 1.01)
  })

  test('has an activity that is known before the bar that it applies to', () => {
    const market = marketOf([asset(garch)], { gridMillis: 60_000 })
    const returns = minuteReturns(garch, 50_000)
    const scaled = returns.map((value, minute) => value / market.activityAt(0, minute))
    expect(excessKurtosis(scaled)).toBeLessThan(excessKurtosis(returns))
    expect(Math.abs(autocorrelation(scaled.map(Math.abs), 1))).toBeLessThan(0.02)
  })
})

describe('regimes', () => {
  const regimes: RegimesSpec = {
    kind: 'regimes',
    vol: 0.6,
    regimes: [
      { volMultiple: 0.5, drift: 0 },
      { volMultiple: 2, drift: 0 },
    ],
    transitions: [
      [0.9, 0.1],
      [0.3, 0.7],
    ],
  }

  test.each([0, -120_000])('last as the chain states and have its average volatility, from %d on', (from) => {
    const market = marketOf([asset(regimes)], { gridMillis: 60_000 })
    const hours = Array.from({ length: 2_000 }, (_, hour) => market.activityAt(0, from + hour * 60))
    const [calm = 0, wild = 0] = [...new Set(hours)].sort((left, right) => left - right)
    expect(wild / calm).toBeCloseTo(4, 12)
    // 0.3 / (0.1 + 0.3) of the hours are calm, 0.9 of which are followed by another.
    const places = hours.flatMap((activity, hour) => (activity === calm ? [hour] : []))
    expect(places.length / hours.length).toBeCloseTo(0.75, 1)
    const staying = places.filter((hour) => hours[hour + 1] === calm)
    expect(staying.length / places.length).toBeCloseTo(0.9, 1)
    expect(0.75 * calm * calm + 0.25 * wild * wild).toBeCloseTo(1, 9)
    expect(annualVol(minuteReturns(regimes, 120_000, from)) / 0.6).toBeCloseTo(1, 1)
  })
})

describe('Hawkes jumps', () => {
  const hawkes: HawkesSpec = {
    kind: 'hawkes',
    vol: 0.5,
    drift: 0,
    jumps: { perDay: 20, branching: 0.6, decayMillis: 300_000, size: 60, tilt: 0 },
  }
  const returns = minuteReturns(hawkes, 1440 * 150)
  const sigma = 0.5 / Math.sqrt(minutesPerYear)
  /** Nine of ten jumps of 60 deviations are beyond 7.5. */
  const days = Array.from(
    { length: 150 },
    (_, day) =>
      returns.slice(day * 1440, (day + 1) * 1440).filter((value) => Math.abs(value) > 7.5 * sigma).length,
  )

  test('come at the stated rate, including those that jumps trigger', () => {
    expect(mean(days) / (0.9 * (20 / 0.4))).toBeGreaterThan(0.85)
    expect(mean(days) / (0.9 * (20 / 0.4))).toBeLessThan(1.05)
  })

  test('come in clusters: daily counts vary more than independent ones', () => {
    expect(variance(days) / mean(days)).toBeGreaterThan(2)
  })

  test('raise the activity after they have come, not before', () => {
    const market = marketOf([asset(hawkes)], { gridMillis: 60_000 })
    const jumps = returns.flatMap((value, minute) => (Math.abs(value) > 7.5 * sigma ? [minute] : []))
    const about = (shift: number): number => mean(jumps.map((minute) => market.activityAt(0, minute + shift)))
    expect(about(1)).toBeGreaterThan(about(0) * 1.3)
    expect(about(60)).toBeLessThan(about(1))
  })
})

describe('bootstrap', () => {
  const spec = everyModel.bootstrap
  const closes = swingingCandles.map(({ close, open }, place) =>
    Math.log(close / (swingingCandles[place - 1]?.close ?? open)),
  )

  test('takes every hour from the recording, mostly in the recorded order', () => {
    const path = prices(marketOf([asset(spec)], { gridMillis: 3_600_000 }), -500, 500)
    const places = path.slice(1).map((price, place) => {
      const value = Math.log(price / (path[place] ?? 1))
      return closes.findIndex((close) => Math.abs(close - value) < 1e-9)
    })
    expect(places.filter((place) => place < 0)).toEqual([])
    const kept = places.filter((place, at) => place > 0 && places[at - 1] === place - 1)
    expect(kept.length / places.length).toBeGreaterThan(0.6) // a piece is four hours
    expect(new Set(places).size).toBe(24)
  })

  test.each([
    ['the week', 5 * 7],
    ['the day', 5],
  ])('keeps the seasons of %s', (season, days) => {
    /* Each hour has a move of its own, so a candle can be told from its return. */
    const period = season === 'the week' ? 168 : 24
    const offset = 5 // the record begins at another hour than the market
    const candles = Array.from({ length: days * 24 }, (_, hour) => {
      const move = (at: number): number => 50_000 * Math.exp(0.001 * ((at + offset) % period))
      const [open, close] = [move(hour - 1), move(hour)]
      return candle((hour + offset - 24 * 70) * 60, [
        open,
        Math.max(open, close),
        Math.min(open, close),
        close,
      ])
    })
    const seasonal: ModelSpec = { kind: 'bootstrap', candles, meanPieceMillis: 6 * 3_600_000 }
    for (const seed of ['1', '2', '3']) {
      const path = prices(marketOf([asset(seasonal)], { gridMillis: 3_600_000, seed }), -400, 400)
      const wrong = path.slice(1).filter((price, place) => {
        const isTop = (((place - 400) % period) + period) % period === 0 // the fall back from the last hour to hour 0
        return Math.log(price / (path[place] ?? 1)) > 0 === isTop
      })
      expect(wrong).toEqual([])
    }
  })

  test('keeps the common moves of assets that are drawn together', () => {
    const market = marketOf([asset(spec), asset(spec, 'ETH', 3_000)], { gridMillis: 3_600_000 })
    for (let hour = -100; hour <= 100; hour += 1) {
      expect(market.fundamentalAt(1, hour) / 3_000).toBeCloseTo(market.fundamentalAt(0, hour) / 50_000, 9)
    }
  })
})
