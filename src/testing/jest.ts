import { type InWorld, type InWorldOptions, inWorld } from './in-world.ts'

/** The part of a runner's global `test` that is used here. */
export type RegisterTest = (name: string, body: () => Promise<void>, timeoutMillis?: number) => void

export type WorldTest = (name: string, body: (given: InWorld) => unknown, timeoutMillis?: number) => void

/** jest's `test`, and those of `test.only`, `test.skip` and `test.concurrent`, with a world of its own for each. */
export interface WorldTests extends WorldTest {
  readonly only: WorldTest
  readonly skip: WorldTest
  readonly concurrent: WorldTest
}

/**
 * Tests with a world each, for jest and any runner with the same `test`. When a test fails, its world's journal is
 * kept in `.otcsim`, and standard error says how to replay it.
 */
export function worldTests(options: InWorldOptions = {}): WorldTests {
  const through =
    (pick: (register: RunnerTest) => RegisterTest): WorldTest =>
    (name, body, timeoutMillis) => {
      const run = async () => {
        await inWorld(name, body, options)
      }
      pick(runnerTest())(name, run, ...(timeoutMillis === undefined ? [] : [timeoutMillis]))
    }
  return Object.assign(
    through((register) => register),
    {
      only: through((register) => register.only),
      skip: through((register) => register.skip),
      concurrent: through((register) => register.concurrent),
    },
  )
}

/** `worldTests()` with the defaults: the scenario `calm`, and time that stands still. */
export const test: WorldTests = worldTests()

interface RunnerTest extends RegisterTest {
  readonly only: RegisterTest
  readonly skip: RegisterTest
  readonly concurrent: RegisterTest
}

function runnerTest(): RunnerTest {
  const candidate: unknown = Reflect.get(globalThis, 'test')
  if (isRunnerTest(candidate)) return candidate
  throw new Error('otcsim/jest needs a runner with a global test function, such as jest')
}

function isRunnerTest(value: unknown): value is RunnerTest {
  return typeof value === 'function' && ['only', 'skip', 'concurrent'].every((name) => name in value)
}
