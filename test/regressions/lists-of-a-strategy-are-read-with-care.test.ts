// Room: backtest

import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'

/*
 * An asset that a strategy named twice, as where two of its parameters are equal, gave it each bar twice. Candles whose
 * times were in microseconds ended a run with an invariant of ours, in place of the field that was wrong.
 */

it.each([
  [['BTC'], ['BTC']],
  [['BTC', 'BTC'], ['BTC']],
  [
    ['ETH', 'BTC', 'ETH'],
    ['ETH', 'BTC'],
  ],
])('the assets %j have the bars of %j', async (assets, expected) => {
  const shown: string[] = []
  const strategy = defineStrategy({
    name: 'bars',
    bar: '1m',
    assets: () => assets,
    onBar: (_, { asset }) => void shown.push(asset),
  })
  await backtest(strategy, { scenario: 'calm', to: '2m' })
  expect(shown).toEqual([...expected, ...expected])
})

const hour = { spanMillis: 3_600_000, open: 1, high: 1, low: 1, close: 1, volume: 1 }

it.each([
  ['microseconds', 1_735_689_600_000_000],
  ['the year 10000', 253_402_300_800_000],
  ['the year 9998', 253_339_228_800_000 - 1],
])('candles of times in %s are refused', async (_, atMillis) => {
  const strategy = defineStrategy({ name: 'none', onTick: () => undefined })
  const told = (field: string) =>
    `${field}: they end at ${atMillis + 3_600_000} ms since 1970, beyond the year 9997`
  const candles = [{ ...hour, atMillis }]
  await expect(backtest(strategy, { candles })).rejects.toThrow(new RangeError(told('candles')))
  await expect(backtest(strategy, { candles: { BTC: candles } })).rejects.toThrow(
    new RangeError(told('candles.BTC')),
  )
})
