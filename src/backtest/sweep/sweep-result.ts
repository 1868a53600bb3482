import { createHash } from 'node:crypto'
import { jsonField, parseJson } from '../../api/json.ts'
import { nearestWord } from '../../api/nearest-word.ts'
import { deviation } from '../../metrics/samples.ts'
import { expectedBestSharpe } from '../../metrics/skill.ts'
import { normalProbability } from '../../numeric/portable-math.ts'
import { millisPerYear } from '../../numeric/time-text.ts'
import { computeOutOfSample, type OutOfSample } from './out-of-sample.ts'
import {
  type CaseRow,
  countCases,
  decodePlan,
  decodeRow,
  formatRow,
  isOnePath,
  listCases,
  type ParseResult,
  planDigest,
  type SweepPlan,
  sortByName,
} from './plan.ts'
import type { StoredTimes } from './store.ts'
import { groupByCell } from './summary.ts'

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
  /**
   * The warnings about the results: that they are a part of the plan's, that all seeds are one path, or that not all
   * that decides the strategy is known.
   */
  readonly warnings: readonly string[]
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

const resultsFormat = 'otcsim sweep results 1'

/**
 * Formats a sweep's results as NDJSON: the plan without its seeds, then the rows in the order of the plan. The bytes do
 * not depend on who ran the cases, in what order and with how many interruptions.
 */
