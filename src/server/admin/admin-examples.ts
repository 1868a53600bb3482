import { idOf } from '../../api/ids.ts'
import { isObject, type Json } from '../../api/json.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import { exampleWorldOf } from '../../world/venue-document.ts'
import type { World } from '../../world/world.ts'
import { Worlds } from '../../world/worlds.ts'
import type { AdminAnswer, AdminCall, AdminRoute, ExampleCall, ExampleFacts, ServerFacts } from './route.ts'

/** A request of the documentation, and what was answered to it. */
export interface AdminExample {
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
export async function adminExamples(
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
    const example = route.example?.(about) ?? {}
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
    const answer = await route.answer(call, body)
    if (!isObject(answer.body) || answer.body['isWhole'] !== false) return answer
  }
}

function plain(answer: AdminAnswer | null): Json | undefined {
  if (answer === null || answer.events !== undefined) return undefined
  if (answer.lines !== undefined) return answer.lines.toString('utf8')
  const text = JSON.stringify(answer.body)
  return text.length > longestExample ? undefined : JSON.parse(text)
}

function usual(name: string, { asset }: ExampleFacts): string {
  switch (name) {
    case 'world':
      return 'default'
    case 'asset':
      return asset
    case 'symbol':
      return `${asset}-USD`
    case 'apiKey':
      return 'simk_example'
    case 'snapshot':
      return 'snap_1'
    default:
      return 'example'
  }
}

function factsOf(worlds: Worlds): ExampleFacts | null {
  const world = worlds.default
  const about = exampleWorldOf(world)
  if (about === null) return null
  const { accounts, orders, quotes } = world.venue.state
  const order = (index: number) => idOf(world.idScheme, 'order', orders.count + index)
  const quote = (index: number) => idOf(world.idScheme, 'quote', quotes.count + index)
  const { asset, bid, ask, quantity } = about
  return {
    accountId: accounts.id(firstClientAccount),
    asset,
    bid,
    ask,
    quantity,
    firstOrderId: order(0),
    secondOrderId: order(1),
    thirdOrderId: order(2),
    firstQuoteId: quote(0),
    secondQuoteId: quote(1),
    faultId: () => worlds.default.faults.list(worlds.default.now)[0]?.id ?? '',
  }
}
