import { deviation } from '../../metrics/samples.ts'
import { expectedBestSharpe } from '../../metrics/skill.ts'
import { normalProbability } from '../../numeric/portable-math.ts'
import { millisPerYear } from '../../numeric/time-text.ts'
import type { CaseRow } from './case-row.ts'

/** How much of the best run is the luck of many tries (Bailey and Lopez de Prado 2014). */
export interface Skill {
  readonly best: CaseRow
  /** Yearly. */
  readonly sharpe: number
  readonly trials: number
  /** The expected annual ratio of the best of this many runs without skill. */
  readonly luckySharpe: number
  /** Probability that the best run's true ratio is above 0, were it the only one. */
  readonly probabilistic: number
  /** The same against the best of this many runs without skill. */
  readonly deflated: number
}

/** Null where fewer than two runs have a Sharpe ratio, or all have the same. */
export function skillOf(rows: readonly CaseRow[]): Skill | null {
  const tries = rows.flatMap((row) => {
    const ratio = row.metrics['returns.sharpe']
    const stepMillis = row.metrics['sampling.ratioMillis']
    return typeof ratio === 'number' && typeof stepMillis === 'number' && stepMillis > 0
      ? [{ row, ratio, perPeriod: ratio / Math.sqrt(millisPerYear / stepMillis), stepMillis }]
      : []
  })
  const spread = deviation(tries.map(({ perPeriod }) => perPeriod)).value
  if (tries.length < 2 || spread === null || spread === 0) return null
  const best = tries.reduce((high, one) => (one.perPeriod > high.perPeriod ? one : high))
  const lucky = expectedBestSharpe(tries.length, spread)
  return {
    best: best.row,
    sharpe: best.ratio,
    trials: tries.length,
    luckySharpe: lucky * Math.sqrt(millisPerYear / best.stepMillis),
    probabilistic: probabilityAbove(best.row, best.perPeriod, 0),
    deflated: probabilityAbove(best.row, best.perPeriod, lucky),
  }
}

/** From the moments that a row keeps: 1 - g3 SR + (g4 - 1) / 4 SR^2, over N - 1. */
function probabilityAbove({ metrics }: CaseRow, sharpe: number, benchmark: number): number {
  const skewness = metrics['returns.skewness'] ?? 0
  const kurtosis = metrics['returns.kurtosis'] ?? 3
  const returns = metrics['sampling.returns'] ?? 2
  const variance = Math.max(1e-12, 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe)
  return normalProbability(((sharpe - benchmark) * Math.sqrt(Math.max(1, returns - 1))) / Math.sqrt(variance))
}
