import { expect, it } from 'vitest'
import { readRateWaitMillis } from '../../src/client/exchange.ts'

const now = Date.UTC(2026, 0, 5, 12, 0, 0, 250)
const answer = (headers: Readonly<Record<string, string>>) => ({
  status: 429,
  header: (name: string) => headers[name] ?? null,
  body: {},
})
const reset = (value: number | string) => ({ 'x-ratelimit-reset': String(value) })
const seconds = Math.floor(now / 1000)

it.each<[string, Readonly<Record<string, string>>, number | null]>([
  ['nothing', {}, null],
  ['the reset in seconds', reset(seconds + 1), 750],
  ['the reset in fractions of a second', reset(`${seconds}.5`), 250],
  ['the reset in milliseconds', reset(now + 333), 333],
  ['the reset as a span', reset(2), 2000],
  ['a reset in the past', reset(seconds - 5), 0],
  ['a reset that is not a number', reset('soon'), null],
  ['an empty reset', reset(''), null],
  ['Retry-After in seconds', { 'retry-after': '3' }, 3000],
  ['Retry-After as a date', { 'retry-after': 'Mon, 05 Jan 2026 12:00:02 GMT' }, 1750],
  ['Retry-After that is neither', { 'retry-after': 'later' }, null],
  ['the longer of both', { 'retry-after': '3', ...reset(seconds + 1) }, 3000],
  ['the more exact of both', { 'retry-after': '1', ...reset(seconds + 1) }, 750],
  ['the longer of both', { 'retry-after': '2', ...reset(seconds + 1) }, 2000],
  ['the longer of both', { 'retry-after': '0', ...reset(seconds + 1) }, 750],
])('is read from %s', (_title, headers, wait) => {
  expect(readRateWaitMillis(answer(headers), now)).toBe(wait)
})
