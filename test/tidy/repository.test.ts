import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { programPath } from '../support/program-path.ts'
import { foreignObjectRule, writtenHttp } from './foreign-objects.ts'
import { formFigures } from './form.ts'
import { glossaryPath } from './glossary.ts'
import { deadExports, folderCycles, importCycles } from './import-graph.ts'
import { importRule, rooms } from './import-rule.ts'
import { lockFileRule, machineNameRule } from './machine-names.ts'
import { exactMathRule, pureRoomRule } from './pure-rooms.ts'
import { breaches, reasons } from './reasons.ts'
import {
  barrelRule,
  castRule,
  commentRule,
  defaultExportRule,
  fileLengthRule,
  functionLengthRule,
  plainSyntaxRule,
} from './shape.ts'
import { type Finding, type Rule, readSources, repositoryRoot, type TextFile } from './source.ts'
import { programRule, regressionRule, testFileRule } from './test-files.ts'

const code = readSources('src')
const tests = readSources('test').filter(({ path }) => !path.startsWith('test/tidy/'))

/** Files that users import, and entries of threads. */
const entries = [
  'src/index.ts',
  'src/backtest/entry.ts',
  'src/client/entry.ts',
  'src/testing/entry.ts',
  'src/testing/jest.ts',
  'src/testing/playwright.ts',
  'src/testing/vitest.ts',
  'src/cli/run/run-worker.ts',
  'src/cli/sweep/sweep-task.ts',
  'src/backtest/sweep/sweep-thread.ts',
]

/** Entries of threads of tests. */
const threads = ['test/backtest/sweep/test-task.ts']

