import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonLine, writeJsonLine } from '../../src/cli/terminal.ts'

async function writeWhole(value: object): Promise<readonly string[]> {
  const pieces: string[] = []
  const outTaken = async (text: string): Promise<void> => void pieces.push(text)
  await writeJsonLine({ outTaken }, value)
  return pieces
}

it('a line of JSON in pieces has the bytes of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
      async (value) => {
        expect((await writeWhole(value)).join('')).toBe(jsonLine(value))
      },
    ),
  )
  for (const value of [{}, [], { a: undefined, b: [undefined], c: { d: undefined } }])
    expect((await writeWhole(value)).join('')).toBe(jsonLine(value))
})

it('lists of any length come in short pieces', async () => {
  const list = Array.from({ length: 250_001 }, (_, place) => ({ place, price: place / 7 }))
  const pieces = await writeWhole({ first: 1, nested: [{ list }], last: 2 })
  expect(pieces.join('')).toBe(jsonLine({ first: 1, nested: [{ list }], last: 2 }))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000)
})

it('what is made as it is read comes as a list of any length', async () => {
  for (const length of [0, 1, 999, 1000, 1001, 2000, 2500]) {
    const list = Array.from({ length }, (_, place) => ({ place, nothing: undefined }))
    const pieces = await writeWhole({ first: 1, list: new Set(list), last: 2 })
    expect(pieces.join('')).toBe(jsonLine({ first: 1, list, last: 2 }))
  }
})

it('waits for the reader before it makes the next piece', async () => {
  const list = Array.from({ length: 5000 }, (_, place) => ({ place, text: 'x'.repeat(200) }))
  let isTaking = false
  let pieces = 0
  const outTaken = async (): Promise<void> => {
    expect(isTaking).toBe(false)
    isTaking = true
    await new Promise(setImmediate)
    isTaking = false
    pieces += 1
  }
  await writeJsonLine({ outTaken }, { list })
  expect(pieces).toBeGreaterThan(4)
})
