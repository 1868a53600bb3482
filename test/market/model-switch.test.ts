import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMarket } from '../../src/market/create-market.ts'
import type { AssetMarketSpec, ModelOrRecording, RecordedModelSpec } from '../../src/market/market-spec.ts'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import type { PathOverride } from '../../src/market/path-override.ts'
import {
  computeFundamental,
  createJump,
  createModelChange,
  createPath,
  createVolatilityChange,
  findModelChange,
} from '../../src/market/path-override.ts'
import { asset, gbm, prices, printedIn, startMillis } from './market-of.ts'
import { everyModel } from './models/every-model.ts'

const { bootstrap, replay, trades, book: ___, waypoints: _, gbm: __, ...generated } = everyModel
const wide: ModelOrRecording = { kind: 'gbm', vol: 2, drift: 0.5 }
const recordings: readonly RecordedModelSpec[] = [bootstrap, replay, trades]
const eth = 0
const btc = 1
const owns = (model: ModelSpec = gbm): AssetMarketSpec => ({ ...asset(model), recordings })
const marketOf = (model: ModelSpec = gbm) =>
  createMarket({
    seed: '7',
    startMillis,
    gridMillis: 1_000,
    assets: [asset(gbm, 'ETH', 3_000), owns(model)],
  })
const alternatives: readonly (readonly [string, ModelOrRecording])[] = [
  ['gbm', wide],
  ...Object.entries(generated),
  ...recordings.map(({ kind }, place) => [kind, { kind: 'recorded', place }] as const),
]

describe.each(alternatives)('a price that is switched to %s', (kind, model) => {
  const market = marketOf()
  const at = 754
  const to = createModelChange(market, btc, [], at, model)
  const priceOf = (index: number, from = market) => computeFundamental(from, btc, [to], index)

  test("continues exactly from the price at the switch, and is the asset's own before it", () => {
    expect(priceOf(at)).toBe(market.fundamentalAt(btc, at))
    expect(priceOf(at - 1)).toBe(market.fundamentalAt(btc, at - 1))
    const after = Array.from({ length: 4_000 }, (_step, step) => priceOf(at + step))
    expect(after.every((price) => price > 0 && Number.isFinite(price))).toBe(true)
    expect(new Set(after).size > 1).toBe(kind !== 'constant')
  })

  test('is the same in any reading order, and from another copy of the switch', () => {
    const other = marketOf()
    const copy = structuredClone(to)
    const backwards = Array.from({ length: 50 }, (_step, step) =>
      computeFundamental(other, btc, [copy], at + 4_000 - 80 * step),
    )
    expect(backwards.reverse()).toEqual(
      Array.from({ length: 50 }, (_step, step) => priceOf(at + 80 + 80 * step)),
    )
  })

  test('shifts no random stream: the asset’s own prices, its activity and other assets are unchanged', () => {
    const untouched = marketOf()
    for (let step = 0; step < 300; step += 1) priceOf(at + 20 * step)
    expect(prices(market, 1, 900, btc)).toEqual(prices(untouched, 1, 900, btc))
    expect(prices(market, 1, 900, eth)).toEqual(prices(untouched, 1, 900, eth))
    expect(market.arrivalsInMinute(btc, 14)).toEqual(untouched.arrivalsInMinute(btc, 14))
  })

  test('keeps the new model after jumps, paths and changes of volatility', () => {
    const own = (from: number, until: number) => priceOf(until) / priceOf(from)
    const jump = createJump(market, btc, startMillis + 1_000_000, 60_000, [to])
    const path = createPath(market, btc, [to], {
      id: 1,
      atMillis: startMillis + 1_000_000,
      points: [{ offsetMillis: 30_000, price: 40_000 }],
      noiseVol: 0,
    })
    const bend = createVolatilityChange(market, btc, [to], 1_000, { volMultiplier: 2, drift: 0 })
    const moved = (overrides: readonly PathOverride[], from: number, until: number) =>
      computeFundamental(market, btc, overrides, until) / computeFundamental(market, btc, overrides, from)
    for (const until of [1_031, 1_500, 3_000]) {
      expect(moved([to, jump], 1_000, until)).toBeCloseTo(own(1_000, until), 9)
      expect(moved([to, path], 1_030, until)).toBeCloseTo(own(1_030, until), 9)
      expect(moved([to, bend], 1_000, until)).toBeCloseTo(own(1_000, until) ** 2, 9)
    }
    for (const over of [jump, path, bend]) expect(findModelChange([to, over])).toEqual(to)
  })
})

