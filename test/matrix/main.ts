import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/*
 * `npm run soak clients`: the careful client passes under every reading, fault and combination; the naive one is broken
 * by exactly the readings and faults that the file beside this one lists.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Report {
  readonly ok: boolean
  readonly breaks: readonly { readonly name: string }[]
  readonly combinations: readonly unknown[]
}

function matrix(client: string, ...words: readonly string[]): Report {
  const program = `${root}test/matrix/${client}-client.mjs`
  const ended = spawnSync(
    process.execPath,
    [`${root}dist/cli.cjs`, 'matrix', '--json', ...words, '--', process.execPath, program],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const report: Report = JSON.parse(ended.stdout)
  return report
}

const careful = matrix('careful')
console.log(`careful: ${careful.ok ? 'nothing breaks it' : JSON.stringify(careful.breaks)}`)

// Names only, because it depends on timing which tests reach the rate limit.
const expected: readonly string[] = JSON.parse(readFileSync(`${root}test/matrix/naive-breaks.json`, 'utf8'))
const naive = matrix('naive', '--depth', '1')
const found = naive.breaks.map(({ name }) => name)
const missing = expected.filter((name) => !found.includes(name))
const more = found.filter((name) => !expected.includes(name))
console.log(
  `naive: ${found.length} readings and faults break it; missing ${JSON.stringify(missing)}, more ${JSON.stringify(more)}`,
)
process.exitCode = careful.ok && missing.length + more.length === 0 ? 0 : 1
