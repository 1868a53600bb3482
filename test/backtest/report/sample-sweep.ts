import type { SweepContext } from '../../../src/backtest/report/sweep-sections.ts'
import { type CaseRow, listCases, type SweepCase, type SweepPlan } from '../../../src/backtest/sweep/plan.ts'
import { createStream } from '../../../src/numeric/random.ts'

/* The rows of a possible sweep: a wider spread earns more, informed takers reduce that, and some cases fail. */

export const samplePlan: SweepPlan = {
  work: {
    version: '1.2.3',
    strategy: { file: 'strategies/of-the-desk/that-has-a-long-name/maker <b>.ts', digest: 'aa' },
    scenario: { name: 'calm', digests: { 'informed=0.2': 'b2', 'informed=0.6': 'b6' } },
    options: { scenario: 'calm', to: '30d' },
  },
  seeds: Array.from({ length: 40 }, (_, place) => String(place + 1)),
  grid: [
    { name: 'spreadBps', of: 'strategy', values: ['2', '5', '9'] },
    { name: 'informed', of: 'scenario', values: ['0.2', '0.6'] },
  ],
}

export const sampleContext: SweepContext = { version: '1.2.3', cases: 240, objective: 'returns.profit' }

export const sampleRows: readonly CaseRow[] = listCases(samplePlan).map(rowFor)

function rowFor(each: SweepCase): CaseRow {
  const { id, seed, parameters } = each
  const common = { id, seed, parameters }
  if (seed === '13' && parameters['spreadBps'] === '9') {
    return { ...common, digest: null, metrics: {}, equity: [], failure: '</td><script>alert(1)</script>' }
  }
  // One stream per seed: cells share the market, so they differ less from each other than between seeds.
  const stream = createStream(seed, 'sample', '', 0)
  const edge = Number(parameters['spreadBps']) * 40 - Number(parameters['informed']) * 500
  const equity = [1_000_000]
  for (let step = 0; step < 40; step += 1)
    equity.push((equity.at(-1) ?? 0) + edge / 4 + stream.normal() * 500)
  const profit = (equity.at(-1) ?? 0) - 1_000_000
  const metrics = {
    'returns.profit': profit,
    'returns.sharpe': profit / 2_000,
    'returns.skewness': -0.1,
    'returns.kurtosis': 4,
    'sampling.returns': 720,
    'sampling.ratioMillis': 3_600_000,
    'drawdown.maximum': -0.001 - stream.uniform() * 0.004,
  }
  return { ...common, digest: id, metrics, equity, failure: null }
}
