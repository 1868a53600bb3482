import type { Json } from '../json.ts'
import { defaultReadings, type Readings } from '../readings/readings.ts'
import type { Route } from '../routes/route.ts'
import { type OperationId, operationIds, routeOf } from '../routes/routes.ts'
import { closed } from '../schemas/closed.ts'
import { timestamp } from '../schemas/common.ts'
import { errorSchema } from '../schemas/error.ts'
import type { ObjectSchema, Schema } from '../schemas/infer.ts'
import { declaredStatuses } from './declared-statuses.ts'
import { describedValues } from './described-values.ts'
import { bodyExample, type ExampleMarket, parameterExample, usualMarket } from './examples.ts'
import { schemaNames } from './schema-names.ts'
import { shapeUnder } from './shapes-under-readings.ts'
import { statusDescription, tagDescriptions, venueDescription } from './texts.ts'

export interface OpenApiOptions {
  readonly version: string
  /** Base addresses, production first. */
  readonly servers: readonly string[]
  /** Answers are documented as they are under these readings: statuses, the envelope, shapes, errors. */
  readonly readings?: Readings
  /** The market of the examples. */
  readonly market?: ExampleMarket
}

interface Choices {
  readonly readings: Readings
  readonly market: ExampleMarket
}

/** The whole interface as an OpenAPI 3.1 document, from the same routes and schemas that serve it. */
export function openApi(options: OpenApiOptions) {
  const { version, servers, readings = defaultReadings, market = usualMarket } = options
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trading service',
      version,
      description: venueDescription(readings),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: servers.map((url) => ({ url })),
    security: [{ apiKey: [], timestamp: [], signature: [] }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths: pathsOf({ readings, market }),
    components: { securitySchemes, headers, schemas: namedSchemas(readings) },
    'x-readings': readings,
  } as const
}

const tagBySegment: ReadonlyMap<string, keyof typeof tagDescriptions> = new Map([
  ['orders', 'Orders'],
  ['quotes', 'Quotes'],
  ['market-data', 'Market data'],
  ['portfolio', 'Portfolio'],
  ['risk', 'Risk'],
])

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
} as const

function pathsOf(choices: Choices): { readonly [path: string]: { readonly [method: string]: Json } } {
  const paths = new Map<string, Map<string, Json>>()
  for (const id of operationIds) {
    const route = routeOf(id)
    const path = route.path.replace(/:(\w+)/, '{$1}')
    const operations = paths.get(path) ?? new Map<string, Json>()
    paths.set(path, operations)
    operations.set(route.method.toLowerCase(), operationOf(id, route, choices))
  }
  return Object.fromEntries([...paths].map(([path, operations]) => [path, Object.fromEntries(operations)]))
}

function operationOf(id: OperationId, route: Route, { readings, market }: Choices): Json {
  const segment = route.path.split('/')[3] ?? ''
  const category = route.category === 'marketData' ? '30 requests a second' : '10 requests a second'
  return {
    operationId: id,
    summary: route.summary,
    description: `Scope ${route.scope}; ${category}.`,
    tags: [tagBySegment.get(segment) ?? 'Orders'],
    parameters: [...pathParameters(route, market), ...queryParameters(route.query, { readings, market })],
    requestBody: requestBodyOf(id, route, { readings, market }),
    responses: responsesOf(id, route, readings),
  }
}

function pathParameters({ path }: Route, market: ExampleMarket): readonly Json[] {
  const name = /:(\w+)/.exec(path)?.[1]
  if (name === undefined) return []
  const example = parameterExample(name, market)
  return [{ name, in: 'path', required: true, schema: { type: 'string' }, example }]
}

/** A parameter with a default need not be sent, although a handler always sees it. */
function queryParameters(
  { properties, required = [] }: ObjectSchema,
  { readings, market }: Choices,
): readonly Json[] {
  return Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name) && schema.default === undefined
    const example = parameterExample(name, market)
    return {
      name,
      in: 'query',
      required: isRequired,
      schema: documented(filterOf(schema, readings), readings),
      ...(isRequired ? { example: schema.type === 'array' ? [example] : example } : {}),
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    }
  })
}

