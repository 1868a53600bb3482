import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import { type ForkOptions, forkAs, World } from '../world/world.ts'
import { answerRequest } from './answer-request.ts'
import type { Doorway } from './call.ts'
import { type Answer, rawRequest } from './raw-request.ts'
import { maximumBodyBytes, transportProblem, transportRefusal } from './request-flaws.ts'
import { pause, travelUnder } from './travel.ts'

/** The platform's `fetch`, answered by worlds of this process. */
export type WorldFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/** A world whose whole signed interface is open to the callers of the library. */
export class OpenWorld extends World {
  /** The platform's `fetch` for this world alone; see `fetchFrom`. */
  readonly fetch: WorldFetch = fetchFrom(doorOf(this))

  override fork(options: ForkOptions = {}): OpenWorld {
    return forkOpen(this.snapshot(), { wall: this.wall, ...options })
  }
}

/** A new world in the state of a snapshot. Its keys have names of its own, except those that the scenario names. */
export function forkOpen(snapshot: WorldSnapshot, options: ForkOptions = {}): OpenWorld {
  return forkAs(OpenWorld, snapshot, options)
}

/** A world that is alone answers all; those of a server are found by the key of a request. */
export function doorOf(world: World): Doorway {
  const find = (apiKey: string) => {
    const key = world.keys.get(apiKey)
    return key === undefined ? null : { world, key }
  }
  return { default: world, find }
}

/**
 * Answers requests as a server would, without a socket: signatures, limits, faults, the request log and all. The host of an
 * address does not matter, and a path alone will do. Rejects with a TypeError where an answer is lost on its way, as the
 * platform's `fetch` does, and with the reason of a signal that is aborted.
 */
export function fetchFrom(worlds: Doorway): WorldFetch {
  return async (input, init) => {
    const address = typeof input === 'string' ? new URL(input, 'http://localhost') : input
    const request = new Request(address, init)
    request.signal.throwIfAborted()
    // What waits here has no socket that would keep the process from ending.
    const keeping = setInterval(() => undefined, 60_000)
    try {
      return await beforeAbort(request.signal, answered(worlds, request))
    } finally {
      clearInterval(keeping)
    }
  }
}

async function answered(worlds: Doorway, request: Request): Promise<Response> {
  const { host, pathname, search } = new URL(request.url)
  // Those who intercept requests of Node's own client leave its Host header in them.
  const headers = [...new Map([['host', host], ...request.headers])]
  const body = Buffer.from(await request.arrayBuffer())
  const raw = rawRequest(request.method, pathname + search, headers, body)
  const problem = transportProblem({ ...raw, httpVersion: '1.1' })
  if (problem !== null) return responseOf(transportRefusal(problem))
  if (body.length > maximumBodyBytes) return responseOf(transportRefusal({ code: 'payload-too-large' }))
  const report = (text: string) => process.stderr.write(`${text}\n`)
  return responseOf(await answerRequest(worlds, raw, report))
}

async function responseOf(answer: Answer): Promise<Response> {
  const { status, headers, body, travel: hit } = answer
  const init = { status, statusText: STATUS_CODES[status] ?? '', headers: { ...headers } }
  const isEmpty = status === 204 || status === 205 || status === 304
  if (hit === null) return new Response(isEmpty ? null : body, init)
  const travel = travelUnder(hit, Buffer.from(body))
  const lost = () => lostAnswer(`${hit.id}: ${hit.rule.type}`)
  switch (travel.kind) {
    case 'silent':
      if (travel.forMillis === 0) return new Promise(() => undefined)
      await pause(travel.forMillis)
      throw lost()
    case 'reset':
      await pause(travel.afterMillis)
      throw lost()
    case 'closed':
      throw lost()
    case 'pieces':
      return new Response(isEmpty ? null : streamOf(travel.pieces, travel.end === 'cut' ? lost : null), init)
    case 'usual':
      return new Response(isEmpty ? null : body, init)
  }
}

/** As the platform's `fetch` has it: a TypeError, and what happened to the connection as its cause. */
function lostAnswer(fault: string): TypeError {
  const cause = Object.assign(new Error(`the connection failed (fault ${fault})`), { code: 'ECONNRESET' })
  return new TypeError('fetch failed', { cause })
}

/** `lost` tells of an end that comes too early. */
function streamOf(pieces: AsyncIterable<Buffer>, lost: (() => TypeError) | null): ReadableStream {
  async function* read() {
    yield* pieces
    if (lost !== null) throw lost()
  }
  return Readable.toWeb(Readable.from(read()))
}

function beforeAbort(signal: AbortSignal, work: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
