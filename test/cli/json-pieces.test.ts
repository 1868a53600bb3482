import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonLine, writeJsonLine } from '../../src/cli/terminal.ts'

function writeWhole(value: object): readonly string[] {
  const pieces: string[] = []
  writeJsonLine({ out: (text) => void pieces.push(text) }, value)
  return pieces
}

it('a line of JSON in pieces has the bytes of the whole', () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
      expect(writeWhole(value).join('')).toBe(jsonLine(value))
    }),
  )
  for (const value of [{}, [], { a: undefined, b: [undefined], c: { d: undefined } }])
    expect(writeWhole(value).join('')).toBe(jsonLine(value))
})

it('lists of any length come in short pieces', () => {
  const list = Array.from({ length: 250_001 }, (_, place) => ({ place, price: place / 7 }))
  const pieces = writeWhole({ first: 1, nested: [{ list }], last: 2 })
  expect(pieces.join('')).toBe(jsonLine({ first: 1, nested: [{ list }], last: 2 }))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000)
})
