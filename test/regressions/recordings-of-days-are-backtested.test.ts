// Room: backtest

import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'

const dayMillis = 86_400_000

// A clock cannot have a grid of a quarter of a day: `--data` with daily candles was refused for a grid nobody had given.
it('runs on daily candles, on the coarsest grid', async () => {
  const candles = Array.from({ length: 5 }, (_, place) => ({
    atMillis: Date.UTC(2025, 0, 1) + place * dayMillis,
    spanMillis: dayMillis,
    open: 100,
    high: 104,
    low: 99,
    close: 103,
    volume: 1,
  }))
  const reader = defineStrategy({ name: 'reader', bar: '1d', onBar: () => undefined })
  const result = await backtest(reader, { candles })
  expect([result.tickMillis, result.calls['onBar']]).toEqual([3_600_000, 5])
})
