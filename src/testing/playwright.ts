import { omitUndefined } from '../api/options.ts'
import { leaveOutSecrets } from '../journal/leave-out-secrets.ts'
import { createTestWorld, keepJournal, reportIdleFaults, sharedVenue } from './in-world.ts'
import type { ScenarioChoice, TestVenue, TestWorldOptions } from './start-venue.ts'
import { nameTest } from './test-name.ts'
import type { TestWorld } from './test-world.ts'

/** The part of Playwright's TestInfo that `worldFixtures` uses. */
export interface TestInfo {
  /** The file, then the titles of the suites and the test. */
  readonly titlePath: readonly string[]
  /** The whole path of the test's file. */
  readonly file?: string | undefined
  readonly status?: string | undefined
  readonly expectedStatus: string
  readonly errors?: readonly { readonly message?: string | undefined }[]
  attach(name: string, options: { readonly body: string; readonly contentType: string }): Promise<void>
}

/** The fixtures of a test, and the options that it may set with `test.use({ scenario: 'thin-book' })`. */
export interface WorldFixtures {
  readonly world: TestWorld
  readonly venue: TestVenue
  /** The scenario of the test's world; left out, it is `calm`, or what `otcsim exec --scenario` says. */
  readonly scenario: ScenarioChoice | undefined
  readonly worldOptions: Omit<TestWorldOptions, 'scenario'>
}

type Chosen = Pick<WorldFixtures, 'scenario' | 'worldOptions'>

type Use<Value> = (value: Value) => Promise<void>

/**
 * Creates fixtures for Playwright: `const test = base.extend(worldFixtures())` gives each test a `world` of its own. In
 * TypeScript, write `base.extend<WorldFixtures>(worldFixtures())`. `scenario` and `worldOptions` are options
 * (`test.use({ scenario: 'thin-book' })`). When a test fails, what the venue knows of the cause
 * is attached to the report, one sentence each, with its world's journal, which is kept in `.otcsim`, and the command that
 * opens it.
 */
export function worldFixtures() {
  return {
    scenario: option<ScenarioChoice | undefined>(undefined),
    worldOptions: option<Omit<TestWorldOptions, 'scenario'>>({}),
    venue: async ({ scenario: _ }: Chosen, use: Use<TestVenue>): Promise<void> => {
      await use(await sharedVenue())
    },
    world: async (
      { scenario, worldOptions }: Chosen,
      use: Use<TestWorld>,
      testInfo: TestInfo,
    ): Promise<void> => {
      const venue = await sharedVenue()
      const [path = '', ...titles] = testInfo.titlePath
      const name = nameTest(testInfo.file ?? path, titles.join(' > '))
      const world = createTestWorld(name, venue, { ...worldOptions, ...omitUndefined({ scenario }) })
      await use(world)
      const hasPassed = testInfo.status === testInfo.expectedStatus
      if (hasPassed) {
        reportIdleFaults(world, name)
        world.delete()
        return
      }
      const [error] = testInfo.errors ?? []
      const { answer, how } = keepJournal(world, name, undefined, error?.message)
      const journal = leaveOutSecrets(world.journalText())
      world.delete()
      // Playwright's reporters show 300 characters of each attachment.
      const told = [...answer, `seed "${world.toJSON()['seed']}"; ${how}`]
      for (const body of told) await testInfo.attach('otcsim', { body, contentType: 'text/plain' })
      await testInfo.attach('otcsim journal', { body: journal, contentType: 'application/x-ndjson' })
    },
  }
}

/** Declares an option with a default value, in Playwright's form. */
function option<Value>(value: Value): [Value, { readonly option: true }] {
  return [value, { option: true }]
}
