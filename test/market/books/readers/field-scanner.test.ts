import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FieldScanner } from '../../../../src/market/books/readers/field-scanner.ts'

/* The places of a line's fields are taken from the line before where those are the same. */

const field = fc.string({ unit: fc.constantFrom(...'0123.-"\' eé\r'), maxLength: 9 })
/** Lines that have much in common with the line before, and some that have not. */
const rows = fc.array(
  fc.record({ base: fc.nat(2), cut: fc.nat(12), put: field, fields: fc.array(field, { maxLength: 6 }) }),
  { minLength: 2, maxLength: 40 },
)

test('fields are those that a line has when it stands alone', () => {
  let repeated = 0
  fc.assert(
    fc.property(rows, fc.nat(4), (drawn, head) => {
      const bases = [
        'venue,COIN,1767571200000000,17,true,',
        '"venue" ,COIN,1767571200012345,18,true,',
        '1,2,3,4',
      ]
      const lines = drawn.map(({ base, cut, fields, put }) => {
        const text = bases[base] ?? ''
        return `${text.slice(0, text.length - cut)}${put}${text.slice(text.length - cut)}${fields.join()}`
      })
      const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`)
      const [scanner, alone] = [new FieldScanner(), new FieldScanner()]
      let before: readonly string[] = []
      for (let from = 0; from < bytes.length; from = scanner.next) {
        const count = scanner.split(bytes, from, bytes.length, head)
        expect(alone.split(bytes, from, bytes.length)).toBe(count)
        const told = Array.from({ length: count }, (_, place) => scanner.readText(place))
        expect(told).toEqual(Array.from({ length: count }, (_, place) => alone.readText(place)))
        expect(scanner.next).toBe(alone.next)
        for (let place = 0; place < head && scanner.isRepeated(place); place += 1) {
          repeated += 1
          expect(told[place]).toBe(before[place])
        }
        before = told
      }
    }),
    { numRuns: 300 },
  )
  expect(repeated).toBeGreaterThan(500)
})

test.each([
  ['1767571200', 10, 1_767_571_200_000_000],
  ['1767571200123', 13, 1_767_571_200_123_000],
  ['1767571200123456', 16, 1_767_571_200_123_456],
  ['1767571200123456000', 19, 1_767_571_200_123_456],
  ['1767571200123456001', 19, 1_767_571_200_123_457],
  ['176757120012345', 16, -1],
  ['1767571a00123456', 16, -1],
  ['176757120012345/', 16, -1],
  ['17675712001234560:0', 19, -1],
  ['17675:1200', 10, -1],
  ['17675712,0', 10, -1],
])('a time of %s, of %i digits, is %i microseconds', (text, digits, micros) => {
  const scanner = new FieldScanner()
  const bytes = new TextEncoder().encode(text)
  scanner.split(bytes, 0, bytes.length)
  expect(scanner.readMicros(0, digits)).toBe(micros)
})
