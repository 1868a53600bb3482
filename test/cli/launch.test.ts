import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { repository } from './harness.ts'

const installed = mkdtempSync(join(tmpdir(), 'otcsim-launch-'))
const kept = join(installed, '.otcsim', 'code')
const command = join(installed, 'dist', 'cli.cjs')
const version = () => execFileSync(process.execPath, [command, '--version'], { encoding: 'utf8' })
const codeKept = () => (existsSync(kept) ? readdirSync(kept) : [])

// `npm ci` and `npm test` build before this runs.
beforeAll(() => {
  for (const name of ['dist', 'scenarios', 'package.json'])
    cpSync(join(repository, name), join(installed, name), { recursive: true })
})
afterAll(() => rmSync(installed, { recursive: true, force: true }))

/** Serves until the condition holds. */
async function serveUntil(isDone: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout, 'data')
  await expect.poll(isDone).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'close')
}

it('stores the compiled code of a running process, and starts with it', async () => {
  expect(version()).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(codeKept()).toEqual([])
  await serveUntil(() => codeKept().some((name) => name.endsWith('-cli-venue.cjs')))
  expect(version()).toMatch(/^\d+\.\d+\.\d+\n$/)
  await serveUntil(() => true)
})

it('starts without code that is damaged or of another build', async () => {
  for (const name of codeKept()) truncateSync(join(kept, name), 1000)
  await serveUntil(() => true)
  writeFileSync(join(installed, 'dist', 'cli-build-id.txt'), 'another')
  await serveUntil(() => codeKept().some((name) => /^another-.*-cli-venue\.cjs$/.test(name)))
  expect(codeKept().filter((name) => !name.startsWith('another'))).toEqual([])
})
