// Room: engine

import { expect, it } from 'vitest'
import { findConfigProblem } from '../../src/engine/check-config.ts'
import { SmallVenue } from '../engine/fixtures/small-venue.ts'
import { listMistakes, scenarioWith } from '../scenario/fixtures.ts'

/*
 * Steps with 16 decimals together can count prices up to 7 USD exactly: a market at 50,000 USD silently opened at 7.
 */
it('refuses steps that cannot count the price of their market', () => {
  const { config } = new SmallVenue()
  const step = { units: 12_345_678, scale: 8 }
  const assets = config.assets.map((asset, row) =>
    row === 1 && asset.pair !== null
      ? { ...asset, pair: { ...asset.pair, priceStep: step, quantityStep: step } }
      : asset,
  )
  expect(findConfigProblem({ ...config, assets })?.field).toBe('assets[1].pair.priceStep')
  const pair = 'pair: {priceStep: 0.12345678, quantityStep: 0.12345678, maxQuantity: 12.345678}'
  const scenario = scenarioWith('').replace('liquidity: {kind: none}', `liquidity: {kind: none}, ${pair}`)
  expect(listMistakes(scenario)).toEqual([
    expect.stringMatching(/priceStep and quantityStep have too many digits for a price of 50000$/),
  ])
})
