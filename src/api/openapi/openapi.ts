import type { Shape } from '../../shape/shape.ts'
import { isServed } from '../dispatch.ts'
import { queryUnder } from '../input/query-string.ts'
import { withItems } from '../input/read-body.ts'
import type { Json } from '../json.ts'
import type { Operation } from '../operations/operation.ts'
import { type AnyOperation, everyOperationId, type OperationId, routeOf } from '../operations/operations.ts'
import { defaultReadings, type Readings, readingKeys } from '../readings/readings.ts'
import { itemShape, type ObjectShape } from '../wire-shapes.ts'
import {
  describePaths,
  documentInfo,
  namedSchemas,
  type SchemaStyle,
  schemaNames,
  schemaOrReference,
} from './document-schema.ts'
import { bodyExamples, defaultExampleWorld, type ExampleWorld, parameterExample } from './examples.ts'
import { describeResponses, type RecordedAnswer } from './responses.ts'

const tagDescriptions = {
  Orders: 'Create, amend, cancel and list orders, alone and in batches.',
  Quotes: 'Two-sided quotes of market makers.',
  'Market data': 'Prices, order books, trading pairs and statistics.',
  Portfolio: 'Balances, positions, exposure, profit and loss, and what happened.',
  Risk: 'Limits and their use, and orders that are only checked.',
} as const

/**
 * Describes the venue, and names the readings that are not at their defaults, because they decide what a client sees.
 */
