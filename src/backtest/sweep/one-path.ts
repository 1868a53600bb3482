import type { MarketSpec } from '../../market/market-spec.ts'
import type { SweepPlan } from './plan.ts'

/** Whether a market's prices are recorded: the same ones for each seed. */
export function isRecorded({ assets }: MarketSpec): boolean {
  return assets.every(({ model }) => model.kind === 'replay' || model.kind === 'trades')
}

/** Whether all seeds of a sweep are one sample of the price. */
export function isOnePath({ work }: SweepPlan): boolean {
  return work.scenario.isRecorded === true
}

/** What must be known of a sweep over a recording before its seeds are counted; null for one over generated markets. */
export function onePathWarning(plan: SweepPlan): string | null {
  const { seeds, work } = plan
  if (!isOnePath(plan) || seeds.length < 2) return null
  const path = (work.options['data'] ?? work.scenario.name).replaceAll('\n', ' ')
  return `All ${seeds.length} seeds have the price path of ${path}: they vary the book around it alone, and are one sample of the price, not ${seeds.length}.`
}
