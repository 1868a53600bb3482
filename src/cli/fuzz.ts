import { randomBytes } from 'node:crypto'
import type { ApiRequest } from '../api/context.ts'
import { queryUnder } from '../api/input/query-string.ts'
import { isObject, parseJson } from '../api/json.ts'
import { shapeUnder } from '../api/openapi/document-schema.ts'
import { shapesByStatus } from '../api/openapi/responses.ts'
import { errorShape } from '../api/operations/common.ts'
import { type OperationId, operationIds, routeOf } from '../api/operations/operations.ts'
import { defaultReadings, type Readings } from '../api/readings/readings.ts'
import { itemShape } from '../api/wire-shapes.ts'
import { assert } from '../numeric/assert.ts'
import { createStream, type RandomStream } from '../numeric/random.ts'
import type { Shape } from '../shape/shape.ts'
import { setRateLimits } from '../world/change-world.ts'
import { accountViews } from '../world/views/world-views.ts'
import { defineCommand } from './define-command.ts'
import { unwrapped } from './drift/drift-exchange.ts'
import { CliFailure, exitCode, usageFailure } from './failure.ts'
import { aFlag, configFlag, type FlagsOf, jsonFlag, parseAddress, parsedFlag, wholeNumber } from './flags.ts'
import { shrinkList } from './journal/shrink.ts'
import { type Credentials, keyFor, send, signedHeaders } from './request.ts'
import { type LocalVenue, startLocalVenue, worldFlags, worldLike } from './serve/local-venue.ts'
import { jsonLine, type Terminal } from './terminal.ts'

const fuzzFlags = {
  ...worldFlags,
  requests: parsedFlag(wholeNumber(1, 9_999_999), '<number>', 'how many', { default: 500 }),
  against: parsedFlag(parseAddress, '<url>', 'test the venue at this address instead of one of its own'),
  key: aFlag('<text>', 'the API key to use there', { needs: ['against'] }),
  secret: aFlag('<text>', 'and its secret', { needs: ['against'] }),
  json: jsonFlag,
  config: configFlag,
}

type FuzzOptions = FlagsOf<typeof fuzzFlags>

export const fuzzCommand = defineCommand({
  flags: fuzzFlags,
  conflicts: [{ with: 'against', options: ['scenario', 'clock', 'readings', 'param'] }],
  act: fuzz,
})

/**
 * Sends requests generated from the interface's schemas by a seed, and looks for answers that the interface does not
 * have: failures of the service, undeclared statuses, bodies of another shape, and refused requests that changed
 * something. With a venue of its own, it finds the shortest list of requests that still shows the problem. Fails when
 * it finds one (1).
 */
async function fuzz(options: FuzzOptions, terminal: Terminal): Promise<void> {
  const seed = options.seed ?? randomBytes(4).toString('hex')
  const stream = createStream(seed, 'fuzz', '', 0)
  const plans = Array.from({ length: options.requests }, () => plannedRequest(stream))
  const { found, successes } =
    options.against === undefined
      ? await fuzzOwn(plans, options, terminal)
      : await fuzzForeign(plans, options)
  const about = `${options.requests} requests, ${successes} of them accepted, seed "${seed}"`
  if (options.json === true)
    terminal.out(jsonLine({ ok: found === null, seed, requests: options.requests, successes, found }))
  else terminal.out(found === null ? `ok  ${about}\n` : foundText(found, about))
  if (found !== null)
    throw new CliFailure(exitCode.expectationFailed, 'an answer is not as the interface has it')
}

async function fuzzForeign(
  plans: readonly PlannedRequest[],
  { against = '', key, secret }: FuzzOptions,
): Promise<Ran> {
  if (key === undefined || secret === undefined) throw usageFailure('--against needs --key and --secret')
  return run(plans, {
    url: against,
    credentials: { apiKey: key, apiSecret: secret },
    digest: () => null,
    readings: null,
  })
}

async function fuzzOwn(
  plans: readonly PlannedRequest[],
  options: FuzzOptions,
  terminal: Terminal,
): Promise<Ran> {
  const venue = await startLocalVenue({ ...options, clock: 'manual' }, terminal)
  try {
    const whole = await runFresh(plans, venue)
    const { found } = whole
    if (found === null) return whole
    const upTo = plans.slice(0, found.index + 1)
    const isSame = async (candidate: readonly PlannedRequest[]) =>
      (await runFresh(candidate, venue)).found?.flaw === found.flaw
    const few = (await isSame(upTo)) ? await shrinkList(upTo, isSame) : upTo
    const again = await runFresh(few, venue)
    return { ...whole, found: again.found ?? found }
  } finally {
    await venue.close()
  }
}

