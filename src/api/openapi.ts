import { successStatus } from './dispatch.ts'
import { phrases, type Status } from './errors.ts'
import type { ObjectSchema, Schema } from './infer.ts'
import { schemaNames } from './openapi-names.ts'
import { defaultReadings, type Readings } from './readings.ts'
import type { Route } from './routes/route.ts'
import { type OperationId, operationIds, routeOf } from './routes/routes.ts'
import { errorSchema } from './schemas/error.ts'

/** A part of the document: plain JSON. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

export interface OpenApiOptions {
  readonly version: string
  /** Base addresses, production first. */
  readonly servers: readonly string[]
  /** What they change about statuses is in the document; bodies are documented in their full form. */
  readonly readings?: Readings
}

/** The whole interface as an OpenAPI 3.1 document, from the same routes and schemas that serve it. */
export function openApi({ version, servers, readings = defaultReadings }: OpenApiOptions) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trading service',
      version,
      description:
        'Orders, quotes, market data, portfolio and risk of an over-the-counter digital asset venue, simulated.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: servers.map((url) => ({ url })),
    security: [{ apiKey: [], timestamp: [], signature: [] }],
    tags: tags.map((name) => ({ name })),
    paths: pathsOf(readings),
    components: { securitySchemes, headers, schemas: namedSchemas() },
  } as const
}

const tags = ['Orders', 'Quotes', 'Market data', 'Portfolio', 'Risk'] as const
const tagBySegment: ReadonlyMap<string, (typeof tags)[number]> = new Map([
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

function pathsOf(readings: Readings): { readonly [path: string]: { readonly [method: string]: Json } } {
  const paths = new Map<string, Map<string, Json>>()
  for (const id of operationIds) {
    const route = routeOf(id)
    const path = route.path.replace(/:(\w+)/, '{$1}')
    const operations = paths.get(path) ?? new Map<string, Json>()
    paths.set(path, operations)
    operations.set(route.method.toLowerCase(), operationOf(id, route, readings))
  }
  return Object.fromEntries([...paths].map(([path, operations]) => [path, Object.fromEntries(operations)]))
}

function operationOf(id: OperationId, route: Route, readings: Readings): Json {
  const segment = route.path.split('/')[3] ?? ''
  const category = route.category === 'marketData' ? '30 requests a second' : '10 requests a second'
  return {
    operationId: id,
    summary: route.summary,
    description: `Scope ${route.scope}; ${category}.`,
    tags: [tagBySegment.get(segment) ?? 'Orders'],
    parameters: [...pathParameters(route), ...queryParameters(route.query)],
    requestBody: requestBodyOf(route),
    responses: responsesOf(route, successStatus(route, readings)),
  }
}

function pathParameters({ path }: Route): readonly Json[] {
  const name = /:(\w+)/.exec(path)?.[1]
  return name === undefined ? [] : [{ name, in: 'path', required: true, schema: { type: 'string' } }]
}

/** A parameter with a default need not be sent, although a handler always sees it. */
function queryParameters({ properties, required = [] }: ObjectSchema): readonly Json[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name) && schema.default === undefined,
    schema: documented(schema),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
  }))
}

function requestBodyOf({ body, bodyItem, isBodyOptional }: Route): Json | undefined {
  if (body === null) return undefined
  const schema = bodyItem === undefined ? body : withItems(body, bodyItem)
  return {
    required: isBodyOptional !== true,
    content: { 'application/json': { schema: documented(schema) } },
  }
}

/** Items that are checked one by one are documented where they stand. */
function withItems(schema: Schema, items: Schema): Schema {
  if (schema.type === 'array') return { ...schema, items }
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    withItems(field, items),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

function responsesOf(route: Route, success: number): Json {
  const always = [400, 401, 403, 429, 500] as const
  const withBody = route.body === null ? [] : ([413] as const)
  const statuses: readonly Status[] = [...always, ...withBody, ...route.errors].toSorted((a, b) => a - b)
  const errors = statuses.map((status) => [String(status), response(descriptionOf(status), errorSchema)])
  return {
    [String(success)]: response(success === 201 ? 'Created' : 'Success', route.response),
    ...Object.fromEntries(errors),
  }
}

function response(description: string, schema: Schema): Json {
  const references = Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return {
    description,
    headers: Object.fromEntries(references),
    content: { 'application/json': { schema: documented(schema) } },
  }
}

/** Spec: Errors, HTTP status codes; the others by their phrase. */
function descriptionOf(status: Status): string {
  switch (status) {
    case 400:
      return 'Invalid parameters'
    case 401:
      return 'Invalid or missing API key or authentication'
    case 403:
      return 'Insufficient scope'
    case 404:
      return 'Resource does not exist'
    case 409:
      return 'The resource is done, or its client id has been used'
    case 422:
      return 'Risk check failed'
    case 429:
      return 'Rate limit exceeded'
    default:
      return phrases[status]
  }
}

function namedSchemas(): { readonly [name: string]: Json } {
  return Object.fromEntries([...schemaNames].map(([schema, name]) => [name, expanded(schema)]))
}

/** A reference to a schema that has a name, else the schema itself. */
function documented(schema: Schema): Json {
  const name = schemaNames.get(schema)
  return name === undefined ? expanded(schema) : { $ref: `#/components/schemas/${name}` }
}

function expanded(schema: Schema): Json {
  const { items, properties, additionalProperties, anyOf, ...rest } = schema
  return {
    ...rest,
    ...(items === undefined ? {} : { items: documented(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(documented) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, field]) => [key, documented(field)]),
          ),
        }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'boolean'
              ? additionalProperties
              : documented(additionalProperties),
        }),
  }
}
