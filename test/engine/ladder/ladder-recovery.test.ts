import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { LadderRecovery } from '../../../src/engine/ladder/ladder-recovery.ts'

const createRule = (activity: number) => ({
  refillHalfLifeMillis: 2000,
  pull: 0.5,
  pullHalfLifeMillis: 60_000,
  calmMillisBetween: (from: number, to: number) => (to - from) / Math.max(1, activity),
})

const makeTaken = (entries: Readonly<Record<number, number>>): Float64Array => {
  const values = new Float64Array(50)
  for (const [level, usd] of Object.entries(entries)) values[Number(level)] = usd
  return values
}

const none = makeTaken({})

test.each([
  [1, 0, 2000],
  [1, 10, 5000],
  [6, 0, 12_000],
  [0.2, 4, 3200],
])('with activity %d half of what was taken from level %d is back after %d ms', (activity, level, millis) => {
  const recovery = new LadderRecovery(createRule(activity))
  recovery.add(1000, makeTaken({ [level]: 800 }), none, false)
  expect(recovery.missingAt(buy, 1000)?.[level]).toBe(800)
  expect(recovery.missingAt(buy, 1000 + millis)?.[level]).toBeCloseTo(400, 6)
  expect(recovery.missingAt(sell, 1000 + millis)).toBe(null)
})

test('with six times the activity, nine tenths of the levels within 10 basis points recover in two minutes', () => {
  const recovery = new LadderRecovery(createRule(6))
  recovery.add(0, makeTaken({ 0: 700_000, 1: 600_000, 2: 400_000, 3: 300_000 }), none, true)
  const missing = Array.from(recovery.missingAt(buy, 120_000) ?? [])
  expect(missing.reduce((sum, usd) => sum + usd, 0)).toBeLessThan(200_000)
})

test('how far beyond its limit a rule has counted makes no difference', () => {
  const { calmMillisBetween, ...rest } = createRule(3)
  const frugal = {
    ...rest,
    calmMillisBetween: (from: number, to: number, limitMillis: number) => {
      const calmMillis = calmMillisBetween(from, to)
      return calmMillis > limitMillis ? limitMillis * 1.000_001 : calmMillis
    },
  }
  const usd = fc.oneof(
    fc.double({ min: 0.01, max: 1, noNaN: true }),
    fc.integer({ min: 1, max: 1_000_000_000 }),
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 49 }),
      usd,
      usd,
      fc.integer({ min: 0, max: 4_000_000 }),
      (level, first, other, later) => {
        const [whole, cut] = [createRule(3), frugal].map((rule) => {
          const recovery = new LadderRecovery(rule)
          recovery.add(0, makeTaken({ 0: first, [level]: other }), none, false)
          return recovery.missingAt(buy, later)
        })
        expect(cut).toEqual(whole)
      },
    ),
    { seed: 7, numRuns: 200 },
  )
})

test('the remainder of many hits is the sum of the remainders of each', () => {
  const hit = fc.record({
    after: fc.integer({ min: 0, max: 9000 }),
    level: fc.integer({ min: 0, max: 49 }),
    usd: fc.integer({ min: 1, max: 1_000_000 }),
    side: fc.constantFrom(buy, sell),
  })
  fc.assert(
    fc.property(
      fc.array(hit, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 0, max: 40_000 }),
      (hits, later) => {
        const recovery = new LadderRecovery(createRule(3))
        const copied = new LadderRecovery(createRule(3))
        let now = 0
        const done: {
          readonly at: number
          readonly level: number
          readonly usd: number
          readonly side: number
        }[] = []
        for (const { after, level, usd, side } of hits) {
          now += after
          const values = makeTaken({ [level]: usd })
          for (const each of [recovery, copied])
            each.add(now, side === buy ? values : none, side === buy ? none : values, false)
          recovery.missingAt(buy, now + 5)
          copied.restore(copied.capture(now, now))
          done.push({ at: now, level, usd, side })
        }
        const end = now + later
        for (const side of [buy, sell] as const) {
          const naive = new Array<number>(50).fill(0)
          for (const { at, level, usd, side: of } of done) {
            if (of !== side) continue
            naive[level] = (naive[level] ?? 0) + usd * 0.5 ** ((end - at) / 3 / 2000 / (1 + 0.15 * level))
          }
          for (const each of [recovery, copied]) {
            const missing = each.missingAt(side, end)
            for (const [level, usd] of naive.entries()) {
              // What falls below a cent is forgotten.
              expect(Math.abs((missing?.[level] ?? 0) - usd)).toBeLessThan(0.02 + usd * 1e-9)
            }
          }
        }
        expect(copied.capture(end, end)).toEqual(recovery.capture(end, end))
      },
    ),
    { seed: 7, numRuns: 150 },
  )
})

test('recovers completely in the end, and reports it', () => {
  const recovery = new LadderRecovery(createRule(1))
  recovery.add(5, makeTaken({ 2: 100 }), none, true)
  expect(recovery.isActive(60_000)).toBe(true)
  expect(recovery.farDepthAt(60_005)).toBeCloseTo(0.75, 9)
  expect(recovery.isActive(10_000_000)).toBe(false)
  expect(recovery.capture(10_000_000, 10_000_000)).toBe(null)
  expect(recovery.farDepthAt(10_000_000)).toBe(1)
})

test('what is missing when the pace changes comes back at the new pace', () => {
  let pace = 1
  const rule = { ...createRule(1), calmMillisBetween: (from: number, to: number) => pace * (to - from) }
  const recovery = new LadderRecovery(rule)
  recovery.add(0, makeTaken({ 0: 800 }), none, false)
  recovery.settle(2000)
  pace = 0
  expect(recovery.missingAt(buy, 9000)?.[0]).toBeCloseTo(400, 6)
  recovery.settle(9000)
  pace = 4
  expect(recovery.missingAt(buy, 9500)?.[0]).toBeCloseTo(200, 6)
  expect(recovery.sinceAtMillis).toBe(9000)
  recovery.settle(1_000_000)
  expect(recovery.missingAt(buy, 1_000_000)).toBe(null)
  expect(recovery.sinceAtMillis).toBe(9000)
})