test('the price is continuous at a switch at any instant and after any other switch', () => {
  const market = marketOf()
  const kind = fc.constantFrom(...alternatives.map(([, model]) => model))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(kind, fc.integer({ min: 0, max: 5_000 })), { maxLength: 4 }),
      (switches) => {
        let index = 0
        const overrides: PathOverride[] = []
        for (const [model, later] of switches) {
          index += later
          const before = computeFundamental(market, btc, overrides, index)
          overrides.push(createModelChange(market, btc, overrides, index, model))
          expect(computeFundamental(market, btc, overrides, index)).toBe(before)
        }
      },
    ),
    { seed: 7, numRuns: 40 },
  )
})

test("gbm after gbm scales the asset's own Brownian motion, so that assets stay correlated", () => {
  const market = marketOf()
  const to = createModelChange(market, btc, [], 600, {
    kind: 'gbm',
    vol: gbm.kind === 'gbm' ? gbm.vol : 0,
    drift: 0,
  })
  for (const index of [601, 700, 5_000])
    expect(computeFundamental(market, btc, [to], index)).toBeCloseTo(market.fundamentalAt(btc, index), 6)
})

test('ou returns to the mean that it states, with its half-life, wherever the price came from', () => {
  const market = marketOf()
  const model: ModelOrRecording = { kind: 'ou', mean: 40_000, halfLifeMillis: 600_000, stationarySd: 0.0001 }
  const to = createModelChange(market, btc, [], 600, model)
  const distance = (index: number) => Math.log(computeFundamental(market, btc, [to], index) / 40_000)
  expect(distance(600 + 600) / distance(600)).toBeCloseTo(0.5, 2)
  expect(distance(600 + 36_000)).toBeCloseTo(0, 2)
})

test('a recording begins at the switch, scaled to the price there, prints included', () => {
  const market = marketOf({ kind: 'constant' })
  const to = createModelChange(market, btc, [], 600, { kind: 'recorded', place: 1 })
  const [first] = replay.candles
  if (first === undefined) throw new Error('There are candles')
  const seconds = first.spanMillis / 1000
  const end = computeFundamental(market, btc, [to], 600 + seconds - 1)
  expect(end / 50_000).toBeGreaterThan((0.999 * first.low) / first.open)
  expect(end / 50_000).toBeLessThan((1.001 * first.high) / first.open)
  const prints = Array.from({ length: seconds }, (_step, step) =>
    printedIn(market, 600 + step - 1, 600 + step, btc, to),
  ).flat()
  expect(prints[0]).toMatchObject({ price: 50_000, quantity: first.volume / 4 })
  expect(printedIn(market, 599, 600, btc)).toEqual([])
})

test('activity, volume and takers are those of the model in force', () => {
  const market = createMarket({
    seed: '7',
    startMillis,
    gridMillis: 1_000,
    assets: [asset(gbm), { ...owns(everyModel.market) }],
  })
  const calm = createModelChange(market, btc, [], 60, { kind: 'constant' })
  const heston = createModelChange(market, btc, [], 60, everyModel.heston)
  expect(market.volumeUsdIn(btc, 5)).toBeGreaterThan(0)
  expect(market.volumeUsdIn(btc, 5, calm)).toBeNull()
  expect(market.activityAt(btc, 5, calm)).toBe(1)
  expect(market.activityAt(btc, 5, heston)).not.toBe(market.activityAt(btc, 5))
  const back = createModelChange(market, 0, [], 60, everyModel.market)
  expect(market.volumeUsdIn(0, 5)).toBeNull()
  expect(market.volumeUsdIn(0, 5, back)).toBeGreaterThan(0)
})
