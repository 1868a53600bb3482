import type { Readings } from '../../src/api/readings/readings.ts'
import { listValues, readingKeys, resolveReadings } from '../../src/api/readings/readings.ts'
import { hashSecret, sign } from '../../src/client/sign.ts'
import { createStream, type RandomStream } from '../../src/numeric/random.ts'
import { createFetch, toWorldLookup, type WorldFetch } from '../../src/pipeline/fetch.ts'
import { readingsInForceOf } from '../../src/world/clock.ts'
import { createWorld, type World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { drawRequest, type SessionMemory } from './drift-requests.ts'

/*
 * Sessions of random clients at the venue itself, under random readings, as a recorder would have written them: one or two
 * hosts with one or two accounts each, refusals, faults, retries, overlapping requests, and recorders that lose, delay and
 * reorder what they see. They go through the whole pipeline, without sockets.
 */

/** A session as a HAR recording, and what was in force at each of its venues. */
export interface RecordedSession {
  readonly text: string
  /** Returns the readings that are in force for a key at a venue; those of a venue's first world where it has none. */
  readonly readingsOf: (venue: string, apiKey: string | null) => Readings
}

/** A source of draws with the few kinds that sessions need. */
export class Draws {
  private readonly stream: RandomStream

  constructor(seed: string) {
    this.stream = createStream(seed, 'drift-session', '', 0)
  }

  chance(share: number): boolean {
    return this.stream.uniform() < share
  }

  integer(bound: number): number {
    return this.stream.integer(bound)
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.stream.integer(values.length)] ?? values[0]
  }

  /** Draws one of a list that may be empty. */
  find<Value>(values: readonly Value[]): Value | undefined {
    return values.length === 0 ? undefined : values[this.stream.integer(values.length)]
  }

  /** Returns the values in a random order. */
  shuffle<Value>(values: readonly Value[]): Value[] {
    return values
      .map((value) => ({ value, place: this.stream.uniform() }))
      .sort((left, right) => left.place - right.place)
      .map(({ value }) => value)
  }
}

/** How a recorder keeps what it sees. */
interface Recorder {
  /** Added to all recorded instants: the recorder's clock is wrong by as much. */
  readonly offsetMillis: number
  /** Whether each exchange is stamped only after it has ended, later and later. */
  readonly isLate: boolean
  readonly order: 'start' | 'end' | 'random'
  readonly times: 'whole' | 'no spans' | 'none'
  readonly lostAnswers: number
  readonly lostRequests: number
  readonly base64: number
  /** Whether headers that only a simulator has were removed. */
  readonly isPlain: boolean
  readonly keys: 'shown' | 'removed' | 'hidden'
  readonly signatures: 'shown' | 'removed'
  readonly twice: number
  readonly hasLimitHeaders: boolean
}

const goodRecorder: Recorder = {
  offsetMillis: 0,
  isLate: false,
  order: 'start',
  times: 'whole',
  lostAnswers: 0,
  lostRequests: 0,
  base64: 0,
  isPlain: false,
  keys: 'shown',
  signatures: 'shown',
  twice: 0,
  hasLimitHeaders: true,
}

interface Client {
  readonly world: World
  readonly apiKey: string
  readonly secret: string
  readonly memory: SessionMemory
}

/** A host with its worlds, of which most have one. */
interface Place {
  readonly fetch: WorldFetch
  readonly origin: string
  readonly clients: readonly Client[]
}

/** One request and its answer as they were, before a recorder has kept them. */
interface Seen {
  readonly startMillis: number
  readonly endMillis: number
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | null
  readonly answer: {
    readonly status: number
    readonly headers: readonly (readonly [string, string])[]
    readonly text: string
  } | null
}

/** How many requests are sent in a session, to all hosts together. */
const requestsOfSession = 120

const origins = ['https://venue.example', 'https://venue.example/staging', 'http://127.0.0.1:4010'] as const

/**
 * Draws a session and lets it take place. With `forced` readings, all worlds have these among theirs, and the recorder
 * keeps all that it sees.
 */
