import { createHash } from 'node:crypto'
import { nearestWord } from '../../api/nearest-word.ts'
import { deviation } from '../../metrics/samples.ts'
import { expectedBestSharpe } from '../../metrics/skill.ts'
import { normalProbability } from '../../numeric/portable-math.ts'
import { millisPerYear } from '../../numeric/time-text.ts'
import { computeOutOfSample, type OutOfSample } from './out-of-sample.ts'
import {
  type CaseRow,
  countCases,
  formatRow,
  isOnePath,
  listCases,
  planDigest,
  type SweepPlan,
  sortByName,
} from './plan.ts'
import type { StoredTimes } from './store.ts'
import { type CellSummary, groupByCell } from './summary.ts'

/** The result of a sweep: plain data, the same however many threads ran it. */
export interface SweepResult {
  readonly plan: SweepPlan
  /**
   * The rows in the order of the plan: by window, then by seed, then by cell with the last parameter changing fastest.
   */
  readonly rows: readonly CaseRow[]
  /** The number of cases in the plan. */
  readonly cases: number
  /** Whether all cases are done; false where a signal has stopped the sweep. */
  readonly isComplete: boolean
  /** The digest of plan and rows, which the command prints as well. */
  readonly digest: string
  /**
   * How many cases were run now, how many came from the store, and how many were repeated in order to compare their
   * results.
   */
  readonly lookedAt: { readonly cases: number; readonly storedCases: number; readonly repeats: number }
  /** When the first and the last of the stored cases were stored; null where there are none. */
  readonly storedDates: StoredTimes | null
}

/**
 * Computes what a walk forward shows by one figure: which cell each training chose, and how it did in the test. Throws
 * a RangeError for a sweep without a walk forward, and for a figure that no row has.
 */
export function judgeOutOfSample({ plan, rows }: SweepResult, objective: string): OutOfSample {
  if (plan.walkForward === undefined) throw new RangeError('the sweep has no walkForward')
  const known = new Set(rows.flatMap(({ metrics }) => Object.keys(metrics)))
  if (known.size > 0 && !known.has(objective)) {
    const nearest = nearestWord(objective, [...known])
    throw new RangeError(
      `there is no figure "${objective}"${nearest === null ? '' : `; did you mean "${nearest}"?`}`,
    )
  }
  return computeOutOfSample(plan, plan.walkForward, rows, objective)
}

interface OrderedRows {
  readonly rows: readonly CaseRow[]
  readonly missing: number
}

export function sortByPlan(plan: SweepPlan, rows: Iterable<CaseRow>): OrderedRows {
  const byId = new Map<string, CaseRow>()
  for (const row of rows) byId.set(row.id, row)
  const ordered = listCases(plan).flatMap(({ id }) => byId.get(id) ?? [])
  return { rows: ordered, missing: countCases(plan) - ordered.length }
}

/**
 * Formats a sweep's results as NDJSON: the plan without its seeds, then the rows in the order of the plan. The bytes do
 * not depend on who ran the cases, in what order and with how many interruptions.
 */
export function formatResults(plan: SweepPlan, rows: readonly CaseRow[]): string {
  const { version, strategy, scenario, options } = plan.work
  const head = {
    format: 'otcsim sweep results 1',
    plan: planDigest(plan),
    version,
    strategy,
    scenario,
    // The command line and a program give options in different orders.
    options: sortByName(options),
    grid: plan.grid,
    ...(plan.walkForward === undefined ? {} : { walkForward: plan.walkForward }),
    seeds: plan.seeds.length,
    cases: rows.length,
  }
  return `${[JSON.stringify(head), ...rows.map(formatRow)].join('\n')}\n`
}

/** Computes the digest of a sweep's results: 32 hex digits, printed after every sweep. */
export function computeResultDigest(plan: SweepPlan, rows: readonly CaseRow[]): string {
  return createHash('sha256').update(formatResults(plan, rows)).digest('hex').slice(0, 32)
}

/**
 * How much of the best cell's Sharpe ratio is the luck of many tries (Bailey and Lopez de Prado 2014). Ratios are
 * yearly.
 *
 * Choice: a try is a cell, because cells are what is chosen from; seeds are samples of it. So a cell's ratio is the
 * mean over its seeds, and more seeds make it more certain, unless all have the one path of a recording.
 */
export interface Skill {
  /** The parameters of the cell with the highest ratio. */
  readonly parameters: CaseRow['parameters']
  readonly sharpe: number
  readonly seeds: number
  /** The number of cells that have a ratio. */
  readonly trials: number
  /** The expected ratio of the best of so many cells without skill; 0 for a single cell. */
  readonly luckySharpe: number
  /** The probability that the cell's true ratio is above 0, if it had been the only cell. */
  readonly probabilistic: number
  /** The probability that the cell's true ratio is above `luckySharpe`: the deflated Sharpe ratio. */
  readonly deflated: number
}

/**
 * Computes the skill of a sweep's best cell. Returns null where no cell has a Sharpe ratio, or where several cells all
 * have the same one.
 */
export function measureSkill({ plan, rows }: Pick<SweepResult, 'plan' | 'rows'>): Skill | null {
  const tries = groupByCell(plan, rows).flatMap((cell) => computeTry(cell, isOnePath(plan)) ?? [])
  const [first] = tries
  if (first === undefined) return null
  const spread = tries.length === 1 ? 0 : deviation(tries.map(({ sharpe }) => sharpe)).value
  if (spread === null || (spread === 0 && tries.length > 1)) return null
  const best = tries.reduce((high, one) => (one.sharpe > high.sharpe ? one : high), first)
  const { error, parameters, seeds, sharpe } = best
  const luckySharpe = expectedBestSharpe(tries.length, spread)
  return {
    parameters,
    sharpe,
    seeds,
    trials: tries.length,
    luckySharpe,
    probabilistic: normalProbability(sharpe / error),
    deflated: normalProbability((sharpe - luckySharpe) / error),
  }
}

interface Try {
  readonly parameters: CaseRow['parameters']
  readonly sharpe: number
  readonly error: number
  readonly seeds: number
}

function computeTry({ parameters, rows }: CellSummary, isOne: boolean): Try | null {
  const samples = rows.flatMap((row) => computeSample(row) ?? [])
  const seeds = samples.length
  if (seeds === 0) return null
  const sharpe = samples.reduce((sum, sample) => sum + sample.sharpe, 0) / seeds
  const variance = samples.reduce((sum, sample) => sum + sample.variance, 0) / seeds
  return { parameters, seeds, sharpe, error: Math.sqrt(variance / (isOne ? 1 : seeds)) }
}

/**
 * Computes a run's yearly Sharpe ratio and its variance from the moments in its row: 1 - g3 SR + (g4 - 1) / 4 SR^2,
 * over N - 1.
 */
function computeSample({ metrics }: CaseRow): { readonly sharpe: number; readonly variance: number } | null {
  const sharpe = metrics['returns.sharpe']
  const stepMillis = metrics['sampling.ratioMillis']
  if (typeof sharpe !== 'number' || typeof stepMillis !== 'number' || stepMillis <= 0) return null
  const skewness = metrics['returns.skewness'] ?? 0
  const kurtosis = metrics['returns.kurtosis'] ?? 3
  const returns = metrics['sampling.returns'] ?? 2
  const periods = millisPerYear / stepMillis
  const ratio = sharpe / Math.sqrt(periods)
  const variance = Math.max(1e-12, 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio * ratio)
  return { sharpe, variance: (variance * periods) / Math.max(1, returns - 1) }
}
