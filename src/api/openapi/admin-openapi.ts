import type { Shape } from '../../shape/shape.ts'
import { shapeNames } from '../admin-answers.ts'
import { adminError, adminErrorBody } from '../admin-errors.ts'
import { type Problem, type ProblemCode, problems } from '../errors.ts'
import { validate } from '../input/read-body.ts'
import { inputProblem } from '../input-problem.ts'
import type { Json } from '../json.ts'
import { defaultReadings } from '../readings/readings.ts'
import {
  describePaths,
  documentInfo,
  namedSchemas,
  schemaNames,
  schemaOrReference,
  selectReferenced,
} from './document-schema.ts'

/** One operation of the admin API, as data. */
export interface AdminOperation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path after the prefix, with `:name` for parameters. */
  readonly path: string
  readonly summary: string
  readonly body: Shape | null
  /**
   * The body as the document describes it: without unions of types, and with what the server checks beyond its shape.
   * Left out if `body` is documented as it is.
   */
  readonly documentedBody?: Shape
  /** Set when the body is a document that otcsim wrote, with numbers and depths that no caller would write. */
  readonly isDocument?: true
  readonly response: Shape
  /** The status of a success; 200 when left out. */
  readonly status?: 201
  /** The statuses of errors besides those that every operation of the admin API has. */
  readonly errors?: readonly (404 | 409 | 422 | 503)[]
  /** The query parameters. All others are refused. */
  readonly query?: { readonly [name: string]: Shape }
  /** The query parameters that cannot be left out. */
  readonly required?: readonly string[]
  /** The media type of an answer that is not JSON. */
  readonly mediaType?: 'application/x-ndjson' | 'text/event-stream'
}

/** A call that was recorded to be the example of its operation. */
export interface RecordedCall {
  readonly path: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: string }
  readonly body: Json | undefined
  readonly status: number
  readonly answer: Json | undefined
}

const style = {
  names: new Map([...schemaNames, ...shapeNames]),
  readings: defaultReadings,
  opensUnions: true,
} as const

/**
 * Returns the OpenAPI 3.1 document of the admin API. `url` is the address of the API; `examples` are by the id of
 * their operation.
 */
export function adminOpenApi(
  operations: readonly AdminOperation[],
  examples: ReadonlyMap<string, RecordedCall>,
  about: { readonly version: string; readonly url: string },
) {
  const paths = describePaths(operations, (each) => describeOperation(each, examples.get(each.id)))
  return {
    openapi: '3.1.0',
    info: documentInfo('Admin API', about.version, description),
    servers: [{ url: about.url }],
    security: [{}, { adminToken: [] }],
    tags: tags.map(({ name, description: text }) => ({ name, description: text })),
    paths,
    components: {
      securitySchemes: {
        adminToken: { type: 'http', scheme: 'bearer', description: 'Asked for where the server has one' },
      },
      schemas: selectReferenced(
        paths,
        namedSchemas(style.names, () => style),
      ),
    },
  } as const
}

const description =
  'Controls a venue and its worlds: JSON in and out, never rate limited, and open to this machine alone unless a token ' +
  'is set. The examples succeed in their order on a server that has just been started.'

/** The tags of the document. An operation belongs to the tag that has the third segment of its path. */
const tags = [
  { name: 'Server', of: [], description: 'The process, and what documents it.' },
  { name: 'Worlds', of: [], description: 'Venues of their own in one process.' },
  { name: 'Clock', of: ['clock'], description: 'When time passes in a world.' },
  { name: 'Accounts', of: ['accounts', 'keys'], description: 'Accounts, their keys, and money in and out.' },
  {
    name: 'Market',
    of: ['market', 'pairs', 'timeline'],
    description: 'Prices, books, pairs, and actions of scenarios.',
  },
  { name: 'Orders', of: ['orders', 'quotes'], description: 'What clients have to cope with.' },
  { name: 'Requests', of: ['rate-limits', 'requests'], description: 'Rate limits, and what came in.' },
  {
    name: 'Past',
    of: ['journal', 'history', 'view', 'events'],
    description: 'What happened, and what an account sees.',
  },
  { name: 'Faults', of: ['faults'], description: 'What goes wrong on purpose.' },
  { name: 'Snapshots', of: ['snapshots'], description: 'States of a world that are kept.' },
]

function tagFor(path: string): string {
  const [, first, , third = ''] = path.split('/')
  const found = tags.find((tag) => tag.of.includes(third))
  return found?.name ?? (first === 'worlds' ? 'Worlds' : 'Server')
}

