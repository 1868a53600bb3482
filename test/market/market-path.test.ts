import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bookChunkRows, bookRowKinds } from '../../src/market/books/recorded-book.ts'
import type { BookReplaySpec } from '../../src/market/models/book-replay.ts'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import { Hash128 } from '../../src/numeric/hash.ts'
import { caseBudget } from '../support/full-run.ts'
import { asset, gbm, marketOf, prices, startMillis } from './market-of.ts'
import { everyModel } from './models/every-model.ts'

describe.each(Object.entries(everyModel))('a path of %s', (_kind, model) => {
  const minuteCloses = prices(marketOf([asset(model)], { gridMillis: 60_000 }), -150, 150)

  test.each([100, 250, 500, 1_000, 1_500, 5_000, 60_000, 20_000])(
    'has the same minute closes on a grid of %d ms',
    (gridMillis) => {
      const market = marketOf([asset(model)], { gridMillis })
      const perMinute = 60_000 / gridMillis
      const closes = minuteCloses.map((_, place) => market.fundamentalAt(0, (place - 150) * perMinute))
      expect(closes).toEqual(minuteCloses)
    },
  )

  test.each([90_000, 120_000, 3_600_000])('is a sample of the minutes on a grid of %d ms', (gridMillis) => {
    const market = marketOf([asset(model)], { gridMillis })
    const second = marketOf([asset(model)])
    for (let index = -2; index <= 2; index += 1) {
      expect(market.fundamentalAt(0, index)).toBe(second.fundamentalAt(0, (index * gridMillis) / 1_000))
    }
  })

  test('agrees with itself on whole seconds, however fine the grid, or uneven', () => {
    const seconds = marketOf([asset(model)])
    const fine = marketOf([asset(model)], { gridMillis: 250 })
    const uneven = marketOf([asset(model)], { gridMillis: 7_000 })
    for (let second = -130; second <= 130; second += 1) {
      expect(fine.fundamentalAt(0, second * 4)).toBe(seconds.fundamentalAt(0, second))
      expect(uneven.fundamentalAt(0, second)).toBe(seconds.fundamentalAt(0, second * 7))
    }
  })

  test('does not depend on the order of reading', () => {
    const inOrder = marketOf([asset(model)], { gridMillis: 250 })
    const index = fc.integer({ min: -40_000, max: 40_000 })
    const jumping = marketOf([asset(model)], { gridMillis: 250 })
    const expected = new Map(prices(inOrder, -40_000, 40_000).map((price, place) => [place - 40_000, price]))
    fc.assert(
      fc.property(index, (at) => jumping.fundamentalAt(0, at) === expected.get(at)),
      { seed: 7, numRuns: caseBudget(500) },
    )
  })

  test('is not changed by another asset, bars, arrivals or prints', () => {
    const alone = marketOf([asset(model)])
    const among = marketOf([asset(gbm, 'AAVE', 100), asset(model), asset(gbm, 'ZRX', 1)])
    for (let minute = -3; minute < 3; minute += 1) {
      expect(among.minuteBar(1, minute)).toEqual(alone.minuteBar(0, minute))
      expect(among.arrivalsInMinute(1, minute)).toEqual(alone.arrivalsInMinute(0, minute))
      among.minuteBar(0, minute)
      among.recordedPrints(1, minute * 60 - 1, minute * 60)
      expect(prices(among, minute * 60, minute * 60 + 59, 1)).toEqual(
        prices(alone, minute * 60, minute * 60 + 59),
      )
    }
  })

  test('has an activity that is independent of the future and of reads', () => {
    const activities = [-70, 0, 40].map((minute) =>
      marketOf([asset(model)], { gridMillis: 60_000 }).activityAt(0, minute),
    )
    const read = marketOf([asset(gbm, 'AAVE'), asset(model)])
    prices(read, -600, 600, 1)
    expect([-70, 0, 40].map((minute) => read.activityAt(1, minute))).toEqual(activities)
    for (const activity of activities) expect(activity > 0 && activity < 1_000).toBe(true)
  })

  test('has bars that contain its seconds', () => {
    const market = marketOf([asset(model)])
    for (let minute = -70; minute < 70; minute += 7) {
      const seconds = prices(market, minute * 60, minute * 60 + 60)
      const { open, high, low, close } = market.minuteBar(0, minute)
      expect(open).toBe(seconds[0])
      expect(close).toBe(seconds[60])
      expect(market.minuteClose(0, minute)).toBe(close)
      // The candles of a recorded book are those of its trades, while its seconds are mids.
      const traded = model.kind === 'book' ? listTradedPrices(model, minute) : []
      const within = traded.length > 0 ? [open, close, ...traded] : seconds
      expect([high, low]).toEqual([Math.max(...within), Math.min(...within)])
    }
  })
})

