import type { CaseRow } from '../../backtest/sweep/case-row.ts'
import { onePathWarning } from '../../backtest/sweep/one-path.ts'
import { type FoldResult, outOfSample } from '../../backtest/sweep/out-of-sample.ts'
import { outOfSampleSentences } from '../../backtest/sweep/out-of-sample-text.ts'
import type { SweepPlan, WalkForward } from '../../backtest/sweep/plan.ts'
import { columns, failedLines, shortFigure, worstLines } from './sweep-table.ts'

/** For people: what each training chose, what became of it in its test, and what the choice was worth. */
export function walkForwardTable(
  plan: SweepPlan,
  walkForward: WalkForward,
  rows: readonly CaseRow[],
  objective: string,
): string {
  const result = outOfSample(plan, walkForward, rows, objective)
  const name = `${objective}${result.isPerDay ? ' a day' : ''}`
  const cells = result.cells.map(({ cell }) => cell.name)
  const width = Math.max(6, ...cells.map((cell) => cell.length))
  const lines = result.folds.map((fold) => foldLine(fold, width))
  const warning = onePathWarning(plan)
  const tested = result.folds.flatMap((fold) => fold.rows)
  return [
    `${name} over ${plan.seeds.length} ${plan.seeds.length === 1 ? 'seed' : 'seeds'}, parameters chosen in training and judged in the test after it`,
    [
      ...['training'.padEnd(11), 'test from'.padEnd(11), 'to'.padEnd(11), 'chosen'.padEnd(width)],
      ...['in sample', 'out of it', 'rank', 'best there'].map((text) => ` ${text.padStart(11)}`),
    ].join(' '),
    ...lines,
    ...(cells.length > 1
      ? [
          'cell'.padEnd(width) + columns(['in sample', 'out of it', 'chosen']),
          ...result.cells.map(
            ({ cell, inSample, outOfSample: out, timesChosen }) =>
              cell.name.padEnd(width) + columns([shown(inSample), shown(out), String(timesChosen)]),
          ),
        ]
      : []),
    ...outOfSampleSentences(result, (_name, value) => shortFigure(value)),
    ...(warning === null ? [] : [warning]),
    ...worstLines('worst tests', plan, tested, objective),
    ...failedLines(plan, rows),
    '',
  ].join('\n')
}

const shown = (value: number | null): string => (value === null ? '-' : shortFigure(value))

function foldLine(fold: FoldResult, width: number): string {
  const { chosen, hindsightValue, inSample, outOfSample: out, rank, ranked, test, train } = fold
  const rankText = rank === null ? '-' : `${rank}/${ranked}`
  return [
    ...[train.from, test.from, test.to].map((text) => text.slice(0, 10).padEnd(11)),
    (chosen?.name ?? '-').padEnd(width),
    ...[shown(inSample), shown(out), rankText, shown(hindsightValue)].map((text) => ` ${text.padStart(11)}`),
  ].join(' ')
}
