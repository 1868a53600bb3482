import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Finished, repository } from './harness.ts'

/** A strategy that buys at its first tick and holds, so that its profit depends on the seed and is proportional to its size. */
export const strategy: string = writeHolder('')

/**
 * A test can interrupt a sweep of this one at a chosen case: a process runs as many cases as the file `hold` says, begins
 * one more, writes the file `holding`, and waits until `hold` is removed.
 */
const waitingStrategy = writeHolder(`
    cases += 1
    if (cases > most) writeFileSync('holding', '')
    while (cases > most && isThere('hold')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)`)

function writeHolder(onStart: string): string {
  // The files are read by other names, so that they are no part of the identity: they come and go in a sweep.
  const head = `import fs, { writeFileSync } from 'node:fs'
const { existsSync: isThere, readFileSync: take } = fs
const most = isThere('hold') ? Number(take('hold', 'utf8')) : Infinity
let cases = 0
`
  return `${onStart === '' ? '' : head}export default {
  name: 'holder',
  parameters: {
    size: { type: 'number', default: 1, minimum: 0 },
    failsAbove: { type: 'number', default: 100 },
  },
  onStart() {${onStart}
  },
  onTick({ parameters, sync }, { index }) {
    if (parameters.size > parameters.failsAbove) throw new Error('too large for me')
    if (index === 1) sync.orders.create({ side: 'buy', asset: 'BTC', quantity: parameters.size, orderType: 'market' })
  },
}
`
}

const scenario = `version: 1
name: walk
params: { vol: 0.8 }
clock: { start: 2026-01-05T00:00:00Z, end: 6h, grid: 1m }
market: { flow: { kind: none }, assets: { BTC: { price: 50000, model: { kind: gbm, vol: "\${vol}" } } } }
accounts: [{ id: desk, balances: { USD: 1000000 } }]
`

/** A folder with a strategy `holder.mjs` and a scenario `walk.yaml`, removed after the test. */
export function project(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'holder.mjs'), strategy)
  writeFileSync(join(folder, 'walk.yaml'), scenario)
  return folder
}

/** A project whose strategy waits where a test wants it to, and has inputs that are not all known for that. */
export function waitingProject(): string {
  const folder = project()
  writeFileSync(join(folder, 'holder.mjs'), waitingStrategy)
  return folder
}

/** The environment without VITEST, which would make a process expect a runtime that reads TypeScript. */
export const { VITEST: _, ...ownEnvironment } = process.env

export const program: string = join(repository, 'dist', 'cli.cjs')

/** Runs the built command and returns its output. Progress on stderr depends on the machine, so tests rarely check it. */
export function built(words: readonly string[], cwd: string): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd, env: ownEnvironment, timeout: 120_000 }
    const child = execFile(process.execPath, [program, ...words], options, (_, out, err) => {
      resolve({ code: child.exitCode ?? -1, out, err })
    })
  })
}

/** Starts the built command; the test's end kills it. */
export function startBuilt(words: readonly string[], cwd: string): ChildProcess {
  const child = spawn(process.execPath, [program, ...words], { cwd, stdio: 'ignore' })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}
