import { renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { makeFolders } from '../journal/journal-file.ts'
import {
  failureFiles,
  failureFolder,
  failureText,
  journalName,
  noteFailure,
  seedOf,
} from '../world/logs/test-failure.ts'
import { startVenue, type TestVenue, type TestWorldOptions } from './start-venue.ts'
import type { TestWorld } from './test-world.ts'

/** The arguments of a test that runs in a world of its own. */
export interface InWorld {
  readonly world: TestWorld
  readonly venue: TestVenue
}

export interface InWorldOptions extends TestWorldOptions {
  /** The folder in which the journals of tests that fail are kept; `.otcsim` by default. */
  readonly journals?: string
}

let shared: Promise<TestVenue> | null = null

/** Returns the one server of this process, which the first call starts. It does not keep the process alive. */
export function sharedVenue(): Promise<TestVenue> {
  shared ??= startVenue().then((venue) => {
    venue.unref()
    return venue
  })
  return shared
}

/**
 * Runs a test's body in a world of its own, which is deleted afterwards. Its seed is made from the test's name, so the
 * test sees the same market wherever it runs and whatever runs beside it. When the body fails, the world's journal and
 * requests are kept, and the error says how to see them.
 */
export async function inWorld<Result>(
  name: string,
  body: (given: InWorld) => Result | Promise<Result>,
  options: InWorldOptions = {},
): Promise<Result> {
  const venue = await sharedVenue()
  const { journals, ...about } = options
  const world = createTestWorld(name, venue, about)
  try {
    return await body({ world, venue })
  } catch (failure) {
    appendToFailure(failure, keepJournal(world, name, journals, failure))
    throw failure
  } finally {
    world.delete()
  }
}

/** Creates a world for a test, with a seed that is made from the test's name. */
export function createTestWorld(test: string, venue: TestVenue, options: TestWorldOptions): TestWorld {
  const world = venue.createWorld({ seed: seedOf(test), ...options })
  world.world.test = test
  return world
}

/**
 * Keeps a world's journal and requests in files, and returns the text to add to the failure of its test: the seed, the
 * last request that was refused, and the command that opens the console there. It never throws, so that the test's own
 * failure is seen.
 */
export function keepJournal(
  world: TestWorld,
  test: string,
  folder = failureFolder,
  reason: unknown = 'the test failed',
): string {
  const failure = noteFailure(world.world, test, plainText(reason))
  const file = join(folder, journalName(test))
  const text = failureText(world.world, failure, file)
  try {
    makeFolders(resolve(folder))
    for (const kept of failureFiles(world.world, failure, world.journalText())) {
      const beside = join(folder, `${kept.name}.${process.pid}.tmp`)
      writeFileSync(beside, kept.text)
      renameSync(beside, join(folder, kept.name))
    }
    return text
  } catch (problem) {
    return `${text}\n  but its journal cannot be kept: ${plainText(problem)}`
  }
}

/**
 * Adds a text to what a test has thrown, so that whatever reports the failure shows it. Where that can't be done, it
 * prints the text on standard error.
 */
function appendToFailure(failure: unknown, text: string): void {
  const added = `\n\n${text}\n`
  if (failure instanceof Error && Object.isExtensible(failure)) {
    const { message, stack } = failure
    failure.message = message + added
    // The stack contains the message that the error had when it was created.
    if (stack !== undefined) failure.stack = stack.replace(message, () => message + added)
  } else process.stderr.write(`${text}\n`)
}

/** Returns an error's message without the colours of a terminal. */
function plainText(reason: unknown): string {
  return stripVTControlCharacters(reason instanceof Error ? reason.message : String(reason))
}
