import { expect, it } from 'vitest'
import { addToHash } from '../../../src/engine/snapshot/state-digest.ts'
import { Hash128 } from '../../../src/numeric/hash.ts'

function computeDigest(value: unknown): string {
  const hash = new Hash128()
  addToHash(hash, value)
  return hash.digest()
}

it.each<[what: string, one: unknown, other: unknown]>([
  ['nothing and a text', null, 'null'],
  ['a flag and a text', true, 'true'],
  ['where the text stands that reads like nothing', ['', null, 'null'], ['null', '', null]],
  ['which list an entry is in', [['a'], ['b', 'c']], [['a', 'b'], ['c']]],
  ['a list and a text beside its entry', [['a']], ['list', 1, 'a']],
  ['an object and a map', { a: 1 }, new Map([['a', 1]])],
  ['which object a field is in', [{ a: 1, b: 2 }, {}], [{ a: 1 }, { b: 2 }]],
  ['what a key stands for', { a: 'b' }, { b: 'a' }],
  ['a number and its text', 1, '1'],
])('data of which only this differs have different digests: %s', (_what, one, other) => {
  expect(computeDigest(one)).not.toBe(computeDigest(other))
})

it.each<[what: string, one: unknown, other: unknown]>([
  ['fields', { a: 1, b: [true, null] }, { b: [true, undefined], a: 1 }],
  [
    'entries',
    new Map([
      ['a', 1],
      ['b', 2],
    ]),
    new Map([
      ['b', 2],
      ['a', 1],
    ]),
  ],
  [
    'numbered entries',
    new Map([
      [9, 'a'],
      [10, 'b'],
    ]),
    new Map([
      [10, 'b'],
      [9, 'a'],
    ]),
  ],
])('the order of %s does not matter', (_what, one, other) => {
  expect(computeDigest(one)).toBe(computeDigest(other))
})
