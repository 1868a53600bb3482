import { expect, it } from 'vitest'
import { faultTypes } from '../../../src/api/faults/fault-types.ts'
import { millis } from '../../../src/numeric/units.ts'
import { scenarioSchema } from '../../../src/scenario/compile/schema.ts'
import { Mistakes } from '../../../src/scenario/file/mistake.ts'
import { treeFromValue } from '../../../src/scenario/file/source.ts'
import { validate } from '../../../src/scenario/file/validate.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { isTupleOfShapes, type Shape } from '../../../src/shape/shape.ts'
import { frame, type Piece, pieces } from '../../nets/scenario-pieces.ts'

/*
 * Ranges of the schema are those of the engine. Each number with a bound is put, at its bound and just beyond, into
 * each right piece of a scenario that can have it: the schema refuses what is beyond, and all stages take the bound.
 */

interface Context {
  /** Where the number stands in the schema: kinds tell choices apart. */
  readonly name: string
  readonly schema: Shape
  readonly scenario: (value: number) => unknown
}

const resolve = ({ $ref, ...own }: Shape): Shape =>
  $ref === undefined ? own : { ...scenarioSchema.definitions[$ref.split('/').at(-1) ?? ''], ...own }

const isNumber = ({ type }: Shape): boolean =>
  [type].flat().some((name) => name === 'number' || name === 'integer')

/** The parts of a schema with their names: `.key`, `.*` for any key, `[]` for items, `[0]` of pairs, `<kind>`. */
function partsOf(schema: Shape): readonly (readonly [string, Shape])[] {
  const { properties = {}, additionalProperties, items, oneOf = [] } = schema
  return [
    ...Object.entries(properties).map(([key, part]) => [`.${key}`, part] as const),
    ...(typeof additionalProperties === 'object' ? [['.*', additionalProperties] as const] : []),
    ...(isTupleOfShapes(items) ? items.map((item, place) => [`[${place}]`, item] as const) : []),
    ...(items === undefined || isTupleOfShapes(items) ? [] : [['[]', items] as const]),
    ...oneOf.map((branch) => [nameOfBranch(branch), branch] as const),
  ]
}

const kindOf = (branch: Shape): string | undefined => resolve(branch).properties?.['kind']?.const?.toString()
const nameOfBranch = (branch: Shape): string => {
  const kind = kindOf(branch)
  return kind === undefined ? '' : `<${kind}>`
}

/** Every number of the schema. */
function numbersOf(given: Shape, name = ''): readonly (readonly [string, Shape])[] {
  const schema = resolve(given)
  return [
    ...(isNumber(schema) ? [[name, schema] as const] : []),
    ...partsOf(schema).flatMap(([step, part]) => numbersOf(part, name + step)),
  ]
}

/** The numbers that a right value has, or could have, each with what puts another in its place. */
function contextsIn(given: Shape, value: unknown, name: string, put: (value: unknown) => unknown): Context[] {
  const schema = resolve(given)
  const own = isNumber(schema) ? [{ name, schema, scenario: put }] : []
  const inside = partsOf(schema).flatMap(([step, part]): Context[] => {
    if (step === '' || step.startsWith('<'))
      return fits(part, value) ? contextsIn(part, value, name + step, put) : []
    if (Array.isArray(value)) {
      const places = step === '[]' ? [...value.keys()] : [Number(step.slice(1, -1))]
      return places.flatMap((place) =>
        contextsIn(part, value[place], name + step, (next) => put(value.with(place, next))),
      )
    }
    if (typeof value !== 'object' || value === null) return []
    const keys = step === '.*' ? Object.keys(value) : [step.slice(1)]
    return keys
      .filter((key) => step !== '.*' || !Object.hasOwn(schema.properties ?? {}, key))
      .flatMap((key) =>
        contextsIn(part, Object(value)[key], name + step, (next) => put({ ...value, [key]: next })),
      )
  })
  return [...own, ...inside]
}

function fits(branch: Shape, value: unknown): boolean {
  const { type } = resolve(branch)
  if (typeof value !== 'object' || value === null) return type !== 'object' && type !== 'array'
  if (Array.isArray(value)) return type === 'array'
  const kind = kindOf(branch)
  return type === 'object' && (kind === undefined || kind === Object(value).kind)
}

const readCandles = () => ({
  ok: true as const,
  candles: Array.from({ length: 48 }, (_, index) => ({
    atMillis: millis(Date.UTC(2026, 0, 1) + index * 3_600_000),
    spanMillis: millis(3_600_000),
    open: 100,
    high: 102,
    low: 99,
    close: 101,
    volume: 5,
  })),
})

const marketOf = (asset: object, rest: object = {}): Piece => ({
  market: { ...rest, assets: { BTC: { price: 50_000, model: { kind: 'constant' }, ...asset } } },
})
const timelineOf = (action: object): Piece => ({ timeline: [{ at: '+2m', ...action }] })