function expectNone(findings: readonly Finding[]): void {
  expect(findings.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([])
}

describe('the sources', () => {
  it.each<[string, Rule]>([
    ['import downwards only', importRule],
    ['are pure in the pure rooms', pureRoomRule],
    ['compute the same on every engine', exactMathRule],
    ['are short files', fileLengthRule],
    ['have short functions', functionLengthRule],
    ['export by name', defaultExportRule],
    ['narrow instead of casting', castRule],
    ['have no barrels', barrelRule],
    ['disable no tool', commentRule],
    ['reach into no library, and not into Node', foreignObjectRule],
    ['use plain syntax', plainSyntaxRule],
  ])('%s', (_title, rule) => {
    expectNone(code.flatMap(rule))
  })

  it('write HTTP only where a reason is stated', () => {
    const writing = code.filter(({ text }) => /['"`]HTTP\/1\.1 /.test(text)).map(({ path }) => path)
    expect(writing.sort()).toEqual([...writtenHttp.keys()].sort())
  })

  it('never import in a circle', () => {
    expectNone(importCycles(code))
  })

  it('have no circular imports between folders', () => {
    expectNone(folderCycles(code))
  })

  it('have no unused exports', () => {
    const programs = tests.filter(({ path }) => !path.endsWith('.test.ts'))
    const dead = deadExports(code, [...programs, ...readSources('scenarios')], tests)
    expectNone(dead.filter(({ path }) => !entries.includes(path)))
  })

  it('have been read', () => {
    expect(code.length).toBeGreaterThan(20)
  })
})

/*
 * Each figure of `npm run form` has a limit, mostly none at all, and what is beyond it is named with
 * its place and what to do about it. Exceptions stand in `reasons.ts`, each with its reason.
 */
describe('the form of the sources', () => {
  const figures = formFigures(code, {
    glossary: readFileSync(join(repositoryRoot, glossaryPath), 'utf8'),
    scripts: Object.keys(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')).scripts),
  })

  it.each(figures.map((figure) => [figure.name, figure] as const))('%s', (_, figure) => {
    expect(breaches(figure)).toEqual([])
  })

  it('every reason is one of a figure', () => {
    const names = figures.map(({ name }) => name)
    expect(Object.keys(reasons).filter((name) => !names.includes(name))).toEqual([])
  })
})

describe('the tests', () => {
  it.each<[string, Rule]>([
    ['all run, without mocks', testFileRule],
    ['find programs in one place', programRule],
    ['name the room of a past fault', regressionRule],
    ['are short files', fileLengthRule],
    ['narrow instead of casting', castRule],
    ['disable no tool', commentRule],
    ['use plain syntax', plainSyntaxRule],
  ])('%s', (_title, rule) => {
    expectNone(tests.flatMap(rule))
  })

  it('have no unused exports of helpers', () => {
    const shared = tests.filter(({ path }) => !path.endsWith('.test.ts') && !path.endsWith('.config.ts'))
    const dead = deadExports(shared, tests, [])
    expectNone(dead.filter(({ path }) => !threads.includes(path)))
  })
})

describe('the repository', { tags: ['git'] }, () => {
  let texts: readonly TextFile[]
  beforeAll(() => {
    texts = trackedTexts()
  })

  it('has every file and folder that the map and the readmes of the rooms name', () => {
    const maps = texts.filter(({ path }) => /^src\/.*README\.md$/.test(path)).map(({ text }) => text)
    const named = maps.flatMap((map) =>
      [...map.matchAll(/`([a-z/-]+(?:\.tsx?|\/))`/g)].flatMap(([, name]) => name ?? []),
    )
    const isThere = (name: string) =>
      texts.some(({ path }) =>
        name.endsWith('/') ? `/${path}`.includes(`/${name}`) : `/${path}`.endsWith(`/${name}`),
      )
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((name) => !isThere(name))).toEqual([])
  })

  it('has a map that states what each room may import', () => {
    const map = texts.find(({ path }) => path === 'src/README.md')?.text ?? ''
    const lines = [...map.matchAll(/^([a-z]+) {2,}\S.*?(?: {2,}| )(-|all|[a-z]+(?:, [a-z]+)*)$/gm)]
    const told = new Map(lines.map(([, room = '', others = '']) => [room, others.match(/[a-z]+/g) ?? []]))
    const below = (room: string): readonly string[] =>
      (told.get(room) ?? []).flatMap((other) => [other, ...below(other)])
    for (const [name, room] of rooms) {
      if (name === 'cli' || name === 'index.ts') continue
      const allowed = room.rooms.filter((other) => other !== name)
      expect([...new Set(below(name))].toSorted(), name).toEqual([...new Set(allowed)].toSorted())
    }
  })

  it('contains no paths of one machine', () => {
    expectNone(texts.filter(({ path }) => !path.startsWith('test/tidy/')).flatMap(machineNameRule))
  })

  it('locks packages of the public registry only', () => {
    expectNone(texts.filter(({ path }) => path === 'package-lock.json').flatMap(lockFileRule))
  })

  it('locks the optional packages of every platform', () => {
    const { packages } = JSON.parse(texts.find(({ path }) => path === 'package-lock.json')?.text ?? '')
    expect(unlockedOptionals(packages)).toEqual([])
    expect(unlockedOptionals({ a: { optionalDependencies: { 'b-win32': '1.0.0' } } })).toEqual(['b-win32'])
  })

  it('has at its top level only what tools require there', () => {
    const top = new Set(texts.map(({ path }) => path.split('/')[0]))
    const expected = [
      '.ci',
      '.gitattributes',
      '.gitignore',
      '.npmrc',
      'LICENSE',
      'README.md',
      'biome.json',
      'package-lock.json',
    ]
    const allowed = [...expected, 'package.json', 'scenarios', 'src', 'test', 'tsconfig.json']
    expect([...top].filter((name) => !allowed.includes(name ?? ''))).toEqual([])
  })
})

function trackedTexts(): readonly TextFile[] {
  return execFileSync(programPath('git'), ['ls-files', '-z'], { cwd: repositoryRoot, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(repositoryRoot, path)))
    .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), 'utf8') }))
}

/** Registries without a platform's package omit it from the lock file, and then `npm ci` refuses to install. */
function unlockedOptionals(packages: LockedPackages): readonly string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages),
    ),
  )
}

interface LockedPackages {
  readonly [path: string]: { readonly optionalDependencies?: Readonly<Record<string, string>> }
}
