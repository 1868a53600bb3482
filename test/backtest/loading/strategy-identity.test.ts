import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { identifyStrategy } from '../../../src/backtest/loading/strategy-identity.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/* The identity of a strategy is as wide as what decides what it does. */

function write(files: { readonly [name: string]: string }): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const identify = (folder: string, environment: { readonly [name: string]: string } = {}) =>
  identifyStrategy(join(folder, 'app', 's.mjs'), environment)

const manifest =
  '{"name":"app","type":"module","imports":{"#own/*":{"node":"./lib/*","default":"./web/*"}},"exports":{"./self":"./self.mjs"}}'

it.each<[what: string, text: string, file: string]>([
  ['a relative import', "import './lib/q.mjs'", 'app/lib/q.mjs'],
  ['a name of its package', "import { q } from '#own/q.mjs'", 'app/lib/q.mjs'],
  ['a name under another condition', "import { q } from '#own/q.mjs'", 'app/web/q.mjs'],
  ['its own package', "import 'app/self'", 'app/self.mjs'],
  ['what an import imports', "import '#own/deep.mjs'", 'app/lib/deeper.cjs'],
  ['an import() with a template', 'await import(`./lib/q.mjs`)', 'app/lib/q.mjs'],
  [
    'createRequire',
    "const need = createRequire(import.meta.url)\nneed('./lib/deeper')",
    'app/lib/deeper.cjs',
  ],
  ['an installed package', "import 'pack'", 'node_modules/pack/lib/main.js'],
  ["a package's dependency", "import 'pack'", 'node_modules/dep/index.js'],
  ['a subpath of a scoped package', "import x from '@a/b/sub'", 'node_modules/@a/b/src/sub.js'],
  ['how a package is resolved', "import 'pack'", 'node_modules/pack/package.json'],
  ['readFileSync of a URL', "readFileSync(new URL('./lib/q.json', import.meta.url))", 'app/lib/q.json'],
  ['a constant name', "const name = 'lib/q.json'\nreadFileSync(join(here, name))", 'app/lib/q.json'],
  [
    'each of a list',
    "for (const name of ['./lib/q.json', './lib/b.bin']) readFileSync(name)",
    'app/lib/b.bin',
  ],
  ['a folder', "readdirSync(new URL('./lib', import.meta.url))", 'app/lib/b.bin'],
  ['a helper that loads', "loadWeights('./lib/q.json')", 'app/lib/q.json'],
  ['a thread', "new Worker(new URL('./lib/q.mjs', import.meta.url))", 'app/lib/q.mjs'],
])('is that of %s', (_what, text, file) => {
  const files: Readonly<Record<string, string>> = {
    'app/package.json': manifest,
    'app/s.mjs': text,
    'app/self.mjs': '1',
    'app/lib/q.mjs': '1',
    'app/web/q.mjs': '1',
    'app/lib/deep.mjs': "import './deeper.cjs'",
    'app/lib/deeper.cjs': '1',
    'app/lib/q.json': '{}',
    'app/lib/b.bin': 'a\r\nb',
    'app/other.mjs': '1',
    'node_modules/pack/package.json': '{"version":"1.0.0","main":"lib/main"}',
    'node_modules/pack/lib/main.js': "require('dep')",
    'node_modules/dep/index.js': '1',
    'node_modules/dep/package.json': '{}',
    'node_modules/@a/b/package.json': '{"exports":{"./*":"./src/*.js"}}',
    'node_modules/@a/b/src/sub.js': '1',
  }
  const before = identify(write(files))
  expect(before.unknown).toEqual([])
  expect(identify(write({ ...files, 'app/other.mjs': '2' })).digest).toBe(before.digest)
  const changed = file.endsWith('package.json') ? '{"version":"1.0.1","main":"lib/main"}' : `${files[file]} `
  expect(identify(write({ ...files, [file]: changed })).digest).not.toBe(before.digest)
})

it('follows a workspace package to its own folder', () => {
  const of = (text: string) => {
    const folder = write({
      'app/s.mjs': "import 'shared'",
      'packages/shared/package.json': '{"exports":"./main.mjs"}',
      'packages/shared/main.mjs': "export { q } from './q.mjs'",
      'packages/shared/q.mjs': text,
    })
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(folder, 'packages/shared'), join(folder, 'node_modules/shared'))
    return identify(folder).digest
  }
  expect(of('export const q = 1')).toBe(of('export const q = 1'))
  expect(of('export const q = 1')).not.toBe(of('export const q = 2'))
})

it('names the environment variables that count, and takes their values', () => {
  const folder = write({
    'app/s.mjs': "const { QUIET, LOUD: loud = '1' } = process.env\nprocess.env.SIZE + process.env['KIND']",
  })
  const { digest, variables } = identify(folder, { SIZE: '1', OTHER: '1' })
  expect(variables).toEqual(['KIND', 'LOUD', 'QUIET', 'SIZE'])
  expect(identify(folder, { SIZE: '1', OTHER: '2' }).digest).toBe(digest)
  for (const name of variables) expect(identify(folder, { SIZE: '1', [name]: '2' }).digest).not.toBe(digest)
})

