// Room: backtest

import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { convertTradesToCandles } from '../../src/market/recordings/trade-table.ts'

const start = Date.UTC(2025, 0, 1)
const trade = (place: number, price: number) =>
  ({ atMillis: start + place * 500, price, quantity: 1, side: null }) as const
const strategy = defineStrategy({ name: 'reader', tick: '1s', onTick: () => undefined })

// Trades are passed as candles without a span, and a check of candles refused them for that.
it('runs on a recording of trades, and names an invalid one', async () => {
  const trades = Array.from({ length: 120 }, (_, place) => trade(place, 100 + (place % 7)))
  const { equity } = await backtest(strategy, { candles: convertTradesToCandles(trades) })
  expect(equity.assets[0]?.price.at(-1)).toBe(100)
  const bad = convertTradesToCandles([...trades, trade(60, 100)])
  await expect(backtest(strategy, { candles: bad })).rejects.toThrow(
    'trades[120].atMillis is not a whole number',
  )
})
