import type { CaseRow } from '../../backtest/sweep/case-row.ts'
import type { SweepPlan } from '../../backtest/sweep/plan.ts'
import { replayCommand } from '../../backtest/sweep/replay-command.ts'
import { byCell, extremes, spreadOf, valuesOf } from '../../backtest/sweep/summary.ts'

/** For people: the distribution of one figure in every cell, and how to repeat the worst cases. */
export function sweepTable(plan: SweepPlan, rows: readonly CaseRow[], objective: string): string {
  const cells = byCell(plan, rows)
  const width = Math.max(4, ...cells.map(({ name }) => name.length))
  const head = ['cell'.padEnd(width), ...['cases', 'failed', 'p5', 'p50', 'p95', 'P(< 0)'].map(column)].join(
    '',
  )
  const lines = cells.map((cell) => {
    const values = valuesOf(cell.rows, objective)
    const spread = spreadOf(values)
    const below = values.filter((value) => value < 0).length / Math.max(1, values.length)
    const figures =
      spread === null
        ? ['-', '-', '-', '-']
        : [...[spread.p5, spread.median, spread.p95].map(shortFigure), `${(below * 100).toFixed(1)} %`]
    return [
      cell.name.padEnd(width),
      ...[String(cell.rows.length), String(cell.failed), ...figures].map(column),
    ].join('')
  })
  const worst = extremes(rows, objective, 'worst', 3).map(
    (row) => `  ${shortFigure(row.metrics[objective] ?? 0).padStart(11)}  ${replayCommand(plan, row)}`,
  )
  const failed = rows.filter(({ failure }) => failure !== null).slice(0, 3)
  const failures = failed.map((row) => `  ${row.failure}\n  ${replayCommand(plan, row)}`)
  return [
    `${objective} over ${plan.seeds.length} ${plan.seeds.length === 1 ? 'seed' : 'seeds'}`,
    head,
    ...lines,
    ...(worst.length === 0 ? [] : ['worst', ...worst]),
    ...(failures.length === 0 ? [] : ['failed', ...failures]),
    '',
  ].join('\n')
}

const column = (text: string): string => ` ${text.padStart(11)}`

/** Five significant digits, without a locale. */
export function shortFigure(value: number): string {
  if (!Number.isFinite(value)) return 'n/a'
  const size = Math.abs(value)
  if (size >= 1e9 || (size > 0 && size < 1e-4)) return value.toExponential(3)
  return size >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(5)))
}
