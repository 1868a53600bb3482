import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GaussianPath } from '../../src/market/models/gaussian-path.ts'
import { brownianMotion } from '../../src/market/models/gaussian-process.ts'
import { createMarketFactors } from '../../src/market/models/market-model.ts'
import { minuteEnd } from '../../src/market/models/price-model.ts'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import { createModel } from '../../src/market/models/price-models.ts'
import { asset, marketOf, startMillis } from './market-of.ts'
import { everyModel } from './models/every-model.ts'
import { createOwnDraws } from './own-draws.ts'

/*
 * A market returns the price at its start without creating its models, so each model must begin at exactly that
 * price.
 */

const models: readonly (readonly [string, ModelSpec])[] = Object.entries(everyModel)

test.each(models)('%s begins at the price that the market returns', (_name, model) => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e7, noNaN: true }), fc.string(), (price, seed) => {
      const spec = asset(model, 'BTC', price)
      const names = { seed, symbol: 'BTC' }
      const made = createModel(spec, {
        startMillis,
        names,
        getNoise: () => new GaussianPath(brownianMotion, names, 'path'),
        getCommonDraws: () => createOwnDraws(names),
        getFactors: () => createMarketFactors(seed, startMillis),
      })
      const prices = new Float64Array(1)
      made.fillPrices(-1, minuteEnd, prices)
      expect(marketOf([spec], { seed }).fundamentalAt(0, 0)).toBe(prices[0])
    }),
    { seed: 7, numRuns: 20 },
  )
})
