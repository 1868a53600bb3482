import { withCommas } from '../../numeric/units.ts'

/* Numbers and times as texts. They are the same for every reader, whatever the browser's language. */

type Numeric = number | null | undefined

/**
 * Formats a number with at most this many decimals, and commas between thousands; `n/a` where there is no
 * number.
 */
export const formatNumber = (value: Numeric, decimals = 8): string =>
  format(value, decimals, (fraction) => fraction.replace(/0+$/, ''))

/** Formats a number with exactly this many decimals; `n/a` where there is no number. */
export const formatFixed = (value: Numeric, decimals: number): string =>
  format(value, decimals, (fraction) => fraction)

export const formatUsd = (value: Numeric): string => formatFixed(value, 2)

/** Formats an amount in USD with a sign, also above 0. */
export const formatSigned = (value: Numeric): string =>
  `${typeof value === 'number' && value > 0 ? '+' : ''}${formatUsd(value)}`

export const formatPercent = (value: Numeric): string =>
  typeof value === 'number' && Number.isFinite(value) ? `${formatFixed(value, 1)} %` : 'n/a'

/** Returns the number of decimals of a step, such as 2 for 0.01; 8 where the step is not known. */
export function countDecimals(step: number | undefined): number {
  if (step === undefined || !(step > 0)) return 8
  const [, fraction = ''] = step.toFixed(12).replace(/0+$/, '').split('.')
  return fraction.length
}

/** Returns the time of an ISO text, such as `12:00:03.250`. */
export const formatTime = (iso: string): string => iso.slice(11, 23)
/** Returns the date of an ISO text, such as `2026-01-05`. */
export const formatDate = (iso: string): string => iso.slice(0, 10)

/** Formats how long it is until an instant; `over` after it. */
export function formatCountdown(until: string, now: string): string {
  const left = Date.parse(until) - Date.parse(now)
  return left <= 0 ? 'over' : formatSpan(left)
}

/** Formats how long ago an instant was, at least 0, because the clocks of server and browser may differ. */
export const formatAge = (since: string, now: string): string =>
  formatSpan(Math.max(0, Date.parse(now) - Date.parse(since)))

function format(value: Numeric, decimals: number, shown: (fraction: string) => string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return 'n/a'
  const [whole = '', fraction = ''] = withCommas(Math.abs(value).toFixed(decimals)).split('.')
  const text = shown(fraction) === '' ? whole : `${whole}.${shown(fraction)}`
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text
}

/** Formats a span: `0.5 s`, `12 s`, `4 m 10 s`, `2 h 5 m`, `3 d 1 h`. */
function formatSpan(millis: number): string {
  const seconds = millis / 1000
  if (seconds < 10) return `${Math.floor(seconds * 10) / 10} s`
  const whole = Math.floor(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${whole % 60} s`
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} m`
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`
}

/**
 * Formats the name of a field or type in words: `averageSize` as `average size`, `latencyMs` as `latency, ms`.
 */
export const formatName = (name: string): string =>
  name
    .replace(/(Ms|Kbps)$/, (unit) => `, ${unit.toLowerCase()}`)
    .replace(/_/g, ' ')
    .replace(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`)
    .trim()
