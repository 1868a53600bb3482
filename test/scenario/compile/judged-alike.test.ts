import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { formatDuration, parseDuration } from '../../../src/numeric/time-text.ts'
import type { CompiledScenario } from '../../../src/scenario/compile/compiled.ts'
import { editorSchema } from '../../../src/scenario/compile/schema.ts'
import type { Shape } from '../../../src/shape/shape.ts'
import { createWorld } from '../../../src/world/world.ts'
import { type Context, contextsByName, load, problemsOf } from './schema-places.ts'

/*
 * Every place of the schema in a right scenario, with values at, inside of and beyond whatever bound it states, and with
 * extreme ones: the published schema, as ajv reads it, refuses nothing that the loader takes; the loader refuses only
 * what no JSON Schema could; and what is taken makes a world whose time passes.
 */

const ajv = new Ajv({ strict: false })
const isPublished = ajv.compile(editorSchema())

const texts = [
  '',
  ' ',
  '00',
  '-1',
  '1e3',
  '1'.repeat(400),
  `0.${'0'.repeat(400)}1`,
  'a\u0000',
  '\ud800',
  '5%',
  '-100%',
  '*',
]
const spans = [
  '0ms',
  '0.5ms',
  '1ms',
  '1h1ms',
  '36500d',
  '36500d1ms',
  '104249991d',
  '104249992d',
  '1s1s',
  '1m',
]
const instants = [
  '1969-12-31T23:59:59Z',
  '2026-02-30',
  '9998-01-01T00:00:00.001Z',
  '2026-01-05T00:30:00+00:30',
]
const numbers = [0, -1, 1e-9, 0.1 + 0.2, 1e9, 2 ** 53 + 2, 1e308]

/** Lists longer than this are tried beyond their bound only, where they are refused before they are read. */
const longList = 1000

function valuesFor({ type, enum: words = [], const: fixed, ...schema }: Shape, right: unknown): unknown[] {
  const types = [type ?? []].flat()
  const isText = types.includes('string') || words.length > 0 || fixed !== undefined
  const bounds = [schema.minimum, schema.exclusiveMinimum, schema.maximum].filter(
    (bound) => bound !== undefined,
  )
  const near = (bound: number) => [bound, bound + stepFrom(bound, type), bound - stepFrom(bound, type)]
  const lengths = aroundAll(schema.minLength, schema.maxLength)
  return [
    ...(types.some((name) => name === 'number' || name === 'integer')
      ? [...numbers, ...bounds.flatMap(near)]
      : []),
    ...(isText ? [...texts, ...spans, ...spans.map((span) => `-${span}`), '+1m', ...instants] : []),
    ...(isText ? lengths.flatMap((length) => ['x'.repeat(length), '😀'.repeat(length)]) : []),
    ...words.map((word) => `${word}x`),
    ...(Array.isArray(right) ? listsFor(schema, right) : mapsFor(schema, right)),
    ...[null, true, [], {}].filter((value) => JSON.stringify(value) !== JSON.stringify(right)),
  ]
}

const stepFrom = (bound: number, type: Shape['type']): number =>
  type === 'integer' ? 1 : bound === 0 ? 1e-12 : Math.abs(bound) * 1e-5

const aroundAll = (...bounds: readonly (number | undefined)[]): readonly number[] =>
  bounds.flatMap((bound) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1].filter((size) => size >= 0),
  )

function listsFor({ minItems, maxItems }: Pick<Shape, 'minItems' | 'maxItems'>, right: readonly unknown[]) {
  if (right.length === 0) return []
  return aroundAll(minItems, maxItems)
    .filter((length) => length <= longList || length > (maxItems ?? 0))
    .map((length) => Array.from({ length }, (_, place) => right[place % right.length]))
}

function mapsFor(
  {
    additionalProperties,
    minProperties,
    maxProperties,
  }: Pick<Shape, 'additionalProperties' | 'minProperties' | 'maxProperties'>,
  right: unknown,
) {
  const [first] = Object.entries(Object(right))
  if (typeof additionalProperties !== 'object' || first === undefined) return []
  const names = ['', 'btc', 'B'.repeat(17), 'a.b', '*', 'default', 'constructor']
  return [
    ...names.map((name) => ({ ...Object(right), [name]: first[1] })),
    ...aroundAll(minProperties, maxProperties).map((size) =>
      Object.fromEntries(Array.from({ length: size }, (_, place) => [`K${place}`, first[1]])),
    ),
  ]
}

interface Judged {
  readonly name: string
  readonly value: unknown
  readonly isPublished: boolean
  readonly problems: readonly string[]
}

/** What is read before the schema is asked. */
const isLeftOut = (name: string): boolean => /^\.(params|matrix|include|\$schema)\b/.test(name)

/** All values where something like this is first said, and elsewhere those at its bounds. */
function casesOf(
  { schema, value, scenario }: Context,
  known: Set<string>,
): readonly (readonly [unknown, unknown])[] {
  const { description: _, title: __, examples: ___, ...said } = schema
  const text = JSON.stringify(said)
  const values = valuesFor(schema, value)
  const chosen = known.has(text) ? values.filter((one) => isAtBound(schema, one)) : values
  known.add(text)
  return chosen.map((one) => [one, JSON.parse(JSON.stringify(scenario(one)))])
}