export async function recordSession(
  seed: string,
  forced: { readonly [key: string]: string } | null = null,
): Promise<RecordedSession> {
  const draws = new Draws(seed)
  const wall = { millis: Date.parse('2026-03-01T10:00:00Z') + draws.integer(86_400_000) }
  const recorder = forced === null ? drawRecorder(draws) : goodRecorder
  const places = draws
    .shuffle(origins)
    .slice(0, draws.chance(0.3) ? 2 : 1)
    .map((origin, index) =>
      openPlace(draws, origin, `${seed}.${index}`, wall, { ...recorder, forced: forced ?? {} }),
    )
  const seen: Seen[] = []
  const mostAtOnce = recorder.isLate ? 1 : draws.pick([1, 1, 3])
  while (seen.length < requestsOfSession) {
    const place = places[draws.integer(places.length)]
    const client = place && draws.find(place.clients)
    if (place === undefined || client === undefined) throw new Error('a session has a client')
    passTime(draws, client.world, wall)
    seen.push(...(await sendTogether(draws, place, client, wall, 1 + draws.integer(mostAtOnce))))
  }
  const entries = writeEntries(draws, recorder, seen)
  const clientOf = (venue: string, apiKey: string | null) => {
    const clients = places.find(({ origin }) => origin === venue)?.clients
    return clients?.find((client) => client.apiKey === apiKey) ?? clients?.[0]
  }
  return {
    text: `${draws.chance(0.2) ? '\uFEFF' : ''}${JSON.stringify({ log: { version: '1.2', entries } })}`,
    readingsOf: (venue, apiKey) => {
      const client = clientOf(venue, apiKey)
      if (client === undefined) throw new Error(`no venue at ${venue}`)
      return readingsInForceOf(client.world)
    },
  }
}

interface WorldParts {
  readonly isPlain: boolean
  readonly forced: { readonly [key: string]: string }
}

/** Draws a session's readings: of some most are at their defaults, of others few. */
function drawReadings(draws: Draws, forced: WorldParts['forced']): Readings {
  const share = draws.pick([0.1, 0.5, 0.5, 0.9])
  const drawn = readingKeys.map((key) => [key, drawReading(draws, listValues(key), share)])
  const resolved = resolveReadings({ ...Object.fromEntries(drawn), ...forced })
  if (!resolved.ok) throw new Error(resolved.problem.reason)
  return resolved.value
}

function drawReading(draws: Draws, values: readonly string[], share: number): string {
  return (draws.chance(share) ? draws.find(values) : values[0]) ?? ''
}

function openPlace(
  draws: Draws,
  origin: string,
  seed: string,
  wall: { readonly millis: number },
  given: WorldParts & Pick<Recorder, 'keys'>,
): Place {
  // Where the recording does not show keys, nobody can tell worlds apart.
  const count = given.keys === 'shown' && draws.chance(0.15) ? 2 : 1
  const opened = Array.from({ length: count }, (_, index) =>
    openWorld(draws, `${seed}.${index}`, `w${index}`, wall, given),
  )
  const [first] = opened
  if (first === undefined) throw new Error('a host has a world')
  const found = opened.map(({ world }) => toWorldLookup(world))
  const find = (apiKey: string) =>
    found.map((lookup) => lookup.find(apiKey)).find((one) => one !== null) ?? null
  const fetch = createFetch({ default: first.world, find })
  return { fetch, origin, clients: opened.flatMap(({ clients }) => clients) }
}

