import type { CaseRow } from '../../backtest/sweep/case-row.ts'
import { outOfSample } from '../../backtest/sweep/out-of-sample.ts'
import type { SweepPlan, WalkForward } from '../../backtest/sweep/plan.ts'
import { replayCommand } from '../../backtest/sweep/replay-command.ts'
import { extremes } from '../../backtest/sweep/summary.ts'

/** A walk forward as JSON: what `--json` has instead of cells over all windows. */
export function walkForwardSummary(
  plan: SweepPlan,
  walkForward: WalkForward,
  rows: readonly CaseRow[],
  objective: string,
) {
  const { cells, folds, ...whole } = outOfSample(plan, walkForward, rows, objective)
  const worst = extremes(
    folds.flatMap((fold) => fold.rows),
    objective,
    'worst',
    5,
  )
  return {
    ...whole,
    folds: folds.map(({ chosen, hindsight, rows: own, ...fold }) => ({
      ...fold,
      chosen: chosen?.parameters ?? null,
      hindsight: hindsight?.parameters ?? null,
      seeds: own.map((row) => ({
        seed: row.seed,
        value: row.metrics[objective] ?? null,
        digest: row.digest,
      })),
    })),
    cells: cells.map(({ cell, ...means }) => ({ parameters: cell.parameters, ...means })),
    worst: worst.map((row) => ({
      seed: row.seed,
      parameters: row.parameters,
      window: row.window,
      value: row.metrics[objective] ?? null,
      digest: row.digest,
      replay: replayCommand(plan, row),
    })),
  }
}