function describeOperation(route: AdminOperation, example: RecordedCall | undefined): Json {
  const { id, summary, path, query = {}, required = [] } = route
  const body = route.documentedBody ?? route.body
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: `the ${parameterWords.get(name) ?? name}`,
    schema: { type: 'string' },
    example: example?.path[name],
  }))
  const inQuery = Object.entries(query).map(([name, { description: text, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: text,
    schema: schemaOrReference(schema, style),
    example: example?.query[name],
  }))
  const content = (schema: Shape) => ({
    'application/json': { schema: schemaOrReference(schema, style), example: example?.body },
  })
  return {
    operationId: id,
    summary,
    tags: [tagFor(path)],
    parameters: [...inPath, ...inQuery],
    requestBody:
      takesBody(route) && body !== null
        ? { required: needsBody(route), content: content(inheritDescriptions(body, route.response)) }
        : undefined,
    responses: describeResponses(route, example),
  }
}

/** Gives each field of a body that has no description the description of the field of that name in the answer. */
function inheritDescriptions(body: Shape, answer: Shape): Shape {
  if (body.properties === undefined || answer.properties === undefined) return body
  const fields = Object.entries(body.properties).map(([name, field]) => {
    const { description, ...same } = answer.properties?.[name] ?? {}
    return [name, description === undefined ? field : { description, ...inheritDescriptions(field, same) }]
  })
  return { ...body, properties: Object.fromEntries(fields) }
}

const parameterWords: ReadonlyMap<string, string> = new Map([
  ['world', 'id of the world'],
  ['account', 'id of the account'],
  ['apiKey', 'key'],
  ['asset', 'symbol of a traded asset'],
  ['symbol', 'symbol of the pair'],
  ['id', 'id of the order or quote'],
  ['fault', 'id of the rule'],
  ['snapshot', 'id of the snapshot'],
])

/** Returns whether an operation needs a body. A missing one counts as an empty object. */
export function needsBody({ body, documentedBody, isDocument }: AdminOperation): boolean {
  const { required = [], minProperties = 0 } = documentedBody ?? body ?? {}
  return isDocument === true || required.length > 0 || minProperties > 0
}

function takesBody({ body, isDocument }: AdminOperation): boolean {
  return body !== null && (isDocument === true || body.additionalProperties !== false || hasFields(body))
}

function hasFields({ properties = {} }: Shape): boolean {
  return Object.keys(properties).length > 0
}

function describeResponses(route: AdminOperation, example: RecordedCall | undefined): Json {
  const { response, status = 200, mediaType = 'application/json', errors = [] } = route
  const answered = example?.status === status ? example.answer : undefined
  const schema: Shape = mediaType === 'application/json' ? response : { type: 'string' }
  const success = {
    description: status === 201 ? 'Created' : 'Success',
    content: { [mediaType]: { schema: schemaOrReference(schema, style), example: answered } },
  }
  const named = route.path.includes(':') ? [404] : []
  const read = route.body === null ? [] : [413, 415]
  const refusals = [400, 401, 403, 500, ...named, ...read, ...errors].map((code) => [
    String(code),
    {
      description: problems[codeForStatus(code)].message,
      content: {
        'application/json': {
          schema: schemaOrReference(adminError, style),
          example: makeErrorExample(route, code),
        },
      },
    },
  ])
  return Object.fromEntries([[String(status), success], ...refusals])
}

const codes: ReadonlyMap<number, ProblemCode> = new Map([
  [400, 'invalid-parameter'],
  [401, 'unauthorized-admin'],
  [403, 'foreign-origin'],
  [404, 'unknown-resource'],
  [409, 'conflict'],
  [413, 'payload-too-large'],
  [415, 'unsupported-media-type'],
  [422, 'insufficient-balance'],
  [503, 'unavailable'],
])

const codeForStatus = (status: number): ProblemCode => codes.get(status) ?? 'internal'

function makeErrorExample(route: AdminOperation, status: number): Json {
  const problem: Problem = status === 400 ? exampleInputProblem(route) : { code: codeForStatus(status) }
  return JSON.parse(JSON.stringify(adminErrorBody(problem)))
}

/** Makes an example of a refusal: the problem of a field that does not exist, or else of such a parameter. */
function exampleInputProblem({ body }: AdminOperation) {
  const read = body === null ? null : validate(body, { colour: 'red' })
  return read?.ok === false ? read.problem : inputProblem('colour', 'is not a known query parameter')
}
