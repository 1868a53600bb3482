import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Hash128 } from '../../src/numeric/hash.ts'
import { caseBudget } from '../support/full-run.ts'

type Addition =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'doubles' | 'integers' | 'bytes'; readonly value: readonly number[] }

function add(hash: Hash128, addition: Addition): void {
  switch (addition.kind) {
    case 'number':
      hash.addInteger(addition.value)
      break
    case 'text':
      hash.addText(addition.value)
      break
    case 'doubles':
      hash.addFloat64Array(Float64Array.from(addition.value))
      break
    case 'integers':
      hash.addInt32Array(Int32Array.from(addition.value))
      break
    case 'bytes':
      hash.addUint8Array(Uint8Array.from(addition.value))
      break
  }
}

function digestOf(additions: readonly Addition[]): string {
  const hash = new Hash128()
  for (const addition of additions) add(hash, addition)
  return hash.digest()
}

const number = (value: number): Addition => ({ kind: 'number', value })
const text = (value: string): Addition => ({ kind: 'text', value })

const anyNumber = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.integer(), fc.nat(3))
const addition: fc.Arbitrary<Addition> = fc.oneof(
  anyNumber.map(number),
  fc.oneof(fc.string(), fc.string({ unit: 'binary' })).map(text),
  fc.array(anyNumber).map((value): Addition => ({ kind: 'doubles', value })),
  fc.array(fc.integer()).map((value): Addition => ({ kind: 'integers', value })),
  fc.array(fc.nat(255)).map((value): Addition => ({ kind: 'bytes', value })),
)

/** What was added, as text in which different sequences differ. */
function written(additions: readonly Addition[]): string {
  return JSON.stringify(additions, (_key, value) => (typeof value === 'number' ? String(value) : value))
}

describe('Hash128', () => {
  it('gives different digests for different sequences, and equal ones for equal sequences', () => {
    const sequence = fc.array(addition, { maxLength: 6 })
    fc.assert(
      fc.property(sequence, sequence, (left, right) => {
        expect(digestOf(left) === digestOf(right)).toBe(written(left) === written(right))
        expect(digestOf(left)).toBe(digestOf(left))
      }),
      { seed: 7, numRuns: caseBudget(5_000) },
    )
  })

  it.each([
    ['where a text ends', [text('ab'), text('c')], [text('a'), text('bc')]],
    ['zeros at the end of a text', [text('a')], [text('a\0')]],
    ['an empty text from zero', [text('')], [number(0)]],
    ['an empty text from nothing', [text('')], []],
    ['zero from nothing', [number(0)], []],
    ['how many zeros', [number(0)], [number(0), number(0)]],
    ['the order', [number(1), number(2)], [number(2), number(1)]],
    ['the sign', [number(1)], [number(-1)]],
    ['a large integer from its lower word', [number(4294967297)], [number(1)]],
    ['a large negative integer', [number(-4294967297)], [number(4294967297)]],
    ['a fraction from its integer', [number(1.5)], [number(1)]],
    ['neighbouring doubles', [number(0.1 + 0.2)], [number(0.3)]],
    ['a lone surrogate from its replacement', [text('\ud800')], [text('\ufffd')]],
    ['doubles from integers', [{ kind: 'doubles', value: [1] }], [{ kind: 'integers', value: [1] }]],
    ['where an array ends', [{ kind: 'integers', value: [1] }], [{ kind: 'integers', value: [1, 0] }]],
    ['where bytes end', [{ kind: 'bytes', value: [1] }], [{ kind: 'bytes', value: [1, 0] }]],
  ] satisfies readonly (readonly [string, readonly Addition[], readonly Addition[]])[])(
    'tells %s apart',
    (_title, left, right) => {
      expect(digestOf(left)).not.toBe(digestOf(right))
    },
  )

  it('takes -0 as 0, and every NaN as one', () => {
    expect(digestOf([number(-0)])).toBe(digestOf([number(0)]))
    expect(digestOf([{ kind: 'doubles', value: [-0] }])).toBe(digestOf([{ kind: 'doubles', value: [0] }]))
    const payload = new Float64Array(new BigUint64Array([0x7ff8000000000123n]).buffer)
    const hash = new Hash128()
    hash.addFloat64Array(payload)
    expect(hash.digest()).toBe(digestOf([{ kind: 'doubles', value: [Number.NaN] }]))
  })

  it('continues after a digest, and a copy is independent', () => {
    const hash = new Hash128()
    hash.addText('one')
    const twin = hash.copy()
    expect(twin.digest()).toBe(hash.digest())
    hash.addInteger(2)
    expect(twin.digest()).toBe(digestOf([text('one')]))
    expect(hash.digest()).toBe(digestOf([text('one'), number(2)]))
  })

  it('changes about half of the output bits for each input bit', () => {
    let moved = 0
    let pairs = 0
    for (let bit = 0; bit < 52; bit++) {
      for (let k = 1; k <= 20; k++) {
        const value = k * 1_234_567
        const flipped = Number(BigInt(value) ^ (1n << BigInt(bit)))
        moved += differingBits(digestOf([number(value)]), digestOf([number(flipped)]))
        pairs += 1
      }
    }
    expect(Math.abs(moved / pairs - 64)).toBeLessThan(2)
  })

  it('depends on each byte of an array, which is the same wherever it lies in memory', () => {
    const hashed = (bytes: Uint8Array): string => {
      const hash = new Hash128()
      hash.addUint8Array(bytes)
      return hash.digest()
    }
    const bytes = Uint8Array.from({ length: 19 }, (_, place) => 200 + place)
    const apart = new Uint8Array(20).subarray(1)
    const digests = new Set([hashed(bytes)])
    for (const place of bytes.keys()) {
      apart.set(bytes)
      apart[place] = 7
      digests.add(hashed(apart))
      expect(hashed(Uint8Array.from(apart))).toBe(hashed(apart))
    }
    expect(digests.size).toBe(20)
  })

  it('has no collision among 200,000 neighbouring integers', () => {
    const digests = new Set<string>()
    for (let k = 0; k < 200_000; k++) digests.add(digestOf([number(k - 100_000)]))
    expect(digests.size).toBe(200_000)
  })

  it('keeps its known answers on every engine', () => {
    expect(digestOf([])).toMatchInlineSnapshot(`"00000000000000000000000000000000"`)
    expect(
      digestOf([number(1), text('otcsim'), { kind: 'doubles', value: [0.5, -1e300] }]),
    ).toMatchInlineSnapshot(`"670b362b706989ce9b8e6a6c86a8bd06"`)
    expect(digestOf([number(2 ** 53 - 1), number(-(2 ** 40) - 5)])).toMatchInlineSnapshot(
      `"e37617a1e3d31424961d1aad0a81726e"`,
    )
    expect(
      digestOf([
        { kind: 'integers', value: [-1, 2, 3] },
        { kind: 'bytes', value: [0, 255, 1, 2, 3, 4, 5, 6, 7] },
      ]),
    ).toMatchInlineSnapshot(`"75318be129bf43cebd6704693e1011f6"`)
  })
})

function differingBits(left: string, right: string): number {
  const difference = BigInt(`0x${left}`) ^ BigInt(`0x${right}`)
  return difference.toString(2).replaceAll('0', '').length
}
