import { renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolders } from '../journal/disk.ts'
import { Hash128 } from '../numeric/hash.ts'
import { startVenue, type TestVenue, type TestWorldOptions } from './start-venue.ts'
import type { TestWorld } from './test-world.ts'

/** What a test gets when it runs in a world of its own. */
export interface InWorld {
  readonly world: TestWorld
  readonly venue: TestVenue
}

export interface InWorldOptions extends TestWorldOptions {
  /** Where the journals of tests that fail are kept; `.otcsim` by default. */
  readonly journals?: string
}

let shared: Promise<TestVenue> | null = null

/** The one server of this process, started by the first test that needs it. It does not keep the process alive. */
export function sharedVenue(): Promise<TestVenue> {
  shared ??= startVenue().then((venue) => {
    venue.unref()
    return venue
  })
  return shared
}

/**
 * Runs a test's body in a world of its own, which is deleted afterwards. Its seed is made from the test's name, so the
 * test sees the same market wherever it runs and whatever runs beside it. When the body fails, the journal is kept, and
 * a line on standard error says how to replay it.
 */
export async function inWorld<Result>(
  name: string,
  body: (given: InWorld) => Result | Promise<Result>,
  options: InWorldOptions = {},
): Promise<Result> {
  const venue = await sharedVenue()
  const { journals, ...about } = options
  const world = venue.createWorld({ seed: seedOf(name), ...about })
  try {
    return await body({ world, venue })
  } catch (failure) {
    process.stderr.write(`${keepJournal(world, name, journals)}\n`)
    throw failure
  } finally {
    world.delete()
  }
}

/** Eight hexadecimal digits of a test's name. */
export function seedOf(name: string): string {
  const hash = new Hash128()
  hash.addText(name)
  return hash.digest().slice(0, 8)
}

/**
 * Writes a world's journal to a file and returns the line that says what to do with it. It never throws, so that the
 * test's own failure is seen.
 */
export function keepJournal(world: TestWorld, name: string, folder = '.otcsim'): string {
  const file = join(folder, `${fileNameOf(name)}.journal`)
  const about = `otcsim: ${name}: seed "${world.seed}"`
  const beside = `${file}.${process.pid}.tmp`
  try {
    makeFolders(resolve(folder))
    writeFileSync(beside, world.journalText())
    renameSync(beside, file)
    return `${about}, replay: npx otcsim replay ${file} --verify`
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    return `${about}; its journal cannot be kept: ${reason}`
  }
}

/** Readable, short, and different for different names. */
function fileNameOf(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${words.slice(0, 60)}-${seedOf(name)}`
}
