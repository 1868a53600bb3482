import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repository, serve } from '../cli/harness.ts'

/* Without a container engine: compares the container file with the README, and runs its health check. */

const folder = join(repository, 'test/container')
const steps = readFileSync(join(folder, 'Dockerfile'), 'utf8')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
const after = (word: string): string[] =>
  steps.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))

it('follows the steps of the README, as a user without privileges', () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8')
  const [run] = after('RUN')
  const [start = ''] = after('CMD')
  const command: unknown = JSON.parse(start)
  expect(readme).toContain(`${run} && ${Array.isArray(command) ? command.join(' ') : ''}`)
  expect(after('USER')).toEqual(['node'])
})

it('has a health check that fails when the venue is not running', async () => {
  const [check = ''] = after('HEALTHCHECK')
  const words: unknown = JSON.parse(check.slice(check.indexOf('[')))
  expect(words).toEqual(['node', 'test/container/health.mjs'])
  const health = (env: Record<string, string>) =>
    new Promise<number>((resolve) => {
      const file = join(folder, 'health.mjs')
      const child = execFile(process.execPath, [file], { env: { ...process.env, ...env } }, () => undefined)
      child.on('close', (code) => resolve(code ?? -1))
    })
  const { url } = await serve(['--port', '0', '--admin-token', 'hush'])
  const port = new URL(url).port
  expect(await health({ OTCSIM_PORT: port, OTCSIM_ADMIN_TOKEN: 'hush' })).toBe(0)
  expect(await health({ OTCSIM_PORT: port })).toBe(1)
  expect(await health({ OTCSIM_PORT: '1' })).toBe(1)
})
