import { test as base } from 'vitest'
import { createTestWorld, keepJournal, sharedVenue } from './in-world.ts'
import type { WorldFixtures } from './playwright.ts'

/** The fixtures of a test, and the options that it may set with `test.extend({ scenario: 'thin-book' })`. */
export type VenueFixtures = WorldFixtures

/**
 * Registers a test with vitest that gets a `world` of its own, concurrent tests included. When a test fails, its
 * world's journal and requests are kept in `.otcsim`, and the failure says how to see them.
 */
export const test = base.extend<VenueFixtures>({
  scenario: 'calm',
  worldOptions: {},
  venue: async ({ task: _ }, use) => {
    await use(await sharedVenue())
  },
  world: async ({ task, venue, scenario, worldOptions, onTestFailed }, use) => {
    const name = `${task.file.name} > ${fullName(task)}`
    const world = createTestWorld(name, venue, { ...worldOptions, scenario })
    onTestFailed(() => {
      const [error] = task.result?.errors ?? []
      const text = keepJournal(world, name, undefined, error?.message)
      // This is vitest's own copy of the error, which is what it reports.
      if (error === undefined) process.stderr.write(`${text}\n`)
      else error.message = `${error.message}\n\n${text}`
    })
    await use(world)
    world.delete()
  },
})

interface Named {
  readonly name: string
  readonly suite?: Named | undefined
}

/** Returns a test's name after those of the suites around it. */
function fullName({ name, suite }: Named): string {
  return suite === undefined ? name : `${fullName(suite)} > ${name}`
}
