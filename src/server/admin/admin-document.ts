import { formatId } from '../../api/answer.ts'
import { isObject, type Json } from '../../api/json.ts'
import { adminOpenApi, type RecordedCall } from '../../api/openapi/admin-openapi.ts'
import { type OpenApiVersion, toOpenApiVersion } from '../../api/openapi/openapi-30.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import { createExampleContext } from '../../world/venue-document.ts'
import type { World } from '../../world/world.ts'
import { Worlds } from '../../world/worlds.ts'
import { adminPrefix } from './guard.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
  answerOperation,
  EventStream,
  type ExampleCall,
  type ExampleContext,
  type ServerDetails,
} from './route.ts'

/** Builds the admin API's OpenAPI document from the table of its operations, with examples that were carried out. */
export async function buildAdminDocument(
  routes: readonly AdminRoute[],
  first: World,
  server: ServerDetails,
  version: OpenApiVersion,
) {
  const examples = await recordExamples(routes, first, server)
  const about = { version: server.version, url: `${server.url()}${adminPrefix}` }
  return toOpenApiVersion(version, adminOpenApi(routes, examples, about))
}

/**
 * The instant at which the examples are sent. It is fixed, so that the document is the same whenever it is asked for.
 */
const sentAtMillis = 1_767_571_200_000 // 2026-01-05T00:00:00Z
const longestExample = 40_000

/** Sends the examples of all operations, in their order, to worlds of their own that begin as the first world began. */
async function recordExamples(
  routes: readonly AdminRoute[],
  first: World,
  server: ServerDetails,
): Promise<ReadonlyMap<string, RecordedCall>> {
  const worlds = new Worlds({ nowMillis: () => sentAtMillis })
  const { seed, readings } = first
  const clock = { mode: 'manual' as const }
  const made = worlds.create(first.running.startScenario, { id: 'default', seed, readings, clock })
  const about = made.ok ? describeExampleWorld(worlds) : null
  const examples = new Map<string, RecordedCall>()
  if (about === null) return examples
  const asThere = { ...server, startedAtMillis: sentAtMillis, shutdown: () => undefined }
  for (const route of routes) {
    const { example: given = {} } = route
    const example = typeof given === 'function' ? given(about) : given
    const call = { worlds, server: asThere, routes, lastEventId: null }
    examples.set(route.id, await recordExample(route, example, about, call))
  }
  worlds.stopWork()
  return examples
}

async function recordExample(
  route: AdminRoute,
  example: ExampleCall,
  about: ExampleContext,
  base: Omit<AdminCall, 'params' | 'query'>,
): Promise<RecordedCall> {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const path = Object.fromEntries(
    names.map((name) => [name, example.path?.[name] ?? usualValue(name, about)]),
  )
  const query = {
    ...Object.fromEntries((route.required ?? []).map((name) => [name, usualValue(name, about)])),
    ...example.query,
  }
  const call = { ...base, params: path, query: new URLSearchParams(query) }
  // A document that contains itself would have no end, and a snapshot to import is another operation's answer.
  const isLeftOut = route.isDocument === true || route.id.endsWith('OpenApi')
  const answer = isLeftOut ? null : await answerWhole(route, call, example.body)
  return { path, query, body: example.body, status: answer?.status ?? 0, answer: toPlainJson(answer) }
}

/** Sends a call until its answer is whole, because each request works out only a little of the past. */
async function answerWhole(route: AdminRoute, call: AdminCall, body: Json = {}): Promise<AdminAnswer> {
  for (;;) {
    const answer = await answerOperation(route, call, () => body)
    if (!isObject(answer.body) || answer.body['isWhole'] !== false) return answer
  }
}

function toPlainJson(answer: AdminAnswer | null): Json | undefined {
  if (answer === null || answer.body instanceof EventStream) return undefined
  if (Buffer.isBuffer(answer.body)) return answer.body.toString('utf8')
  const text = JSON.stringify(answer.body)
  return text.length > longestExample ? undefined : JSON.parse(text)
}

function usualValue(name: string, { asset }: ExampleContext): string {
  const words = {
    world: 'default',
    asset,
    symbol: `${asset}-USD`,
    apiKey: 'simk_example',
    snapshot: 'snap_1',
  }
  return new Map(Object.entries(words)).get(name) ?? 'example'
}

function describeExampleWorld({ default: world }: Worlds): ExampleContext | null {
  const about = createExampleContext(world)
  if (about === null) return null
  const { accounts, orders, quotes } = world.venue.state
  const order = (index: number) => formatId(world.idScheme, 'order', orders.count + index)
  const quote = (index: number) => formatId(world.idScheme, 'quote', quotes.count + index)
  return {
    ...about,
    accountId: accounts.id(firstClientAccount),
    orderIds: [order(0), order(1), order(2)],
    quoteIds: [quote(0), quote(1)],
    faultId: () => world.faults.list(world.now)[0]?.id ?? '',
  }
}