/** Places of the schema that the pieces do not reach. */
const more: readonly Piece[] = [
  ...['power', 'exponential', 'flat'].map((kind) => marketOf({ liquidity: { kind, dynamics: {} } })),
  ...['poisson', 'hawkes'].flatMap((kind) =>
    [{ ratePerMinute: { BTC: 2 } }, { ratePerMin: { BTC: 2 } }, {}].flatMap((rates) => {
      const flow = { kind, ...(kind === 'hawkes' ? { informed: {} } : {}), ...rates }
      return [marketOf({ flow }), marketOf({}, { flow })]
    }),
  ),
  marketOf({ impact: {} }),
  timelineOf({
    limits: { account: 'alice', set: { minOrderSize: { BTC: 1 }, maxExposurePerAsset: { BTC: 1 } } },
  }),
  // Each attribute in a rule of each type that takes it.
  ...Object.entries(faultTypes).flatMap(([type, { takes, needs }]) =>
    takes.map((attribute) => {
      const others = Object.fromEntries(needs.map((name) => [name, 1]))
      return timelineOf({ fault: { type, attributes: { ...others, [attribute]: 1 } } })
    }),
  ),
  // Each model from an instant on.
  ...Object.entries(pieces)
    .filter(([name]) => name.startsWith('model '))
    .map(([, { market }]) => {
      const { timeShift: _, ...model } = Object(market).assets.BTC.model
      return timelineOf({ path: { asset: 'BTC', model } })
    }),
]

const right = [...Object.values(pieces), ...more].filter(
  (piece) => problemsOf({ ...frame, ...piece }).length === 0,
)

const contexts = right.flatMap((piece) =>
  contextsIn(scenarioSchema, { ...frame, ...piece }, '', (scenario) => scenario),
)

const contextsByName = new Map<string, Context[]>()
for (const context of contexts)
  contextsByName.set(context.name, [...(contextsByName.get(context.name) ?? []), context])

function problemsOf(scenario: unknown): readonly string[] {
  const loaded = loadScenarioValue(scenario, { readCandles })
  return loaded.ok ? [] : loaded.problems.map(({ path, reason }) => `${path}: ${reason}`)
}

function isRefusedBySchema(scenario: unknown): boolean {
  const problems = new Mistakes()
  const tree = treeFromValue(scenario)
  if (tree.ok) validate(scenarioSchema, tree.value, problems)
  return problems.count > 0
}

/** Texts and numbers of which nobody knows a range: a predicate compares with anything, a parameter is what it is for. */
const withoutRange = /^\.(seed|params|readings|matrix)\b|\.(when|that|always|never|eventually|from|to)\.\*/

const numbers = numbersOf(scenarioSchema)
const lowest = ({ minimum, exclusiveMinimum }: Shape) => exclusiveMinimum ?? minimum

it('every number has a range', () => {
  const open = numbers.filter(([, part]) => lowest(part) === undefined || part.maximum === undefined)
  expect(open.map(([name]) => name).filter((name) => !withoutRange.test(name))).toEqual([])
})

const ranged = numbers.filter(([name]) => !withoutRange.test(name))

it('every range is looked at in a scenario', () => {
  expect(ranged.length).toBeGreaterThan(200)
  expect(ranged.map(([name]) => name).filter((name) => !contextsByName.has(name))).toEqual([])
})

/** The next number: enough for a text of it to differ. */
const stepFrom = (bound: number, { type }: Shape): number =>
  type === 'integer' ? 1 : bound === 0 ? 1e-12 : Math.abs(bound) * 1e-5

it('the schema refuses what is beyond', () => {
  const taken = ranged.flatMap(([name, part]) => {
    const { exclusiveMinimum, minimum, maximum } = part
    const beyond = [
      ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
      ...(minimum === undefined ? [] : [minimum - stepFrom(minimum, part)]),
      ...(maximum === undefined ? [] : [maximum + stepFrom(maximum, part)]),
    ]
    return beyond
      .filter((value) =>
        (contextsByName.get(name) ?? []).some((one) => !isRefusedBySchema(one.scenario(value))),
      )
      .map((value) => [name, value])
  })
  expect(taken).toEqual([])
})

/** Why a bound is refused that would be taken beside other values. Nothing else may know a range of its own. */
const besides: readonly (readonly [why: string, RegExp])[] = [
  [
    'what an asset can count is up to its steps and decimals',
    /is not a multiple of|too (large|fine)|finer than/,
  ],
  ['the same of steps', /is worth more than|too many digits|a step is above 0|below the pair's least price/],
  ['amounts add up', /are worth about|is more than/],
  [
    'of two numbers one is the greater',
    /minQuantity is above|not all above the best bid|to be below|with alpha is/,
  ],
  ['a row of shares has the sum 1', /adds up to/],
  ['1 is an asset with itself', /the correlation -?1 is not from/],
  ['what an impact can be depends on the ladder', /impact\.permanent: is not from 0 to/],
  [
    'prices are relative to others, or to a recording',
    /is not a price from|a price that no market has|is not a price next to/,
  ],
  ['a recording ends', /the recording of BTC goes from/],
  [
    'a price moves in one way',
    /say where the price goes|say the noise by|is the noise between points|goes with/,
  ],
  ['a number is no change', /a shock is a change/],
  [
    'each of orders and quotes has its keys',
    /has no "|label says which|a market order has no price|orders or cancels/,
  ],
  [
    'attributes belong to types of faults',
    /does not belong to|must be at least 400 for|say what goes wrong|same as/,
  ],
]

it('all stages take what the schema takes', { timeout: 60_000 }, () => {
  const refused = ranged.flatMap(([name, part]) => {
    const { exclusiveMinimum = -1, minimum = -1, maximum } = part
    const bounds = [
      ...(minimum > exclusiveMinimum ? [minimum] : []),
      ...(maximum === undefined ? [] : [maximum]),
    ]
    return bounds.flatMap((bound) => {
      let refusal: string | undefined
      for (const { scenario } of contextsByName.get(name) ?? []) {
        const told = problemsOf(scenario(bound))
        if (told.length === 0) return []
        refusal ??= told.find((text) => !besides.some(([, reason]) => reason.test(text)))
      }
      return refusal === undefined ? [] : [[name, bound, refusal]]
    })
  })
  expect(refused).toEqual([])
})
