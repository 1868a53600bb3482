import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseText } from './parse-text.ts'

/* From where on the volumes of a recording may be in another unit: each of the next eight a multiple of each of the last. */

const firstMillis = Date.UTC(2025, 0, 1)
const minuteOf = (place: number): number => firstMillis + place * 60_000

function readWarnings(volumes: readonly number[]): readonly string[] {
  const rows = volumes.map((volume, place) => `${minuteOf(place)},10,11,9,10,${volume}`)
  const read = parseText(['ts_ms,open,high,low,close,volume', ...rows].join('\n'))
  if (!read.ok) throw new Error(read.problem.message)
  return read.explanation?.warnings.filter((text) => text.includes('in another unit')) ?? []
}

/** By the definition, with lists, at every candle in which something was traded. */
function expectWarnings(volumes: readonly number[]): readonly string[] {
  for (const [place, volume] of volumes.entries()) {
    const before = volumes
      .slice(0, place)
      .filter((one) => one > 0)
      .slice(-8)
    const after = volumes
      .slice(place)
      .filter((one) => one > 0)
      .slice(0, 8)
    if (volume === 0 || before.length === 0) continue
    const isUp = after.every((own) => before.every((other) => own >= 20 * other))
    const isDown = after.every((own) => before.every((other) => other >= 20 * own))
    const at = new Date(minuteOf(place)).toISOString()
    const change = isUp ? 'more than 20 times' : 'less than a 20th of'
    if (isUp || isDown)
      return [`From ${at} on, volumes are ${change} those before: they may be in another unit there.`]
  }
  return []
}

it('is where the definition says, whatever the volumes are', () => {
  const volume = fc.constantFrom(0, 0, 1, 2, 19, 20, 21, 40, 400, 800)
  const steady = fc.record({
    calm: fc.array(fc.constantFrom(0, 1, 2), { minLength: 2, maxLength: 20 }),
    factor: fc.constantFrom(0.05, 0.5, 20, 40),
  })
  const stepped = steady.map(({ calm, factor }) => [...calm, ...calm.map((one) => 40 * one * factor)])
  let found = 0
  fc.assert(
    fc.property(fc.oneof(fc.array(volume, { minLength: 2, maxLength: 40 }), stepped), (volumes) => {
      const expected = expectWarnings(volumes)
      found += expected.length
      expect(readWarnings(volumes)).toEqual(expected)
    }),
    { seed: 7, numRuns: 400 },
  )
  expect(found).toBeGreaterThan(50)
})
