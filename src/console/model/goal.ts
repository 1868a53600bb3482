/** Where the clock is to go: a span forward, or an instant. */
export type ClockGoal = { readonly byMs: number } | { readonly to: string }

const unitMillis: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** `+90s`, `+5m`, `12:30:00` of the world's day, or a whole instant; null for anything else. */
export function readGoal(text: string, now: string): ClockGoal | null {
  const span = /^\+?\s*(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h|d)$/.exec(text.trim())
  if (span !== null) return { byMs: Math.round(Number(span[1]) * (unitMillis[span[2] ?? ''] ?? 0)) }
  const to = instantOf(text, now)
  return to === null ? null : { to }
}

/** A time of the world's day, or a whole instant, as ISO text in UTC. */
function instantOf(text: string, now: string): string | null {
  const trimmed = text.trim()
  const isTime = /^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(trimmed)
  const whole = isTime ? `${now.slice(0, 10)}T${trimmed}Z` : trimmed
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?)?$/.test(whole)) return null
  const millis = Date.parse(whole.length > 10 && !whole.endsWith('Z') ? `${whole}Z` : whole)
  return Number.isNaN(millis) ? null : new Date(millis).toISOString()
}