function openWorld(
  draws: Draws,
  seed: string,
  prefix: string,
  wall: { readonly millis: number },
  { isPlain, forced }: WorldParts,
): { readonly world: World; readonly clients: readonly Client[] } {
  const names = draws.chance(0.5) ? ['one'] : ['one', 'two']
  const scopes = [['READ', 'TRADE', 'MARKET_MAKING'], ['READ'], ['TRADE', 'MARKET_MAKING']]
  const accounts = names.map((id) => ({
    id,
    type: draws.pick(['cash', 'margin']),
    balances: { USD: draws.pick([3_000, 300_000, 5_000_000]), BTC: draws.pick([0, 1, 20]), ETH: 5 },
    limits: {
      maxOpenOrders: draws.pick([3, 100]),
      maxOrderValue: draws.pick([20_000, 1e6]),
      maxLeverage: 2,
    },
    keys: scopes.slice(0, draws.chance(0.3) ? 3 : 1).map((some, index) => ({
      key: `${prefix}-${id}-${index}`,
      secret: `secret-${id}-${index}`,
      scopes: some,
    })),
  }))
  const pair = { priceStep: 0.01, quantityStep: 0.0001, minQuantity: 0.001, maxQuantity: 100, minPrice: 0.01 }
  const asset = (price: number) => ({
    price,
    model: draws.pick([{ kind: 'constant' }, { kind: 'gbm', vol: 3 }]),
    liquidity: draws.pick([{ kind: 'power' }, { kind: 'power' }, { kind: 'none' }, deepLadder(price)]),
    pair: { ...pair, minNotional: draws.pick([1, 50]) },
  })
  const scenario = compiledScenario({
    version: 1,
    name: 'session',
    seed,
    clock: {
      start: draws.pick(['2026-01-05T00:00:00Z', '2027-01-05T00:00:00Z']),
      mode: draws.pick(['manual', 'manual', 'auto', 'follow']),
    },
    market: {
      flow: draws.pick([{ kind: 'none' }, { kind: 'poisson', ratePerMinute: { BTC: 20 } }]),
      assets: { BTC: asset(50_000), ETH: asset(2500) },
    },
    selfTrade: draws.pick(['cancel_taker', 'cancel_maker', 'cancel_both', 'allow']),
    rateLimits: { enabled: draws.chance(0.7) },
    accounts,
    timeline: [
      ...drawFaults(draws, isPlain).map((fault) => ({ at: '+0s', fault })),
      ...(draws.chance(0.2) ? [{ at: '+20s', halt: { asset: 'ETH', for: '10s' } }] : []),
    ],
  })
  const readings = drawReadings(draws, forced)
  const world = createWorld(scenario, { seed, readings, wall: { nowMillis: () => wall.millis } })
  if (draws.chance(0.5)) world.advance(draws.integer(30_000))
  const clients = accounts.flatMap(({ id, keys }) => {
    const memory: SessionMemory = { orders: [], quotes: [], clientIds: [`${id}-c1`], sent: [] }
    return keys.map(({ key, secret }) => ({ world, apiKey: key, secret, memory }))
  })
  return { world, clients }
}

/** A ladder with as many levels as the documented depth shows, so that those of clients are more. */
const deepLadder = (price: number) => ({
  kind: 'ladder',
  bids: Array.from({ length: 50 }, (_, level) => [price - 1 - level, 0.5]),
  asks: Array.from({ length: 50 }, (_, level) => [price + 1 + level, 0.5]),
})

/** Draws faults. Those that falsify answers are drawn only where the recording names them (`X-Sim-Fault`). */
function drawFaults(draws: Draws, isPlain: boolean): readonly object[] {
  const honest = [
    { type: 'http_error', attributes: { status: 503 } },
    { type: 'http_error', phase: 'after', attributes: { status: 500 } },
    { type: 'html_502' },
    { type: 'html_502', phase: 'after' },
    { type: 'truncated_json' },
    { type: 'limit_data', attributes: { bytes: 20 } },
    { type: 'EMPTY_RESPONSE', phase: 'after' },
    { type: 'CONNECTION_RESET_BY_PEER', phase: 'after' },
    { type: 'RANDOM_DATA_THEN_CLOSE' },
    { type: 'slicer', attributes: { averageSize: 40 } },
    { type: 'wrong_content_type' },
    { type: 'rate_limit' },
    { type: 'auth_expired' },
    { type: 'latency', attributes: { latencyMs: 1500, clock: 'world' } },
    { type: 'latency', phase: 'after', attributes: { latencyMs: 900, clock: 'world' } },
    { type: 'fill_before_cancel' },
    { type: 'delayed_fill', attributes: { delayMs: 3000 } },
    { type: 'partial_then_stall', attributes: { share: 0.5, delayMs: 3000 } },
    { type: 'stale_market_data', attributes: { delayMs: 4000 } },
    { type: 'balance_lag', attributes: { delayMs: 4000 } },
    { type: 'clock_skew', attributes: { skewMs: draws.pick([-50_000, -3000, 3000, 50_000]) } },
  ]
  const lying = [
    { type: 'canned_answer', attributes: { body: '{"status":"ok"}' } },
    { type: 'reordered_list' },
    { type: 'duplicate_fill_in_list' },
    { type: 'missing_optional_field' },
    { type: 'http_error', attributes: { status: draws.pick([400, 401, 404, 409, 422]) } },
  ]
  if (draws.chance(0.3)) return []
  return draws
    .shuffle(isPlain ? honest : [...honest, ...lying])
    .slice(0, 1 + draws.integer(4))
    .map((fault) => ({ ...fault, toxicity: draws.pick([0.02, 0.05, 0.2]) }))
}

