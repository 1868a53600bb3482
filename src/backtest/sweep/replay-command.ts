import { flagOf, shellWord } from '../command-words.ts'
import type { CaseRow } from './case-row.ts'
import { type SweepPlan, workIn } from './plan.ts'

/** The command that repeats one case of a sweep. */
export function replayCommand(
  { work, grid }: SweepPlan,
  { seed, parameters, window }: Pick<CaseRow, 'seed' | 'parameters' | 'window'>,
): string {
  const words = ['otcsim', 'backtest', shellWord(work.strategy.file)]
  // Each line is one of several values.
  for (const [name, value] of Object.entries(workIn(work, window).options))
    for (const line of value.split('\n')) words.push(flagOf(name), ...(line === '' ? [] : [shellWord(line)]))
  for (const { name, of } of grid) {
    words.push(of === 'strategy' ? '--set' : '--param', shellWord(`${name}=${parameters[name] ?? ''}`))
  }
  words.push('--seed', shellWord(seed))
  return words.join(' ')
}
