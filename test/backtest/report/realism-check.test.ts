import { expect, it } from 'vitest'
import { checkRealism } from '../../../src/backtest/report/realism-check.ts'
import { createMarket } from '../../../src/market/create-market.ts'
import type { MarketSpec } from '../../../src/market/market-spec.ts'
import type { ModelSpec } from '../../../src/market/models/price-models.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'

const day = 86_400_000

function specOf(model: Readonly<Record<string, unknown>>, grid: string): MarketSpec {
  const loaded = loadScenarioValue({
    version: 1,
    name: 'path',
    seed: '7',
    clock: { start: '2026-01-05T00:00:00Z', grid },
    market: { assets: { BTC: { price: 50_000, model }, ETH: { price: 3_000, model: { kind: 'constant' } } } },
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.value.venue.market
}

function check(
  model: Readonly<Record<string, unknown>> & { readonly kind: ModelSpec['kind'] },
  days: number,
  grid = '1m',
) {
  const spec = specOf(model, grid)
  const market = createMarket(spec)
  const fromMillis = market.startMillis
  return checkRealism({ market, spec, fromMillis, toMillis: fromMillis + days * day, assets: ['BTC', 'ETH'] })
}

it('finds what a plain random walk lacks: heavy tails and volatility clustering', () => {
  const checks = check({ kind: 'gbm', vol: 0.6 }, 40)?.checks ?? []
  expect(new Set(checks.map(({ asset }) => asset))).toEqual(new Set(['BTC']))
  const passed = (name: string): boolean | undefined => checks.find((one) => one.name === name)?.isPassed
  expect(passed('kurtosis 1m')).toBe(false)
  expect(passed('memory of size 1m')).toBe(false)
  expect(passed('linear memory 1m')).toBe(true)
  expect(checks.every(({ expected, measured }) => expected !== '' && measured !== 'NaN')).toBe(true)
})

it('finds more of the stylized facts in the default market', () => {
  const share = (kind: 'gbm' | 'market'): number => {
    const checks = check(kind === 'gbm' ? { kind, vol: 0.6 } : { kind }, 60)?.checks ?? []
    return checks.filter(({ isPassed }) => isPassed).length / checks.length
  }
  expect(share('market')).toBeGreaterThan(share('gbm') + 0.2)
})

it('judges the same minutes on any grid', () => {
  expect(check({ kind: 'market' }, 40, '1h')).toEqual(check({ kind: 'market' }, 40))
})

it('does not judge short or recorded paths', () => {
  expect(check({ kind: 'gbm', vol: 0.6 }, 10)).toBeNull()
  expect(check({ kind: 'constant' }, 40)).toBeNull()
})

it('says how much of a path it has looked at', () => {
  expect(check({ kind: 'gbm', vol: 0.6 }, 40)).toMatchObject({ checkedMillis: 40 * day, isCut: false })
  expect(check({ kind: 'gbm', vol: 0.6 }, 731, '1h')).toMatchObject({ checkedMillis: 730 * day, isCut: true })
})
