import { leaveOutSecrets } from '../journal/leave-out-secrets.ts'
import { createTestWorld, keepJournal, sharedVenue } from './in-world.ts'
import type { ScenarioChoice, TestVenue, TestWorldOptions } from './start-venue.ts'
import type { TestWorld } from './test-world.ts'

/** The part of Playwright's TestInfo that is used here. */
export interface TestInfo {
  readonly titlePath: readonly string[]
  readonly status?: string | undefined
  readonly expectedStatus: string
  readonly errors?: readonly { readonly message?: string | undefined }[]
  attach(name: string, options: { readonly body: string; readonly contentType: string }): Promise<void>
}

/** What tests get, and what they may set with `test.use({ scenario: 'thin-book' })`. */
export interface WorldFixtures {
  readonly world: TestWorld
  readonly venue: TestVenue
  readonly scenario: ScenarioChoice
  readonly worldOptions: Omit<TestWorldOptions, 'scenario'>
}

type Chosen = Pick<WorldFixtures, 'scenario' | 'worldOptions'>

type Use<Value> = (value: Value) => Promise<void>

/**
 * Fixtures for Playwright: `const test = base.extend(worldFixtures())` gives each test a `world` of its own; in
 * TypeScript it is `base.extend<WorldFixtures>(worldFixtures())`. `scenario` and `worldOptions` are options
 * (`test.use({ scenario: 'thin-book' })`). When a test fails, its world's journal is attached to the report with the
 * command that opens it, and kept in `.otcsim`.
 */
export function worldFixtures() {
  return {
    scenario: option<ScenarioChoice>('calm'),
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
      const name = testInfo.titlePath.join(' > ')
      const world = createTestWorld(name, venue, { ...worldOptions, scenario })
      await use(world)
      world.delete()
      if (testInfo.status === testInfo.expectedStatus) return
      const [error] = testInfo.errors ?? []
      const body = keepJournal(world, name, undefined, error?.message)
      await testInfo.attach('otcsim', { body, contentType: 'text/plain' })
      await testInfo.attach('otcsim journal', {
        body: leaveOutSecrets(world.journalText()),
        contentType: 'application/x-ndjson',
      })
    },
  }
}

/** An option as Playwright declares it: a default value, marked as an option. */
function option<Value>(value: Value): [Value, { readonly option: true }] {
  return [value, { option: true }]
}