describe('streams', () => {
  test('differ by seed and by symbol', () => {
    const path = prices(marketOf([asset(gbm)]), 1, 5)
    expect(prices(marketOf([asset(gbm)], { seed: '8' }), 1, 5)).not.toEqual(path)
    expect(prices(marketOf([asset(gbm, 'ETH')]), 1, 5)).not.toEqual(path)
  })

  test('reach the far past and the far future as cheaply as the next second', () => {
    const market = marketOf([asset({ kind: 'gbm', vol: 0.3, drift: 0 })], { gridMillis: 3_600_000 })
    const hoursInTwoCenturies = 200 * 8_760
    for (const index of [-hoursInTwoCenturies, hoursInTwoCenturies]) {
      const price = market.fundamentalAt(0, index)
      expect(price).toBeGreaterThan(0)
      expect(market.fundamentalAt(0, index + 1) / price).toBeCloseTo(1, 1)
    }
    expect(() => market.fundamentalAt(0, 600 * 8_760)).toThrow('510 years')
  })

  test('never make a price zero or infinite', () => {
    const wild: ModelSpec = { kind: 'gbm', vol: 100, drift: 100 }
    const market = marketOf([asset(wild)], { gridMillis: 3_600_000 })
    for (let index = -50_000; index <= 50_000; index += 500) {
      const price = market.fundamentalAt(0, index)
      expect(price >= 1e-10 && price <= 1e10).toBe(true)
    }
  })

  /* Golden values: the path is part of the contract of a version. A change here changes every recorded run. */
  test('the path of each model has its recorded digest', () => {
    const digests = Object.entries(everyModel).map(([kind, model]) => {
      const hash = new Hash128()
      hash.addFloat64Array(
        Float64Array.from(prices(marketOf([asset(model)], { gridMillis: 250 }), -2_000, 2_000)),
      )
      return `${kind} ${hash.digest()}`
    })
    expect(digests).toEqual([
      'constant 215a9cee7c8fc5035ec0cc0a76fbc507',
      'gbm bfee560dee6a22952772778d77cbd8ac',
      'ou 5b8ef540966cc8672854c5f605422eaa',
      'waypoints a3876fae327ffea71deeb51f8c7e2123',
      'replay b5e382793189583a46dbce058c44de40',
      'merton 98b2201aa82fcdd59d3d471e9eec863f',
      'heston 4140310afe95d180e6baf786fb4770c9',
      'garch 6ce1b68e3a0c9d5f018b18719887e7fa',
      'regimes afcfa8f906579ce5a3334e246491659d',
      'hawkes 0b48b9632df6aee791feef6ae37601b8',
      'bootstrap e5c7cfe0128935a83b1a4f7b03191c4a',
      'trades 7fee6f4c29238868935f1cd103547e33',
      'book 4ee6b97fb1779f2f5bf6164f4a7511f3',
      'market ef88c011deae48013dea850ef7293957',
    ])
  })
})

test.each([0, -1_000, 0.5, Number.NaN])('a market on a grid of %d ms is not made', (gridMillis) => {
  expect(() => marketOf([asset(gbm)], { gridMillis })).toThrow('a grid has a spacing of whole milliseconds')
})

/** Lists the prices of the trades that a recorded book has in a minute, USD. */
function listTradedPrices({ book, tickUsd }: BookReplaySpec, minute: number): readonly number[] {
  const fromMillis = startMillis + minute * 60_000
  return Array.from({ length: Math.ceil(book.rowCount / bookChunkRows) }, (_, number) => {
    const { atMillis, count, kinds, priceTicks } = book.chunk(number)
    return Array.from({ length: count }, (_, row) => row)
      .filter((row) => kinds[row] === bookRowKinds.trade)
      .filter((row) => Number(atMillis[row]) > fromMillis && Number(atMillis[row]) <= fromMillis + 60_000)
      .map((row) => Number(priceTicks[row]) * tickUsd)
  }).flat()
}