/** Where requests go, and the digest of the venue's state; null where that is not available. */
interface Target {
  readonly url: string
  readonly credentials: Credentials
  readonly digest: () => string | null
  /** Null where they are not known. */
  readonly readings: Readings | null
}

interface Ran {
  readonly successes: number
  readonly found: Finding | null
}

interface Finding {
  readonly index: number
  readonly flaw: string
  readonly request: string
  readonly answer: Answered
  /** What was sent up to it. */
  readonly requests: readonly string[]
}

/** In a world of its own, without rate limits. */
async function runFresh(plans: readonly PlannedRequest[], venue: LocalVenue): Promise<Ran> {
  const world = worldLike(venue)
  setRateLimits(world, { ...world.limiter.limits, isEnabled: false })
  const { url } = venue.server
  const credentials = { ...keyFor(accountViews(world), null), rules: world.readings }
  const ran = await run(plans, { url, credentials, digest: () => world.digest(), readings: world.readings })
  venue.worlds.delete(world.id)
  return ran
}

/** Sends requests until the first answer that is wrong. */
async function run(plans: readonly PlannedRequest[], target: Target): Promise<Ran> {
  const ids = { order: ['ord_0'], quote: ['quo_0'] }
  const requests: string[] = []
  const { readings } = target
  let successes = 0
  for (const [index, plan] of plans.entries()) {
    const { method } = routeOf(plan.operation)
    const path = pathOf(plan, ids)
    const body = withIds(plan.body, ids)
    const before = target.digest()
    const answer = await ask(target, method, path, body)
    const request = `${method} ${path}${body === '' ? '' : ` ${body}`}`
    requests.push(request)
    learn(answer, ids)
    if (answer.status < 300) successes += 1
    const flaw =
      flawOfAnswer(plan.operation, answer, readings) ??
      (answer.status >= 400 && !mayChange(answer, readings) && target.digest() !== before
        ? `answers ${answer.status}, and has changed something`
        : null)
    if (flaw !== null) return { successes, found: { index, flaw, request, answer, requests } }
  }
  return { successes, found: null }
}

/** A refused order may be stored, and a list of which items failed may be answered with 422: readings. */
function mayChange({ status }: Answered, readings: Readings | null): boolean {
  return status === 422 && (readings?.['orders.rejectMode'] === 'stored' || readings?.batchStatus === '422')
}

interface Ids {
  readonly order: string[]
  readonly quote: string[]
}

