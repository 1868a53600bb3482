import { describe, expect, test } from 'vitest'
import { checkImpact } from '../../../src/market/liquidity/impact.ts'
import {
  checkLiquidity,
  type LiquidityDynamics,
  type LiquiditySpec,
} from '../../../src/market/liquidity/liquidity.ts'
import { bitcoinImpact, bitcoinLiquidity, dynamics } from '../../engine/fixtures/lively-venue.ts'
import { type Bounds, expectBounds } from '../bounds.ts'

describe('liquidity', () => {
  const power = { kind: 'power', spreadBps: 4, depth10bpUsd: 2e6 } as const
  const exponential = { kind: 'exponential', spreadBps: 4, maxUsd: 1, scaleBps: 1 } as const
  const flat = { kind: 'flat', spreadBps: 4, levelUsd: 1, stepBps: 1, levels: 5 } as const
  const moving = (change: Partial<LiquidityDynamics>): LiquiditySpec => ({
    ...power,
    dynamics: { ...dynamics, ...change },
  })

  test.each<Bounds<LiquiditySpec>>([
    { field: 'spreadBps', least: 0, most: 19_000, of: (spreadBps) => ({ ...power, spreadBps }) },
    { field: 'spreadBps', least: 0, most: 19_000, of: (spreadBps) => ({ ...exponential, spreadBps }) },
    { field: 'spreadBps', least: 0, most: 19_000, of: (spreadBps) => ({ ...flat, spreadBps }) },
    { field: 'depth10bpUsd', least: 0, most: 1e9, of: (depth10bpUsd) => ({ ...power, depth10bpUsd }) },
    { field: 'maxUsd', least: 0, most: 1e9, of: (maxUsd) => ({ ...exponential, maxUsd }) },
    { field: 'scaleBps', least: 1e-6, most: 1e6, of: (scaleBps) => ({ ...exponential, scaleBps }) },
    { field: 'levelUsd', least: 0, most: 1e9, of: (levelUsd) => ({ ...flat, levelUsd }) },
    { field: 'stepBps', least: 0, most: 10_000, of: (stepBps) => ({ ...flat, stepBps }) },
    {
      field: 'levels',
      least: 1,
      most: 50,
      words: 'a whole number from 1 to 50',
      of: (levels) => ({ ...flat, levels }),
    },
    {
      field: 'asks[0][0]',
      least: 1e-10,
      most: 1e10,
      words: 'a price from 1e-10 to 1e10 USD',
      of: (at) => ({ kind: 'ladder', bids: [], asks: [[at, 1]] }),
    },
    {
      field: 'bids[0][1]',
      least: 0,
      most: 1e15,
      of: (size) => ({ kind: 'ladder', bids: [[1, size]], asks: [] }),
    },
    {
      field: 'dynamics.spreadExponent',
      least: 0,
      most: 3,
      of: (spreadExponent) => moving({ spreadExponent }),
    },
    { field: 'dynamics.depthExponent', least: 0, most: 3, of: (depthExponent) => moving({ depthExponent }) },
    { field: 'dynamics.flickerSd', least: 0, most: 2, of: (flickerSd) => moving({ flickerSd }) },
    {
      field: 'dynamics.flickerHalfLifeMillis',
      least: 100,
      most: 86_400_000,
      words: 'from 100ms to 1d',
      of: (flickerHalfLifeMillis) => moving({ flickerHalfLifeMillis }),
    },
    {
      field: 'dynamics.refillHalfLifeMillis',
      least: 0,
      most: 86_400_000,
      words: 'from 0ms to 1d',
      of: (refillHalfLifeMillis) => moving({ refillHalfLifeMillis }),
    },
    { field: 'dynamics.pull', least: 0, most: 1, of: (pull) => moving({ pull }) },
    {
      field: 'dynamics.pullHalfLifeMillis',
      least: 1000,
      most: 86_400_000,
      words: 'from 1s to 1d',
      of: (pullHalfLifeMillis) => moving({ pullHalfLifeMillis }),
    },
    { field: 'dynamics.skew', least: 0, most: 1, of: (skew) => moving({ skew }) },
    { field: 'dynamics.inventoryUsd', least: 1, most: 1e12, of: (inventoryUsd) => moving({ inventoryUsd }) },
  ])('$field', (row) => {
    expectBounds(row, checkLiquidity)
  })

  test.each<[string | null, LiquiditySpec]>([
    [null, { kind: 'none' }],
    [null, { kind: 'ladder', bids: [], asks: [[1, 1]] }],
    ['levels', { ...flat, levels: 2.5 }],
    [
      'asks[1][1]',
      {
        kind: 'ladder',
        bids: [],
        asks: [
          [1, 1],
          [2, -1],
        ],
      },
    ],
  ])('the field with the first problem is %s', (field, spec) => {
    expect(checkLiquidity(spec)?.field ?? null).toBe(field)
  })

  test.each([exponential, flat])('$kind has dynamics, too', (spec) => {
    expect(checkLiquidity({ ...spec, dynamics })).toBeNull()
    expect(checkLiquidity({ ...spec, dynamics: { ...dynamics, pull: 2 } })?.field).toBe('dynamics.pull')
  })

  test('an ask at the best bid is refused, wherever they stand', () => {
    const bids = [
      [4, 1],
      [5, 1],
      [3, 1],
    ] as const
    const found = checkLiquidity({
      kind: 'ladder',
      bids,
      asks: [
        [6, 1],
        [5, 1],
        [7, 1],
      ],
    })
    expect(found).toEqual({ field: 'asks', message: 'are not all above the best bid 5' })
    expect(checkLiquidity({ kind: 'ladder', bids, asks: [[5.01, 1]] })).toBeNull()
  })
})

test.each<Bounds<typeof bitcoinImpact>>([
  { field: 'y', least: 0, most: 10, of: (y) => ({ ...bitcoinImpact, permanent: 0, y }) },
  { field: 'dailyVol', least: 0, most: 1, of: (dailyVol) => ({ ...bitcoinImpact, permanent: 0, dailyVol }) },
  { field: 'advUsd', least: 1000, most: 1e15, of: (advUsd) => ({ ...bitcoinImpact, permanent: 0, advUsd }) },
  {
    field: 'halfLifeMillis',
    least: 1000,
    most: 30 * 86_400_000,
    words: 'from 1s to 30d',
    of: (halfLifeMillis) => ({ ...bitcoinImpact, halfLifeMillis }),
  },
])('impact: $field', (row) => {
  expectBounds(row, (impact) => checkImpact(impact, bitcoinLiquidity))
})

test('all of the impact may be permanent where nobody can earn from moving a ladder', () => {
  const permanent = { ...bitcoinImpact, permanent: 1, advUsd: 1000 }
  for (const liquidity of [{ kind: 'none' }, { kind: 'ladder', bids: [], asks: [] }] as const)
    expect(checkImpact(permanent, liquidity)).toBeNull()
  expect(checkImpact(permanent, bitcoinLiquidity)).toMatchObject({ field: 'permanent' })
})
