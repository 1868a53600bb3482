import type { CaseRow } from '../../backtest/sweep/case-row.ts'
import { cellName, onePathWarning, type SweepPlan } from '../../backtest/sweep/plan.ts'
import {
  bestCell,
  byCell,
  type CellSummary,
  extremes,
  replayCommand,
  spreadOf,
  valuesOf,
} from '../../backtest/sweep/summary.ts'
import type { SweepResult } from '../../backtest/sweep/sweep-result.ts'
import { skillOf } from '../../backtest/sweep/sweep-result.ts'

/** For people: the distribution of one figure in every cell, and how to repeat the worst cases. */
export function sweepTable(plan: SweepPlan, rows: readonly CaseRow[], objective: string): string {
  const cells = byCell(plan, rows)
  const warning = onePathWarning(plan)
  const width = Math.max(4, ...cells.map(({ name }) => name.length))
  const head = 'cell'.padEnd(width) + columns(['cases', 'failed', 'p5', 'p50', 'p95', 'P(< 0)'])
  const lines = cells.map((cell) => {
    const values = valuesOf(cell.rows, objective)
    const spread = spreadOf(values)
    const below = values.filter((value) => value < 0).length / Math.max(1, values.length)
    const figures =
      spread === null
        ? ['-', '-', '-', '-']
        : [...[spread.p5, spread.median, spread.p95].map(shortFigure), `${(below * 100).toFixed(1)} %`]
    return cell.name.padEnd(width) + columns([String(cell.rows.length), String(cell.failed), ...figures])
  })
  return [
    `${objective} over ${plan.seeds.length} ${plan.seeds.length === 1 ? 'seed' : 'seeds'}`,
    head,
    ...lines,
    ...evidenceLines(cells, { plan, rows }, objective),
    ...(warning === null ? [] : [warning]),
    ...worstLines('worst', plan, rows, objective),
    ...failedLines(plan, rows),
    '',
  ].join('\n')
}

/** Which cell is the best, where there was a choice, and whether its ratio is more than the luck of choosing. */
function evidenceLines(
  cells: readonly CellSummary[],
  result: Pick<SweepResult, 'plan' | 'rows'>,
  objective: string,
): readonly string[] {
  const best = cells.length > 1 ? bestCell(cells, objective) : null
  const skill = skillOf(result)
  return [
    ...(best === null ? [] : [`best cell by its median: ${best.name}`]),
    ...(skill === null
      ? []
      : [
          skill.trials === 1
            ? `Sharpe ratio ${shortFigure(skill.sharpe)}, above 0 with ${(skill.probabilistic * 100).toFixed(1)} %`
            : `highest Sharpe ratio ${shortFigure(skill.sharpe)} (${cellName(skill.parameters)}), by luck alone the best of ${skill.trials} cells has ${shortFigure(skill.luckySharpe)}: deflated ${(skill.deflated * 100).toFixed(1)} %`,
        ]),
  ]
}

/** The worst rows, and how to repeat them. */
export function worstLines(
  heading: string,
  plan: SweepPlan,
  rows: readonly CaseRow[],
  objective: string,
): readonly string[] {
  const worst = extremes(rows, objective, 'worst', 3).map(
    (row) => `  ${shortFigure(row.metrics[objective] ?? 0).padStart(11)}  ${replayCommand(plan, row)}`,
  )
  return worst.length === 0 ? [] : [heading, ...worst]
}

/** The first rows whose strategy threw, and how to repeat them. */
export function failedLines(plan: SweepPlan, rows: readonly CaseRow[]): readonly string[] {
  const failed = rows.filter(({ failure }) => failure !== null).slice(0, 3)
  if (failed.length === 0) return []
  return ['failed', ...failed.map((row) => `  ${row.failure}\n  ${replayCommand(plan, row)}`)]
}

/** The figures at the end of a table's line, aligned in columns. */
export const columns = (texts: readonly string[]): string =>
  texts.map((text) => ` ${text.padStart(11)}`).join('')

/** Five significant digits, without a locale. */
export function shortFigure(value: number): string {
  if (!Number.isFinite(value)) return 'n/a'
  const size = Math.abs(value)
  if (size >= 1e9 || (size > 0 && size < 1e-4)) return value.toExponential(3)
  return size >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(5)))
}
