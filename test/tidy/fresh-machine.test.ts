import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { lackOf, programNames } from '../support/wanted-programs.ts'
import { readSources, repositoryRoot } from './source.ts'

/* The tests on a machine that has Node and nothing else; those that want no other program are as on any machine. */

const tag = new RegExp(`@module-tag |tags: \\['(?:${programNames.join('|')})'`)
const wanting = readSources('test').filter(({ path, text }) => path.endsWith('.test.ts') && tag.test(text))

/** Runs those tests of some files that want a program, where there is none. */
async function testBare(files: readonly string[], env: { readonly [name: string]: string }) {
  const machine = temporaryFolder()
  for (const folder of ['bin', 'home']) mkdirSync(join(machine, folder))
  symlinkSync(process.execPath, join(machine, 'bin', 'node'))
  const vitest = join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs')
  const words = [
    vitest,
    'run',
    '--config',
    'test/vitest.config.ts',
    `--tags-filter=${programNames.join(' or ')}`,
  ]
  // Without the variables, the packed browser and what is in `.otcsim/programs` would be there.
  const surroundings = {
    PATH: join(machine, 'bin'),
    HOME: join(machine, 'home'),
    CHROMIUM: '',
    JEST: '',
    OPENAPI_TYPESCRIPT: '',
    SINON: '',
    TIME_MACHINE: '',
    PYTHON3_PANDAS: '',
    ...env,
  }
  const running = promisify(execFile)(process.execPath, [...words, ...files], {
    cwd: repositoryRoot,
    env: surroundings,
  })
  return await running.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { readonly code: number; readonly stdout: string }) => ({ code, stdout }),
  )
}

it('are left out, and a line for each missing program says how to get it', { timeout: 300_000 }, async () => {
  const { code, stdout } = await testBare(
    wanting.map(({ path }) => path),
    {},
  )
  const lines = stdout.split('\n').filter((line) => line.startsWith('tests left out: '))
  expect(lines.map((line) => line.replace(/^tests left out: [1-9]\d*, because /, ''))).toEqual(
    programNames.map(lackOf),
  )
  expect(stdout).toMatch(/\n0 passed, 0 failed\n$/)
  expect(code).toBe(0)
})

it('fail under CI', async () => {
  const { code, stdout } = await testBare(['test/client/curl.test.ts'], { CI: 'true' })
  expect(stdout).toMatch(/\n0 passed, 2 failed\n$/)
  expect(code).toBe(1)
})
