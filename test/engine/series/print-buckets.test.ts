import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mostPackedBytes, packRows, unpackRows } from '../../../src/engine/series/packed-rows.ts'
import { bucketWidth, instant, last, PrintRows, trades } from '../../../src/engine/series/print-buckets.ts'
import { caseBudget } from '../../support/full-run.ts'

const largest = Number.MAX_SAFE_INTEGER

it('unpacks what it has packed, and packs nothing that it could not', () => {
  const number = fc.oneof(
    fc.nat(300),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.constantFrom(0, largest, -largest, 0.5),
  )
  fc.assert(
    fc.property(fc.array(number, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (numbers, width) => {
      const rows = new Float64Array(numbers)
      const packed = packRows(rows, width, new Uint8Array(rows.length * mostPackedBytes))
      const changes = numbers.map((value, place) => value - (numbers[place - width] ?? 0))
      const fits =
        [...numbers, ...changes].every((value) => Number.isInteger(value)) &&
        changes.every((change) => Math.abs(change) < 2 ** 52)
      expect(packed !== null).toBe(fits)
      if (packed === null) return
      const again = new Float64Array(rows.length)
      unpackRows(packed, width, again)
      expect(again).toEqual(rows)
    }),
    { seed: 7, numRuns: caseBudget(1000) },
  )
})

it('packs a bucket of one print into a quarter of its bytes', () => {
  const rows = Array.from({ length: 256 }, (_, place) => {
    const ticks = 250_000 + (place % 7)
    return [1_767_571_200_000 + 25 * place, ticks, ticks, ticks, 100 + place, ticks * (100 + place), 1]
  }).flat()
  const packed = packRows(new Float64Array(rows), bucketWidth, new Uint8Array(rows.length * mostPackedBytes))
  expect(packed?.length).toBeLessThan((rows.length * 8) / 4)
})

interface Deed {
  readonly appends: number
  readonly drops: number
  readonly asks: readonly number[]
}

const deeds = fc.array(
  fc.record({ appends: fc.nat(400), drops: fc.nat(400), asks: fc.array(fc.nat(3000), { maxLength: 5 }) }),
  { maxLength: 12 },
)

it('reads every part as it was written, however many came and went', () => {
  fc.assert(
    fc.property(deeds, fc.constantFrom(1, 0.5), (draws, unit) => {
      const buckets = new PrintRows()
      let plain: number[][] = []
      let written = 0
      const append = (): void => {
        // Numbers that cannot be packed come with halves.
        const row = [
          1000 + written,
          written % 5,
          written % 3,
          written * unit,
          written % 11,
          written * 7919,
          1,
        ]
        buckets.append(row[instant] ?? 0)
        buckets.rows.set(row, buckets.newest)
        plain.push(row)
        written += 1
      }
      for (const { appends, asks, drops } of draws satisfies readonly Deed[]) {
        for (let time = 0; time < appends; time += 1) append()
        for (const ask of asks.filter((place) => place < plain.length))
          for (const part of [instant, last, trades])
            expect(buckets.field(ask, part)).toBe(plain[ask]?.[part])
        for (let time = 0; time < Math.min(drops, plain.length); time += 1) {
          expect(buckets.oldestField(last)).toBe(plain[time]?.[last])
          buckets.dropOldest()
        }
        plain = plain.slice(Math.min(drops, plain.length))
        expect(buckets.count).toBe(plain.length)
        expect([...buckets.toArray()]).toEqual(plain.flat())
      }
    }),
    { seed: 7, numRuns: caseBudget(60) },
  )
})
