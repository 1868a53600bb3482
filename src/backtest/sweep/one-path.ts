import type { SweepPlan } from './plan.ts'

/** What must be known of a sweep over a recording before its seeds are counted; null for one over generated markets. */
export function onePathWarning({ seeds, work }: SweepPlan): string | null {
  const { data } = work.options
  if (data === undefined || seeds.length < 2) return null
  return `All ${seeds.length} seeds have the price path of ${data.replaceAll('\n', ' ')}: they vary the book around it alone, and are one sample of the price, not ${seeds.length}.`
}
