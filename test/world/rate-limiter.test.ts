import { describe, expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { RateLimiter } from '../../src/world/rate-limiter.ts'

/** Spec: Limits. */
const defaultRateLimits = { isEnabled: true, marketData: 30, other: 10, windowMillis: millis(1000) }

const now = 1_800_000_000_400
const take = (limiter: RateLimiter, times: number, at = now) =>
  Array.from({ length: times }, () => limiter.countRequest('k', 'other', 'fixed', at))

describe('fixed window', () => {
  it('allows the limit and refuses the next, without counting it', () => {
    const verdicts = take(new RateLimiter(defaultRateLimits), 12)
    expect(verdicts.map((verdict) => verdict.remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0])
    expect(verdicts.map((verdict) => verdict.isAllowed)).toEqual([...Array(10).fill(true), false, false])
    expect(verdicts[0]).toMatchObject({ limit: 10, resetMillis: 1_800_000_001_000 })
  })

  it('starts again at each whole second, to the millisecond', () => {
    const limiter = new RateLimiter(defaultRateLimits)
    take(limiter, 10)
    expect(limiter.countRequest('k', 'other', 'fixed', 1_800_000_000_999).isAllowed).toBe(false)
    expect(limiter.countRequest('k', 'other', 'fixed', 1_800_000_001_000)).toMatchObject({
      isAllowed: true,
      remaining: 9,
      resetMillis: 1_800_000_002_000,
    })
  })

  it('counts each key and each category separately', () => {
    const limiter = new RateLimiter(defaultRateLimits)
    take(limiter, 10)
    expect(limiter.countRequest('other key', 'other', 'fixed', now).remaining).toBe(9)
    expect(limiter.countRequest('k', 'marketData', 'fixed', now)).toMatchObject({ limit: 30, remaining: 29 })
  })

  it('keeps its counts when the limits change, and forgets them when asked', () => {
    const limiter = new RateLimiter(defaultRateLimits)
    take(limiter, 8)
    limiter.changeLimits({ ...defaultRateLimits, other: 8 })
    expect(limiter.countRequest('k', 'other', 'fixed', now).isAllowed).toBe(false)
    limiter.reset()
    expect(limiter.countRequest('k', 'other', 'fixed', now).remaining).toBe(7)
  })

  it('refuses nothing when it is off', () => {
    const limiter = new RateLimiter({ ...defaultRateLimits, isEnabled: false, other: 1 })
    expect(take(limiter, 3).map((verdict) => verdict.isAllowed)).toEqual([true, true, true])
  })

  it('refuses everything at a limit of 0', () => {
    const limiter = new RateLimiter({ ...defaultRateLimits, other: 0 })
    expect(take(limiter, 1)[0]).toMatchObject({ isAllowed: false, limit: 0, remaining: 0 })
  })

  it('reports the whole limit to a key that was not counted', () => {
    const limiter = new RateLimiter(defaultRateLimits)
    take(limiter, 4)
    expect(limiter.unusedVerdict('other', now)).toEqual({
      isAllowed: true,
      limit: 10,
      remaining: 10,
      resetMillis: 1_800_000_001_000,
      retryMillis: 1_800_000_001_000,
    })
  })
})

describe('sliding window', () => {
  it('stops counting each request exactly one window after it came', () => {
    const limiter = new RateLimiter({ ...defaultRateLimits, other: 2 })
    const at = (millis: number) => limiter.countRequest('k', 'other', 'sliding', millis)
    expect(at(now).remaining).toBe(1)
    expect(at(now + 600).remaining).toBe(0)
    expect(at(now + 999)).toMatchObject({ isAllowed: false, resetMillis: now + 1000 })
    expect(at(now + 1000)).toMatchObject({ isAllowed: true, remaining: 0, resetMillis: now + 1600 })
    expect(at(now + 1599).isAllowed).toBe(false)
    expect(at(now + 1600).isAllowed).toBe(true)
  })
})

describe('token bucket', () => {
  it('refills evenly, up to the limit', () => {
    const limiter = new RateLimiter({ ...defaultRateLimits, other: 4 })
    const at = (millis: number) => limiter.countRequest('k', 'other', 'token-bucket', millis)
    expect([at(now), at(now), at(now), at(now)].map((verdict) => verdict.remaining)).toEqual([3, 2, 1, 0])
    expect(at(now).isAllowed).toBe(false)
    expect(at(now + 249).isAllowed).toBe(false)
    expect(at(now + 250)).toMatchObject({ isAllowed: true, remaining: 0 })
    expect(at(now + 60_000)).toMatchObject({ remaining: 3, resetMillis: now + 60_250 })
  })
})

describe('a refused request', () => {
  it.each(['fixed', 'sliding', 'token-bucket'] as const)(
    'may pass when it is told to, and not before: %s',
    (algorithm) => {
      for (const [limit, windowMillis] of [
        [1, 1000],
        [3, 1000],
        [7, 60_000],
        [10, 250],
      ] as const) {
        const limiter = new RateLimiter({
          ...defaultRateLimits,
          other: limit,
          windowMillis: millis(windowMillis),
        })
        const at = (instant: number) => limiter.countRequest('k', 'other', algorithm, instant)
        let verdict = at(now)
        for (let count = 1; verdict.isAllowed; count += 1) verdict = at(now + count)
        const { retryMillis } = verdict
        expect(retryMillis).toBeGreaterThan(now)
        expect(limiter.peek('k', 'other', algorithm, retryMillis - 1).isAllowed).toBe(false)
        expect(limiter.peek('k', 'other', algorithm, retryMillis).isAllowed).toBe(true)
      }
    },
  )
})

describe.each(['fixed', 'sliding', 'token-bucket'] as const)('a clock that is set back: %s', (algorithm) => {
  const limit = 3
  const limiter = () => new RateLimiter({ ...defaultRateLimits, other: limit })
  const fill = (one: RateLimiter, at: number) =>
    Array.from({ length: limit + 1 }, () => one.countRequest('k', 'other', algorithm, at).isAllowed)

  it.each([1, 999, 1000, 1001, 60_000, 7_200_000, 86_400_000 * 400])(
    'refuses no key for more than two windows after %i ms',
    (setBack) => {
      const one = limiter()
      expect(fill(one, now)).toEqual([true, true, true, false])
      const after = now - setBack
      const verdicts = Array.from({ length: 21 }, (_, step) =>
        one.peek('k', 'other', algorithm, after + step * 100),
      )
      for (const [step, { isAllowed, retryMillis }] of verdicts.entries()) {
        expect(retryMillis - (after + step * 100)).toBeLessThanOrEqual(2000)
        if (!isAllowed) expect(one.peek('k', 'other', algorithm, retryMillis).isAllowed).toBe(true)
      }
      expect(one.peek('k', 'other', algorithm, now - setBack + 4000).isAllowed).toBe(true)
    },
  )

  it('still counts a request that later ones have overtaken', () => {
    const one = limiter()
    for (const at of [now, now + 2]) one.countRequest('k', 'other', algorithm, at)
    expect(one.countRequest('k', 'other', algorithm, now - 300)).toMatchObject({
      isAllowed: true,
      remaining: 0,
    })
    expect(one.countRequest('k', 'other', algorithm, now + 3).isAllowed).toBe(false)
  })
})
