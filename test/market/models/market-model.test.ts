import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Market } from '../../../src/market/market.ts'
import { caseBudget } from '../../support/full-run.ts'
import { autocorrelation, mean, variance } from '../../support/statistics.ts'
import { asset, marketOf, prices } from '../market-of.ts'
import { everyModel } from './every-model.ts'
import { annualVol, minuteReturns } from './minute-returns.ts'

describe('the default market', () => {
  const model = everyModel.market

  test('knows its volatility at the start of a minute', () => {
    const moving = { ...model, standstillBps: 0 }
    const market = marketOf([asset(moving)], { gridMillis: 60_000 })
    const returns = minuteReturns(moving, 60_000)
    const scaled = returns.map((value, minute) => value / market.activityAt(0, minute))
    expect(Math.abs(autocorrelation(scaled.map(Math.abs), 1))).toBeLessThan(0.03)
    expect(annualVol(scaled) / 0.55).toBeCloseTo(1, 1)
  })

  test('has quiet weekends and a volume that follows its activity', () => {
    const market = marketOf([asset(model)], { gridMillis: 60_000 })
    const minutes = Array.from({ length: 28 * 1440 }, (_, minute) => minute)
    const isWeekend = (minute: number): boolean => Math.floor(minute / 1440) % 7 >= 5
    const volume = (minute: number): number => market.volumeUsdIn(0, minute) ?? 0
    const [rest, work] = [minutes.filter(isWeekend), minutes.filter((minute) => !isWeekend(minute))]
    expect(mean(rest.map(volume))).toBeLessThan(mean(work.map(volume)))
    const busy = work.filter((minute) => market.activityAt(0, minute) > 1.5)
    expect(mean(busy.map(volume))).toBeGreaterThan(1.5 * mean(work.map(volume)))
    expect(volume(5)).toBe(marketOf([asset(model)]).volumeUsdIn(0, 5))
  })

  test('reads each asset as if it were alone, though its factors are shared', () => {
    const symbols = ['BTC', 'ETH', 'SOL']
    const together = marketOf(
      symbols.map((symbol) => asset(model, symbol)),
      { gridMillis: 250 },
    )
    const alone = symbols.map((symbol) => marketOf([asset(model, symbol)], { gridMillis: 250 }))
    fc.assert(
      fc.property(fc.nat(2), fc.integer({ min: -9_000, max: 9_000 }), fc.nat(2), (row, index, kind) => {
        const minute = Math.floor(index / 240)
        const read = [
          (market: Market, at: number) => market.fundamentalAt(at, index),
          (market: Market, at: number) => market.minuteBar(at, minute),
          (market: Market, at: number) => market.volumeUsdIn(at, minute),
        ][kind]
        const other = alone[row]
        if (read === undefined || other === undefined) throw new Error('There are three of each')
        expect(read(together, row)).toEqual(read(other, 0))
      }),
      { seed: 7, numRuns: caseBudget(600) },
    )
  })

  test('keeps an asset without a loading on a factor from moving with it', () => {
    const own = { ...model, marketShare: 0, altShare: 0 }
    const market = marketOf([asset(own), asset(own, 'ETH')], { gridMillis: 60_000 })
    const returns = [0, 1].map((row) => {
      const path = prices(market, 0, 20_000, row)
      return path.slice(1).map((price, place) => Math.log(price / (path[place] ?? 1)))
    })
    const product = mean((returns[0] ?? []).map((value, place) => value * (returns[1]?.[place] ?? 0)))
    const scale = Math.sqrt(variance(returns[0] ?? []) * variance(returns[1] ?? []))
    expect(Math.abs(product / scale)).toBeLessThan(0.06)
  })

  test('correlates seconds, too', () => {
    const market = marketOf(
      ['BTC', 'ETH'].map((symbol) => asset({ ...model, altShare: 0, standstillBps: 0 }, symbol)),
    )
    const steps = [0, 1].map((row) => {
      const path = prices(market, 0, 20_000, row)
      return path.slice(1).map((price, place) => Math.log(price / (path[place] ?? 1)))
    })
    const product = mean((steps[0] ?? []).map((value, place) => value * (steps[1]?.[place] ?? 0)))
    expect(product / Math.sqrt(variance(steps[0] ?? []) * variance(steps[1] ?? []))).toBeGreaterThan(0.7)
  })
})
