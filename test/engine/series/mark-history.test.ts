import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MarkHistory } from '../../../src/engine/series/mark-history.ts'
import { caseBudget } from '../../support/full-run.ts'

const start = 1_767_571_200_000 // 2026-01-05T00:00:00Z, a whole minute
const minute = 60_000
const day = 86_400_000

describe('the mark at an instant', () => {
  const history = new MarkHistory()
  history.record(start, 100)
  history.record(start + 10, 101)
  history.record(start + 10, 102)
  history.record(start + 20, 103)

  it.each([
    [start - day, 100],
    [start, 100],
    [start + 9, 100],
    [start + 10, 102],
    [start + 19, 102],
    [start + 20, 103],
    [start + day, 103],
  ])('at %i is %i', (millis, ticks) => {
    expect(history.at(millis)).toBe(ticks)
  })

  it('is 0 while nothing was recorded', () => {
    expect(new MarkHistory().at(start)).toBe(0)
  })

  it('is known from 1970 on', () => {
    const ofOld = new MarkHistory()
    ofOld.record(0, 100)
    expect(ofOld.at(0)).toBe(100)
    ofOld.record(2 * day, 200)
    expect([ofOld.at(0), ofOld.at(2 * day)]).toEqual([100, 200])
  })
})

describe('thinning', () => {
  it('is exact for 24 hours and at whole minutes for 30 days', () => {
    const { history, marks, end } = everySeconds(10, 32 * day)
    for (let back = 0; back <= day; back += 9_999) expect(history.at(end - back)).toBe(at(marks, end - back))
    for (let back = 0; back <= 30 * day; back += 7 * minute)
      expect(history.at(end - back)).toBe(at(marks, end - back))
    expect(history.at(start)).toBe(at(marks, end - 30 * day))
  })

  it('keeps memory flat', () => {
    const { history } = everySeconds(20, 40 * day)
    const { recentMillis, minuteMillis } = history.snapshot()
    expect(recentMillis).toHaveLength(day / 20_000)
    expect(minuteMillis.length).toBeLessThanOrEqual(29 * 1440 + 1)
  })

  it('answers with the price at the horizon when nothing changed since', () => {
    const history = new MarkHistory()
    history.record(start, 100)
    history.record(start + 100 * day, 200)
    expect(history.at(start + 99 * day)).toBe(100)
    expect(history.at(start)).toBe(100)
  })
})

describe('a restored history', () => {
  it('answers, continues and sums up like the original, whenever the sum is read', () => {
    const changes = fc.array(
      fc.tuple(
        fc.constantFrom(0, 1, 500, 59_999, minute, 3_600_000, day, 8 * day),
        fc.integer({ min: 1, max: 99 }),
      ),
      { minLength: 1, maxLength: 80 },
    )
    fc.assert(
      fc.property(changes, fc.nat(79), (waits, cut) => {
        const whole = new MarkHistory()
        let restored = new MarkHistory()
        let now = start
        for (const [index, [wait, ticks]] of waits.entries()) {
          now += wait
          whole.record(now, ticks)
          restored.record(now, ticks)
          if (index % 3 === cut % 3) whole.summary()
          if (index !== cut) continue
          const next = new MarkHistory()
          next.load(restored.snapshot())
          restored = next
        }
        for (let back = 0; back < 40 * day; back += 11_111_111)
          expect(restored.at(now - back)).toBe(whole.at(now - back))
        expect(restored.summary()).toEqual(whole.summary())
      }),
      { seed: 7, numRuns: caseBudget(100) },
    )
  })
})

/** Returns a price that changes every `seconds`, for a while. */
function everySeconds(seconds: number, forMillis: number) {
  const history = new MarkHistory()
  const marks: [number, number][] = []
  let millis = start
  for (let count = 0; millis < start + forMillis; count += 1) {
    millis = start + count * seconds * 1000
    const ticks = 1000 + ((count * 7919) % 1009)
    history.record(millis, ticks)
    marks.push([millis, ticks])
  }
  return { history, marks, end: millis }
}

function at(marks: readonly [number, number][], millis: number): number {
  const spacing = (marks[1]?.[0] ?? 0) - start
  return marks[Math.floor((millis - start) / spacing)]?.[1] ?? -1
}
