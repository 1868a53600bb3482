import { checkOptions, numberFrom, type OptionsOf, onlyGiven, wholeNumber } from '../api/options.ts'
import type { ClientClock } from './http-transport.ts'
import {
  longestTimerMillis,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from './transport.ts'
import { ConnectionError, VenueError } from './venue-error.ts'

export interface ClientConnection {
  readonly transport: Transport
  readonly clock: ClientClock
  readonly retries: RetrySettings
}

export type ExchangeOutcome =
  | { readonly kind: 'answered'; readonly answer: TransportAnswer }
  /** It is not known whether the request was carried out. */
  | { readonly kind: 'lost'; readonly failure: ConnectionError | VenueError }

/** Whether a request may be sent again when its answer was lost: not if it may have changed something. */
export type Sending = 'once' | 'repeatedly'

/** One request and its answer. A request over the rate limit did nothing: it is sent again when the limit allows. */
export async function exchange(
  link: ClientConnection,
  request: TransportRequest,
  sending: Sending,
): Promise<ExchangeOutcome> {
  const { clock, retries } = link
  let failures = 0
  let refusals = 0
  for (;;) {
    const outcome = await send(link.transport, request)
    if (outcome.kind === 'lost') {
      if (sending === 'once' || failures >= retries.afterFailure) return outcome
      failures += 1
      await clock.sleep(computeDelayMillis(retries, failures), request.signal)
      continue
    }
    if (outcome.answer.status !== tooManyRequests || refusals >= retries.afterRateLimit) return outcome
    refusals += 1
    const asked = readRateWaitMillis(outcome.answer, clock.nowMillis()) ?? 0
    if (asked > retries.maximumRateWaitMillis) return outcome
    await clock.sleep(asked > 0 ? asked : computeDelayMillis(retries, refusals), request.signal)
  }
}

const requestTimeout = 408
const tooManyRequests = 429

async function send(transport: Transport, request: TransportRequest): Promise<ExchangeOutcome> {
  try {
    const answer = await transport(request)
    const { status, body } = answer
    if (status >= 500 || status === requestTimeout) return { kind: 'lost', failure: new VenueError(answer) }
    if (status < 400 && (typeof body !== 'object' || body === null || Array.isArray(body))) {
      const message = `${request.method} ${request.target}: the answer is not a JSON object`
      return { kind: 'lost', failure: new ConnectionError('unreadable', message) }
    }
    return { kind: 'answered', answer }
  } catch (failure) {
    if (failure instanceof ConnectionError) return { kind: 'lost', failure }
    throw failure
  }
}

/**
 * How long a 429 asks to wait: the longer of `Retry-After` (seconds or a date) and `X-RateLimit-Reset`; null when it
 * says neither. Spec: Limits, "Unix timestamp when the window resets". Choice: the unit is not stated, but a Unix
 * timestamp in seconds cannot be mistaken for one in milliseconds or for a number of seconds from now, so all of them
 * are read.
 */
export function readRateWaitMillis({ header }: TransportAnswer, nowMillis: number): number | null {
  const after = parseRetryAfter(header('retry-after'), nowMillis)
  const reset = parseReset(header('x-ratelimit-reset'), nowMillis)
  // Retry-After has whole seconds, rounded up; the reset may say the same more exactly.
  if (after !== null && reset !== null && reset <= after && reset > after - 1000) return reset
  const waits = [after, reset].filter((wait) => wait !== null)
  return waits.length === 0 ? null : Math.max(0, ...waits)
}

function parseRetryAfter(text: string | null, nowMillis: number): number | null {
  if (text === null) return null
  if (plainNumber.test(text)) return Math.ceil(Number(text) * 1000)
  const atMillis = Date.parse(text)
  return Number.isNaN(atMillis) ? null : atMillis - nowMillis
}

function parseReset(text: string | null, nowMillis: number): number | null {
  if (text === null || !plainNumber.test(text)) return null
  const reset = Number(text)
  if (reset >= firstMillis) return Math.ceil(reset - nowMillis)
  return Math.ceil(reset * 1000 - (reset >= firstSeconds ? nowMillis : 0))
}

const plainNumber = /^\d+(\.\d+)?$/
/** September 2001 in seconds: anything less counts as a span. */
const firstSeconds = 1e9
/** March 1973 in milliseconds, the year 5138 in seconds. */
const firstMillis = 1e11

const times = wholeNumber(0, longestTimerMillis)
const span = numberFrom(0, longestTimerMillis)

const retryOptions = {
  /** How often a request without an answer is sent again, where repeating it is safe. */
  afterFailure: times,
  /** How often a request over the rate limit is sent again; it did nothing. */
  afterRateLimit: times,
  /** The wait after the first failure; it doubles with each one. */
  firstDelayMillis: span,
  maximumDelayMillis: span,
  /** A rate limit that asks for a longer wait is reported, not waited for. */
  maximumRateWaitMillis: span,
}

/** What a client sends again by itself, and how long it waits before that. */
export type RetrySettings = Required<OptionsOf<typeof retryOptions>>

const defaultRetries: RetrySettings = {
  afterFailure: 3,
  afterRateLimit: 10,
  firstDelayMillis: 100,
  maximumDelayMillis: 5_000,
  maximumRateWaitMillis: 60_000,
}

/**
 * The given values, and the usual ones for the rest. Throws a RangeError for one that is not a number, negative, or too
 * long for a timer, and a TypeError for one that does not exist.
 */
export function readRetries(given: Partial<RetrySettings> = {}): RetrySettings {
  checkOptions('retries', given, retryOptions)
  return { ...defaultRetries, ...onlyGiven(given) }
}

/** Before the n-th repetition, counted from 1. Choice: without jitter, so that a run can be repeated. */
export function computeDelayMillis(settings: RetrySettings, repetition: number): number {
  let delay = settings.firstDelayMillis
  for (let count = 1; count < repetition && delay < settings.maximumDelayMillis; count += 1) delay *= 2
  return Math.min(delay, settings.maximumDelayMillis)
}
