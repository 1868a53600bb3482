import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crashRun } from './crash-run.ts'

/* `npm run soak crash`: 200 kills, or as many as the first argument says, under each sync policy in turn. */

const kills = Number(process.argv[2] ?? 200)
const bundle = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const policies = ['os', 'group', 'always'] as const
for (const [index, sync] of policies.entries()) {
  const share = Math.floor(kills / policies.length) + (index < kills % policies.length ? 1 : 0)
  const folder = mkdtempSync(join(tmpdir(), 'otcsim-crash-'))
  const report = await crashRun({
    kills: share,
    seed: `crash-${sync}`,
    otcsim: [process.execPath, bundle],
    folder,
    sync,
    tell: (text) => console.log(`${sync}: ${text}`),
  })
  console.log(`${sync}: nothing lost`, report)
  rmSync(folder, { recursive: true })
}
