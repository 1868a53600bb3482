import { expect, test } from 'vitest'
import { OutwardValues } from '../../../src/market/models/stepped-path.ts'

test('values are known from 0 outwards, each beside one that is', () => {
  const values = new OutwardValues(7)
  expect([values.first, values.last, values.get(0)]).toEqual([0, 0, 7])
  for (const unknown of [1, -1]) expect(() => values.get(unknown)).toThrow('known before it is read')
  for (const place of [1, -1, 2, -2, -3]) values.set(place, 10 * place)
  expect([values.first, values.last]).toEqual([-3, 2])
  expect([-3, -2, -1, 0, 1, 2].map((place) => values.get(place))).toEqual([-30, -20, -10, 7, 10, 20])
  for (const beyond of [4, -5]) expect(() => values.set(beyond, 1)).toThrow('from 0 outwards')
  for (const unknown of [3, -4]) expect(() => values.get(unknown)).toThrow('known before it is read')
})
