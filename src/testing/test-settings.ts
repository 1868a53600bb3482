import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { readFaultRule } from '../api/faults/read-fault-rule.ts'
import { reasonAndHint } from '../api/input-problem.ts'
import { isObject, parseJson } from '../api/json.ts'
import { installFault } from '../world/change-world.ts'
import { knownNames } from '../world/faults/fire-faults.ts'
import type { World } from '../world/world.ts'

/*
 * What `otcsim exec` and `otcsim matrix` ask of the worlds that tests make: the variables by which a test's process
 * learns of it, and the file in which the worlds say what has become of them.
 */

/** What is asked of each world that a test makes. */
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

/** Installs the faults that are asked for in a world. Throws a RangeError for one that this world can't have. */
export function installAskedFaults(world: World, { faults }: TestSettings): void {
  for (const form of faults) {
    const read = readFaultRule(form, knownNames(world))
    if (!read.ok) throw new RangeError(`OTC_FAULTS: ${read.problem.field} ${reasonAndHint(read.problem)}`)
    installFault(world, read.value)
  }
}

/** The variable that names the file in which worlds of tests say what has become of them, one line a world. */
export const evidenceVariable = 'OTC_EVIDENCE_FILE'

/** What has become of a test's world. */
export interface WorldUse {
  readonly test: string | null
  /** How many requests it has received. */
  readonly requests: number
  /** The faults in it, with how many requests each has matched and struck. */
  readonly faults: readonly {
    readonly id: string
    readonly type: string
    readonly matched: number
    readonly fired: number
  }[]
}

const noted = new Set<World>()

/** Notes a world that is in use until `endUse`, or until the process ends. Without the variable it does nothing. */
export function beginUse(world: World): void {
  if (!process.env[evidenceVariable]) return
  if (noted.size === 0) process.once('exit', endAllUses)
  noted.add(world)
}

/** Writes down what has become of a world. */
export function endUse(world: World): void {
  const file = process.env[evidenceVariable]
  if (!noted.delete(world) || !file) return
  const faults = world.faults
    .list(world.now)
    .map(({ id, rule, matched, fired }) => ({ id, type: rule.type, matched, fired }))
  const use: WorldUse = { test: world.test, requests: world.requests.counts.requests, faults }
  appendFileSync(file, `${JSON.stringify(use)}\n`)
}

function endAllUses(): void {
  for (const world of [...noted]) endUse(world)
}

/** Reads what has become of the worlds of tests. Lines that are not whole are left out. */
export function readWorldUses(file: string): readonly WorldUse[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').map(parseJson)
  return lines.filter(isWorldUse)
}

function isWorldUse(value: unknown): value is WorldUse {
  return isObject(value) && typeof value['requests'] === 'number' && Array.isArray(value['faults'])
}