function passTime(draws: Draws, world: World, wall: { millis: number }): void {
  // Test venues are wiped now and then, and give their ids again.
  if (draws.chance(0.002)) world.reset(null)
  const millis = draws.pick([0, 1, 40, 300, 1200])
  wall.millis += millis
  if (world.clock.mode === 'manual' && draws.chance(0.7)) world.advance(draws.chance(0.02) ? 40_000 : millis)
}

/** Sends some requests at once. They reach the venue in a random order, and their answers come back in another. */
async function sendTogether(
  draws: Draws,
  place: Place,
  client: Client,
  wall: { millis: number },
  count: number,
): Promise<readonly Seen[]> {
  const drawn = Array.from({ length: count }, () => {
    const again = draws.chance(0.08) ? draws.find(client.memory.sent) : undefined
    const request = again ?? drawRequest(draws, client.memory)
    client.memory.sent.push(request)
    return { request, startMillis: wall.millis + draws.integer(20) }
  })
  const seen: Seen[] = []
  for (const { request, startMillis } of draws.shuffle(drawn)) {
    const headers = signRequest(draws, client, request)
    wall.millis = Math.max(wall.millis, startMillis) + draws.pick([0, 3, 60, 800])
    const answer = await send(place, request, headers)
    seen.push({
      ...request,
      url: `${place.origin}${request.target}`,
      headers,
      startMillis,
      endMillis: wall.millis + draws.pick([1, 5, 200, 1500]),
      answer,
    })
    if (answer !== null) rememberAnswer(client.memory, answer.text)
  }
  wall.millis = Math.max(wall.millis, ...seen.map(({ endMillis }) => endMillis))
  return seen
}

type Request = ReturnType<typeof drawRequest>
type Headers = readonly (readonly [string, string])[]

async function send({ fetch }: Place, request: Request, headers: Headers): Promise<Seen['answer']> {
  const { method, target, body } = request
  try {
    const response = await fetch(`http://venue.example${target}`, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(body === null ? {} : { body }),
    })
    const own = [...response.headers]
    try {
      return { status: response.status, headers: own, text: await response.text() }
    } catch {
      return { status: response.status, headers: own, text: '' }
    }
  } catch {
    return null
  }
}

/** Signs a request as its venue wants it, and now and then in another way. */
function signRequest(draws: Draws, client: Client, request: Request): Headers {
  const { world } = client
  const readings = readingsInForceOf(world)
  const { method, target, body, prefer } = request
  const clock = readings['auth.clock']
  const isWorld = clock === 'world' || (clock === 'either' && draws.chance(0.5))
  const now = isWorld ? world.time.presentMillis : world.wall.nowMillis()
  const ahead = draws.chance(0.1) ? draws.pick([1500, 4000, 20_000, 29_000, 45_000, 3_600_000, -45_000]) : 0
  const isFollowing = world.clock.mode === 'follow'
  const timestamp = draws.chance(0.03)
    ? draws.pick(['now', '', '12.5', '-1'])
    : String(now + ahead + (isFollowing ? draws.integer(400) : 0))
  const path = target.split('?')[0] ?? ''
  const signed = readings['signature.query'] === 'include' ? target : path
  const secret = readings['signature.key'] === 'sha256' ? hashSecret(client.secret) : client.secret
  const digest = sign(secret, `${timestamp}${method}${signed}${body ?? ''}`)
  const signature = draws.chance(0.95)
    ? digest
    : draws.pick([digest.toUpperCase(), 'no', '', `0${digest.slice(1)}`])
  const apiKey = draws.chance(0.97) ? client.apiKey : draws.pick(['nobody', ''])
  const given: Headers = [
    ['X-API-Key', apiKey],
    ['X-API-Timestamp', timestamp],
    ['X-API-Signature', signature],
    ...(body === null
      ? []
      : [['Content-Type', draws.chance(0.98) ? 'application/json' : 'text/plain'] as const]),
    ...(prefer === null ? [] : [['Prefer', prefer] as const]),
  ]
  return given.filter(([, value]) => value !== '')
}

