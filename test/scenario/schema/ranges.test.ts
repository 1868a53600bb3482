import { expect, it } from 'vitest'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { isTuple, type Schema } from '../../../src/scenario/read/schema-type.ts'
import { scenarioSchema } from '../../../src/scenario/schema/schema.ts'

/*
 * Ranges of the schema are those of the engine. Each number with a bound is put into a small scenario at its bound, just
 * inside and just outside: the loader, which ends with the engine's own checks, takes exactly what the schema takes.
 */

const resolve = (schema: Schema): Schema =>
  scenarioSchema.definitions[schema.$ref?.split('/').at(-1) ?? ''] ?? schema

/** The least value that the schema takes, by its words' examples. */
function leastOf(given: Schema): unknown {
  const { const: fixed, enum: options, examples, oneOf, type, items, ...schema } = resolve(given)
  const stated = fixed ?? options?.[0] ?? examples?.[0] ?? schema.default
  if (stated !== undefined) return stated
  if (oneOf?.[0] !== undefined) return leastOf(oneOf[0])
  if (type === 'object')
    return Object.fromEntries(
      (schema.required ?? []).map((key) => [key, leastOf(schema.properties?.[key] ?? {})]),
    )
  if (type === 'array')
    return isTuple(items)
      ? items.map(leastOf)
      : Array.from({ length: schema.minItems ?? 1 }, () => leastOf(items ?? {}))
  return schema.minimum ?? 1
}

type Case = readonly [path: string, value: number, isTaken: boolean, scenario: unknown]
type Put = (value: unknown) => unknown

function casesOf(given: Schema, path: string, put: Put): readonly Case[] {
  const schema = resolve(given)
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema
  const bounds = [minimum, maximum, exclusiveMinimum].filter(Number.isFinite)
  const own = bounds.flatMap((bound) => {
    const step = schema.type === 'integer' ? 1 : Math.max(Math.abs(bound) * 1e-5, 1e-9)
    return [bound - step, bound, bound + step].map((value): Case => {
      const isTaken = value >= minimum && value <= maximum && value > exclusiveMinimum
      return [path, value, isTaken, put(value)]
    })
  })
  const branches = (schema.oneOf ?? []).flatMap((branch) => {
    const kind = resolve(branch).properties?.['kind']?.const
    return casesOf(branch, kind === undefined ? path : `${path}<${kind}>`, put)
  })
  const least = leastOf({ ...schema })
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    casesOf(property, `${path}.${key}`, (value) =>
      put({ ...(typeof least === 'object' ? least : {}), [key]: value }),
    ),
  )
  return [...own, ...branches, ...inner]
}

const scenario = (parts: object, asset: object = {}): unknown => ({
  version: 1,
  name: 'x',
  accounts: [{ id: 'alice', balances: { USD: 1000 } }],
  market: {
    flow: { kind: 'none' },
    assets: { BTC: { price: 50_000, model: { kind: 'constant' }, ...asset } },
  },
  ...parts,
})

const partOf = (schema: Schema | undefined, ...keys: readonly string[]): Schema =>
  keys.reduce((part, key) => {
    const inside = resolve(part)
    const next = inside.properties?.[key] ?? inside.additionalProperties
    return typeof next === 'object' ? next : {}
  }, schema ?? {})

const agentItems = partOf(scenarioSchema, 'agents').items
const agent = { id: 'a', account: 'alice', asset: 'BTC' }
const all: readonly Case[] = [
  ...casesOf(partOf(scenarioSchema, 'market', 'assets', 'BTC', 'model'), 'model', (model) =>
    scenario({}, { model }),
  ),
  ...casesOf(partOf(scenarioSchema, 'rateLimits'), 'rateLimits', (rateLimits) => scenario({ rateLimits })),
  ...casesOf(partOf(scenarioSchema, 'fees'), 'fees', (fees) => scenario({ fees })),
  ...casesOf(partOf(scenarioSchema, 'clock'), 'clock', (clock) => scenario({ clock })),
  ...casesOf(isTuple(agentItems) ? {} : (agentItems ?? {}), 'agents', (made) =>
    scenario({ agents: [{ ...Object(made), ...agent }] }),
  ),
]

/** What is refused because of a value beside it, a step, or a file that a replay needs, whatever the range. */
const besides =
  /needs "data"|more than twice alpha|so the variance has no mean|to be below long|agents\[0\]\.steps|not a multiple of/

it('the loader takes exactly what the schema takes', () => {
  expect(all.length).toBeGreaterThan(250)
  const differing = all.flatMap(([path, value, isTaken, made]) => {
    const loaded = loadScenarioValue(made)
    const problems = loaded.ok ? [] : loaded.problems
    const ranged = problems.filter(({ path: at, reason }) => !besides.test(`${at} ${reason}`))
    return (ranged.length === 0) === isTaken ? [] : [[path, value, isTaken, ranged[0]?.reason]]
  })
  expect(differing).toEqual([])
})
