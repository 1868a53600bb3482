import { expect, it } from 'vitest'
import { assert, InvariantError, unreachable } from '../../src/numeric/assert.ts'

it('a violated invariant is named in the error', () => {
  expect(() => assert(false, 'sums agree')).toThrow('Invariant: sums agree')
  expect(() => assert(true, 'sums agree')).not.toThrow()
  expect(new InvariantError('sums agree').name).toBe('InvariantError')
})

it('reaching a branch that the types rule out throws', () => {
  const code = (side: 'buy') => (side === 'buy' ? 0 : unreachable(side))
  expect(() => code(JSON.parse('"sideways"'))).toThrow('Invariant: unreachable value sideways')
})
