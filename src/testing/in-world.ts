import { renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { omitUndefined } from '../api/options.ts'
import { makeFolders } from '../journal/journal-file.ts'
import { failureFolder, seedOf } from '../world/logs/test-failure.ts'
import { joinVenue } from './join-venue.ts'
import { startVenue, type TestVenue, type TestWorldOptions } from './start-venue.ts'
import { findCallingFile, type NamedTest, nameTest } from './test-name.ts'
import { findServerToJoin, readTestSettings } from './test-settings.ts'
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

/** By the address of the server that the tests join; null for the venue of this process. */
const shared = new Map<string | null, Promise<TestVenue>>()

/**
 * Returns the one venue of this process, which the first call starts; it does not keep the process alive. Where
 * `OTC_ADMIN_URL` names a running server, the tests join that. Rejects with an Error where it does not answer.
 */
export async function sharedVenue(): Promise<TestVenue> {
  const adminUrl = findServerToJoin()
  const venue = shared.get(adminUrl) ?? openVenue(adminUrl)
  shared.set(adminUrl, venue)
  return venue
}

async function openVenue(adminUrl: string | null): Promise<TestVenue> {
  if (adminUrl !== null) return joinVenue(adminUrl)
  const venue = await startVenue()
  venue.unref()
  return venue
}

/**
 * Runs a test's body in a world of its own, which is deleted afterwards. Its seed is made from the test's file and title,
 * so the test sees the same market wherever it runs and whatever runs beside it. `test` is the context of `node:test`, or
 * a title, to which the file that calls this is added. When the body fails, the world's journal and requests are kept,
 * and the error says how to see them.
 */
export function inWorld<Result>(
  test: string | NamedTest,
  body: (given: InWorld) => Result | Promise<Result>,
  options: InWorldOptions = {},
): Promise<Result> {
  const file = (typeof test === 'string' ? null : test.filePath) ?? findCallingFile(inWorld)
  const title = typeof test === 'string' ? test : (test.fullName ?? test.name)
  return runInWorld(nameTest(file, title), body, options)
}

/** Runs a test's body in a world of its own, given the whole name of the test. */
export async function runInWorld<Result>(
  name: string,
  body: (given: InWorld) => Result | Promise<Result>,
  options: InWorldOptions,
): Promise<Result> {
  const venue = await sharedVenue()
  const { journals, ...about } = options
  const world = createTestWorld(name, venue, about)
  try {
    const result = await body({ world, venue })
    reportIdleFaults(world, name)
    return result
  } catch (failure) {
    appendToFailure(failure, keepJournal(world, name, journals, failure).text)
    throw failure
  } finally {
    world.delete()
  }
}

/** Creates a world for a test, with a seed that is made from the test's name, unless another one is asked for. */
export function createTestWorld(test: string, venue: TestVenue, options: TestWorldOptions): TestWorld {
  const seed = readTestSettings().seed ?? seedOf(test)
  return venue.createWorld({ seed, ...omitUndefined(options), test })
}

/** Says on standard error which faults of a test that has passed have struck no request. */
export function reportIdleFaults(world: TestWorld, test: string): void {
  for (const idle of world.listIdleFaults()) process.stderr.write(`otcsim: ${test}: ${idle}\n`)
}

/** What is kept of a failed test, in words. */
export interface KeptFailure {
  /** What to add to the failure: the seed, what the venue knows of the cause, and how to see it. */
  readonly text: string
  /** What the venue knows of the cause, each a sentence. */
  readonly answer: readonly string[]
  /** The command that opens the console at the failure; or why nothing was kept. */
  readonly how: string
}

/**
 * Keeps a world's journal and requests in files, and returns what to add to the failure of its test. It never throws, so
 * that the test's own failure is seen.
 */
export function keepJournal(
  world: TestWorld,
  test: string,
  folder = failureFolder,
  reason: unknown = 'the test failed',
): KeptFailure {
  const { text, answer, how, files } = world.describeFailure(test, plainText(reason), folder)
  try {
    makeFolders(resolve(folder))
    for (const kept of files) {
      const beside = join(folder, `${kept.name}.${process.pid}.tmp`)
      writeFileSync(beside, kept.text)
      renameSync(beside, join(folder, kept.name))
    }
    return { text, answer, how }
  } catch (problem) {
    const lost = `but its journal cannot be kept: ${plainText(problem)}`
    return { text: `${text}\n  ${lost}`, answer, how: `${how}\n  ${lost}` }
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
