import type { CaseTask, TaskAnswer } from '../../../src/backtest/sweep/plan.ts'
import { createStream } from '../../../src/numeric/random.ts'

/* A case that is a random walk of its seed: the tests of pools and queues need no venue. */

export function runTask({ id, seed, parameters, work }: CaseTask): TaskAnswer {
  if (work.strategy.file === 'quitter.ts') process.exit(3)
  if (work.strategy.digest !== 'aa') return { ok: false, problem: 'this place has another strategy' }
  const stream = createStream(seed, 'walk', parameters['informed'] ?? '', 0)
  const equity = [1_000]
  for (let step = 0; step < Number(work.options['steps'] ?? 100); step += 1) {
    const last = equity.at(-1) ?? 0
    equity.push(last + stream.normal() * Number(parameters['spreadBps']))
    if (equity.length > 20) equity.shift()
  }
  const profit = (equity.at(-1) ?? 0) - 1_000
  return { ok: true, row: { id, seed, parameters, digest: id, metrics: { profit }, equity, failure: null } }
}
