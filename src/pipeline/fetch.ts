import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Venue } from '../engine/venue.ts'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import type { FiredFault } from '../world/faults/fire-faults.ts'
import { clearInterval, setInterval } from '../world/real-timers.ts'
import { type ForkOptions, forkAs, World } from '../world/world.ts'
import { answerRequest } from './answer-request.ts'
import {
  type Answer,
  findTransportProblem,
  formatDate,
  maximumBodyBytes,
  refuseAtTransport,
  toRawRequest,
  type WorldLookup,
} from './call.ts'
import { pause, planDelivery } from './delivery.ts'

/** A function with the signature of the platform's `fetch`. */
export type WorldFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/** A world as users of the library have it, which answers signed requests without a socket. */
export class OpenWorld extends World {
  /**
   * Answers requests to this world as `fetch` would, without a socket: signatures, limits, faults and request log
   * included.
   */
  readonly fetch: WorldFetch = createFetch(toWorldLookup(this))

  /** The engine's venue. Reading it first finishes an advance that is under way in slices. */
  override get venue(): Venue {
    this.workQueue.finish()
    return super.venue
  }

  override fork(options: ForkOptions = {}): OpenWorld {
    const forked = forkOpenWorld(this.snapshot(), { wall: this.wall, ...options })
    forked.watch = this.watch
    return forked
  }
}

/** Makes a new world in the state of a snapshot. Its keys get new names, except those that the scenario names. */
export function forkOpenWorld(snapshot: WorldSnapshot, options: ForkOptions = {}): OpenWorld {
  return forkAs(OpenWorld, snapshot, options)
}

/** Makes a look-up of one world that is alone: it answers every request, whatever the key. */
export function toWorldLookup(world: World): WorldLookup {
  const find = (apiKey: string) => {
    const key = world.keys.get(apiKey)
    return key === undefined ? null : { world, key }
  }
  return { default: world, find }
}

/**
 * Makes a `fetch` that answers requests as a server would, without a socket: signatures, limits, faults and request log
 * included. The host of an address does not matter, and a path alone will do. It rejects with a TypeError when an
 * answer is lost on its way, like the platform's `fetch`, and with the reason of a signal that is aborted.
 */
export function createFetch(worlds: WorldLookup): WorldFetch {
  return async (input, init) => {
    const given = init?.signal === undefined && input instanceof Request ? input.signal : init?.signal
    given?.throwIfAborted()
    const sent = readSentRequest(input, init)
    // A request that waits here has no socket that would keep the process from ending.
    const keepAlive = setInterval(() => undefined, 60_000)
    pendingFetches.add(sent)
    try {
      const answer = answerSentRequest(worlds, sent)
      return given ? abortBody(await raceAbort(given, answer), given) : await answer
    } finally {
      pendingFetches.delete(sent)
      clearInterval(keepAlive)
    }
  }
}

/** The requests without a socket that have no answer yet, whichever world they are for. Callers only read it. */
export const pendingFetches = new Set<object>()

interface SentRequest {
  readonly method: string
  readonly address: URL
  readonly headers: Headers
  readonly body: string | Promise<ArrayBuffer>
}

/**
 * Reads the arguments of `fetch`. Choice: a text body under a usual method is taken as it is, because a `Request` would
 * make a stream of it. Source: Fetch standard, section 5.2.
 */
