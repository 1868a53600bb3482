import { expect, test } from 'vitest'
import { createMarket } from '../../../src/market/create-market.ts'
import type { AssetMarketSpec } from '../../../src/market/market-spec.ts'
import { cutMarketWindows } from '../../../src/metrics/realism/market-windows.ts'
import { judgePath } from '../../../src/metrics/realism/shipped-judge.ts'
import { daysOfMinutes, type WindowKind, weeksOfHours } from '../../../src/metrics/realism/window-features.ts'
import { startMillis } from '../../realism/measure.ts'
import { assetOf, candidates, defaultAsset } from '../../realism/specs.ts'

function judge(asset: AssetMarketSpec, kind: WindowKind, days: number): number {
  const windows = ['1', '2', '3'].flatMap((seed) => {
    const market = createMarket({ seed, startMillis, gridMillis: 60_000, assets: [asset] })
    const toMillis = startMillis + days * 86_400_000
    return cutMarketWindows({ market, asset: 0, fromMillis: startMillis, toMillis }, kind).windows
  })
  return judgePath(windows, kind)?.auc ?? Number.NaN
}

/** Weeks of garch are the nearest to recorded ones of all: 0.89 to 0.90 on 30 and 90 weeks. */
const leastWeeks = (name: string): number => (name.startsWith('garch') ? 0.87 : 0.9)

test.each(candidates)('knows that $name is no recorded market', ({ model, name }) => {
  expect(judge(assetOf(model), daysOfMinutes, 14)).toBeGreaterThan(0.95)
  expect(judge(assetOf(model), weeksOfHours, 70)).toBeGreaterThan(leastWeeks(name))
})

test('tells the default market less well', () => {
  expect(judge(defaultAsset('BTC'), daysOfMinutes, 28)).toBeLessThan(0.9)
  expect(judge(defaultAsset('BTC'), weeksOfHours, 70)).toBeLessThan(0.85)
})

test('judges nothing without a window', () => {
  expect(judgePath([], daysOfMinutes)).toBeNull()
})
