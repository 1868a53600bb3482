import { adminError, shapeNames } from '../../api/admin-answers.ts'
import { idOf } from '../../api/context.ts'
import { invalid, type Problem, type ProblemCode, problems } from '../../api/errors.ts'
import { validate } from '../../api/input/read-body.ts'
import { isObject, type Json } from '../../api/json.ts'
import {
  documented,
  documentedPaths,
  documentInfo,
  namedSchemas,
  referredTo,
  schemaNames,
} from '../../api/openapi/document-schema.ts'
import { inOpenApi, type OpenApiVersion } from '../../api/openapi/openapi-30.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { Shape } from '../../shape/shape.ts'
import { exampleWorldOf } from '../../world/venue-document.ts'
import type { World } from '../../world/world.ts'
import { Worlds } from '../../world/worlds.ts'
import { adminPrefix } from './guard.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
  answerOf,
  EventStream,
  type ExampleCall,
  type ExampleFacts,
  refused,
  type ServerFacts,
} from './route.ts'

const style = { names: new Map([...schemaNames, ...shapeNames]), readings: defaultReadings }

/** The admin API as an OpenAPI document, from the table of its operations, with examples that were carried out. */
export async function adminDocument(
  routes: readonly AdminRoute[],
  first: World,
  server: ServerFacts,
  version: OpenApiVersion,
) {
  const examples = await adminExamples(routes, first, server)
  const paths = documentedPaths(routes, (route) => operationOf(route, examples.get(route.id)))
  const document = {
    openapi: '3.1.0',
    info: documentInfo('Admin API', server.version, description),
    servers: [{ url: `${server.url()}${adminPrefix}` }],
    security: [{}, { adminToken: [] }],
    tags: tags.map(({ name, description: text }) => ({ name, description: text })),
    paths,
    components: {
      securitySchemes: {
        adminToken: { type: 'http', scheme: 'bearer', description: 'Asked for where the server has one' },
      },
      schemas: referredTo(
        paths,
        namedSchemas(style.names, () => style.readings),
      ),
    },
  } as const
  return inOpenApi(version, document)
}

const description =
  'Controls a venue and its worlds: JSON in and out, never rate limited, and open to this machine alone unless a token ' +
  'is set. The examples succeed in their order on a server that has just been started.'

/** By what follows the world in their paths. */
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

function tagOf(path: string): string {
  const [, first, , third = ''] = path.split('/')
  const found = tags.find((tag) => tag.of.includes(third))
  return found?.name ?? (first === 'worlds' ? 'Worlds' : 'Server')
}

function operationOf(route: AdminRoute, example: AdminExample | undefined): Json {
  const { id, summary, path, body, query = {}, required = [] } = route
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
    schema: documented(schema, style),
    example: example?.query[name],
  }))
  // No body counts as an empty object, so only an operation with required fields needs one.
  const needsBody = body?.required !== undefined || route.isDocument === true
  const content = (schema: Shape) => ({
    'application/json': { schema: documented(schema, style), example: example?.body },
  })
  return {
    operationId: id,
    summary,
    tags: [tagOf(path)],
    parameters: [...inPath, ...inQuery],
    requestBody:
      takesBody(route) && body !== null
        ? { required: needsBody, content: content(toldAs(body, route.response)) }
        : undefined,
    responses: responsesOf(route, example),
  }
}

