import { dirname, join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { findEarlierTrials } from '../../backtest/sweep/earlier-trials.ts'
import type { JoinedTests } from '../../backtest/sweep/join-tests.ts'
import {
  computeOutOfSample,
  describeOutOfSample,
  type FoldResult,
} from '../../backtest/sweep/out-of-sample.ts'
import { createParquetFile } from '../../backtest/sweep/parquet.ts'
import {
  type CaseRow,
  countCases,
  formatCell,
  listWarnings,
  planDigest,
  type SweepPlan,
  type WalkForward,
} from '../../backtest/sweep/plan.ts'
import { explainDifference } from '../../backtest/sweep/repeat-cases.ts'
import type { SweepOutcome } from '../../backtest/sweep/run-sweep.ts'
import {
  type CellSummary,
  computeMedian,
  computeSpread,
  findBestCell,
  findExtremes,
  findLackReason,
  formatReplayCommand,
  groupByCell,
  hasTraded,
  listValues,
} from '../../backtest/sweep/summary.ts'
import {
  computeResultDigest,
  describeUnread,
  formatResults,
  measureSkill,
  type OtherTrials,
  type SweepResult,
} from '../../backtest/sweep/sweep-result.ts'
import { formatDuration, nameInstant } from '../../numeric/time-text.ts'
import { type Evidence, findLack, formatEvidence, isCounted } from '../evidence.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { writeOutput } from '../files.ts'
import { aFlag, aSwitch, configFlag, type FlagsOf, parsedFlag } from '../flags.ts'
import { formatCount, jsonText, type Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { formatLawBounds, isOfLawsAlone } from './law-bounds.ts'

export const outputFlags = {
  objective: aFlag('<figure>', 'the figure that progress and table show', { default: 'returns.profit' }),
  json: aSwitch('a summary on stdout instead of the table'),
  html: aFlag('<file>', 'write a report as one HTML file'),
  parquet: aFlag('<file>', 'all cases as Parquet'),
  ndjson: aFlag('<file>', 'all cases as NDJSON, in the order of the plan'),
  trials: parsedFlag(
    parseTrials,
    '<count>',
    'how many cells were tried on the same data in all; by default those of this sweep and of stored ones',
  ),
  config: configFlag,
}

function parseTrials(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a number of cells')
}

export type OutputFlags = FlagsOf<typeof outputFlags>

/**
 * Writes the files of a sweep, then its table or JSON. Cells of other sweeps are looked for beside its `stores`. Fails at
 * the end when the strategy threw in any case, when a case that was repeated had another result, or when no case of the
 * whole sweep traded.
 */
export async function writeOutputs(
  plan: SweepPlan,
  outcome: SweepOutcome,
  flags: OutputFlags,
  terminal: Terminal,
  stores: readonly string[] = [],
): Promise<void> {
  const { rows } = outcome
  const folders = [join(terminal.cwd, '.otcsim', 'sweeps'), ...stores.map((path) => dirname(path))]
  const others: OtherTrials = { trials: flags.trials, ...findEarlierTrials(plan, folders) }
  const artifacts: string[] = []
  const write = (file: string | undefined, bytes: () => string | Uint8Array): void => {
    if (file === undefined) return
    writeOutput(terminal, file, bytes())
    artifacts.push(file)
  }
  if (flags.ndjson !== undefined) write(flags.ndjson, () => formatResults(plan, rows))
  if (flags.parquet !== undefined) {
    const bytes = await createParquetFile(plan, rows)
    write(flags.parquet, () => bytes)
  }
  if (flags.html !== undefined) {
    const [{ createSweepReport: sweepReport }, { readPageAssets: pageAssets }] = await Promise.all([
      import('../../backtest/report/sweep-report.ts'),
      import('../../backtest/report/page-assets.ts'),
    ])
    write(flags.html, () =>
      sweepReport(
        plan,
        rows,
        { version, cases: outcome.cases, objective: flags.objective, others },
        pageAssets(),
      ),
    )
  }
  if (flags.json === true)
    terminal.out(formatJsonSummary(plan, outcome, { objective: flags.objective, others }, artifacts))
  else {
    terminal.out(
      plan.walkForward === undefined
        ? formatSweep(plan, rows, flags.objective, others)
        : formatWalkForward(plan, plan.walkForward, rows, flags.objective),
    )
    terminal.out(`${formatLookedAt(outcome)}\n`)
    terminal.out(`cases ${rows.length} of ${outcome.cases}  digest ${computeResultDigest(plan, rows)}\n`)
  }
  judgeEvidence(outcome, terminal)
  const failed = rows.filter(({ failure }) => failure !== null).length
  if (failed > 0 && outcome.end === 'complete') {
    throw new CliFailure(
      exitCode.expectationFailed,
      `the strategy failed in ${failed} of ${rows.length} cases`,
    )
  }
  if (isOfNothing(plan, outcome, flags.objective)) throw new CliFailure(exitCode.expectationFailed, noTrades)
}

/**
 * Returns whether a whole sweep has nothing to judge: no case traded, and the figure is not one that counts. A shard, or
 * a sweep that goes on, never says so: other cases may trade.
 */
function isOfNothing(plan: SweepPlan, { rows }: SweepOutcome, objective: string): boolean {
  return rows.length === countCases(plan) && !rows.some(hasTraded) && !isCounted(objective)
}

/**
 * Counts what a sweep has looked at. Nothing is repeated where other machines did it, or where the sweep was
 * interrupted.
 */
function countEvidence({ repetition, rows, stored }: SweepOutcome): Evidence {
  return {
    cases: rows.length - stored.cases,
    storedCases: stored.cases,
    ...(repetition === null ? {} : { repeats: repetition.repeated }),
  }
}

function formatLookedAt(outcome: SweepOutcome): string {
  const { dates } = outcome.stored
  if (dates === null) return formatEvidence(countEvidence(outcome))
  const [from, to] = [dates.from, dates.to].map((date) => `${date.slice(0, 16)}Z`)
  return formatEvidence(countEvidence(outcome), {
    storedCases: from === to ? `of ${from}` : `of ${from} to ${to}`,
  })
}

/** Fails where no case was looked at, and where a case that was repeated had another result. */
function judgeEvidence(outcome: SweepOutcome, terminal: Terminal): void {
  const { repetition, rows } = outcome
  if (rows.length === 0 && outcome.end === 'complete')
    throw new CliFailure(exitCode.expectationFailed, findLack(countEvidence(outcome), ['cases']) ?? '')
  if (repetition === null) return
  const { difference, problem } = repetition
  if (difference !== null) throw new CliFailure(exitCode.determinismBroken, explainDifference(difference))
  if (problem !== null) terminal.err(`no case was repeated here: ${problem}\n`)
}

function formatJsonSummary(
  plan: SweepPlan,
  outcome: SweepOutcome,
  { objective, others }: { readonly objective: string; readonly others: OtherTrials },
  artifacts: readonly string[],
): string {
  const { rows, cases, end } = outcome
  const summarize = (row: CaseRow) => summarizeCase(plan, row, objective)
  const failed = rows.filter(({ failure }) => failure !== null)
  const cells = groupByCell(plan, rows)
  const summary = {
    schemaVersion: 1,
    command: 'sweep',
    ok:
      end === 'complete' &&
      failed.length === 0 &&
      (outcome.repetition?.difference ?? null) === null &&
      !isOfNothing(plan, outcome, objective),
    version: plan.work.version,
    plan: planDigest(plan),
    digest: computeResultDigest(plan, rows),
    end,
    cases,
    plannedCases: countCases(plan),
    done: rows.length,
    failed: failed.length,
    lookedAt: countEvidence(outcome),
    storedDates: outcome.stored.dates,
    difference: outcome.repetition?.difference ?? null,
    warnings: [
      ...(rows.some(hasTraded) ? [] : [noTrades]),
      ...listWarnings(plan, rows.length),
      ...describeUnread(others),
    ],
    objective,
    ...(plan.walkForward === undefined
      ? {
          cells: cells.map((cell) => {
            const spread = computeSpread(listValues(cell.rows, objective))
            const common = { parameters: cell.parameters, cases: cell.rows.length, failed: cell.failed }
            if (spread !== null) return { ...common, spread }
            return { ...common, spread, reason: findLackReason(cell.rows, objective) }
          }),
          bestCell: rows.some(hasTraded) ? (findBestCell(cells, objective)?.parameters ?? null) : null,
          skill: measureSkill({ plan, rows }, others),
          best: findExtremes(rows, objective, 'best', 5).map(summarize),
          worst: findExtremes(rows, objective, 'worst', 5).map(summarize),
        }
      : { walkForward: summarizeWalkForward(plan, plan.walkForward, rows, objective) }),
    failures: failed.slice(0, 20).map((row) => ({ ...summarize(row), failure: row.failure })),
    artifacts,
  }
  return jsonText(summary)
}

const summarizeCase = (plan: SweepPlan, row: CaseRow, objective: string) => ({
  seed: row.seed,
  parameters: row.parameters,
  ...summarizeValue(row, objective),
  digest: row.digest,
  replay: formatReplayCommand(plan, row),
})

/** Summarizes a case's figure; one that is undefined is null, with the reason. */
function summarizeValue(row: CaseRow, objective: string) {
  const value = row.metrics[objective] ?? null
  return value === null ? { value, reason: findLackReason([row], objective) } : { value }
}

/** Summarizes a walk-forward for `--json`, which has it instead of cells over all windows. */
function summarizeWalkForward(
  plan: SweepPlan,
  walkForward: WalkForward,
  rows: readonly CaseRow[],
  objective: string,
) {
  const { cells, folds, joined, marketReturns, ...whole } = computeOutOfSample(
    plan,
    walkForward,
    rows,
    objective,
  )
  const worst = findExtremes(
    folds.flatMap((fold) => fold.rows),
    objective,
    'worst',
    5,
  )
  return {
    ...whole,
    joined: 'reason' in joined ? joined : summarizeJoined(joined),
    folds: folds.map(({ chosen, hindsight, rows: own, ...fold }) => ({
      ...fold,
      chosen: chosen?.parameters ?? null,
      hindsight: hindsight?.parameters ?? null,
      seeds: own.map((row) => ({
        seed: row.seed,
        ...summarizeValue(row, objective),
        digest: row.digest,
      })),
    })),
    cells: cells.map(({ cell, ...means }) => ({ parameters: cell.parameters, ...means })),
    worst: worst.map((row) => {
      const { seed, parameters, ...rest } = summarizeCase(plan, row, objective)
      return { seed, parameters, window: row.window, ...rest }
    }),
  }
}

/** Summarizes the joined tests: their figures, and the equity as a multiple of the first money, the median over seeds. */
function summarizeJoined({ atMillis, paths, seeds, ...rest }: JoinedTests) {
  const equity = atMillis.map((_, place) => computeMedian(paths.map((path) => path[place] ?? 0)))
  return { ...rest, seeds: seeds.length, atMillis, equity }
}

function formatWalkForward(
  plan: SweepPlan,
  walkForward: WalkForward,
  rows: readonly CaseRow[],
  objective: string,
): string {
  const result = computeOutOfSample(plan, walkForward, rows, objective)
  const name = `${objective}${result.isPerDay ? ' a day' : ''}`
  const cells = result.cells.map(({ cell }) => cell.name)
  const width = Math.max(6, ...cells.map((cell) => cell.length))
  const instants = result.folds.flatMap(({ test, train }) => [train.from, test.from, test.to])
  // As wide as a day, or as a minute where one is not midnight.
  const instantWidth = Math.max(...instants.map((text) => nameInstant(text).length)) + 1
  const lines = result.folds.map((fold) => formatFold(fold, instantWidth, width))
  const tested = result.folds.flatMap((fold) => fold.rows)
  return [
    `${name} over ${formatCount(plan.seeds.length, 'seed')}, parameters chosen in training and judged in the test after it`,
    [
      ...['training', 'test from', 'to'].map((text) => text.padEnd(instantWidth)),
      'chosen'.padEnd(width),
      ...['in sample', 'out of it', 'rank', 'best there'].map((text) => ` ${text.padStart(11)}`),
    ].join(' '),
    ...lines,
    ...(cells.length > 1
      ? [
          'cell'.padEnd(width) + formatColumns(['in sample', 'out of it', 'chosen']),
          ...result.cells.map(
            ({ cell, inSample, outOfSample: out, timesChosen }) =>
              cell.name.padEnd(width) +
              formatColumns([formatValue(inSample), formatValue(out), String(timesChosen)]),
          ),
        ]
      : []),
    ...describeOutOfSample(result, (_name, value) => formatShortFigure(value)).map((text) =>
      text.replaceAll('−', '-'),
    ),
    ...formatClosing(plan, rows, formatWorst('worst tests', plan, tested, objective)),
  ].join('\n')
}

const formatValue = (value: number | null): string => (value === null ? 'n/a' : formatShortFigure(value))

function formatFold(fold: FoldResult, instantWidth: number, width: number): string {
  const { chosen, hindsightValue, inSample, outOfSample: out, rank, ranked, test, train } = fold
  const rankText = rank === null ? 'n/a' : `${rank}/${ranked}`
  return [
    ...[train.from, test.from, test.to].map((text) => nameInstant(text).padEnd(instantWidth)),
    (chosen?.name ?? 'n/a').padEnd(width),
    ...[formatValue(inSample), formatValue(out), rankText, formatValue(hindsightValue)].map(
      (text) => ` ${text.padStart(11)}`,
    ),
  ].join(' ')
}

export function formatSweep(
  plan: SweepPlan,
  rows: readonly CaseRow[],
  objective: string,
  others: OtherTrials = {},
): string {
  const cells = groupByCell(plan, rows)
  const width = Math.max(4, ...cells.map(({ name }) => name.length))
  const head = 'cell'.padEnd(width) + formatColumns(['cases', 'failed', 'p5', 'p50', 'p95', 'P(< 0)'])
  const lines = cells.map((cell) => {
    const values = listValues(cell.rows, objective)
    const spread = computeSpread(values)
    const below = values.filter((value) => value < 0).length / Math.max(1, values.length)
    const figures =
      spread === null
        ? ['n/a', 'n/a', 'n/a', 'n/a']
        : [...[spread.p5, spread.median, spread.p95].map(formatShortFigure), `${(below * 100).toFixed(1)} %`]
    return (
      cell.name.padEnd(width) + formatColumns([String(cell.rows.length), String(cell.failed), ...figures])
    )
  })
  const lack = cells.find(({ rows: own }) => own.length > 0 && listValues(own, objective).length === 0)
  const reason = lack === undefined ? null : findLackReason(lack.rows, objective)
  return [
    `${objective} over ${formatCount(plan.seeds.length, 'seed')}`,
    head,
    ...lines,
    ...(reason === null ? [] : [`n/a: ${reason}`]),
    ...formatSkill(cells, { plan, rows }, objective, others),
    ...describeUnread(others),
    ...formatClosing(plan, rows, formatWorst('worst', plan, rows, objective)),
  ].join('\n')
}

const noTrades = 'nothing was judged: no case traded, so every figure is one of nothing'

/** Formats which cell is best, if there is a choice, and whether its Sharpe ratio is more than luck in choosing. */
function formatSkill(
  cells: readonly CellSummary[],
  result: Pick<SweepResult, 'plan' | 'rows'>,
  objective: string,
  others: OtherTrials,
): readonly string[] {
  if (!result.rows.some(hasTraded)) return [noTrades]
  const medians = new Set(cells.map((cell) => computeMedian(listValues(cell.rows, objective))))
  const isTied = cells.length > 1 && medians.size === 1
  const best = cells.length > 1 && !isTied ? findBestCell(cells, objective) : null
  const skill = measureSkill(result, others)
  const ofMillis = skill?.ofMillis ?? null
  const ratio = `Sharpe ratio${ofMillis === null ? '' : ` of returns of ${formatDuration(ofMillis)}`}`
  return [
    ...(best === null || isOfLawsAlone(cells) ? [] : [`best cell by its median: ${best.name}`]),
    ...(isTied ? ['all cells have the same median: none is better'] : []),
    ...formatLawBounds(cells, objective, formatShortFigure),
    ...(skill === null
      ? []
      : [
          skill.trials === 1
            ? `${ratio} ${formatShortFigure(skill.sharpe)}, above 0 with ${(skill.probabilistic * 100).toFixed(1)} %`
            : `highest ${ratio} ${formatShortFigure(skill.sharpe)} (${formatCell(skill.parameters)}), by luck alone the best of ${skill.trials} cells${skill.earlierTrials === 0 ? '' : ` (${skill.earlierTrials} of them tried before)`} has ${formatShortFigure(skill.luckySharpe)}: deflated ${(skill.deflated * 100).toFixed(1)} %`,
        ]),
  ]
}

/** Formats the worst rows, with the commands that repeat them. */
function formatWorst(
  heading: string,
  plan: SweepPlan,
  rows: readonly CaseRow[],
  objective: string,
): readonly string[] {
  const worst = findExtremes(rows, objective, 'worst', 3).map(
    (row) =>
      `  ${formatShortFigure(row.metrics[objective] ?? 0).padStart(11)}  ${formatReplayCommand(plan, row)}`,
  )
  return worst.length === 0 ? [] : [heading, ...worst]
}

/** Formats the warnings, the worst rows, and the first rows whose strategy threw with the commands that repeat them. */
function formatClosing(
  plan: SweepPlan,
  rows: readonly CaseRow[],
  worst: readonly string[],
): readonly string[] {
  const warnings = listWarnings(plan, rows.length)
  const failed = rows.filter(({ failure }) => failure !== null)
  const shown = failed.slice(0, 3)
  const failureLines = shown.map((row) => `  ${row.failure}\n  ${formatReplayCommand(plan, row)}`)
  const heading = `failed${failed.length > shown.length ? `, the first ${shown.length} of ${failed.length}` : ''}`
  const failures = failed.length === 0 ? [] : [heading, ...failureLines]
  return [...warnings, ...worst, ...failures, '']
}

/** Aligns the figures at the end of a table's line in columns. */
const formatColumns = (texts: readonly string[]): string =>
  texts.map((text) => ` ${text.padStart(11)}`).join('')

/** Formats a figure with five significant digits, independently of the locale. */
export function formatShortFigure(value: number): string {
  if (!Number.isFinite(value)) return 'n/a'
  const size = Math.abs(value)
  if (size >= 1e9 || (size > 0 && size < 1e-4)) return value.toExponential(3)
  return size >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(5)))
}
