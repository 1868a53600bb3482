import { checkOptions, numberFrom, type OptionsOf, omitUndefined, wholeNumber } from '../api/options.ts'
import type { ClientClock } from './http-transport.ts'
import {
  longestTimerMillis,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from './transport.ts'
import { ConnectionError, VenueError } from './venue-error.ts'

/** How a client reaches its venue. */
export interface ClientConnection {
  readonly transport: Transport
  readonly clock: ClientClock
  readonly retries: RetrySettings
}

/** The outcome of a request: answered, or lost. */
export type ExchangeOutcome =
  | { readonly kind: 'answered'; readonly answer: TransportAnswer }
  /** There is no usable answer, so it is not known whether the request was carried out. */
  | { readonly kind: 'lost'; readonly failure: ConnectionError | VenueError }

/** Whether a request may be sent again if its answer is lost. One that may have changed something is sent once. */
export type Sending = 'once' | 'repeatedly'

/**
 * Sends one request and returns its outcome. A request over the rate limit did nothing, so it is always sent again when the
 * limit allows; one whose answer is lost only if it is sent `repeatedly`.
 */
export async function exchange(
  connection: ClientConnection,
  request: TransportRequest,
  sending: Sending,
): Promise<ExchangeOutcome> {
  const { clock, retries } = connection
  let failures = 0
  let refusals = 0
  for (;;) {
    const outcome = await send(connection.transport, request)
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
 * Reads how long a 429 response asks to wait: the longer of `Retry-After` (seconds or a date) and `X-RateLimit-Reset`, or
 * null if it has neither. Spec: Limits, "Unix timestamp when the window resets". Choice: the unit is not stated, but
 * timestamps in seconds, timestamps in milliseconds and seconds from now cannot be confused, so all of them are accepted.
 */
export function readRateWaitMillis({ header }: TransportAnswer, nowMillis: number): number | null {
  const after = parseRetryAfter(header('retry-after'), nowMillis)
  const reset = parseReset(header('x-ratelimit-reset'), nowMillis)
  // Retry-After has whole seconds, rounded up. The reset may be the same instant, more exactly.
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
/** September 2001 as a timestamp in seconds. Anything less is a number of seconds from now. */
const firstSeconds = 1e9
/**
 * March 1973 as a timestamp in milliseconds. Anything from here on is read as milliseconds: in seconds it would be the
 * year 5138.
 */
const firstMillis = 1e11

const times = wholeNumber(0, longestTimerMillis)
const span = numberFrom(0, longestTimerMillis)

const retryOptions = {
  /** How often a request without an answer is sent again, if repeating it is safe. */
  afterFailure: times,
  /** How often a request over the rate limit is sent again, which is always safe: it did nothing. */
  afterRateLimit: times,
  /** The wait after the first failure. It doubles with each further one. */
  firstDelayMillis: span,
  maximumDelayMillis: span,
  /** The longest wait for a rate limit. One that asks for more is reported as an error. */
  maximumRateWaitMillis: span,
}

/** How often a client sends a request again, and how long it waits before that. */
export type RetrySettings = Required<OptionsOf<typeof retryOptions>>

const defaultRetries: RetrySettings = {
  afterFailure: 3,
  afterRateLimit: 10,
  firstDelayMillis: 100,
  maximumDelayMillis: 5_000,
  maximumRateWaitMillis: 60_000,
}

/**
 * Returns complete settings: the given values, and defaults for the rest. Throws a RangeError for a value that is not a
 * number, negative, or too long for a timer, and a TypeError for a setting that does not exist.
 */
export function readRetries(given: Partial<RetrySettings> = {}): RetrySettings {
  checkOptions('retries', given, retryOptions)
  return { ...defaultRetries, ...omitUndefined(given) }
}

/** Computes the wait before a repetition, counted from 1. Choice: there is no jitter, so that runs are reproducible. */
export function computeDelayMillis(settings: RetrySettings, repetition: number): number {
  let delay = settings.firstDelayMillis
  for (let count = 1; count < repetition && delay < settings.maximumDelayMillis; count += 1) delay *= 2
  return Math.min(delay, settings.maximumDelayMillis)
}
