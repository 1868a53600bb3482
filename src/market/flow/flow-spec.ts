import { assert } from '../../numeric/assert.ts'
import { millisPerDay } from '../../numeric/time-text.ts'
import { kindInFile, oneOfKinds, ownValue, readStated } from '../../shape/in-file.ts'
import { kind, number, type RecordOf, record, type Shape, span } from '../../shape/shape.ts'
import type { SpecProblem } from '../../shape/spec-checks.ts'
import { checkShape } from '../check-shape.ts'
import { usualFigures } from '../usual-figures.ts'

/*
 * The synthetic takers of an asset, declared once: who trades, how often, how much, and on what knowledge. The
 * shapes give the types, the schema and reference of scenario files, the reading of a file, and the checks.
 */

const maximumRate = 10_000
const ratePerMinute = number(
  0,
  maximumRate,
  'Orders per minute, on average, while activity is that of the long run.',
)
const medianUsd = 'Median value of an order, USD.'

/* Takers of a Poisson flow pay up to 1 % beyond the mark. */
const poisson = record(
  {
    kind: kind('poisson'),
    ratePerMinute,
    medianUsd: number(1e-6, 1e12, medianUsd, { default: 2000 }),
    sizeSd: number(0, 5, 'Standard deviation of the logarithm of the value.', { default: 1.2 }),
  },
  'Synthetic takers without opinion at random instants, with log-normal order values.',
)

/* Figures: market.md section 3. */
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
        share: number(0, 1, 'Share of all takers.', { default: 0.2 }),
        horizonMillis: span(
          1,
          millisPerDay,
          'How far they see ahead, on average; exponentially distributed.',
          {
            default: 10_000,
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

/* The trades are among the rows of the asset's recorded book. */
const recorded = record(
  { kind: kind('recorded') },
  'The recorded trades, which move the places of orders in a recorded book, and fill them.',
)

const none = record({ kind: kind('none') }, 'No synthetic takers.')

export type PoissonFlowSpec = RecordOf<typeof poisson>
export type HawkesFlowSpec = RecordOf<typeof hawkes>
/** Specification of an asset's synthetic takers, as checked plain data. */
export type FlowSpec = RecordOf<typeof none> | RecordOf<typeof recorded> | PoissonFlowSpec | HawkesFlowSpec

export const flowShapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries({ none, recorded, poisson, hawkes }),
)
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

/**
 * Schema of a flow in a scenario file. Rates are given by asset. The half-spread that takers expect is left
 * out, because it follows from the ladder.
 */
export const flowFileSchema: Shape = oneOfKinds(
  [...flowShapes.values()].map((shape) => {
    const schema = kindInFile(shape)
    if (shape === recorded) return stateTrades(schema)
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

/** Adds the files to the schema of recorded trades. A file of a book may have them, too. */
function stateTrades(schema: Shape): Shape {
  const data = {
    $ref: '#/definitions/bookFiles',
    description:
      'The recorded trades: a file, or several in order of time, relative to this file; without it, they are in the file of the book.',
  }
  return { ...schema, properties: { ...schema.properties, data } }
}

/**
 * Returns the flow that a file states for an asset, filling in defaults. `stated` has been validated by
 * `flowFileSchema`; null means that the file does not mention a flow. A rate of 0 gives no flow.
 */
export function readFlow(
  stated: object | null,
  { symbol, touchBps }: { readonly symbol: string; readonly touchBps: number | null },
  problems: SpecProblem[],
): FlowSpec {
  const name = String(ownValue(stated, 'kind') ?? defaultKind)
  const figures = usualFigures(symbol)
  if (name === 'recorded') return { kind: 'recorded' }
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

/**
 * Returns the orders per minute of an asset. In a mapping of rates, assets that are not named get the
 * `default`, or 0 without one.
 */
const findRate = (rates: unknown, symbol: string): number =>
  Number(typeof rates === 'object' ? (ownValue(rates, symbol) ?? ownValue(rates, 'default') ?? 0) : rates)

/**
 * Returns the first problem of a flow, with fields in the order of their declaration, or null when `createFlow`
 * can use it.
 */
export const checkFlow = (flow: FlowSpec): SpecProblem | null => checkShape(shapeOf(flow.kind), flow, 'flow')

function shapeOf(name: string): Shape {
  const shape = flowShapes.get(name)
  assert(shape !== undefined, `${name} is a kind of flow`)
  return shape
}

/** Order of a synthetic taker, before it meets a book. */
export interface Arrival {
  /** Milliseconds since the minute's first instant, in (0, 60_000]. */
  readonly offsetMillis: number
  /** Side that the taker wants; an informed taker ignores it and follows the future price. */
  readonly side: 'buy' | 'sell'
  readonly valueUsd: number
  /** How far ahead the taker knows the fundamental price, milliseconds; 0 for an uninformed taker. */
  readonly horizonMillis: number
  /**
   * How much the taker pays beyond the venue's own best price, basis points; null for up to 1 % beyond the
   * mark.
   */
  readonly patienceBps: number | null
}
