import { expect, it } from 'vitest'
import { backtest, defineStrategy } from '../../src/index.ts'

/* More points than a call takes arguments: a run of 130 days by the minute ended with "Maximum call stack size exceeded". */

it('with as many points as a year has half-minutes', async () => {
  const still = defineStrategy({ name: 'still', onStart: () => undefined })
  const result = await backtest(still, { model: 'constant', to: '5m', equityGrid: '1ms' })
  expect(result.equity.atMillis).toHaveLength(300_001)
  expect(result.metrics.maker.inventory).toEqual([])
})
