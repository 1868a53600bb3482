import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repository } from '../cli/harness.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { crashRun } from './crash-run.ts'

/* Uses the built command, as test/cli/bundle.test.ts does. `npm run soak crash` does the same two hundred times. */
const bundle = join(repository, 'dist', 'cli.cjs')

it('keeps every answered command, whole, when it is killed while four clients write', async () => {
  const folder = temporaryFolder()
  const otcsim = [process.execPath, bundle]
  const report = await crashRun({ kills: 3, seed: 'test', otcsim, folder, sync: 'os', tell: () => undefined })
  expect(report.kills).toBe(3)
  expect(report.accepted).toBeGreaterThan(0)
  expect(report.lines).toBeGreaterThanOrEqual(report.accepted)
})
