import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Served, serveApart } from './served.ts'

/*
 * `npm run soak starts`: two servers start at once with journals in one folder, 2,000 times or as often as the first
 * argument says. None may be refused. In every tenth round a second server on one of the files, and one on the whole
 * folder, are started besides, and both must be refused; every second round ends by a kill, which leaves the locks.
 */

const rounds = Number(process.argv[2] ?? 2000)
const bundle = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const base = mkdtempSync(join(tmpdir(), 'otcsim-starts-'))
const inUse = 4
/** Rounds that share a folder, with what earlier ones have left in it. */
const roundsPerFolder = 20

const start = (...words: readonly string[]): Promise<Served> =>
  serveApart({ program: process.execPath, words: [bundle, 'serve', '--port', '0', '--json', ...words] })

async function refusal(...words: readonly string[]): Promise<void> {
  const began = await start(...words).catch((failure: unknown) => String(failure))
  if (typeof began === 'string') {
    if (began.includes(`ended with ${inUse} `) && began.includes('is in use by process')) return
    throw new Error(`refused otherwise: ${began}`)
  }
  began.child.kill('SIGKILL')
  throw new Error(`${words.join(' ')} started besides another server`)
}

const counts = { starts: 0, refusals: 0 }
for (let round = 0; round < rounds; round += 1) {
  const folder = join(base, `f${Math.floor(round / roundsPerFolder)}`)
  mkdirSync(folder, { recursive: true })
  const files = ['a', 'b'].map((name) => join(folder, `${name}.journal`))
  const servers = await Promise.all(files.map((file) => start('--journal', file)))
  counts.starts += servers.length
  if (round % 10 === 9) {
    const [one = ''] = files
    await Promise.all([
      refusal('--journal', one),
      refusal('--journal-dir', folder),
      start('--journal', join(folder, 'c.journal')).then(({ child, ended }) => {
        child.kill('SIGTERM')
        return ended
      }),
    ])
    counts.refusals += 2
  }
  for (const { child } of servers) child.kill(round % 2 === 0 ? 'SIGTERM' : 'SIGKILL')
  await Promise.all(servers.map(({ ended }) => ended))
  if (round % roundsPerFolder === roundsPerFolder - 1) {
    rmSync(folder, { recursive: true })
    console.log(
      `${round + 1} rounds: ${counts.starts} starts, none refused; ${counts.refusals} refusals, as they must be`,
    )
  }
}
rmSync(base, { recursive: true })
console.log(`done: ${rounds} rounds, ${counts.starts} starts, none refused`)
