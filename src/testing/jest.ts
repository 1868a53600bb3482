import { isObject } from '../api/json.ts'
import { type InWorld, type InWorldOptions, runInWorld } from './in-world.ts'
import { findCallingFile, nameTest } from './test-name.ts'

/** The part of a test runner's global `test` that `worldTests` uses. */
export interface RegisterTest {
  (name: string, body: (...row: readonly unknown[]) => Promise<void>, timeoutMillis?: number): void
  readonly each?: (rows: readonly unknown[]) => RegisterTest
}

/** Registers a test that runs in a world of its own. */
export interface WorldTest {
  (name: string, body: (given: InWorld) => unknown, timeoutMillis?: number): void
  /** Registers a test for each row of a table. A row that is a list becomes several arguments after the world. */
  readonly each: EachRow
}

/** Registers a test for each row of a table. */
export interface EachRow {
  <Row extends unknown[] | [unknown]>(
    rows: readonly Row[],
  ): (name: string, body: (given: InWorld, ...row: Row) => unknown, timeoutMillis?: number) => void
  <Row>(
    rows: readonly Row[],
  ): (name: string, body: (given: InWorld, row: Row) => unknown, timeoutMillis?: number) => void
}

/** jest's `test`, `test.only`, `test.skip` and `test.concurrent`, each test with a world of its own. */
export interface WorldTests extends WorldTest, Variants<WorldTest> {
  readonly todo: (name: string) => void
}

interface Variants<One> {
  readonly only: One
  readonly skip: One
  readonly concurrent: One
}

/**
 * Creates a `test` that gives each test a world of its own, for jest and any runner with the same global `test`. When a
 * test fails, its world's journal and requests are kept in `.otcsim`, and the failure says how to see them. The world's
 * seed is made from the test's name, and from the values of its row if there is one.
 */
export function worldTests(options: InWorldOptions = {}): WorldTests {
  return Object.assign(
    worldTest((runner) => runner, options),
    {
      only: worldTest((runner) => runner.only, options),
      skip: worldTest((runner) => runner.skip, options),
      concurrent: worldTest((runner) => runner.concurrent, options),
      todo: (name: string) => findRunnerTest().todo?.(name),
    },
  )
}

/** `worldTests()` with the defaults: the scenario `calm`, and time that stands still. */
export const test: WorldTests = worldTests()

interface RunnerTest extends RegisterTest, Variants<RegisterTest> {
  readonly todo?: (name: string) => void
}

function worldTest(pick: (runner: RunnerTest) => RegisterTest, options: InWorldOptions): WorldTest {
  const one = (name: string, body: (given: InWorld) => unknown, timeoutMillis?: number) => {
    const file = findTestFile() ?? findCallingFile(one)
    const run = async () => {
      await runInWorld(nameTest(file, findTitle(name)), body, options)
    }
    pick(findRunnerTest())(name, run, ...toTimeout(timeoutMillis))
  }
  function each<Row extends unknown[] | [unknown]>(
    rows: readonly Row[],
  ): (name: string, body: (given: InWorld, ...row: Row) => unknown, timeoutMillis?: number) => void
  function each<Row>(
    rows: readonly Row[],
  ): (name: string, body: (given: InWorld, row: Row) => unknown, timeoutMillis?: number) => void
  function each(rows: readonly unknown[]) {
    return function registerRows(
      name: string,
      body: (given: InWorld, ...row: readonly unknown[]) => unknown,
      timeoutMillis?: number,
    ): void {
      const file = findTestFile() ?? findCallingFile(registerRows)
      const register = pick(findRunnerTest()).each
      if (register === undefined) throw new Error('the runner of these tests has no test.each')
      const run = async (...row: readonly unknown[]) => {
        const title = `${findTitle(name)} ${JSON.stringify(row)}`
        await runInWorld(nameTest(file, title), (given) => body(given, ...row), options)
      }
      register(rows)(name, run, ...toTimeout(timeoutMillis))
    }
  }
  return Object.assign(one, { each })
}

/** Returns a time limit as arguments: none for undefined, which jest would take for a limit. */
function toTimeout(millis: number | undefined): [] | [number] {
  return millis === undefined ? [] : [millis]
}

function findRunnerTest(): RunnerTest {
  const { test: candidate }: { readonly test?: unknown } = Object(globalThis)
  if (isRunnerTest(candidate)) return candidate
  throw new Error('otcsim/jest needs a runner with a global test function, such as jest')
}

function isRunnerTest(value: unknown): value is RunnerTest {
  return typeof value === 'function' && ['only', 'skip', 'concurrent'].every((name) => name in value)
}

/** Returns the file that jest is running; null in a runner that does not say so. */
function findTestFile(): string | null {
  const { testPath } = readRunnerState()
  return typeof testPath === 'string' ? testPath : null
}

/**
 * Returns the title of the running test after those of the suites around it, where the runner says so. A test that runs
 * beside others may be told another one's title, so the last words must be those of the test.
 */
function findTitle(name: string): string {
  const { currentTestName } = readRunnerState()
  if (typeof currentTestName !== 'string') return name
  const [words = ''] = name.split(/[%$]/)
  return currentTestName.includes(words) ? currentTestName : name
}

/** Reads what jest's global `expect` says of the running test. */
function readRunnerState(): { readonly [name: string]: unknown } {
  const { expect }: { readonly expect?: unknown } = Object(globalThis)
  if (typeof expect !== 'function') return {}
  const { getState }: { readonly getState?: unknown } = Object(expect)
  const state: unknown = typeof getState === 'function' ? getState() : null
  return isObject(state) ? state : {}
}
