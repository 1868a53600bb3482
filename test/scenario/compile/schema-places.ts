import { faultTypes } from '../../../src/api/faults/fault-types.ts'
import { millis } from '../../../src/numeric/units.ts'
import { scenarioSchema } from '../../../src/scenario/compile/schema.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { isTupleOfShapes, type Shape } from '../../../src/shape/shape.ts'
import { frame, type Piece, pieces, readBook } from '../../nets/scenario-pieces.ts'

/* Every place of the schema, and for each the right scenarios that have, or could have, a value there. */

export interface Context {
  /** Where the value stands in the schema: kinds tell choices apart. */
  readonly name: string
  readonly schema: Shape
  /** What a right scenario has there. */
  readonly value: unknown
  readonly scenario: (value: unknown) => unknown
}

const resolve = ({ $ref, ...own }: Shape): Shape =>
  $ref === undefined ? own : { ...scenarioSchema.definitions[$ref.split('/').at(-1) ?? ''], ...own }

export const isNumber = ({ type }: Shape): boolean =>
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

/** Every place of the schema, with what it says of it. */
export function placesOf(given: Shape, name = ''): readonly (readonly [string, Shape])[] {
  const schema = resolve(given)
  return [[name, schema], ...partsOf(schema).flatMap(([step, part]) => placesOf(part, name + step))]
}

/** The places that a right value has, or could have, each with what puts another value there. */
function contextsIn(given: Shape, value: unknown, name: string, put: (value: unknown) => unknown): Context[] {
  const schema = resolve(given)
  const own = [{ name, schema, value, scenario: put }]
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
  {
    market: {
      assets: { BTC: { liquidity: { kind: 'recorded', data: { file: 'book.csv', shiftTrades: 5 } } } },
    },
  },
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

export const contextsByName: ReadonlyMap<string, readonly Context[]> = byName()

function byName() {
  const found = new Map<string, Context[]>()
  for (const context of contexts) found.set(context.name, [...(found.get(context.name) ?? []), context])
  return found
}

export function problemsOf(scenario: unknown): readonly string[] {
  const loaded = load(scenario)
  return loaded.ok ? [] : loaded.problems.map(({ path, reason }) => `${path}: ${reason}`)
}

export function load(scenario: unknown) {
  return loadScenarioValue(scenario, { readCandles, readBook })
}
