// Room: backtest

import { expect, it } from 'vitest'
import { backtest, defineStrategy } from '../../src/index.ts'

/* With more points than a call can take arguments, a run of 130 days by the minute failed: "Maximum call stack size exceeded". */

it('on a grid of half-minutes over a year', async () => {
  const still = defineStrategy({ name: 'still', onStart: () => undefined })
  const result = await backtest(still, { model: 'constant', to: '5m', equityGrid: '1ms' })
  expect(result.equity.atMillis).toHaveLength(300_001)
  expect(result.metrics.maker.inventory).toEqual([])
})
