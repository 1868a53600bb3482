import type { CaseRow, SweepCase, SweepPlan } from '../../../src/backtest/sweep/plan.ts'

/** 3 seeds with 2 × 2 cells. */
export const plan: SweepPlan = {
  work: {
    version: '1.2.3',
    strategy: { file: 'maker.ts', digest: 'aa' },
    scenario: { name: 'calm', digests: { 'informed=0.2': 'b2', 'informed=0.6': 'b6' } },
    options: { account: 'desk' },
  },
  seeds: ['1', '2', '3'],
  grid: [
    { name: 'spreadBps', of: 'strategy', values: ['1', '5'] },
    { name: 'informed', of: 'scenario', values: ['0.2', '0.6'] },
  ],
}

/** A row whose figures depend only on the case's seed and parameters. */
export function rowFor({ id, seed, parameters }: SweepCase): CaseRow {
  const profit = Number(seed) * Number(parameters['spreadBps'] ?? 1) - 4
  return {
    id,
    seed,
    parameters,
    digest: id.slice(0, 8),
    metrics: { 'returns.profit': profit, 'returns.sharpe': seed === '2' ? null : profit / 3 },
    equity: [100, 100 + profit],
    failure: null,
  }
}