function venueDescription(readings: Readings): string {
  const changed = readingKeys.filter((key) => readings[key] !== defaultReadings[key])
  return [
    'Orders, quotes, market data, portfolio and risk of an over-the-counter digital asset venue, simulated.',
    'Every request is signed: X-API-Signature is the lower-case hexadecimal HMAC-SHA256, keyed with the API secret, ' +
      'of the timestamp, the method, the path and the body, one after the other.',
    'Invalid HTTP is refused before an operation is known, with 408, 417 or 431 in the shape of an error.',
    changed.length === 0
      ? 'Every open point of the specification is read in the default way (`x-readings`).'
      : `Open points of the specification that are not read in the default way: ${changed
          .map((key) => `\`${key}=${readings[key]}\``)
          .join(', ')}.`,
  ].join('\n\n')
}

const tagBySegment: ReadonlyMap<string, keyof typeof tagDescriptions> = new Map([
  ['orders', 'Orders'],
  ['quotes', 'Quotes'],
  ['market-data', 'Market data'],
  ['portfolio', 'Portfolio'],
  ['risk', 'Risk'],
])

/**
 * The operations in the order of the document: within each tag, fixed paths before those with a parameter. So a
 * creation comes before what needs its id, and no reader of the document takes `batch` for an id.
 */
export const documentedOperations: readonly OperationId[] = everyOperationId.toSorted(
  (left, right) => tagIndex(left) - tagIndex(right) || countParameters(left) - countParameters(right),
)

function tagFor({ path }: Operation): keyof typeof tagDescriptions {
  return tagBySegment.get(path.split('/')[3] ?? '') ?? 'Orders'
}

function tagIndex(id: OperationId): number {
  return Object.keys(tagDescriptions).indexOf(tagFor(routeOf(id)))
}

function countParameters(id: OperationId): number {
  return routeOf(id).path.includes(':') ? 1 : 0
}

/** What a document is made for. */
export interface OpenApiOptions {
  readonly version: string
  /** The base addresses, production first. */
  readonly servers: readonly string[]
  /** The readings under which answers are documented: statuses, the envelope, shapes, errors. */
  readonly readings?: Readings
  readonly world?: ExampleWorld
  readonly recorded?: RecordedAnswers
}

/** Answers of the venue by operation, which become the examples. */
export type RecordedAnswers = ReadonlyMap<OperationId, RecordedAnswer>

interface DocumentStyle extends SchemaStyle {
  readonly world: ExampleWorld
  readonly recorded: RecordedAnswers
}

/** Returns the OpenAPI 3.1 document of the interface, from the routes and schemas that serve it. */
export function openApi(options: OpenApiOptions) {
  const {
    version,
    servers,
    readings = defaultReadings,
    world = defaultExampleWorld,
    recorded = new Map(),
  } = options
  const style = { names: schemaNames, readings }
  const choices = { ...style, world, recorded }
  const served = documentedOperations.filter((id) => isServed(id, readings)).map(routeOf)
  const readingsFor = (schema: Shape) =>
    requestSchemas.has(schema) ? readingsForRequests(readings) : readings
  return {
    openapi: '3.1.0',
    info: documentInfo('otcsim', version, venueDescription(readings)),
    servers: servers.map((url) => ({ url })),
    security: [{ apiKey: [], timestamp: [], signature: [] }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths: describePaths(served, (route) => describeOperation(route, choices)),
    components: {
      securitySchemes,
      headers,
      schemas: namedSchemas(schemaNames, (schema) => ({ readings: readingsFor(schema) })),
    },
    'x-readings': readings,
  } as const
}

const requestSchemas: ReadonlySet<Shape | null | undefined> = new Set(
  documentedOperations.flatMap((id): readonly (Shape | null | undefined)[] => {
    const { body, bodyItem } = routeOf(id)
    return [body, bodyItem]
  }),
)

const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  timestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Timestamp',
    description: 'Unix time in milliseconds, at most 30 seconds old',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Signature',
    description:
      'lowercase hexadecimal HMAC-SHA256 of timestamp, method, path and body, keyed with the API secret',
  },
} as const

const headers = {
  'X-RateLimit-Limit': { description: 'Maximum requests per window', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': { description: 'Unix timestamp when the window resets', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds until a request may pass', schema: { type: 'integer', minimum: 0 } },
} as const

function describeOperation(route: AnyOperation, choices: DocumentStyle): Json {
  const { id } = route
  const category = route.category === 'marketData' ? '30 requests a second' : '10 requests a second'
  return {
    operationId: id,
    summary: route.summary,
    description: `Scope ${route.scope}; ${category}.`,
    tags: [tagFor(route)],
    parameters: [
      ...pathParameters(id, route, choices),
      ...queryParameters(id, queryUnder(route.query, choices.readings), choices),
    ],
    requestBody: describeBody(id, route, choices),
    responses: describeResponses(id, route, choices, choices.recorded.get(id)),
  }
}

function pathParameters(id: OperationId, { path }: Operation, { world }: DocumentStyle): readonly Json[] {
  const name = /:(\w+)/.exec(path)?.[1]
  if (name === undefined) return []
  const description = name === 'asset' ? 'asset symbol' : `identifier of the ${name.slice(0, -2)}`
  const example = parameterExample(id, name, world)
  return [{ name, in: 'path', required: true, description, schema: { type: 'string' }, example }]
}

/** Describes query parameters. One with a default need not be sent, although a handler always sees it. */
function queryParameters(
  id: OperationId,
  { properties, required = [] }: ObjectShape,
  choices: DocumentStyle,
): readonly Json[] {
  return Object.entries(properties).map(([name, given]) => {
    const { description = '', ...schema } = filterUnder(given, choices.readings)
    const isNamed = choices.names.has(filterUnder(given, choices.readings))
    return {
      name,
      in: 'query',
      required: required.includes(name) && schema.default === undefined,
      description: given.description ?? description,
      schema: isNamed
        ? schemaOrReference(filterUnder(given, choices.readings), choices)
        : parameterSchema(schema, choices),
      example: parameterExample(id, name, choices.world),
    }
  })
}

/**
 * Returns the schema of a parameter. Spec: a list is a string with commas; its pattern says what its elements may be.
 */
function parameterSchema(schema: Shape, choices: DocumentStyle): Json {
  const items = itemShape(schema)
  if (items === undefined) return schemaOrReference(schema, choices)
  const words = items.enum?.join('|')
  const element = words === undefined ? `[^,]{1,${items.maxLength ?? 64}}` : `(${words})`
  return { type: 'string', pattern: `^${element}(,${element})*$` }
}

/**
 * Returns the shape of a filter under the readings: by the documented words, or by any word (reading
 * `filters.unlisted`).
 */
function filterUnder(schema: Shape, readings: Readings): Shape {
  const items = itemShape(schema)
  if (items !== undefined) return { ...schema, items: filterUnder(items, readings) }
  const isListedAlone = readings['filters.unlisted'] === '400'
  return (isListedAlone ? schema.anyOf?.[0] : schema.anyOf?.at(-1)) ?? schema
}

function describeBody(id: OperationId, route: Operation, choices: DocumentStyle): Json | undefined {
  const { body, bodyItem, isBodyOptional } = route
  if (body === null) return undefined
  const whole = bodyItem === null ? body : withItems(body, bodyItem)
  const schema = schemaOrReference(whole, {
    names: choices.names,
    readings: readingsForRequests(choices.readings),
  })
  return {
    required: isBodyOptional !== true,
    content: { 'application/json': { schema, ...exampleOrExamples(bodyExamples(id, choices.world)) } },
  }
}

/**
 * Returns examples under `example` when there is one, else under `examples`: some tools know only one of the two
 * words.
 */
function exampleOrExamples(examples: { readonly [name: string]: Json }): { readonly [word: string]: Json } {
  const [first, ...others] = Object.entries(examples)
  if (first !== undefined && others.length === 0) return { example: first[1] }
  return {
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  }
}

/** Returns the readings for the shapes of requests: reading `answers.extraFields` affects answers only. */
function readingsForRequests(readings: Readings): Readings {
  return { ...readings, 'answers.extraFields': 'none' }
}
