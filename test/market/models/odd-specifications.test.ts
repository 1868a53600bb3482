import { expect, test } from 'vitest'
import type { ModelSpec } from '../../../src/market/models/price-models.ts'
import { asset, marketOf } from '../market-of.ts'
import { everyModel } from './every-model.ts'

const { gbm, garch, regimes, hawkes, market } = everyModel
const stillModels: readonly ModelSpec[] = [gbm, garch, regimes, hawkes, market].map((model) => ({
  ...model,
  vol: 0,
  drift: 0,
}))

test.each(stillModels.map((model) => [model.kind, model] as const))(
  '%s without volatility or drift has a finite activity',
  (_kind, model) => {
    const still = marketOf([asset(model)])
    for (const minute of [-500, -1, 0, 700]) {
      const activity = still.activityAt(0, minute)
      expect(activity >= 0 && activity < 10).toBe(true)
    }
  },
)

test.each([2_300, 7_100])('a grid of %i ms agrees with one of a second where they meet', (gridMillis) => {
  const odd = marketOf([asset(gbm)], { gridMillis })
  const seconds = marketOf([asset(gbm)])
  let met = 0
  for (let index = 1; index < 600; index += 1) {
    if ((index * gridMillis) % 1000 !== 0) continue
    expect(odd.fundamentalAt(0, index)).toBe(seconds.fundamentalAt(0, (index * gridMillis) / 1000))
    met += 1
  }
  expect(met).toBeGreaterThan(50)
})
