import { expect, it } from 'vitest'
import { findConfigProblem } from '../../../src/engine/check-config.ts'
import type { AssetConfig, VenueConfig } from '../../../src/engine/config.ts'
import { makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'
import type { AssetMarketSpec } from '../../../src/market/market-spec.ts'
import { hawkesFlow } from '../fixtures/lively-venue.ts'
import { drawBookRows } from './draw-book-rows.ts'
import { coin, createRecordedConfig, type RecordedOptions } from './recorded-venue.ts'

const book = makeRecordedBook(drawBookRows('config', { startMillis: 1_767_571_200_000, count: 50 }))

/** A sound configuration with a recorded book, but for what is changed of its asset and of its market. */
function configWith(
  options: RecordedOptions,
  asset: Partial<AssetConfig> = {},
  market: Partial<AssetMarketSpec> = {},
): VenueConfig {
  const config = createRecordedConfig(book, options)
  return {
    ...config,
    assets: config.assets.map((one, row) => (row === coin ? { ...one, ...asset } : one)),
    market: { ...config.market, assets: config.market.assets.map((one) => ({ ...one, ...market })) },
  }
}

it.each<[string, VenueConfig, string]>([
  [
    'a price of another model',
    configWith({}, {}, { model: { kind: 'constant' } }),
    'is a recorded book, and the price has another model',
  ],
  [
    'drawn takers',
    configWith({}, {}, { flow: hawkesFlow }),
    'is a recorded book, beside which takers are recorded, or none',
  ],
  [
    'takers who move the price',
    configWith(
      {},
      { impact: { y: 0.7, permanent: 0.1, halfLifeMillis: 60_000, dailyVol: 0.03, advUsd: 1e8 } },
    ),
    'is a recorded book, which takers do not move',
  ],
  ['another price step', configWith({ model: { tickUsd: 0.1 } }), 'in other steps than those of the pair'],
  ['another quantity step', configWith({ model: { stepUnits: 1 } }), 'in other steps than those of the pair'],
  [
    'no liquidity, but recorded takers',
    configWith({}, { liquidity: { kind: 'none' } }, { model: { kind: 'constant' } }),
    'is not the recorded book of the market',
  ],
  [
    'no liquidity, but the price of a book',
    configWith({}, { liquidity: { kind: 'none' } }, { flow: { kind: 'none' } }),
    'is not the recorded book of the market',
  ],
])('a recorded book is refused beside %s', (_, config, reason) => {
  const problem = findConfigProblem(config)
  expect(problem?.field).toBe(`assets[${coin}].liquidity`)
  expect(problem?.message).toContain(reason)
})

it('a recorded book is sound with its own trades, and without any', () => {
  expect(findConfigProblem(configWith({}))).toBe(null)
  expect(findConfigProblem(configWith({ flow: { kind: 'none' } }))).toBe(null)
})