it.each([
  ['readFileSync(name)', ['readFileSync(name)']],
  ["const data = './' + pick()\nreadFileSync(data)", ['readFileSync(data)']],
  [`await import('./models/' + name)`, [`import('./models/' + name)`]],
  ["import { execSync } from 'node:child_process'", ["imports 'node:child_process'"]],
  ["const { execSync } = require('child_process')", ["imports 'child_process'"]],
  ["const net = process.getBuiltinModule('node:net')", ["imports 'node:net'"]],
  [
    "import { createRequire } from 'node:module'\nconst need = createRequire(x)\nneed('https')",
    ["imports 'https'"],
  ],
  ["import { hostname } from 'node:os'", ["imports 'node:os'"]],
  ["import type { Server } from 'node:http'", []],
  ["const side = 'net'", []],
  ["await fetch('http://127.0.0.1:1/')", ['fetch()']],
  ['globalThis.fetch(where)', ['globalThis.fetch']],
  ["new WebSocket('ws://127.0.0.1:1/')", ['new WebSocket']],
  ['await venue.fetch(name)', []],
  ['// fetch() is not called', []],
  ["import { readFileSync as take } from 'node:fs'", ['readFileSync as take']],
  ["import fs from 'node:fs'\nconst { readFileSync: take } = fs", ['readFileSync: take']],
  ["import fs from 'node:fs'\nfs['readFileSync'](name)", ['readFileSync by another name']],
  ["import fs from 'node:fs'\nconst take = fs.readFileSync", ['readFileSync by another name']],
  ["import { existsSync, readFileSync } from 'node:fs'", []],
  ["import 'pack'", ["imports 'node:https'"]],
  ["import 'colours'", []],
  ["writeFileSync(new URL('./s.mjs', import.meta.url), 'out')", []],
  ['// readFileSync(name) is not called', []],
])('says what of %j is not known', (text, unknown) => {
  const packages = {
    'node_modules/pack/index.js': "const https = require('node:https')",
    'node_modules/colours/index.js': "const os = require('os'); fetch(x); readFileSync(x)",
    'node_modules/pack/package.json': '{}',
    'node_modules/colours/package.json': '{}',
  }
  const told = identify(write({ 'app/s.mjs': text, ...packages })).unknown
  expect(told.map((place) => place.replace(/^\S+:\d+ /, ''))).toEqual(unknown)
})

it('names places as they are seen from the strategy, wherever the process runs', () => {
  const folder = write({
    'app/s.mjs': "import '../lib/far.mjs'\n\nreadFileSync(here + '/../' + name)",
    'lib/far.mjs': 'fetch(x)',
  })
  expect(identify(folder).unknown).toEqual([
    "s.mjs:3 readFileSync(here + '/../' + name)",
    '../lib/far.mjs:1 fetch()',
  ])
})

it('does not list a folder of too many files, and says so', () => {
  const folder = write({ 'app/s.mjs': "readdirSync('./many')", 'app/many/0': '' })
  expect(identify(folder).unknown).toEqual([])
  for (let place = 1; place <= 10_000; place += 1) writeFileSync(join(folder, 'app/many', String(place)), '')
  expect(identify(folder).unknown).toEqual(["s.mjs:1 readdirSync('./many')"])
})

it.each([
  ['process.env[name]', true],
  ['const { env } = process\nenv[name]', true],
  ['Object.entries(process.env)', true],
  ['start({ ...process.env })', true],
  ['const all = process.env', true],
  ["process.env.SIZE + process.env['KIND'] + process.env?.MODE", false],
  ['const { SIZE } = process.env', false],
  ['const { env } = process\nenv.SIZE', false],
  ['// process.env is not used', false],
])('says whether %j looks at the environment as a whole', (text, isWhole) => {
  const { environment } = identify(write({ 'app/s.mjs': text }))
  expect(environment.length > 0).toBe(isWhole)
})

it('leaves out what is written', () => {
  const of = (out: string) =>
    identify(
      write({
        'app/s.mjs': "const to = 'out.json'\nwriteFileSync(to, 'x'); writeFileSync('out.json')",
        'app/out.json': out,
      }),
    )
  expect(of('1').digest).toBe(of('2').digest)
})

it('does not depend on where the folder lies', () => {
  const folder = write({
    'app/s.mjs': "import 'pack'",
    'node_modules/pack/index.js': '1',
    'node_modules/pack/package.json': '{}',
  })
  const moved = temporaryFolder()
  cpSync(folder, moved, { recursive: true })
  expect(identify(moved).digest).toBe(identify(folder).digest)
})