export function formatResults(plan: SweepPlan, rows: readonly CaseRow[]): string {
  const { version, strategy, scenario, options } = plan.work
  const head = {
    format: resultsFormat,
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

/** What a file of results holds. */
interface ParsedResults {
  /** The plan, with the seeds that there are rows of. */
  readonly plan: SweepPlan
  /** How many seeds the plan had; some may not be done. */
  readonly plannedSeeds: number
  readonly rows: readonly CaseRow[]
}

/** Parses what `formatResults` has written. Whether its rows are cases of the plan in its first line is left open. */
export function parseResults(text: string): ParseResult<ParsedResults> {
  const [first = '', ...lines] = text.trimEnd().split('\n')
  const head = parseJson(first)
  const format = jsonField(head, 'format')
  if (format !== resultsFormat)
    return {
      ok: false,
      problem: 'it is not what otcsim sweep --ndjson writes: its first line is another one',
    }
  if (lines.length === 0) return { ok: false, problem: 'it has no cases' }
  const rows: CaseRow[] = []
  for (const [place, line] of lines.entries()) {
    const row = decodeRow(parseJson(line))
    if (row === null) return { ok: false, problem: `its line ${place + 2} is not a case` }
    rows.push(row)
  }
  const field = (name: string): unknown => jsonField(head, name)
  const walkForward = field('walkForward')
  const plan = decodePlan({
    format: 'otcsim sweep plan 1',
    work: {
      version: field('version'),
      strategy: field('strategy'),
      scenario: field('scenario'),
      options: field('options'),
    },
    grid: field('grid'),
    seeds: [...new Set(rows.map(({ seed }) => seed))],
    ...(walkForward === undefined ? {} : { walkForward }),
  })
  const plannedSeeds = field('seeds')
  if (plan === null || typeof plannedSeeds !== 'number')
    return { ok: false, problem: 'its first line is not the plan of a sweep' }
  return { ok: true, value: { plan, plannedSeeds, rows } }
}

/** Computes the digest of a sweep's results: 32 hex digits, printed after every sweep. */
export function computeResultDigest(plan: SweepPlan, rows: readonly CaseRow[]): string {
  return createHash('sha256').update(formatResults(plan, rows)).digest('hex').slice(0, 32)
}

/**
 * How much of the best cell's Sharpe ratio is the luck of many tries (Bailey and Lopez de Prado 2014). Ratios are
 * yearly, or those of single returns if runs are too short for a year.
 *
 * Choice: a try is a cell, because cells are what is chosen from; seeds are samples of it. So a cell's ratio is the
 * mean over its seeds, and more seeds make it more certain, unless all have the one path of a recording.
 */
export interface Skill {
  /** The parameters of the cell with the highest ratio. */
  readonly parameters: CaseRow['parameters']
  readonly sharpe: number
  /** The span of the returns that the ratios are of; null where they are yearly. */
  readonly ofMillis: number | null
  readonly seeds: number
  /** The number of cells that were tried: those of this sweep that have a ratio, and others on the same data. */
  readonly trials: number
  /** How many of the trials this sweep does not have: the cells of earlier ones, or what `trials` says beyond its own. */
  readonly earlierTrials: number
  /** The expected ratio of the best of so many cells without skill; 0 for a single cell. */
  readonly luckySharpe: number
  /** The probability that the cell's true ratio is above 0, if it had been the only cell. */
  readonly probabilistic: number
  /** The probability that the cell's true ratio is above `luckySharpe`: the deflated Sharpe ratio. */
  readonly deflated: number
}

/** What else was tried on the data of a sweep. */
export interface OtherTrials {
  /** How many cells were tried in all, this sweep's among them; by default as many as are known. */
  readonly trials?: number | undefined
  /** The yearly Sharpe ratios of the cells of other sweeps. */
  readonly ratios?: readonly number[]
  /** The files of stores that cannot be read, and may have more cells on the same data. */
  readonly unread?: readonly string[]
}

/** Says which stores were looked at in vain: cells in them are not counted. Empty where all were read. */
export function describeUnread({ trials, unread = [] }: OtherTrials): readonly string[] {
  if (unread.length === 0 || trials !== undefined) return []
  const stores = unread.length === 1 ? '1 store' : `${unread.length} stores`
  return [
    `Cells of ${stores} that cannot be read (${unread[0]}${unread.length > 1 ? ', ...' : ''}) are not counted as tried; --trials states how many there were in all.`,
  ]
}

/**
 * Computes the skill of a sweep's best cell. Returns null where no cell has a Sharpe ratio, or where several cells all
 * have the same one.
 */
export function measureSkill(
  { plan, rows }: Pick<SweepResult, 'plan' | 'rows'>,
  { ratios = [], trials: stated }: OtherTrials = {},
): Skill | null {
  const tries = groupByCell(plan, rows).flatMap(({ parameters, rows: own }) => {
    const ratio = computeRatio(own, isOnePath(plan))
    return ratio === null ? [] : [{ ...ratio, parameters }]
  })
  const [first] = tries
  if (first === undefined) return null
  const best = tries.reduce((high, one) => (one.sharpe > high.sharpe ? one : high), first)
  const { error, parameters, seeds, sharpe } = best
  const known = [...tries.map((one) => one.sharpe), ...ratios]
  const trials = Math.max(tries.length, stated ?? known.length)
  // Choice: of a single known ratio the spread of the others is taken to be its own error.
  const spread = known.length > 1 ? deviation(known).value : trials === 1 ? 0 : error
  if (spread === null || (spread === 0 && trials > 1)) return null
  const luckySharpe = expectedBestSharpe(trials, spread)
  const ofMillis = tries.every(({ isYearly }) => isYearly) ? null : best.stepMillis
  const scale = ofMillis === null ? 1 : Math.sqrt(ofMillis / millisPerYear)
  return {
    parameters,
    sharpe: sharpe * scale,
    ofMillis,
    seeds,
    trials,
    earlierTrials: trials - tries.length,
    luckySharpe: luckySharpe * scale,
    probabilistic: normalProbability(sharpe / error),
    deflated: normalProbability((sharpe - luckySharpe) / error),
  }
}

/** The yearly Sharpe ratio of a cell. */
interface CellRatio {
  readonly sharpe: number
  readonly error: number
  readonly seeds: number
  /** Whether all of its runs are long enough for a yearly ratio; else it is scaled to a year only to be compared. */
  readonly isYearly: boolean
  /** The span of the returns of its first run. */
  readonly stepMillis: number
}

/** Computes the yearly Sharpe ratio of a cell as the mean over its seeds; null where no row has one. */
export function computeRatio(rows: readonly CaseRow[], isOne: boolean): CellRatio | null {
  const samples = rows.flatMap((row) => computeSample(row) ?? [])
  const [first] = samples
  if (first === undefined) return null
  const seeds = samples.length
  const sharpe = samples.reduce((sum, sample) => sum + sample.sharpe, 0) / seeds
  const variance = samples.reduce((sum, sample) => sum + sample.variance, 0) / seeds
  return {
    seeds,
    sharpe,
    error: Math.sqrt(variance / (isOne ? 1 : seeds)),
    isYearly: samples.every((sample) => sample.isYearly),
    stepMillis: first.stepMillis,
  }
}

/**
 * Computes a run's Sharpe ratio by the year and its variance from the moments in its row: 1 - g3 SR + (g4 - 1) / 4 SR^2,
 * over N - 1. A run that is too short for a yearly ratio has that of its returns in their t-statistic.
 */
function computeSample({ metrics }: CaseRow) {
  const sharpe = metrics['returns.sharpe'] ?? null
  const tStatistic = metrics['returns.tStatistic'] ?? null
  const stepMillis = metrics['sampling.ratioMillis'] ?? 0
  if (stepMillis <= 0) return null
  const returns = metrics['sampling.returns'] ?? 2
  const periods = millisPerYear / stepMillis
  const ofReturn = tStatistic === null ? null : tStatistic / Math.sqrt(Math.max(1, returns))
  const ratio = sharpe === null ? ofReturn : sharpe / Math.sqrt(periods)
  if (ratio === null) return null
  const skewness = metrics['returns.skewness'] ?? 0
  const kurtosis = metrics['returns.kurtosis'] ?? 3
  const variance = Math.max(1e-12, 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio * ratio)
  return {
    sharpe: sharpe ?? ratio * Math.sqrt(periods),
    variance: (variance * periods) / Math.max(1, returns - 1),
    isYearly: sharpe !== null,
    stepMillis,
  }
}
