import { type InWorld, type InWorldOptions, inWorld } from './in-world.ts'

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
    const run = async () => {
      await inWorld(name, body, options)
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
    return (
      name: string,
      body: (given: InWorld, ...row: readonly unknown[]) => unknown,
      timeoutMillis?: number,
    ) => {
      const register = pick(findRunnerTest()).each
      if (register === undefined) throw new Error('the runner of these tests has no test.each')
      const run = async (...row: readonly unknown[]) => {
        await inWorld(`${name} ${JSON.stringify(row)}`, (given) => body(given, ...row), options)
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
