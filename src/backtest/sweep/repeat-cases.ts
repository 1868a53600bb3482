import { type CaseRow, type CaseTask, formatCell, type TaskAnswer } from './plan.ts'

/*
 * A row is to be a function of its case alone. What survives between the cases of a thread (a module's variable), and
 * what is not the simulator's (`Math.random`, `Date.now`, a file that nobody named), breaks that unseen, so a sweep
 * repeats some of its cases in a thread that has run nothing before, and compares.
 */

/** What a repetition has shown. */
export interface RepeatResult {
  readonly repeated: number
  /** The first case with another result, and where the results part; null where all were alike. */
  readonly difference: string | null
  /** Why no more cases could be repeated here; null where they could. */
  readonly problem: string | null
}

/** Returns how many of so many cases are repeated by default: one in fifty, at least two and at most twenty. */
export function countRepeats(cases: number): number {
  return Math.min(cases, Math.max(2, Math.min(20, Math.ceil(cases / 50))))
}

/**
 * Chooses rows to repeat, at most as many as there are, from rows in the order in which they were run: half are the
 * newest, which had most cases before them in their threads, and half are spread evenly.
 */
export function chooseRepeats(rows: readonly CaseRow[], count: number): readonly CaseRow[] {
  const newest = rows.slice(-Math.ceil(count / 2)).reverse()
  const spread = Array.from({ length: count }, (_, place) => rows[Math.floor((place * rows.length) / count)])
  const chosen = new Set([...newest, ...spread.flatMap((row) => row ?? [])])
  return [...chosen].slice(0, count)
}

/** Repeats the cases of rows one after the other, and compares, until one differs. */
export async function repeatCases(
  rows: readonly CaseRow[],
  taskOf: (row: CaseRow) => CaseTask,
  run: (task: CaseTask) => Promise<TaskAnswer>,
): Promise<RepeatResult> {
  let repeated = 0
  for (const row of rows) {
    const answer = await run(taskOf(row))
    if (!answer.ok) return { repeated, difference: null, problem: answer.problem }
    repeated += 1
    const difference = findFirstDifference(row, answer.row)
    if (difference !== null) return { repeated, difference: `${nameCase(row)}: ${difference}`, problem: null }
  }
  return { repeated, difference: null, problem: null }
}

function nameCase({ parameters, seed }: CaseRow): string {
  const cell = formatCell(parameters)
  return `seed ${JSON.stringify(seed)}${cell === '' ? '' : ` ${cell}`}`
}

/** Describes where two results of one case first differ; null where they are equal. */
export function findFirstDifference(first: CaseRow, second: CaseRow): string | null {
  if (first.failure !== second.failure)
    return `first ${first.failure ?? 'no failure'}, then ${second.failure ?? 'no failure'}`
  const points = Math.max(first.equity.length, second.equity.length)
  for (let point = 0; point < points; point += 1) {
    const [before, after] = [first.equity[point], second.equity[point]]
    if (before !== after) return `equity at point ${point + 1} of ${points} was ${before}, then ${after}`
  }
  for (const name of [...new Set([...Object.keys(first.metrics), ...Object.keys(second.metrics)])].sort()) {
    const [before, after] = [first.metrics[name], second.metrics[name]]
    if (before !== after) return `${name} was ${before}, then ${after}`
  }
  return first.digest === second.digest ? null : `the digest was ${first.digest}, then ${second.digest}`
}

/** A sweep whose strategy gave one case two results. */
export class DeterminismError extends Error {
  override readonly name = 'DeterminismError'
}

/** Explains a difference to the author of a strategy. */
export function explainDifference(difference: string): string {
  return `the strategy is not a function of its inputs: a case gave another result when it was repeated in a fresh thread (${difference}). Look for a variable outside of \`state\`, which keeps its value from case to case, for Math.random, Date or a timer, and for what the strategy reads without naming it. Where cases were kept from an earlier build of otcsim, --fresh runs them again`
}
