import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareMoments } from '../../../src/api/noted-moments.ts'
import type { HistoryEntry, RequestRow } from '../../../src/console/model/documents.ts'
import {
  addItems,
  categorize,
  findMoment,
  findNextFailure,
  findPosition,
  listFailures,
  momentAt,
  shiftMoment,
  stepMoment,
} from '../../../src/console/model/timeline.ts'

const at = (second: number) => `2026-01-05T00:00:${String(second).padStart(2, '0')}.000Z`
const begins = { sequence: 0, at: at(0) }

function item(index: number, sequence: number, second: number, refusal: string | null = null): HistoryEntry {
  const about = { kind: 'event', type: 'trade', account: null, asset: null, fields: {} } as const
  return { index, sequence, at: at(second), refusal, ...about }
}

const items = [
  item(0, 1, 5),
  item(1, 1, 5),
  item(2, 1, 8, 'rejected'),
  item(3, 2, 20),
  item(4, 3, 20, 'risk'),
  // A restore has set the world back.
  item(5, 4, 6),
]
const moments = addItems([], items)
const moment = (sequence: number, second: number) => ({ sequence, at: at(second) })

describe('the moments of a past', () => {
  it('group what happened together, in whatever parts it was loaded', () => {
    expect(moments.map(({ firstIndex, lastIndex, isFailure }) => [firstIndex, lastIndex, isFailure])).toEqual(
      [
        [0, 1, false],
        [2, 2, true],
        [3, 3, false],
        [4, 4, true],
        [5, 5, false],
      ],
    )
    fc.assert(
      fc.property(fc.nat(items.length), (cut) => {
        expect(addItems(addItems([], items.slice(0, cut)), items.slice(cut))).toEqual(moments)
      }),
      { seed: 7, numRuns: 20 },
    )
  })

  it('can be found by position, and their positions from them', () => {
    expect(momentAt(moments, begins, 0)).toBe(begins)
    expect(momentAt(moments, begins, moments.length + 1)).toBeNull()
    for (const [index, moment] of moments.entries()) {
      expect(findPosition(moments, moment)).toBe(index + 1)
      expect(momentAt(moments, begins, index + 1)).toBe(moment)
    }
    expect(findPosition(moments, moment(1, 7))).toBe(1)
  })

  it('can be stepped back to the beginning and forward to the present', () => {
    const walk = (from: ReturnType<typeof stepMoment>, by: 1 | -1) =>
      moments.reduce<(typeof from)[]>(
        (trail) => [...trail, stepMoment(moments, begins, trail.at(-1) ?? null, by)],
        [from],
      )
    expect(walk(null, -1).slice(1)).toEqual([...moments].reverse())
    expect(stepMoment(moments, begins, moment(1, 5), -1)).toEqual(begins)
    expect(stepMoment(moments, begins, begins, -1)).toEqual(begins)
    expect(stepMoment(moments, begins, begins, 1)).toBe(moments[0])
    expect(stepMoment(moments, begins, moment(4, 6), 1)).toBeNull()
    // Between two of them, a step back leads to the earlier one.
    expect(stepMoment(moments, begins, moment(1, 7), -1)).toBe(moments[0])
    expect(stepMoment([], begins, null, -1)).toEqual(begins)
  })

  it.each([
    ['on, between two lines', moment(1, 5), 1000, moment(1, 6)],
    ['on, past a moment', moment(1, 5), 4000, moment(1, 9)],
    ['on, over lines', moment(1, 9), 11_000, moment(3, 20)],
    ['on, to where the world was restored', moment(3, 20), 5000, moment(3, 25)],
    ['on, past the present', moment(4, 6), 60_000, null],
    ['back, to before the first line', moment(1, 5), -1000, moment(0, 4)],
    ['back, past a line', moment(2, 20), -5000, moment(1, 15)],
    ['back, past the beginning', moment(1, 5), -60_000, begins],
  ])('time goes %s', (_title, from, byMillis, expected) => {
    expect(shiftMoment(moments, begins, from, byMillis, at(40))).toEqual(expected)
  })

  it('include the last moment of an instant', () => {
    expect(findMoment(moments, begins, at(7), at(40))).toEqual(moment(4, 7))
    expect(findMoment(moments, begins, at(5), at(40))).toEqual(moment(1, 5))
    expect(findMoment(moments, begins, at(2), at(40))).toEqual(moment(0, 2))
    expect(findMoment(moments, begins, at(41), at(40))).toBeNull()
  })

  it('sort by line and then by instant', () => {
    expect([
      compareMoments(moment(1, 9), moment(2, 1)) < 0,
      compareMoments(moment(1, 9), moment(1, 8)) > 0,
    ]).toEqual([true, true])
    expect(compareMoments(moment(1, 9), moment(1, 9))).toBe(0)
  })
})

describe('failures', () => {
  const request = (worldSequence: number, second: number, status: number): RequestRow => ({
    sequence: 1,
    requestId: '',
    wallAt: '',
    durationMs: 0,
    method: 'GET',
    path: '',
    query: '',
    account: null,
    key: null,
    requestBody: '',
    responseBody: '',
    type: null,
    hint: null,
    fault: null,
    lost: null,
    worldSequence,
    at: at(second),
    status,
  })
  const found = listFailures(moments, [
    request(1, 6, 400),
    request(1, 6, 429),
    request(2, 20, 200),
    request(3, 20, 422),
  ])

  it('are refusals and answers with errors, each moment once', () => {
    expect(found.map(({ sequence, at: instant }) => [sequence, instant])).toEqual([
      [1, at(6)],
      [1, at(8)],
      [3, at(20)],
    ])
  })

  it('can be stepped through in a circle', () => {
    expect(findNextFailure(found, null, 1)).toBe(found[0])
    expect(findNextFailure(found, null, -1)).toBe(found[2])
    expect(findNextFailure(found, moment(1, 7), 1)).toBe(found[1])
    expect(findNextFailure(found, moment(1, 8), -1)).toBe(found[0])
    expect(findNextFailure(found, moment(1, 7), -1)).toBe(found[0])
    expect(findNextFailure(found, moment(3, 20), 1)).toBe(found[0])
    expect(findNextFailure(found, moment(1, 6), -1)).toBe(found[2])
    expect(findNextFailure([], null, 1)).toBeNull()
  })
})

describe('a lane', () => {
  it.each([
    ['event', 'order.filled', 'orders'],
    ['command', 'place-orders', 'orders'],
    ['command', 'update-quotes', 'quotes'],
    ['event', 'quote.expired', 'quotes'],
    ['event', 'trade', 'trades'],
    ['event', 'scenario.action', 'script'],
    ['change', 'fault-added', 'admin'],
    ['command', 'advance', 'admin'],
    ['event', 'pair.halted', 'admin'],
  ] as const)('of a %s %s is %s', (kind, type, lane) => {
    expect(categorize({ kind, type })).toBe(lane)
  })
})
