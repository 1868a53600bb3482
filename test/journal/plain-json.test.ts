import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromJson, NotPlain, toJson } from '../../src/journal/plain-json.ts'

/** Anything that a snapshot can hold, including keys that look like our own markers. */
const { value } = fc.letrec<{ value: unknown }>((tie) => {
  const key = fc.oneof(fc.constantFrom('$bytes', '$map', '$$', '$number', '__proto__', ''), fc.string())
  const leaf = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true }).map((number) => number + 0),
    fc.bigInt(),
    fc.boolean(),
    fc.string(),
    fc.constant(null),
    fc.uint8Array(),
    fc.int32Array(),
    fc.float64Array({ noNaN: true }),
  )
  return {
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      fc
        .array(fc.tuple(fc.oneof(fc.integer(), fc.string()), tie('value')), { maxLength: 4 })
        .map((pairs) => new Map(pairs)),
    ),
  }
})

describe('data as JSON', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(value, (data) => {
        expect(fromJson(JSON.parse(JSON.stringify(toJson(data))))).toEqual(data)
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  it('is the same text for equal data', () => {
    fc.assert(
      fc.property(value, (data) => {
        expect(JSON.stringify(toJson(data))).toBe(JSON.stringify(toJson(structuredClone(data))))
      }),
      { seed: 8, numRuns: 200 },
    )
  })

  it.each([
    { $bytes: 5 },
    { $bytes: '!' },
    { $doubles: 'AAAA' },
    { $integers: 'AA==' },
    { $map: 5 },
    { $map: [[1]] },
    { $number: 'nan' },
    { $bigint: '1.5' },
    { $other: 1 },
    { $bigint: '9'.repeat(100_000) },
    { $map: [[1, JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))]] },
  ])('is refused in form %#', (json) => {
    expect(() => fromJson(json)).toThrow(NotPlain)
  })
})