/** A field of a body that says nothing of itself is told of as the answer tells of the one with its name. */
function toldAs(body: Shape, answer: Shape): Shape {
  if (body.properties === undefined || answer.properties === undefined) return body
  const fields = Object.entries(body.properties).map(([name, field]) => {
    const { description, ...same } = answer.properties?.[name] ?? {}
    return [name, description === undefined ? field : { description, ...toldAs(field, same) }]
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

function takesBody({ body, isDocument }: AdminRoute): boolean {
  return body !== null && (isDocument === true || body.additionalProperties !== false || hasFields(body))
}

function hasFields({ properties = {} }: Shape): boolean {
  return Object.keys(properties).length > 0
}

function responsesOf(route: AdminRoute, example: AdminExample | undefined): Json {
  const { response, status = 200, mediaType = 'application/json', errors = [] } = route
  const answered = example?.status === status ? example.answer : undefined
  const schema: Shape = mediaType === 'application/json' ? response : { type: 'string' }
  const success = {
    description: status === 201 ? 'Created' : 'Success',
    content: { [mediaType]: { schema: documented(schema, style), example: answered } },
  }
  const named = route.path.includes(':') ? [404] : []
  const read = route.body === null ? [] : [413, 415]
  const refusals = [400, 401, 403, 500, ...named, ...read, ...errors].map((code) => [
    String(code),
    {
      description: problems[codeOf(code)].message,
      content: {
        'application/json': { schema: documented(adminError, style), example: errorOf(route, code) },
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

const codeOf = (status: number): ProblemCode => codes.get(status) ?? 'internal'

function errorOf(route: AdminRoute, status: number): Json {
  const problem: Problem = status === 400 ? invalid(flawIn(route)) : { code: codeOf(status) }
  return JSON.parse(JSON.stringify(refused(problem).body))
}

/** What is wrong with a field that does not exist, or else with such a parameter. */
function flawIn({ body }: AdminRoute) {
  const read = body === null ? null : validate(body, { colour: 'red' })
  return read?.ok === false ? read.flaw : { field: 'colour', reason: 'is not a known query parameter' }
}

interface AdminExample {
  readonly path: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: string }
  readonly body: Json | undefined
  readonly status: number
  /** Undefined for what is no JSON, or too long to be read. */
  readonly answer: Json | undefined
}

/** When the examples are sent, by the clock of the machine: the document is the same whenever it is asked for. */
const sentAtMillis = 1_767_571_200_000 // 2026-01-05T00:00:00Z
const longestExample = 40_000

/** Sends the examples of all operations in their order to a server of its own, whose world is as the first one began. */
async function adminExamples(
  routes: readonly AdminRoute[],
  first: World,
  server: ServerFacts,
): Promise<ReadonlyMap<string, AdminExample>> {
  const worlds = new Worlds({ nowMillis: () => sentAtMillis })
  const { seed, readings } = first
  const clock = { mode: 'manual' as const }
  const made = worlds.create(first.running.startScenario, { id: 'default', seed, readings, clock })
  const about = made.ok ? factsOf(worlds) : null
  const examples = new Map<string, AdminExample>()
  if (about === null) return examples
  const asThere = { ...server, startedAtMillis: sentAtMillis, shutdown: () => undefined }
  for (const route of routes) {
    const { example: given = {} } = route
    const example = typeof given === 'function' ? given(about) : given
    const call = { worlds, server: asThere, routes, lastEventId: null }
    examples.set(route.id, await send(route, example, about, call))
  }
  worlds.stopWork()
  return examples
}

async function send(
  route: AdminRoute,
  example: ExampleCall,
  about: ExampleFacts,
  base: Omit<AdminCall, 'params' | 'query'>,
): Promise<AdminExample> {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const path = Object.fromEntries(names.map((name) => [name, example.path?.[name] ?? usual(name, about)]))
  const query = {
    ...Object.fromEntries((route.required ?? []).map((name) => [name, usual(name, about)])),
    ...example.query,
  }
  const call = { ...base, params: path, query: new URLSearchParams(query) }
  // A document of itself would have no end, and a snapshot to import is what another operation answers.
  const isLeftOut = route.isDocument === true || route.id.endsWith('OpenApi')
  const answer = isLeftOut ? null : await answered(route, call, example.body)
  return { path, query, body: example.body, status: answer?.status ?? 0, answer: plain(answer) }
}

/** The past is worked out a little with each request: it is asked for until it is whole. */
async function answered(route: AdminRoute, call: AdminCall, body: Json = {}): Promise<AdminAnswer> {
  for (;;) {
    const answer = await answerOf(route, call, () => body)
    if (!isObject(answer.body) || answer.body['isWhole'] !== false) return answer
  }
}

function plain(answer: AdminAnswer | null): Json | undefined {
  if (answer === null || answer.body instanceof EventStream) return undefined
  if (Buffer.isBuffer(answer.body)) return answer.body.toString('utf8')
  const text = JSON.stringify(answer.body)
  return text.length > longestExample ? undefined : JSON.parse(text)
}

function usual(name: string, { asset }: ExampleFacts): string {
  const words = {
    world: 'default',
    asset,
    symbol: `${asset}-USD`,
    apiKey: 'simk_example',
    snapshot: 'snap_1',
  }
  return new Map(Object.entries(words)).get(name) ?? 'example'
}

function factsOf({ default: world }: Worlds): ExampleFacts | null {
  const about = exampleWorldOf(world)
  if (about === null) return null
  const { accounts, orders, quotes } = world.venue.state
  const order = (index: number) => idOf(world.idScheme, 'order', orders.count + index)
  const quote = (index: number) => idOf(world.idScheme, 'quote', quotes.count + index)
  return {
    ...about,
    accountId: accounts.id(firstClientAccount),
    orderIds: [order(0), order(1), order(2)],
    quoteIds: [quote(0), quote(1)],
    faultId: () => world.faults.list(world.now)[0]?.id ?? '',
  }
}
