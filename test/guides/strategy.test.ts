import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { loadStrategy } from '../../src/backtest/loading/load-strategy.ts'
import { repository } from '../cli/harness.ts'

it('runs the strategy of the guide', async () => {
  const readme = readFileSync(join(repository, 'src/backtest/README.md'), 'utf8')
  const [text = ''] = [...readme.matchAll(/^```typescript\n([\s\S]*?)^```$/gm)].map((match) => match[1])
  const folder = join(repository, '.otcsim', 'readme')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'strategy.ts'), text)
  const strategy = await loadStrategy('strategy.ts', folder)
  const { fills, rejects } = await backtest(strategy, { scenario: 'calm', to: '30m', tick: '10s' })
  expect(rejects).toEqual([])
  expect(fills.length).toBeGreaterThan(1)
})
