import { describe, expect, it } from 'vitest'
import { parseAdvanceTarget } from '../../../src/console/model/advance-target.ts'

describe('the target of the clock', () => {
  const now = '2026-01-05T10:00:00.000Z'
  it.each([
    ['+90s', { byMs: 90_000 }],
    ['1.5m', { byMs: 90_000 }],
    ['250ms', { byMs: 250 }],
    ['12:30', { to: '2026-01-05T12:30:00.000Z' }],
    ['12:30:05.5', { to: '2026-01-05T12:30:05.500Z' }],
    ['2026-01-06', { to: '2026-01-06T00:00:00.000Z' }],
    ['2026-01-06T01:02:03Z', { to: '2026-01-06T01:02:03.000Z' }],
    ['2026-01-06T01:02', { to: '2026-01-06T01:02:00.000Z' }],
    ['25:00', null],
    ['-5s', null],
    ['soon', null],
    ['', null],
  ])('%s is %j', (text, goal) => {
    expect(parseAdvanceTarget(text, now)).toEqual(goal)
  })
})
