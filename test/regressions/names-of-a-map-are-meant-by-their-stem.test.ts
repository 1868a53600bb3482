// Room: api

import { expect, it } from 'vitest'
import { nearestWord } from '../../src/api/nearest-word.ts'

/* The keys of a map were looked through once, for words that are nearly the same, and then there were none left. */

it('a word that begins a name means it, however the names are kept', () => {
  const names = new Map([['treasury', 1]])
  expect(nearestWord('treas', ['treasury'])).toBe('treasury')
  expect(nearestWord('treas', names.keys())).toBe('treasury')
})
