import { test as base } from 'vitest'
import { omitUndefined } from '../api/options.ts'
import { createTestWorld, keepJournal, reportIdleFaults, sharedVenue } from './in-world.ts'
import type { WorldFixtures } from './playwright.ts'
import { nameTest } from './test-name.ts'

/** The fixtures of a test, and the options that it may set with `test.extend({ scenario: 'thin-book' })`. */
export type VenueFixtures = WorldFixtures

/**
 * Registers a test with vitest that gets a `world` of its own, concurrent tests included. When a test fails, its
 * world's journal and requests are kept in `.otcsim`, and the failure says how to see them.
 */
export const test = base.extend<VenueFixtures>({
  scenario: undefined,
  worldOptions: {},
  venue: async ({ task: _ }, use) => {
    await use(await sharedVenue())
  },
  world: async ({ task, venue, scenario, worldOptions, onTestFailed }, use) => {
    const name = nameTest(task.file.filepath, makeTitle(task))
    const world = createTestWorld(name, venue, { ...worldOptions, ...omitUndefined({ scenario }) })
    let isFailed = false
    onTestFailed(() => {
      isFailed = true
      const [error] = task.result?.errors ?? []
      const { text } = keepJournal(world, name, undefined, error?.message)
      // This is vitest's own copy of the error, which is what it reports.
      if (error === undefined) process.stderr.write(`${text}\n`)
      else error.message = `${error.message}\n\n${text}`
      world.delete()
    })
    await use(world)
    // vitest tells of a failure only after this; what is kept of a world on a running server is asked for before its end.
    if (isFailed || task.result?.errors !== undefined) return
    reportIdleFaults(world, name)
    world.delete()
  },
})

/** What vitest knows of a test or a suite. */
interface Task {
  readonly name: string
  readonly file: Tasks
  readonly suite?: (Named & Tasks) | undefined
}

interface Named {
  readonly name: string
  readonly suite?: Named | undefined
}

interface Tasks {
  readonly tasks: readonly Named[]
}

/**
 * Returns a test's title after those of the suites around it. Tests of one title, such as the rows of a table without a
 * placeholder, are numbered from the second one on.
 */
function makeTitle(task: Task): string {
  const alike = (task.suite ?? task.file).tasks.filter(({ name }) => name === task.name)
  const place = alike.indexOf(task)
  const title = `${listSuites(task.suite).join('')}${task.name}`
  return place > 0 ? `${title} #${place + 1}` : title
}

/** Lists the titles of the suites around a test, from the outermost on. */
const listSuites = (suite: Named | undefined): readonly string[] =>
  suite === undefined ? [] : [...listSuites(suite.suite), `${suite.name} > `]
