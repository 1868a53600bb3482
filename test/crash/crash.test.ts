import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repository, temporaryFolder } from '../cli/harness.ts'
import { crashRun } from './crash-run.ts'

/* The built command, as in test/cli/bundle.test.ts; `npm run crash` does the same two hundred times. */
const bundle = join(repository, 'dist', 'cli.cjs')

it('loses nothing that was answered, and halves nothing, when it is killed while four write', async () => {
  const folder = temporaryFolder()
  const otcsim = [process.execPath, bundle]
  const report = await crashRun({ kills: 3, seed: 'test', otcsim, folder, sync: 'os', tell: () => undefined })
  expect(report.kills).toBe(3)
  expect(report.accepted).toBeGreaterThan(0)
  expect(report.lines).toBeGreaterThanOrEqual(report.accepted)
})
