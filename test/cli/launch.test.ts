import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { repository } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'otcsim-launch-'))
const installed = join(folder, 'installed')
const cache = join(folder, 'cache')
const version = () =>
  execFileSync(process.execPath, [join(installed, 'dist', 'cli.cjs'), '--version'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  })

// `npm ci` and `npm test` build before this runs.
beforeAll(() => {
  for (const name of ['dist', 'scenarios', 'package.json'])
    cpSync(join(repository, name), join(installed, name), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('starts again and again, and leaves nothing beside the package', () => {
  const before = readdirSync(installed)
  for (let start = 0; start < 3; start += 1) expect(version()).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(readdirSync(installed)).toEqual(before)
})

it('keeps its compiled code where Node keeps that, if this Node does', () => {
  version()
  expect(existsSync(cache)).toBe('enableCompileCache' in nodeModule)
})
