// Room: engine

import { expect, it } from 'vitest'
import { addToHash } from '../../src/engine/snapshot/state-digest.ts'
import { Hash128 } from '../../src/numeric/hash.ts'

/* Metadata {"a": null} and {"a": "null"} had the same digest, and so had true and "true". */
it.each<[unknown, unknown]>([
  [{ a: null }, { a: 'null' }],
  [{ a: true }, { a: 'true' }],
  [{ a: false }, { a: 'false' }],
  [{ a: [] }, { a: 'list' }],
  [
    [['text', null], 1],
    [['null'], 1],
  ],
  [
    ['text', 'null'],
    ['text', null],
  ],
])('%j and %j have different digests', (left, right) => {
  expect(digestOf(left)).not.toBe(digestOf(right))
})

function digestOf(value: unknown): string {
  const hash = new Hash128()
  addToHash(hash, value)
  return hash.digest()
}