const isAtBound = (
  { minimum, exclusiveMinimum, maximum, minItems, maxItems }: Shape,
  value: unknown,
): boolean => {
  const size = Array.isArray(value) ? value.length : value
  return [minimum, exclusiveMinimum, maximum, minItems, maxItems].some(
    (bound) => typeof size === 'number' && bound !== undefined && Math.abs(size - bound) <= 1,
  )
}

interface Judged {
  readonly name: string
  readonly value: unknown
  readonly isPublished: boolean
  readonly problems: readonly string[]
}

function judgeAll(): readonly Judged[] {
  const known = new Set<string>()
  return [...contextsByName].flatMap(([name, [context]]) => {
    if (context === undefined || isLeftOut(name)) return []
    return casesOf(context, known).map(([value, scenario]) => {
      const loaded = load(scenario)
      if (loaded.ok) startWorld(loaded.value, name)
      const problems = loaded.ok ? [] : loaded.problems.map(({ path, reason }) => `${path}: ${reason}`)
      return { name, value, isPublished: isPublished(scenario), problems }
    })
  })
}

/** What is said of a market takes effect when its world is made, and the rest at the instants of the timeline. */
function startWorld(scenario: CompiledScenario, name: string): void {
  const world = createWorld(scenario)
  if (/^\.(timeline|agents)/.test(name)) world.advance('3m')
}

const shown = ({ name, value, problems }: Judged) =>
  `${name} = ${JSON.stringify(value).slice(0, 60)}: ${problems[0]}`

/** What the loader refuses and no JSON Schema could, by what it says. Nothing else may differ. */
const beyondSchemas: readonly (readonly [why: string, RegExp])[] = [
  [
    'names are given elsewhere in the file',
    /unknown (account|asset|figure|read-out)|is called "|has the (id|key) "|is not (a known|a method|an error type)|must be buy or sell|there twice/,
  ],
  [
    'a text has no range, and the title of a duration says it',
    /is not from|is not of whole minutes|must be at (most|least)|must be (above|greater than) 0|expected a duration from|is too large|100 % or more/,
  ],
  [
    'the grammar of moments and spans is told with what is wrong with them',
    /is not a (duration|moment|span)|is neither a duration nor|expected an offset|must begin with|must be one of @/,
  ],
  [
    'moments lie in the time of the clock',
    /(before|after) the (start|end|first)|the recording of BTC goes|time ends at|must be after the start/,
  ],
  [
    'amounts are exact in steps and decimals',
    /is not a multiple of|is not the same number|too large or too fine|has more than|finer than|has at most 8 decimals/,
  ],
  [
    'amounts add up, and a market keeps them',
    /are worth|is worth|adds up to|a price (that no market|next to)|least price|too many digits|price is not a price/,
  ],
  [
    'of two values one is the greater',
    /is above maxQuantity|to be below|nothing is between|best bid|twice alpha|with alpha is|must be at least p50/,
  ],
  ['as many rows as regimes, as many values as rows', /has \d+ (rows|values) for|correlation/],
  ['what is compared has a type', /cannot be compared|has no order|is never "/],
  [
    'keys go together, or do not',
    /goes with|say (one of|what|where|the noise|how)|is another name for|name (a|the|an) "|has no "|does not belong|orders or cancels|has no meaning here|is required for|is for recordings|is the noise between|label says|missing "|needs a "|shock is a change|must be one of bare|applies|recorded takers need|takers are recorded/,
  ],
  ['only so many mistakes are listed', /more mistakes, not listed/],
]

it('every stage accepts what the schema accepts at every place', { timeout: 240_000 }, () => {
  const judged = judgeAll()
  expect(judged.length).toBeGreaterThan(3000)
  const refusedByEditors = judged.filter((one) => !one.isPublished && one.problems.length === 0)
  expect(refusedByEditors.map(shown)).toEqual([])
  const refusedLater = judged.filter(
    (one) =>
      one.isPublished && one.problems.some((text) => !beyondSchemas.some(([, says]) => says.test(text))),
  )
  expect(refusedLater.map(shown)).toEqual([])
})

it('durations have the ranges that their titles say', () => {
  const ranged = [...contextsByName.values()].flatMap(([context]) => {
    const [, least, most] =
      /^a duration(?: of whole minutes)? from (\S+) to (\S+)$/.exec(context?.schema.title ?? '') ?? []
    return context === undefined || least === undefined || most === undefined
      ? []
      : [{ context, least, most }]
  })
  expect(ranged.length).toBeGreaterThan(30)
  const complaints = ({ name, scenario }: Context, text: string) =>
    problemsOf(scenario(text))
      .filter((problem) =>
        /is not from|is not of whole minutes|expected a duration from|must be at (most|least) [0-9]/.test(
          problem,
        ),
      )
      .map(() => `${name} ${text}`)
  const moved = (text: string, millis: number) => formatDuration((parseDuration(text) ?? 0) + millis)
  const refused = ranged.flatMap(({ context, least, most }) =>
    [least, most].flatMap((text) => complaints(context, text)),
  )
  expect(refused).toEqual([])
  const taken = ranged.flatMap(({ context, least, most }) => {
    const beyond = [...(parseDuration(least) === 0 ? [] : [moved(least, -1)]), moved(most, 1)]
    return beyond
      .filter((text) => problemsOf(context.scenario(text)).length === 0)
      .map((text) => `${context.name} ${text}`)
  })
  expect(taken).toEqual([])
})