function pathOf({ operation, parameter, query }: PlannedRequest, ids: Ids): string {
  const text = parameter.kind === 'text' ? parameter.text : newest(ids[parameter.kind], parameter.back)
  const path = routeOf(operation).path.replace(/:[A-Za-z]+/, () => encodeURIComponent(text))
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(withIds(value, ids))}`).join('&')
  return search === '' ? path : `${path}?${search}`
}

const withIds = (text: string, ids: Ids): string =>
  text
    .replaceAll(idPlace.order, () => newest(ids.order, 0))
    .replaceAll(idPlace.quote, () => newest(ids.quote, 0))

const newest = (ids: readonly string[], back: number): string => ids.at(-1 - (back % ids.length)) ?? ''

async function ask(
  { url, credentials }: Target,
  method: string,
  path: string,
  body: string,
): Promise<Answered> {
  const headers = signedHeaders({ method, path, body, timestamp: String(Date.now()) }, credentials)
  const response = await send(url + path, {
    method,
    headers: body === '' ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(body === '' ? {} : { body }),
  })
  return { status: response.status, body: parseJson(await response.text()) }
}

/** Remembers ids from answers, so that later requests can use them. */
function learn({ status, body }: Answered, ids: Ids): void {
  if (status >= 300 || typeof body !== 'object' || body === null) return
  const text = JSON.stringify(body)
  for (const [, kind, id] of text.matchAll(/"(order|quote)Id":"([^"]+)"/g)) {
    if (id === undefined || (kind !== 'order' && kind !== 'quote')) continue
    if (!ids[kind].includes(id)) ids[kind].push(id)
  }
}

function foundText({ flaw, requests, answer }: Finding, about: string): string {
  const lines = [`${flaw}  (${about})`, ...requests.map((request) => `  ${request}`)]
  return `${[...lines, `  -> ${answer.status} ${JSON.stringify(answer.body)}`].join('\n')}\n`
}

interface Answered {
  readonly status: number
  /** Undefined when the body is not JSON. */
  readonly body: unknown
}

/** How an answer breaks the contract; null when it does not. Of another venue the `readings` are not known: null. */
function flawOfAnswer(
  operation: OperationId,
  { status, body }: Answered,
  readings: Readings | null,
): string | null {
  if (status >= 500) return `answers ${status}`
  const route = routeOf(operation)
  const shapes = shapesByStatus(operation, route, readings ?? defaultReadings)
  // A reading decides which status a success has, and whether a list may fail as a whole.
  const foreign = readings === null ? [200, 201, 207, ...(route.body === null ? [] : [422])] : []
  // A path that lacks its parameter is another path.
  if (![...shapes.keys(), ...foreign, 404].includes(status))
    return `answers ${status}, which the interface does not have here`
  if (body === undefined) return `answers ${status} with what is not JSON`
  const shape = shapes.get(status) ?? (status < 400 ? route.response : errorShape)
  // A list of which items failed may have the shape of a success.
  const isError =
    shape === errorShape || (status >= 400 && isObject(body) && Object.hasOwn(body, 'statusCode'))
  if (isError) return flawOfError(body, status)
  return readings === null
    ? flawOf(route.response, unwrapped(body), 'body', defaultReadings)
    : flawOf(shape, body, 'body', readings)
}

function flawOfError(body: unknown, status: number): string | null {
  if (!isObject(body)) return 'an error that is not an object'
  for (const name of ['statusCode', 'message', 'error', 'details'])
    if (!Object.hasOwn(body, name)) return `an error without ${name}`
  if (body['statusCode'] !== status)
    return `an error whose statusCode is ${JSON.stringify(body['statusCode'])}`
  const text = JSON.stringify(body)
  return /\bat \S+ \(|node:internal|[a-z]+\.ts:\d/.test(text) ? 'an error that shows our code' : null
}

/**
 * Where a value does not match a schema; null when it does. Independent of any library, for the few keywords that our
 * schemas use.
 */
function flawOf(documented: Shape, value: unknown, path: string, readings: Readings): string | null {
  const schema = shapeUnder(documented, readings)
  if (schema.enum !== undefined && !schema.enum.some((one) => one === value))
    return `${path} is ${JSON.stringify(value)}`
  if (schema.const !== undefined && schema.const !== value) return `${path} is ${JSON.stringify(value)}`
  if (schema.anyOf !== undefined) {
    const flaws = schema.anyOf.map((one) => flawOf(one, value, path, readings))
    return flaws.includes(null) ? null : (flaws[0] ?? null)
  }
  const types = typesOf(schema)
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return `${path} is ${value === undefined ? 'missing' : JSON.stringify(value)}, and should be ${types.join(' or ')}`
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const flaw = flawOf(itemShape(schema) ?? {}, item, `${path}[${index}]`, readings)
      if (flaw !== null) return flaw
    }
    return null
  }
  if (!isObject(value)) return null
  for (const name of schema.required ?? [])
    if (!Object.hasOwn(value, name)) return `${path}.${name} is missing`
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) continue
    const flaw = flawOf(field, value[name], `${path}.${name}`, readings)
    if (flaw !== null) return flaw
  }
  return null
}

const typesOf = ({ type = [] }: Shape): readonly string[] => [type].flat()

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)
  return typeof value === type
}

/** A request before its venue is known: ids are those of what was made before, counted back from the newest. */
interface PlannedRequest extends Pick<ApiRequest, 'operation'> {
  readonly body: string
  readonly parameter: Parameter
  readonly query: readonly (readonly [string, string])[]
}

type Parameter =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'order' | 'quote'; readonly back: number }

/** Stands in a body for an id, until that is known. */
const idPlace = { order: '#order', quote: '#quote' } as const

/** Most requests are sensible, some at the edges of what is allowed, some beyond. */
function plannedRequest(stream: RandomStream): PlannedRequest {
  const operation = pick(stream, [...operationIds, ...often])
  const route = routeOf(operation)
  const { properties, required = [] } = queryUnder(route.query, defaultReadings)
  const query = Object.entries(properties)
    .filter(([name]) => required.includes(name) || stream.integer(3) === 0)
    .map(([name, schema]): readonly [string, string] => [name, queryText(generated(schema, name, stream))])
  const stray = stream.integer(40) === 0 ? [['stray', '1'] as const] : []
  return {
    operation,
    parameter: parameterOf(route.path, stream),
    query: [...query, ...stray],
    body: route.body === null ? '' : bodyText(route.body, route.bodyItem, stream),
  }
}

/** Requests that make something to read, change and take back come more often. */
const often: readonly OperationId[] = [
  ...(['createOrder', 'createOrder', 'createOrder'] as const),
  ...(['submitQuote', 'createOrders', 'amendOrder'] as const),
]

function parameterOf(path: string, stream: RandomStream): Parameter {
  if (path.includes(':orderId')) return { kind: 'order', back: stream.integer(6) }
  if (path.includes(':quoteId')) return { kind: 'quote', back: stream.integer(4) }
  const text = stream.integer(10) === 0 ? pick(stream, oddTexts) : pick(stream, ['BTC', 'ETH', 'USD'])
  return { kind: 'text', text }
}

function bodyText(schema: Shape, item: Shape | null, stream: RandomStream): string {
  if (stream.integer(60) === 0)
    return pick(stream, ['', '{', 'null', '[]', '{}', '{"a":1,"a":2}', '"text"', '[[]]'])
  const value = generated(schema, '', stream)
  const items = item !== null && Array.isArray(value) ? value.map(() => generated(item, '', stream)) : value
  return JSON.stringify(items)
}

function generated(schema: Shape, name: string, stream: RandomStream): unknown {
  if (stream.integer(70) === 0) return pick(stream, oddValues)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return pick(stream, schema.enum)
  if (schema.anyOf !== undefined) return generated(pick(stream, schema.anyOf), name, stream)
  const type = typesOf(schema).find((one) => one !== 'null')
  if (type === 'object') return objectOf(schema, stream)
  if (type === 'array')
    return Array.from({ length: 1 + stream.integer(3) }, () =>
      generated(itemShape(schema) ?? {}, name, stream),
    )
  if (type === 'number' || type === 'integer') return drawNumber(name, stream)
  if (type === 'boolean') return stream.integer(2) === 0
  return drawText(name, stream)
}

function objectOf(schema: Shape, stream: RandomStream): object {
  const value: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isWanted =
      schema.required?.includes(name) === true ? stream.integer(60) > 0 : stream.integer(2) === 0
    if (isWanted) value[name] = generated(field, name, stream)
  }
  if (stream.integer(60) === 0) value['stray'] = pick(stream, oddValues)
  return value
}

function drawNumber(name: string, stream: RandomStream): number {
  if (name === 'validForSeconds') return pick(stream, [0, 1, 30, 299, 300, 301, 1.5])
  if (name === 'page') return pick(stream, [0, 1, 1, 2, 1e9])
  if (name === 'limit' || name === 'depth') return pick(stream, [0, 1, 10, 50, 51, 100, 101])
  if (/bid.*price/i.test(name)) return pick(stream, [1, 2000, 40_000, 80_000, 80_000.005])
  if (/ask.*price/i.test(name)) return pick(stream, [1, 9000, 60_000, 120_000, 1e12])
  if (/price/i.test(name)) return pick(stream, [1, 2500, 3000, 50_000, 90_000, 100_000, 100_000.005, 1e12])
  return pick(stream, [0, 0.0001, 0.01, 0.01, 0.5, 1, 2, 20, 900, 0.00000001, 1e9])
}

function drawText(name: string, stream: RandomStream): string {
  if (stream.integer(30) === 0) return pick(stream, oddTexts)
  if (name === 'orderId') return idPlace.order
  if (name === 'quoteId') return idPlace.quote
  if (/^assets?$/.test(name)) return pick(stream, ['BTC', 'ETH', 'USD', 'BTC,ETH'])
  if (/client/i.test(name)) return `client-${stream.integer(40)}`
  if (/date|after|before|start|end/i.test(name))
    return pick(stream, ['2026-01-05', '2026-01-05T00:00:00Z', '2026-02-30', '2020-01-01'])
  if (/status/i.test(name)) return pick(stream, ['open', 'filled', 'open,cancelled', 'active', 'expired'])
  return pick(stream, ['buy', '1h', '24h', 'trade', 'deposit', 'text'])
}

const oddTexts: readonly string[] = [
  ...['', ' ', '0', 'btc', 'BTC-USD', '%00', '../../..', '__proto__', 'x'.repeat(65), 'ü', '\u{1f600}'],
]
const oddValues: readonly unknown[] = [
  ...[null, true, -1, 0, 1e15, 1e300, 5e-324, 0.1 + 0.2, Number.MAX_SAFE_INTEGER],
  ...['', '0', '1e3', ' ', '__proto__', 'x'.repeat(300)],
  ...[[], {}, [[]], { toString: 1 }],
]

const queryText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)

function pick<Item>(stream: RandomStream, items: readonly Item[]): Item {
  const item = items[stream.integer(items.length)]
  assert(item !== undefined, 'there is something to pick')
  return item
}
