// Room: backtest

import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'

const spanMillis = 3_600_000

const recorded = () =>
  Array.from({ length: 48 }, (_, place) => ({
    atMillis: Date.UTC(2025, 0, 1) + place * spanMillis,
    spanMillis,
    open: 100 + place,
    high: 102 + place,
    low: 99 + place,
    close: 101 + place,
    volume: 5,
  }))

/** Buys at the first bar and holds. */
const holder = defineStrategy({
  name: 'holder',
  bar: '1h',
  state: () => ({ hasBought: false }),
  onBar({ state, sync }, { asset }) {
    if (state.hasBought) return
    state.hasBought = true
    sync.orders.create({ asset, side: 'buy', quantity: 1, orderType: 'market' })
  },
})

type Candles = ReturnType<typeof recorded>

const changes: Readonly<Record<string, (candles: Candles) => void>> = {
  'a price': (candles) => Object.assign(candles[40] ?? {}, { high: 900, close: 800 }),
  'a volume': (candles) => Object.assign(candles[40] ?? {}, { volume: 7 }),
  'a span': (candles) => Object.assign(candles[47] ?? {}, { spanMillis: spanMillis / 2 }),
  'the end': (candles) => candles.pop(),
}

// What is found of a recording is kept by its list, and a second run had the prices of the first.
it.each(Object.keys(changes))('plays candles as they are now: %s was changed in place', async (what) => {
  const candles = recorded()
  await backtest(holder, { candles })
  changes[what]?.(candles)
  const fresh = candles.map((candle) => ({ ...candle }))
  expect(await backtest(holder, { candles })).toEqual(await backtest(holder, { candles: fresh }))
})

it('refuses candles that are spoilt in place', async () => {
  const candles = recorded()
  await backtest(holder, { candles })
  Object.assign(candles[7] ?? {}, { low: Number.NaN })
  await expect(backtest(holder, { candles })).rejects.toThrow('candles[7].low')
})
