import { execFile, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/* The README's recipes for CI, run as their readers would, beside the built package. Needs `npm run build`. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const consumer = mkdtempSync(join(tmpdir(), 'otcsim-recipes-'))
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** A block of the README by the file name in its first line. */
function recipe(name: string): string {
  const blocks = [...readme.matchAll(/^```[a-z]+\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
  const found = blocks.find((block) => block.split('\n')[0]?.replace(/^(?:\/\/|#) /, '') === name)
  if (found === undefined) throw new Error(`the README has no ${name}`)
  return found
}

function write(...names: readonly string[]): string {
  const folder = mkdtempSync(join(consumer, 'recipe-'))
  for (const name of names) writeFileSync(join(folder, name), recipe(name))
  return folder
}

interface Ended {
  readonly code: number
  readonly said: string
}

function run(program: string, words: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: `${join(consumer, 'node_modules', '.bin')}:${process.env['PATH']}` }
    execFile(program, words, { cwd, env, timeout: 300_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, said: `${stdout}${stderr}` })
    })
  })
}

const isThere = (program: string, ...words: readonly string[]): boolean =>
  spawnSync(program, words, { stdio: 'ignore' }).status === 0

beforeAll(() => {
  const modules = join(consumer, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  symlinkSync(root, join(modules, 'otcsim'), 'junction')
  symlinkSync(join(root, 'node_modules', 'vitest'), join(modules, 'vitest'), 'junction')
  symlinkSync(join(root, 'dist', 'cli.cjs'), join(modules, '.bin', 'otcsim'))
  writeFileSync(join(consumer, 'package.json'), '{"private": true}')
})
afterAll(() => rmSync(consumer, { recursive: true, force: true }))

describe('the recipes of the README', { timeout: 330_000 }, () => {
  it('for vitest', async () => {
    const folder = write('fills.test.js')
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const passed = await run(process.execPath, [vitest, 'run', '--root', folder], folder)
    expect(passed.said).toMatch(/2 passed/)
    expect(passed.code).toBe(0)
    const broken = recipe('fills.test.js').replace("toBe('filled')", "toBe('open')")
    writeFileSync(join(folder, 'fills.test.js'), broken)
    const failed = await run(process.execPath, [vitest, 'run', '--root', folder], folder)
    expect(failed.code).toBe(1)
    const [, line = ''] = /replay: npx otcsim (replay .*)$/m.exec(failed.said) ?? []
    expect(readdirSync(join(folder, '.otcsim'))).toHaveLength(1)
    const replayed = await run(process.execPath, [join(root, 'dist', 'cli.cjs'), ...line.split(' ')], folder)
    expect(replayed).toMatchObject({ code: 0 })
  })

  it('for jest, by a runner with its globals', async () => {
    const registered: (() => Promise<void>)[] = []
    const names: string[] = []
    const register = (name: string, body: () => Promise<void>) => {
      names.push(name)
      registered.push(body)
    }
    const globals = {
      test: Object.assign(register, { only: register, skip: register, concurrent: register }),
      expect,
    }
    const before = Object.keys(globals).map((name) => [name, Reflect.get(globalThis, name)] as const)
    for (const [name, value] of Object.entries(globals)) Reflect.set(globalThis, name, value)
    try {
      createRequire(import.meta.url)(join(write('fills.test.cjs'), 'fills.test.cjs'))
      for (const body of registered) await body()
    } finally {
      for (const [name, value] of before) Reflect.set(globalThis, name, value)
    }
    expect(names).toEqual(['a quote expires'])
  })

  if (isThere('python3', '-c', 'import pytest'))
    it('for pytest', async () => {
      const folder = write('conftest.py', 'test_fills.py')
      const ended = await run('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], folder)
      expect(ended.said).toContain('1 passed')
      expect(ended.code).toBe(0)
    })

  if (isThere('go', 'version'))
    it('for Go', async () => {
      const folder = write('venue_test.go')
      writeFileSync(join(folder, 'go.mod'), 'module venue\n\ngo 1.21\n')
      const ended = await run('go', ['test', './...'], folder)
      expect(ended.said).toMatch(/^ok/m)
      expect(ended.code).toBe(0)
    })

  it('name files that are there', () => {
    expect(existsSync(join(root, 'test/container/Dockerfile'))).toBe(true)
  })
})
