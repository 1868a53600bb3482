import type { TransportAnswer } from './transport.ts'

/**
 * How long a 429 asks to wait: the longer of `Retry-After` (seconds or a date) and `X-RateLimit-Reset`; null when it
 * says neither. Spec: Limits, "Unix timestamp when the window resets". Choice: the unit is not stated, but a Unix
 * timestamp in seconds cannot be mistaken for one in milliseconds or for a number of seconds from now, so all of them
 * are read.
 */
export function rateWaitMillis({ header }: TransportAnswer, nowMillis: number): number | null {
  const waits = [
    retryAfterMillis(header('retry-after'), nowMillis),
    resetMillis(header('x-ratelimit-reset'), nowMillis),
  ].filter((wait) => wait !== null)
  return waits.length === 0 ? null : Math.max(0, ...waits)
}

function retryAfterMillis(text: string | null, nowMillis: number): number | null {
  if (text === null) return null
  if (plainNumber.test(text)) return Math.ceil(Number(text) * 1000)
  const atMillis = Date.parse(text)
  return Number.isNaN(atMillis) ? null : atMillis - nowMillis
}

function resetMillis(text: string | null, nowMillis: number): number | null {
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
