import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkMarketSpec } from '../../../src/market/check-market.ts'
import type { ModelSpec } from '../../../src/market/models/price-models.ts'
import { asset, marketOf, startMillis } from '../market-of.ts'
import { everyModel, swingingCandles } from './every-model.ts'

/* Every specification that passes the check makes prices that are positive, finite and the same in any reading order. */

const between = (least: number, most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.double({ min: least, max: most, noNaN: true }), fc.constantFrom(least, most))

const vol = fc.oneof(between(0, 3), between(0, 100))
const drift = fc.oneof(fc.constant(0), between(-100, 100))

const row = (length: number): fc.Arbitrary<number[]> =>
  fc
    .array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: length, maxLength: length })
    .map((values) => {
      const sum = values.reduce((total, value) => total + value, 0)
      return values.map((value) => value / sum)
    })

const regimes: fc.Arbitrary<ModelSpec> = fc.integer({ min: 1, max: 4 }).chain((count) =>
  fc.record({
    kind: fc.constant('regimes' as const),
    vol,
    regimes: fc.array(fc.record({ volMultiple: between(0.01, 1000), drift }), {
      minLength: count,
      maxLength: count,
    }),
    transitions: fc.array(row(count), { minLength: count, maxLength: count }),
  }),
)

const anyModel: fc.Arbitrary<ModelSpec> = fc.oneof(
  fc.record({ kind: fc.constant('gbm' as const), vol, drift }),
  fc.record({
    kind: fc.constant('ou' as const),
    mean: between(1e-10, 1e10),
    halfLifeMillis: between(1000, 1e12),
    stationarySd: between(0, 10),
  }),
  fc.record({
    kind: fc.constant('merton' as const),
    vol,
    drift,
    jumpsPerYear: between(0, 1e6),
    jumpMean: between(-1, 1),
    jumpSd: between(0, 1),
  }),
  fc.record({
    kind: fc.constant('heston' as const),
    meanVariance: between(1e-8, 100),
    meanReversion: between(0.01, 1e5),
    volOfVariance: between(1e-4, 1000),
    leverage: between(-0.99, 0.99),
    drift,
  }),
  fc.record({
    kind: fc.constant('garch' as const),
    vol,
    barMinutes: fc.integer({ min: 1, max: 1440 }),
    alpha: between(0, 1),
    beta: between(0, 1),
    asymmetry: between(-1, 1),
    tails: between(2.05, 1000),
  }),
  regimes,
  fc.record({
    kind: fc.constant('hawkes' as const),
    vol,
    drift,
    jumps: fc.record({
      perDay: between(0, 300),
      branching: between(0, 0.95),
      decayMillis: between(1000, 7_200_000),
      size: between(0, 1000),
      tilt: between(-10, 10),
    }),
  }),
  fc.record({
    kind: fc.constant('bootstrap' as const),
    candles: fc.constant(swingingCandles),
    meanPieceMillis: between(3_600_000, 1e12),
  }),
  fc.record({
    kind: fc.constant('market' as const),
    vol,
    drift,
    marketShare: between(-10, 10),
    altShare: between(-10, 10),
    ownShare: between(0, 10),
    marketShareSd: between(0, 1),
    commonVolatility: between(0, 1),
    standstillBps: between(0, 100),
    dailyVolumeUsd: between(0, 1e15),
  }),
)

const isSound = (model: ModelSpec): boolean =>
  checkMarketSpec({ seed: '7', startMillis, gridMillis: 1_000, assets: [asset(model)] }) === null

test('every valid model makes prices within bounds, the same in any reading order', () => {
  fc.assert(
    fc.property(
      anyModel.filter(isSound),
      fc.array(fc.integer({ min: -200_000, max: 200_000 }), { maxLength: 8 }),
      (model, indices) => {
        const market = marketOf([asset(model)])
        const prices = indices.map((index) => market.fundamentalAt(0, index))
        for (const price of prices) expect(price >= 1e-10 && price <= 1e10).toBe(true)
        const again = marketOf([asset(model)])
        const backwards = [...indices].reverse().map((index) => again.fundamentalAt(0, index))
        expect(backwards.reverse()).toEqual(prices)
        for (const index of indices) {
          const minute = Math.floor(index / 60)
          const activity = market.activityAt(0, minute)
          expect(activity >= 0 && activity < Number.POSITIVE_INFINITY).toBe(true)
          const volume = market.volumeUsdIn(0, minute)
          expect(volume === null || (volume >= 0 && volume < Number.POSITIVE_INFINITY)).toBe(true)
        }
      },
    ),
    { seed: 7, numRuns: 60 },
  )
})

test.each<[string, ModelSpec]>(Object.entries(everyModel))(
  'many prices of %s at once are each of them',
  (_kind, model) => {
    for (const gridMillis of [60_000, 7_000]) {
      const written = new Float64Array(9)
      marketOf([asset(model)], { gridMillis }).writeFundamentals(0, { first: -5, step: 2, count: 9 }, written)
      const other = marketOf([asset(model)], { gridMillis })
      expect([...written]).toEqual([...written].map((_, place) => other.fundamentalAt(0, 2 * place - 5)))
    }
  },
)