function readSentRequest(input: Request | URL | string, init: RequestInit = {}): SentRequest {
  const { method = 'GET', body = null } = init
  const isUsual = body === null ? method === 'GET' || bodyMethods.has(method) : bodyMethods.has(method)
  if (input instanceof Request || !isUsual || (body !== null && typeof body !== 'string')) {
    const address = typeof input === 'string' ? new URL(input, anyHost) : input
    const request = new Request(address, init)
    const { url, headers } = request
    return { method: request.method, address: new URL(url), headers, body: request.arrayBuffer() }
  }
  const headers = new Headers(init.headers)
  if (body !== null && !headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8')
  return { method, address: new URL(input, anyHost), headers, body: body ?? '' }
}

const anyHost = 'http://localhost'
const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT', 'DELETE'])

async function answerSentRequest(worlds: WorldLookup, sent: SentRequest): Promise<Response> {
  const { host, pathname, search } = sent.address
  const headers = [...sent.headers]
  // Libraries that intercept requests of Node's own client leave its Host header in them.
  if (!sent.headers.has('host')) headers.unshift(['host', host])
  const body = typeof sent.body === 'string' ? Buffer.from(sent.body) : Buffer.from(await sent.body)
  const raw = toRawRequest(sent.method, pathname + search, headers, body)
  const isTooLarge = body.length > maximumBodyBytes
  const invalid = findTransportProblem({ ...raw, httpVersion: '1.1' })
  const problem = invalid ?? (isTooLarge ? { code: 'payload-too-large' as const } : null)
  if (problem !== null) {
    const { headers: own, ...refusal } = refuseAtTransport(problem)
    const date = formatDate(worlds.default.wall.nowMillis())
    return toResponse({ ...refusal, headers: { ...own, Date: date } })
  }
  const report = (line: string) => process.stderr.write(`${line}\n`)
  const answer = await answerRequest(worlds, raw, null, report)
  // Source: RFC 9110, section 9.3.2: the answer to HEAD has no body.
  const isHead = sent.method === 'HEAD'
  if (answer.deliveryFault !== null) return deliverUnderFault(answer, answer.deliveryFault, isHead)
  return toResponse(answer, isHead ? null : answer.body)
}

function toResponse(answer: Answer, body: string | ReadableStream | null = answer.body): Response {
  const { status, headers } = answer
  // The Fetch standard allows no body under these statuses.
  const isBodiless = status === 204 || status === 205 || status === 304
  return new Response(isBodiless ? null : body, { status, statusText: STATUS_CODES[status] ?? '', headers })
}

async function deliverUnderFault(answer: Answer, hit: FiredFault, isHead: boolean): Promise<Response> {
  const delivery = planDelivery(hit, Buffer.from(answer.body))
  const loseAnswer = () => createLostAnswerError(`${hit.id}: ${hit.rule.type}`)
  switch (delivery.kind) {
    case 'silent':
      if (delivery.forMillis === 0) return new Promise(() => undefined)
      await pause(delivery.forMillis)
      throw loseAnswer()
    case 'reset':
      await pause(delivery.afterMillis)
      throw loseAnswer()
    case 'closed':
      throw loseAnswer()
    case 'pieces':
      if (!isHead)
        return toResponse(answer, toStream(delivery.pieces, delivery.end === 'cut' ? loseAnswer : null))
      if (delivery.end === 'cut') throw loseAnswer()
      return toResponse(answer, null)
    case 'usual':
      return toResponse(answer, isHead ? null : answer.body)
  }
}

/**
 * Creates the error of the platform's `fetch` for a lost answer: a TypeError whose cause says what happened to the
 * connection.
 */
function createLostAnswerError(fault: string): TypeError {
  const cause = Object.assign(new Error(`the connection failed (fault ${fault})`), { code: 'ECONNRESET' })
  return new TypeError('fetch failed', { cause })
}

/**
 * Makes a stream of a body's pieces. It ends with the error of `lost` where the answer is cut off; null for a whole
 * one.
 */
function toStream(pieces: AsyncIterable<Buffer>, lost: (() => TypeError) | null): ReadableStream {
  async function* read() {
    yield* pieces
    if (lost !== null) throw lost()
  }
  return Readable.toWeb(Readable.from(read()))
}

/**
 * Makes the reading of a body reject with the signal's reason once that is aborted. Source: Fetch standard, section 4.7:
 * aborting a fetch errors the stream of its body.
 */
function abortBody(response: Response, signal: AbortSignal): Response {
  if (response.body === null) return response
  const { status, statusText, headers } = response
  const body = response.body.pipeThrough(new TransformStream(), { signal })
  return new Response(body, { status, statusText, headers })
}

/** Resolves with the work's response, or rejects with the signal's reason as soon as it is aborted. */
function raceAbort(signal: AbortSignal, work: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
