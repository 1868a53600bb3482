import { assert } from '../../numeric/assert.ts'
import { millisPerDay } from '../../numeric/time-text.ts'
import type { FieldProblem } from '../../shape/field-problem.ts'
import { kindInFile, oneOfKinds, ownValue, readStated } from '../../shape/in-file.ts'
import { kind, number, type RecordOf, record, type Shape, span } from '../../shape/shape.ts'
import { checkShape } from '../check-shape.ts'
import { usualFigures } from '../usual-figures.ts'

/*
 * The synthetic takers of an asset, told once: who trades, how often, how much, and on what knowledge. From the shapes
 * come the types, the schema and the reference of scenario files, what a file's words mean, and the checks.
 */

const maximumRate = 10_000
const ratePerMinute = number(
  0,
  maximumRate,
  'Orders per minute, on average, while activity is that of the long run.',
)
const medianUsd = 'Median value of an order, USD.'

/** They pay up to 1 % beyond the mark. */
const poisson = record(
  {
    kind: kind('poisson'),
    ratePerMinute,
    medianUsd: number(1e-6, 1e12, medianUsd, { default: 2000 }),
    sizeSd: number(0, 5, 'Standard deviation of the logarithm of the value.', { default: 1.2 }),
  },
  'Synthetic takers without opinion at random instants, with log-normal order values.',
)

/** market.md section 3. */
const hawkes = record(
  {
    kind: kind('hawkes'),
    ratePerMinute,
    medianUsd: number(1e-6, 1e12, medianUsd, { default: 3000 }),
    sizeSd: number(0, 5, 'Standard deviation of the logarithm of the value, below the tail.', {
      default: 1.6,
    }),
    maximumUsd: number(
      1e-6,
      1e12,
      "Maximum value of an order, USD; the pair's maximum quantity bounds it, too.",
    ),
    informed: record(
      {
        share: number(0, 1, 'Share of all takers.', { default: 0.3 }),
        horizonMillis: span(
          1,
          millisPerDay,
          'How far they see ahead, on average; exponentially distributed.',
          {
            default: 120_000,
          },
        ),
        costBps: number(0, 10_000, 'How much better than the book a price must be before they trade.', {
          default: 0,
        }),
      },
      'Takers who know the future fundamental price.',
    ),
    patiencePerBp: number(
      0,
      1000,
      'The others pay d basis points beyond the touch with probability e^(-patiencePerBp d).',
    ),
    touchBps: number(
      0,
      10_000,
      'The half-spread that they expect where the venue shows none of its own, basis points.',
    ),
    snipers: number(
      0,
      1,
      "Probability that a client's price which the market has left behind is taken at once.",
      { default: 0.9 },
    ),
  },
  'Synthetic takers in bursts and runs of one side, with heavy-tailed sizes, more of them when the market moves, some of them informed.',
)

const none = record({ kind: kind('none') }, 'No synthetic takers.')

export type PoissonFlowSpec = RecordOf<typeof poisson>
export type HawkesFlowSpec = RecordOf<typeof hawkes>
export type FlowSpec = RecordOf<typeof none> | PoissonFlowSpec | HawkesFlowSpec

export const flowShapes: ReadonlyMap<string, Shape> = new Map(Object.entries({ none, poisson, hawkes }))
const defaultKind = 'hawkes'

const ratesFileSchema: Shape = {
  title: 'orders a minute: a number, or numbers by asset symbol and "default"',
  oneOf: [
    { type: 'number', minimum: 0, maximum: maximumRate },
    {
      type: 'object',
      propertyNames: { $ref: '#/definitions/symbolOrDefault' },
      additionalProperties: { type: 'number', minimum: 0, maximum: maximumRate },
    },
  ],
}

/** The schema of a flow in a file. It tells rates by asset, and nothing of the touch, which is that of the ladder. */
export const statedFlow: Shape = oneOfKinds(
  [...flowShapes.values()].map((shape) => {
    const schema = kindInFile(shape)
    const { kind, ratePerMinute, touchBps: _, ...words } = schema.properties ?? {}
    if (kind === undefined || ratePerMinute === undefined) return schema
    const rates = {
      ratePerMinute: { ...ratesFileSchema, description: 'Orders per minute, by asset.' },
      ratePerMin: { ...ratesFileSchema, description: 'The same as ratePerMinute.' },
    }
    return { ...schema, properties: { kind, ...rates, ...words } }
  }),
  defaultKind,
)

/** `stated` has been validated by the schema; null is a flow that no file mentions. A rate of 0 means no flow. */
export function readFlow(
  stated: object | null,
  { symbol, touchBps }: { readonly symbol: string; readonly touchBps: number | null },
  problems: FieldProblem[],
): FlowSpec {
  const name = String(ownValue(stated, 'kind') ?? defaultKind)
  const figures = usualFigures(symbol)
  const rates = ownValue(stated, 'ratePerMinute') ?? ownValue(stated, 'ratePerMin') ?? figures.ratePerMinute
  const ratePerMinute = name === 'none' ? 0 : findRate(rates, symbol)
  if (ratePerMinute === 0) return { kind: 'none' }
  const usual = {
    // Choice: twice the depth within 10 basis points; more could not be traded at once near the price.
    maximumUsd: 2 * figures.depth10bpUsd,
    patiencePerBp: figures.patiencePerBp,
    touchBps: touchBps ?? figures.spreadBps / 2,
  }
  return Object(readStated(shapeOf(name), { ...stated, ratePerMinute }, usual, '', problems))
}

/** When some assets are given rates, all others have none. */
const findRate = (rates: unknown, symbol: string): number =>
  Number(typeof rates === 'object' ? (ownValue(rates, symbol) ?? ownValue(rates, 'default') ?? 0) : rates)

/** What `createFlow` relies on, checked: null when it is sound. Fields in the order of their declaration. */
export const checkFlow = (flow: FlowSpec): FieldProblem | null => checkShape(shapeOf(flow.kind), flow, 'flow')

function shapeOf(name: string): Shape {
  const shape = flowShapes.get(name)
  assert(shape !== undefined, `${name} is a kind of flow`)
  return shape
}

/** One taker's order, before it meets a book. */
export interface Arrival {
  /** Since the minute's first instant, in (0, 60_000]. */
  readonly offsetMillis: number
  /** The side it wants; what an informed one knows decides for it. */
  readonly side: 'buy' | 'sell'
  readonly valueUsd: number
  /** How far ahead it knows the fundamental price; 0: it knows nothing. */
  readonly horizonMillis: number
  /** How much it pays beyond the venue's own touch, basis points; null: up to 1 % beyond the mark. */
  readonly patienceBps: number | null
}
