import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { readFaultRule } from '../api/faults/read-fault-rule.ts'
import { reasonAndHint } from '../api/input-problem.ts'
import { isObject, parseJson } from '../api/json.ts'
import { installFault } from '../world/change-world.ts'
import { knownNames } from '../world/faults/fire-faults.ts'
import type { World } from '../world/world.ts'
import { WorldWatch } from '../world/world-watch.ts'

/*
 * What `otcsim exec` and `otcsim matrix` ask of the worlds that tests make: the variables by which a test's process
 * learns of it, and the file in which the worlds say what has become of them.
 */

/** The settings that hold for each world that a test makes, such as its scenario, seed, readings and faults. */
export interface TestSettings {
  /** The readings that are in force, whatever the test says. */
  readonly readings: { readonly [key: string]: string }
  /** The faults that are installed in each world. */
  readonly faults: readonly object[]
  /** The seed of a world for which the test names none; null when each has the seed of its test. */
  readonly seed: string | null
  /** The scenario of a world for which the test names none, a shipped one or the path of a file; null for `calm`. */
  readonly scenario: string | null
  /** The scenario's parameters, as texts. */
  readonly params: { readonly [name: string]: string }
}

type Environment = { readonly [name: string]: string | undefined }

/** Formats settings as variables. `readTestSettings` reads them. */
export function formatTestSettings(settings: TestSettings): { readonly [name: string]: string } {
  const { readings, faults, seed, scenario, params } = settings
  return {
    OTC_READINGS: JSON.stringify(readings),
    OTC_FAULTS: JSON.stringify(faults),
    OTC_PARAMS: JSON.stringify(params),
    ...(seed === null ? {} : { OTC_SEED: seed }),
    ...(scenario === null ? {} : { OTC_SCENARIO: scenario }),
  }
}

/** Reads the settings of this process. Throws a RangeError for a variable that can't be read. */
export function readTestSettings(env: Environment = process.env): TestSettings {
  const faults = readJson(env, 'OTC_FAULTS', '[]')
  if (!Array.isArray(faults)) throw new RangeError('OTC_FAULTS must be a list of faults in JSON')
  return {
    readings: readTexts(env, 'OTC_READINGS'),
    faults,
    seed: env['OTC_SEED'] || null,
    scenario: env['OTC_SCENARIO'] || null,
    params: readTexts(env, 'OTC_PARAMS'),
  }
}

function readTexts(env: Environment, name: string): { readonly [key: string]: string } {
  const value = readJson(env, name, '{}')
  if (!isObject(value)) throw new RangeError(`${name} must be an object in JSON`)
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]))
}

function readJson(env: Environment, name: string, byDefault: string): unknown {
  const value = parseJson(env[name] || byDefault)
  if (value === undefined) throw new RangeError(`${name} must be JSON, found ${env[name]}`)
  return value
}

/** The variable that names the file in which the processes of tests note what their worlds have met. */
export const evidenceVariable = 'OTC_EVIDENCE_FILE'

/**
 * Returns the address of the admin API of the running server that the environment names for tests to join; null where it
 * names none. Choice: beside `otcsim exec` and `otcsim matrix`, which learn by the evidence file what worlds have met, worlds
 * stay in the process of their test: a request to them costs less.
 */
export function findServerToJoin(env: Environment = process.env): string | null {
  return env[evidenceVariable] ? null : env['OTC_ADMIN_URL'] || null
}

/** What worlds of tests have met in one process until some instant, and since the note before. */
export interface WorldUse {
  /** How many requests came to operations of the venue. */
  readonly requests: number
  /** How many requests came to paths or methods that the venue does not have; absent where only operations are noted. */
  readonly otherRequests?: number
  /** How many requests were struck by the faults that were asked for. */
  readonly strikes: number
  /** The values of readings that were looked up for requests: `envelope=wrapped`. */
  readonly settings: readonly string[]
}

const watch = new WorldWatch()
let isNoting = false

/**
 * Begins the use of a world by a test: installs the faults that are asked for, which a fork has from its original, and
 * has what the world meets noted, if somebody wants to know. Throws a RangeError for a fault that this world can't have.
 */
export function beginUse(world: World, isFork = false): void {
  for (const form of isFork ? [] : readTestSettings().faults) {
    const read = readFaultRule(form, knownNames(world))
    if (!read.ok) throw new RangeError(`OTC_FAULTS: ${read.problem.field} ${reasonAndHint(read.problem)}`)
    watch.addFault(installFault(world, read.value).rule)
  }
  if (!process.env[evidenceVariable]) return
  if (!isNoting) process.once('exit', noteUses)
  isNoting = true
  world.watch = watch
}

/** Notes what the worlds of tests in this process have met since the last note. */
export function noteUses(): void {
  const file = process.env[evidenceVariable]
  if (isNoting && file) appendFileSync(file, `${JSON.stringify(watch.take() satisfies WorldUse)}\n`)
}

/** Reads what the worlds of tests have met. Lines that are not whole are left out. */
export function readWorldUses(file: string): readonly WorldUse[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').map(parseJson)
  return lines.filter(isWorldUse)
}

function isWorldUse(value: unknown): value is WorldUse {
  return (
    isObject(value) &&
    typeof value['requests'] === 'number' &&
    typeof value['strikes'] === 'number' &&
    Array.isArray(value['settings'])
  )
}
