import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyChanges, findChanges } from '../../src/api/json.ts'

it('changes of JSON lead from any value to any other, and there are none between equal ones', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      const changes = findChanges(before, after)
      const sent = changes === undefined ? undefined : JSON.parse(JSON.stringify(changes))
      const plain = JSON.parse(JSON.stringify(after))
      expect(sent === undefined ? before : applyChanges(before, sent)).toEqual(plain)
      expect(findChanges(after, after)).toBeUndefined()
    }),
  )
})

it('changes of JSON know a member that is called = from one that is new', () => {
  const after = { '=': 2 }
  expect(applyChanges({ '=': 1 }, findChanges({ '=': 1 }, after))).toEqual(after)
})

it('changes of JSON name only what differs', () => {
  const before = {
    price: 1,
    levels: [
      { at: 5, size: 1 },
      { at: 6, size: 2 },
    ],
    gone: null,
    names: ['a'],
  }
  const after = {
    price: 1,
    levels: [
      { at: 5, size: 1 },
      { at: 6, size: 3 },
    ],
    gone: { a: 1 },
    names: ['a', 'b'],
  }
  expect(findChanges(before, after)).toEqual({
    levels: { 1: { size: 3 } },
    gone: { '=': { a: 1 } },
    names: { '=': ['a', 'b'] },
  })
})