function rememberAnswer(memory: SessionMemory, text: string): void {
  for (const [, id] of text.matchAll(/"orderId":"([^"]+)"/g)) memory.orders.push(String(id))
  for (const [, id] of text.matchAll(/"quoteId":"([^"]+)"/g)) memory.quotes.push(String(id))
}

/** Draws a recorder. Some keep all that they see, as `otcsim record` and most proxies do. */
function drawRecorder(draws: Draws): Recorder {
  if (draws.chance(0.4)) return { ...goodRecorder, isPlain: draws.chance(0.5) }
  const isLate = draws.chance(0.15)
  return {
    offsetMillis: draws.pick([0, 0, -45_000, 45_000, 3_600_000]),
    isLate,
    order: draws.pick(['start', 'start', 'end', isLate ? 'end' : 'random']),
    times: draws.pick(['whole', 'whole', 'whole', 'no spans', 'none']),
    lostAnswers: draws.pick([0, 0, 0.1, 0.5, 1]),
    lostRequests: draws.pick([0, 0, 0.2]),
    base64: draws.pick([0, 0.5]),
    isPlain: draws.chance(0.5),
    keys: draws.pick(['shown', 'shown', 'shown', 'shown', 'removed', 'hidden']),
    signatures: draws.pick(['shown', 'shown', 'removed']),
    twice: draws.pick([0, 0, 0.1]),
    hasLimitHeaders: draws.chance(0.9),
  }
}

function writeEntries(draws: Draws, recorder: Recorder, seen: readonly Seen[]): readonly object[] {
  let lagMillis = 0
  const stamped = seen.map((one) => {
    lagMillis += recorder.isLate ? draws.integer(800) : 0
    const begun = recorder.isLate ? one.endMillis + lagMillis : one.startMillis
    return { ...one, begunMillis: begun + recorder.offsetMillis, spanMillis: one.endMillis - one.startMillis }
  })
  const placeOf = { start: 'startMillis', end: 'endMillis', random: null } as const
  const by = placeOf[recorder.order]
  const ordered = by === null ? draws.shuffle(stamped) : stamped.toSorted((one, two) => one[by] - two[by])
  return ordered.flatMap((one) => {
    const entry = writeEntry(draws, recorder, one)
    return draws.chance(recorder.twice) ? [entry, entry] : [entry]
  })
}

function writeEntry(
  draws: Draws,
  recorder: Recorder,
  one: Seen & { readonly begunMillis: number; readonly spanMillis: number },
): object {
  const { answer } = one
  const isLost = draws.chance(recorder.lostAnswers)
  const isEncoded = draws.chance(recorder.base64)
  const text = answer?.text ?? ''
  return {
    ...(recorder.times === 'none' ? {} : { startedDateTime: new Date(one.begunMillis).toISOString() }),
    ...(recorder.times === 'whole' ? { time: one.spanMillis } : { time: -1 }),
    request: {
      method: one.method,
      url: one.url,
      headers: toPairs(one.headers.flatMap(([name, value]) => keepHeader(recorder, name, value))),
      ...(one.body === null || draws.chance(recorder.lostRequests)
        ? {}
        : { postData: { mimeType: 'application/json', text: one.body } }),
    },
    response: {
      status: answer?.status ?? 0,
      headers: toPairs((answer?.headers ?? []).filter(([name]) => keepsAnswerHeader(recorder, name))),
      content: isLost
        ? {}
        : isEncoded
          ? { text: Buffer.from(text).toString('base64'), encoding: 'base64' }
          : { text },
    },
  }
}

const toPairs = (headers: Headers) => headers.map(([name, value]) => ({ name, value }))

function keepHeader(recorder: Recorder, name: string, value: string): Headers {
  if (name === 'X-API-Key' && recorder.keys !== 'shown')
    return recorder.keys === 'removed' ? [] : [[name, '[REDACTED]']]
  return name === 'X-API-Signature' && recorder.signatures === 'removed' ? [] : [[name, value]]
}

function keepsAnswerHeader(recorder: Recorder, name: string): boolean {
  if (/^x-sim-/i.test(name)) return !recorder.isPlain
  return recorder.hasLimitHeaders || !/^x-ratelimit-/i.test(name)
}
