import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/market/recordings/candle.ts'
import { missing } from '../../../src/numeric/assert.ts'
import { chooseDefaultSteps } from '../../../src/scenario/compile/compile-market.ts'
import { formatMistake } from '../../../src/scenario/file/mistake.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'

const hour = 3_600_000

const candlesAt = (prices: readonly number[]): readonly Candle[] =>
  prices.map((price, place) => ({
    atMillis: Date.UTC(2025, 0, 1) + place * hour,
    spanMillis: hour,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 1,
  }))

const along = (from: number, to: number): readonly number[] =>
  Array.from({ length: 500 }, (_, place) => from * (to / from) ** (place / 499))

describe('the steps of a pair without stated steps', () => {
  it.each([
    ['no recording', 95_000, [], '0.01', '0.0001'],
    ['a coin that grew', 456, along(456, 120_000), '0.01', '0.0001'],
    ['a coin that fell to almost nothing', 68, along(68, 0.0001), '0.00000001', '0.01'],
    ['a coin that rose from almost nothing', 0.00002, along(0.00002, 70), '0.00000001', '0.01'],
    ['a bad print', 300, [...along(300, 400), 0.01, 1e9], '0.01', '0.01'],
    ['a span beyond what can be counted', 900_000, along(900_000, 1e-7), '0.01', '0.0001'],
    ['a price of a thousandth of a cent', 0.00001, [], '0.00000001', '1'],
  ])('%s', (_name, price, prices, priceStep, quantityStep) => {
    expect(chooseDefaultSteps(price, candlesAt(prices))).toMatchObject({ priceStep, quantityStep })
  })

  it('follow the recording of a replay, and the price of a model that only draws from one', () => {
    const candles = candlesAt(along(68, 0.0001))
    const stepOf = (model: object) => {
      const document = {
        version: 1,
        name: 'steps',
        clock: { start: '2025-01-01T00:00:00Z', end: '1h' },
        market: { assets: { LUNA: { price: 68, model } } },
      }
      const loaded = loadScenarioValue(document, { readCandles: () => ({ ok: true, candles }) })
      if (!loaded.ok) throw new Error(loaded.problems.map(formatMistake).join('\n'))
      const asset = loaded.value.venue.assets.find(({ symbol }) => symbol === 'LUNA')
      const { units, scale } = asset?.pair?.priceStep ?? missing('it has a pair')
      return [units, scale]
    }
    expect(stepOf({ kind: 'replay', data: 'luna.csv' })).toEqual([1, 8])
    expect(stepOf({ kind: 'bootstrap', data: 'luna.csv' })).toEqual([1, 2])
  })

  // The venue would refuse them too, but as an internal error.
  it.each([
    [{ priceStep: '0.0000000001' }, 'must be at least 1e-8'],
    [{ quantityStep: '0.000000001' }, 'must be at least 1e-8'],
    [{ priceStep: 100, quantityStep: 100 }, 'one step of price and quantity is worth more than 1000 USD'],
  ])('are refused where the venue has none of them: %j', (pair, message) => {
    const assets = { BTC: { price: 5000, pair: { ...pair, maxQuantity: 1000 } } }
    const loaded = loadScenarioValue({ version: 1, name: 'steps', market: { assets } }, {})
    expect(loaded.ok ? [] : loaded.problems.map(formatMistake).join()).toContain(message)
  })
})