/** A filter by words allows the documented ones or all that exist, by reading `filters.unlisted`. */
function filterOf(schema: Schema, readings: Readings): Schema {
  if (schema.items !== undefined) return { ...schema, items: filterOf(schema.items, readings) }
  const isListedAlone = readings['filters.unlisted'] === '400'
  return (isListedAlone ? schema.anyOf?.[0] : schema.anyOf?.at(-1)) ?? schema
}

function requestBodyOf(id: OperationId, route: Route, { readings, market }: Choices): Json | undefined {
  const { body, bodyItem, isBodyOptional } = route
  if (body === null) return undefined
  const whole = bodyItem === undefined ? body : withItems(body, bodyItem)
  const schema = documented(whole, asRequest(readings))
  return {
    required: isBodyOptional !== true,
    content: {
      'application/json': { schema, example: bodyExample(id, market) },
    },
  }
}

/** The schema with its items, which are checked one by one and so are not part of the body's own schema. */
function withItems(schema: Schema, items: Schema): Schema {
  if (schema.type === 'array') return { ...schema, items }
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    withItems(field, items),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

function responsesOf(id: OperationId, route: Route, readings: Readings): Json {
  const { successes, errors } = declaredStatuses(id, route, readings)
  const success = enveloped(id, route.response, readings)
  const responses = new Map(errors.map((status): [number, Schema] => [status, errorSchema]))
  for (const status of successes) {
    const other = responses.get(status)
    responses.set(status, other === undefined ? success : { anyOf: [success, other] })
  }
  const inOrder = [...responses].sort(([left], [right]) => left - right)
  return Object.fromEntries(
    inOrder.map(([status, schema]) => [
      String(status),
      response(statusDescription(status), schema, readings),
    ]),
  )
}

/** Readings `positions.one` and `envelope`. */
function enveloped(id: OperationId, schema: Schema, readings: Readings): Schema {
  const isWrapped = id === 'getPosition' && readings['positions.one'] === 'wrapped'
  const body = isWrapped ? closed({ position: schema }) : schema
  return readings.envelope === 'wrapped' ? closed({ data: body, timestamp }) : body
}

function response(description: string, schema: Schema, readings: Readings): Json {
  const references = Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return {
    description,
    headers: Object.fromEntries(references),
    content: { 'application/json': { schema: documented(schema, readings) } },
  }
}

function namedSchemas(readings: Readings): { readonly [name: string]: Json } {
  return Object.fromEntries(
    [...schemaNames].map(([schema, name]) => [
      name,
      expanded(schema, requestSchemas.has(schema) ? asRequest(readings) : readings),
    ]),
  )
}

const requestSchemas: ReadonlySet<Schema | null | undefined> = new Set(
  operationIds.flatMap((id): readonly (Schema | null | undefined)[] => {
    const route: Route = routeOf(id)
    return [route.body, route.bodyItem]
  }),
)

/** Reading `answers.extraFields` affects answers only. */
function asRequest(readings: Readings): Readings {
  return { ...readings, 'answers.extraFields': 'none' }
}

/** A reference to a schema that has a name, else the schema itself. */
function documented(schema: Schema, readings: Readings): Json {
  const name = schemaNames.get(schema)
  return name === undefined ? expanded(schema, readings) : { $ref: `#/components/schemas/${name}` }
}

function expanded(schema: Schema, readings: Readings): Json {
  const { items, properties, additionalProperties, anyOf, ...rest } = describedValues(
    shapeUnder(schema, readings),
    readings,
  )
  const inner = (part: Schema): Json => documented(part, readings)
  return {
    ...rest,
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(inner) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, field]) => [key, inner(field)]),
          ),
        }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'boolean' ? additionalProperties : inner(additionalProperties),
        }),
  }
}
