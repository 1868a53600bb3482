import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { isLongestRun } from '../support/full-run.ts'

/* A project that has the built package installed. Needs `npm run build`. */

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Ended {
  readonly code: number
  /** What the program has written, to stdout and then to stderr. */
  readonly said: string
}

/** A folder with a `node_modules` in which the built package and some others are installed. */
export interface Consumer {
  readonly folder: string
  /** Makes a folder of its own in the project, with files. */
  makeFolder(files?: { readonly [name: string]: string }): string
  /** Runs a program in a folder, with the project's programs on its path. */
  run(program: string, words: readonly string[], cwd: string, path?: string): Promise<Ended>
}

/** Makes a project before the tests of a file, with these packages besides otcsim, and removes it afterwards. */
export function createConsumer(packages: readonly string[]): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'otcsim-consumer-'))
  const modules = join(folder, 'node_modules')
  beforeAll(() => {
    mkdirSync(join(modules, '.bin'), { recursive: true })
    // A copy, as npm makes one: some runners treat the target of a link as code of the user.
    for (const name of ['package.json', ...manifest.files])
      cpSync(join(root, name), join(modules, 'otcsim', name), { recursive: true })
    for (const name of [...packages, ...Object.keys(manifest.dependencies)]) {
      mkdirSync(join(modules, name, '..'), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
    }
    symlinkSync(join(modules, 'otcsim', 'dist', 'cli.cjs'), join(modules, '.bin', 'otcsim'))
    writeFileSync(join(folder, 'package.json'), '{"private": true}')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    makeFolder: (files = {}) => {
      const made = mkdtempSync(join(folder, 'tests-'))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
      return made
    },
    run: (program, words, cwd, path) =>
      runProgram(program, words, cwd, path ?? `${join(modules, '.bin')}${delimiter}${process.env['PATH']}`),
  }
}

/** How long a program may run: the longest forms of tests take minutes on a quiet machine, and more on a busy one. */
const programMillis = isLongestRun ? 3_000_000 : 300_000
/** How long a test may take that runs such a program. */
export const programTestMillis = programMillis + 30_000

function runProgram(program: string, words: readonly string[], cwd: string, path: string): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: path }
    execFile(program, words, { cwd, env, timeout: programMillis }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, said: `${stdout}${stderr}` })
    })
  })
}
