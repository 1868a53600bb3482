import type { CaseRow } from '../../backtest/sweep/case-row.ts'
import { towardsBetter } from '../../backtest/sweep/summary.ts'
import { statusLine } from '../progress.ts'
import type { Terminal } from '../terminal.ts'
import { shortFigure } from './sweep-table.ts'

export interface SweepProgress {
  /** Takes a row into account. */
  readonly note: (row: CaseRow) => void
  readonly tell: (done: number, cases: number) => void
  readonly end: () => void
}

/** How far it is, how much longer it takes, and the best, median and worst so far. */
export function sweepProgress(terminal: Terminal, objective: string): SweepProgress {
  const startedAt = performance.now()
  const line = statusLine(terminal)
  const sorted: number[] = []
  let first: number | null = null
  const note = ({ metrics }: CaseRow): void => {
    const figure = metrics[objective]
    if (typeof figure === 'number') sorted.splice(placeIn(sorted, figure), 0, figure)
  }
  const tell = (done: number, cases: number): void => {
    // Cases of earlier runs took no time in this one.
    first ??= done - 1
    const before = first
    line.tell(done / cases, () => {
      const left = ((cases - done) * (performance.now() - startedAt)) / Math.max(1, done - before)
      return `${done} of ${cases} cases  ${spreadText(sorted, objective)}  ${Math.ceil(left / 1000)} s left`
    })
  }
  return { note, tell, end: line.end }
}

function spreadText(sorted: readonly number[], objective: string): string {
  const isLargeBetter = towardsBetter(objective) > 0
  const worst = isLargeBetter ? sorted[0] : sorted.at(-1)
  const median = sorted[Math.floor((sorted.length - 1) / 2)]
  const best = isLargeBetter ? sorted.at(-1) : sorted[0]
  if (worst === undefined || median === undefined || best === undefined) return ''
  return `${objective} best ${shortFigure(best)}, median ${shortFigure(median)}, worst ${shortFigure(worst)}`
}

/** Where a value belongs in an ascending row. */
function placeIn(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
