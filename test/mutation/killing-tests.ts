import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Folders whose tests run in process and within seconds. Tests that need a build, sockets, a browser or other processes
 * are excluded: they would not kill more, only later.
 */
const folders = [
  'numeric',
  'market',
  'engine',
  'metrics',
  'pages',
  'model',
  'reference',
  'properties',
  'regressions',
  'golden',
  'api',
]

/** Files of those folders that start other processes, or need a build. */
const leftOut = ['test/api/openapi/lint.test.ts', 'test/regressions/calls-without-types.test.ts']

/** Who runs commands in its test loads what a build makes. */
const commandLine = 'test/cli/harness.ts'

/** A file's text as it is now. */
export function textOf(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8')
}

/** Paths of all TypeScript files below a folder, from the repository's root, sorted. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort()
}

/** For each test file that may kill, all files of the repository that it imports, directly or indirectly. */
export function importsOfTests(): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, readonly string[]>()
  const tests = folders.flatMap((folder) => filesBelow(`test/${folder}`))
  return new Map(
    tests
      .filter((path) => path.endsWith('.test.ts') && !leftOut.includes(path))
      .map((path): [string, ReadonlySet<string>] => [path, closureOf(path, known)])
      .filter(([, imported]) => !imported.has(commandLine)),
  )
}

function closureOf(path: string, known: Map<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set([path])
  for (const file of found) for (const target of importsOf(file, known)) found.add(target)
  return found
}

function importsOf(path: string, known: Map<string, readonly string[]>): readonly string[] {
  const before = known.get(path)
  if (before !== undefined) return before
  const folder = dirname(join(repositoryRoot, path))
  const imports = ts
    .preProcessFile(textOf(path), true, true)
    .importedFiles.map(({ fileName }) => join(folder, fileName))
    .filter((file) => file.endsWith('.ts') && existsSync(file))
    .map((file) => relative(repositoryRoot, file).replaceAll('\\', '/'))
  known.set(path, imports)
  return imports
}

/** A test file's record: how long it takes, and how many mutants of each file it has killed. */
export interface TestRecord {
  millis: number
  readonly killsOf: { [path: string]: number }
  /** Hash of the test and all its imports when it last passed without a mutant. */
  provenBy: string
}

/**
 * Test files in the order in which they most cheaply kill a mutant of `path`: those that killed mutants of this file
 * before, by kills per time, then near ones before far ones and fast ones before slow ones. Tests that check a whole venue
 * after every command count as near to all of the engine: what the nearest do not see, they mostly do. Golden digests
 * are last, because they show that something changed but not what.
 */
export function killersFirst(
  tests: readonly string[],
  path: string,
  records: ReadonlyMap<string, TestRecord>,
): readonly string[] {
  const costOf = (test: string) => {
    const record = records.get(test)
    const millis = (record?.millis ?? 1000) + 20
    const killsOf = record?.killsOf ?? {}
    const ofAll = Object.values(killsOf).reduce((sum, kills) => sum + kills, 0)
    const kills = 10 * (killsOf[path] ?? 0) + ofAll + (isTwin(test, path) ? 5 : 0)
    return millis / (1 + kills) / 4 ** nearness(test, path) + (test.startsWith('test/golden/') ? 1e9 : 0)
  }
  return tests
    .map((test) => ({ test, cost: costOf(test) }))
    .sort((left, right) => left.cost - right.cost)
    .map(({ test }) => test)
}

function nearness(test: string, path: string): number {
  const isWhole = path.startsWith('src/engine/') && /^test\/(model|properties)\//.test(test)
  return isWhole ? 2 : sharedFolders(test, path)
}

/** How many folders below `test` and `src` two paths share. */
function sharedFolders(test: string, path: string): number {
  const folders = dirname(path).split('/').slice(1)
  const own = dirname(test).split('/').slice(1)
  const different = folders.findIndex((folder, index) => folder !== own[index])
  return different < 0 ? folders.length : different
}

/** `test/numeric/units.test.ts` is the test of `src/numeric/units.ts`. */
export function isTwin(test: string, path: string): boolean {
  return (
    test.replace(/^test\//, '').replace(/\.test\.ts$/, '') === path.replace(/^src\//, '').replace(/\.ts$/, '')
  )
}
