import { parseDuration } from '../../numeric/time-text.ts'

/** Target of an advance of the clock: a span forward, or an instant. */
export type AdvanceChoice = { readonly byMs: number } | { readonly to: string }

/**
 * Parses a target: `+90s`, `+5m`, `12:30:00` of the world's day, or a whole instant; null for anything else.
 */
export function parseAdvanceTarget(text: string, now: string): AdvanceChoice | null {
  const byMs = parseDuration(text.replace(/^[\s+]+/, '').trim())
  if (byMs !== null) return { byMs }
  const to = parseInstant(text, now)
  return to === null ? null : { to }
}

/** Parses a time of the world's day or a whole instant, to ISO text in UTC; null for anything else. */
function parseInstant(text: string, now: string): string | null {
  const trimmed = text.trim()
  const isTime = /^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(trimmed)
  const whole = isTime ? `${now.slice(0, 10)}T${trimmed}Z` : trimmed
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?)?$/.test(whole)) return null
  const millis = Date.parse(whole.length > 10 && !whole.endsWith('Z') ? `${whole}Z` : whole)
  return Number.isNaN(millis) ? null : new Date(millis).toISOString()
}
