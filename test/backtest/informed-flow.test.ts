import { describe, expect, it } from 'vitest'
import marketMaker from '../../scenarios/strategies/market-maker.ts'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestResult } from '../../src/backtest/result.ts'
import { markoutMillis } from '../../src/metrics/records.ts'
import { bootstrapInterval } from '../../src/metrics/samples.ts'
import { libraryOf } from '../support/library-of.ts'

/*
 * Market making can lose: with the same quotes, the share of informed takers decides. These runs last a few hours;
 * `EDGE_HOURS=12 npm test -- test/backtest/informed-flow.test.ts` has twelve hours per seed.
 */

const hours = Number(process.env['EDGE_HOURS'] ?? 1)
const seeds = ['1', '2', '3', '4']
/** Student's 97.5 % quantile for four seeds. */
const student = 3.182

function scenarioOf(share: number) {
  const loaded = libraryOf({
    informed: {
      version: 1,
      name: 'informed',
      clock: { start: '2026-01-05T00:00:00Z', grid: '1s' },
      market: {
        flow: { kind: 'hawkes', ratePerMinute: { BTC: 12 }, informed: { share, horizon: '120s' } },
        assets: {
          BTC: {
            price: 50_000,
            model: { kind: 'gbm', vol: 0.6 },
            liquidity: { kind: 'power', spreadBps: 20, depth10bpUsd: 2_000_000 },
          },
        },
      },
      accounts: [
        {
          id: 'desk',
          type: 'margin',
          balances: { USD: 5_000_000 },
          limits: { maxLeverage: 5, maxDailyVolume: 1e9, maxOrderValue: 1e8 },
        },
      ],
    },
  }).load('informed')
  if (loaded === null || !loaded.ok) throw new Error('the scenario compiles')
  return loaded.value
}

async function runsOf(share: number, halfSpreadBps: number): Promise<readonly BacktestResult[]> {
  const scenario = scenarioOf(share)
  const runs: BacktestResult[] = []
  for (const seed of seeds) {
    const parameters = { halfSpreadBps, skewBps: halfSpreadBps, size: 0.2, maxInventory: 2 }
    runs.push(await backtest(marketMaker, { scenario, seed, to: `${hours}h`, parameters }))
  }
  return runs
}

/** 95 % confidence interval of the mean profit over the seeds, USD. */
function profitInterval(runs: readonly BacktestResult[]): readonly [low: number, high: number] {
  const profits = runs.map(({ metrics }) => metrics.returns.profit)
  const mean = profits.reduce((sum, one) => sum + one) / profits.length
  const squares = profits.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const error = Math.sqrt(squares / (profits.length - 1) / profits.length)
  return [mean - student * error, mean + student * error]
}

/** 95 % confidence interval of the markout of all fills after five minutes, basis points. */
function markoutInterval(runs: readonly BacktestResult[]): readonly [low: number, high: number] {
  const place = markoutMillis.indexOf(300_000)
  const known = runs.flatMap(({ fills, fromMillis, toMillis }, run) =>
    fills.flatMap((fill) => {
      const mid = fill.midAfter[place] ?? null
      if (mid === null || fill.isMaker !== true) return []
      return [
        {
          bps: (((fill.side === 'buy' ? 1 : -1) * (mid - fill.price)) / fill.price) * 10_000,
          value: fill.value,
          // The runs one after the other.
          atMillis: fill.atMillis + run * (toMillis - fromMillis),
        },
      ]
    }),
  )
  const { high, low } = bootstrapInterval(
    known.map(({ bps }) => bps),
    known.map(({ value }) => value),
    { atMillis: known.map(({ atMillis }) => atMillis), reachMillis: 300_000 },
    'edge',
  )
  return [low.value ?? 0, high.value ?? 0]
}

describe('a market maker', () => {
  it('loses at 2 basis points when six of ten takers are informed', { timeout: 600_000 }, async () => {
    const runs = await runsOf(0.6, 2)
    expect(profitInterval(runs)[1]).toBeLessThan(0)
    expect(markoutInterval(runs)[1]).toBeLessThan(0)
    for (const { metrics } of runs) expect(metrics.maker.fills).toBeGreaterThan(300)
    const causes = new Set(runs.flatMap(({ fills }) => fills.map(({ cause }) => cause?.kind)))
    expect([...causes].toSorted()).toEqual(expect.arrayContaining(['flow', 'informed', 'ladder']))
  })

  it('earns at 5 basis points when two of ten are', { timeout: 600_000 }, async () => {
    const runs = await runsOf(0.2, 5)
    expect(profitInterval(runs)[0]).toBeGreaterThan(0)
    expect(markoutInterval(runs)[0]).toBeGreaterThan(0)
    for (const { metrics } of runs) {
      const minute = metrics.maker.markouts.find(({ horizonMillis }) => horizonMillis === 60_000)
      expect(minute?.lowBps.value).toBeGreaterThan(0)
    }
  })
})
