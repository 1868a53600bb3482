import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { isObject } from '../api/json.ts'
import { parseDuration } from '../numeric/time-text.ts'
import { pendingFetches } from '../pipeline/fetch.ts'
import { readElapsedMillis, setTimeout as realSetTimeout, waitForTurn } from '../world/real-timers.ts'

/** What has replaced the timers of a program: `vi` of vitest, `jest`, or the clock of sinon's fake timers. */
export type FakeTimers =
  | { advanceTimersToNextTimer(): unknown; runAllTicks(): unknown }
  | { next(): unknown; tick(millis: number): unknown; runMicrotasks(): unknown }

export interface LiveForOptions {
  /**
   * For how many milliseconds of real time an answer is waited for; 10,000 by default. Then its request counts as lost, and
   * time goes on, so that the program's own time limit can end it.
   */
  readonly patienceMs?: number
}

/**
 * Lets a program whose timers are replaced live for a span of its time such as `1d`, or for milliseconds: fires one timer
 * after another, and before each waits for the answers to all requests of this process. So a day takes as long as its
 * requests do, and a venue whose clock follows gets the same requests in the same order each time. What a program awaits
 * besides timers and requests, such as files, is not waited for. Rejects with what a timer throws.
 */
export async function liveFor(
  timers: FakeTimers,
  span: string | number,
  { patienceMs = 10_000 }: LiveForOptions = {},
): Promise<void> {
  let leftMillis = parseSpan(span)
  requireFakeTimers()
  const fireNext = () => {
    if ('advanceTimersToNextTimer' in timers) return timers.advanceTimersToNextTimer()
    timers.next()
    // The others fire all timers of one instant together.
    return timers.tick(0)
  }
  // Where microtasks are replaced, too, the platform's own fetch waits for them.
  const runTicks = () => ('runAllTicks' in timers ? timers.runAllTicks() : timers.runMicrotasks())
  const requests = new RequestsUnderWay()
  try {
    await settle(requests, patienceMs, runTicks)
    while (leftMillis > 0) {
      const partMillis = Math.min(leftMillis, longestTimerMillis)
      leftMillis -= partMillis
      let isOver = false
      // This is a timer of the program's own clock.
      globalThis.setTimeout(() => {
        isOver = true
      }, partMillis)
      while (!isOver) {
        fireNext()
        await settle(requests, patienceMs, runTicks)
      }
    }
  } finally {
    requests.close()
  }
}

/** Parses a span, as milliseconds. Throws a RangeError for anything else. */
function parseSpan(span: string | number): number {
  const spanMillis = typeof span === 'string' ? parseDuration(span) : span
  if (spanMillis !== null && Number.isSafeInteger(spanMillis) && spanMillis >= 0) return spanMillis
  throw new RangeError(`liveFor takes a span such as 30s or 1d, or whole milliseconds, found ${span}`)
}

/** A little less than the longest timer that a platform has, 2^31 - 1 milliseconds. */
const longestTimerMillis = 2_000_000_000

/** Throws an Error where the program's timers are not replaced. */
function requireFakeTimers(): void {
  if (globalThis.setTimeout === realSetTimeout)
    throw new Error(
      'liveFor needs replaced timers, such as those of vi.useFakeTimers({ now: world.now }): a day would take a day',
    )
}

/**
 * How many turns of the event loop in a row must pass without a request: a program takes some turns to react to an
 * answer.
 */
const quietTurns = 4

/** Waits until no request is under way and what follows from the answers is done. */
async function settle(
  requests: RequestsUnderWay,
  patienceMs: number,
  runTicks: () => unknown,
): Promise<void> {
  const endMillis = readElapsedMillis() + patienceMs
  for (let quiet = 0; quiet < quietTurns; quiet += 1) {
    await waitForTurn()
    runTicks()
    if (!requests.hasPending) continue
    quiet = -1
    if (readElapsedMillis() >= endMillis) requests.forget()
  }
}

/**
 * The requests that this process has sent and whose answers have not arrived whole, whatever has sent them: `fetch`,
 * undici, `node:http` and the clients that are built on it, or `world.fetch`. Source: the channels in Node's
 * documentation of `diagnostics_channel`, and in undici's.
 */
class RequestsUnderWay {
  private readonly sent = new Set<object>()
  private readonly lost = new WeakSet<object>()
  private readonly channels: readonly (readonly [name: string, listener: (message: unknown) => void])[]

  /** Requests that were sent before are not counted. */
  constructor() {
    const end = (request: object) => this.sent.delete(request)
    const beginOverHttp = (request: object) => {
      this.sent.add(request)
      // When it closes, its answer has arrived whole, or nothing more will come.
      if (hasEvents(request)) request.once('close', () => end(request))
    }
    this.channels = [
      ['undici:request:create', listen((request) => this.sent.add(request))],
      ['undici:request:trailers', listen(end)],
      ['undici:request:error', listen(end)],
      ['http.client.request.start', listen(beginOverHttp)],
    ]
    for (const [name, listener] of this.channels) subscribe(name, listener)
  }

  /** Whether a request is still waiting for its answer. */
  get hasPending(): boolean {
    return this.sent.size > 0 || [...pendingFetches].some((fetch) => !this.lost.has(fetch))
  }

  /** Gives up the requests that are under way as lost, so that they are not waited for any more. */
  forget(): void {
    this.sent.clear()
    for (const fetch of pendingFetches) this.lost.add(fetch)
  }

  close(): void {
    for (const [name, listener] of this.channels) unsubscribe(name, listener)
  }
}

const listen = (act: (request: object) => unknown) => (message: unknown) => {
  const request = isObject(message) ? message['request'] : null
  if (isObject(request)) act(request)
}

interface HasEvents {
  once(event: string, listener: () => void): unknown
}

const hasEvents = (request: object): request is HasEvents =>
  'once' in request && typeof request.once === 'function'
