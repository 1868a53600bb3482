import { checkOptions, type OptionKindsOf } from '../api/check-options.ts'
import { numberFrom, wholeNumber } from '../api/option-kinds.ts'

/** What a client sends again by itself, and how long it waits before that. */
export interface RetrySettings {
  /** How often a request without an answer is sent again, where repeating it is safe. */
  readonly afterFailure: number
  /** How often a request over the rate limit is sent again; it did nothing. */
  readonly afterRateLimit: number
  /** The wait after the first failure; it doubles with each one. */
  readonly firstDelayMillis: number
  readonly maximumDelayMillis: number
  /** A rate limit that asks for a longer wait is reported, not waited for. */
  readonly maximumRateWaitMillis: number
}

const usualRetries: RetrySettings = {
  afterFailure: 3,
  afterRateLimit: 10,
  firstDelayMillis: 100,
  maximumDelayMillis: 5_000,
  maximumRateWaitMillis: 60_000,
}

/** Longer timers fire at once. */
export const longestTimerMillis = 2_147_483_647

/**
 * The given values, and the usual ones for the rest. Throws a RangeError for one that is not a number, negative, or too
 * long for a timer, and a TypeError for one that does not exist.
 */
export function retriesOf(given: Partial<RetrySettings> = {}): RetrySettings {
  checkOptions('retries', given, retryKinds)
  const isGiven = ([, value]: readonly [string, unknown]) => value !== undefined
  return { ...usualRetries, ...Object.fromEntries(Object.entries(given).filter(isGiven)) }
}

const times = wholeNumber(0, longestTimerMillis)
const span = numberFrom(0, longestTimerMillis)

const retryKinds: OptionKindsOf<RetrySettings> = {
  afterFailure: times,
  afterRateLimit: times,
  firstDelayMillis: span,
  maximumDelayMillis: span,
  maximumRateWaitMillis: span,
}

/** Before the n-th repetition, counted from 1. Choice: without jitter, so that a run can be repeated. */
export function delayMillis(settings: RetrySettings, repetition: number): number {
  let delay = settings.firstDelayMillis
  for (let count = 1; count < repetition && delay < settings.maximumDelayMillis; count += 1) delay *= 2
  return Math.min(delay, settings.maximumDelayMillis)
}
