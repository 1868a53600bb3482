import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { otcsim, repository } from '../cli/harness.ts'
import { programPath } from '../support/program-path.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* The recipe for notebooks, with the program that has pandas. */

const script = join(repository, 'scenarios/notebooks/read_run.py')
const run = promisify(execFile)

it('reads a run into pandas, where the figures are those of the run', {
  tags: ['python3-pandas'],
}, async () => {
  const cwd = temporaryFolder()
  const args = ['scenarios/strategies/trend.ts', '--model', 'gbm,vol=0.6', '--to', '40d', '--tick', '1h']
  const told = await otcsim(
    [
      'backtest',
      ...args,
      '--set',
      'bar=1h',
      '--set',
      'fast=5',
      '--set',
      'slow=20',
      '--csv',
      join(cwd, 'out'),
      '--json',
    ],
    { cwd: repository },
  )
  const { drawdown, returns, sampling } = JSON.parse(told.out).metrics
  const { stdout } = await run(programPath('python3-pandas'), [script, join(cwd, 'out')])
  const read: Readonly<Record<string, number>> = JSON.parse(stdout)
  expect(read['days']).toBe(sampling.returns)
  expect(read['total']).toBeCloseTo(returns.total.value, 10)
  expect(read['volatility']).toBeCloseTo(returns.volatility.value, 10)
  expect(read['sharpe']).toBeCloseTo(returns.sharpe.value, 9)
  expect(read['deepestFall']).toBeCloseTo(drawdown.maximum.value, 10)
})
