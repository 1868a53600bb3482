import { expect, it } from 'vitest'
import { formatKnownWords, listWords } from '../../src/api/nearest-word.ts'

it.each([
  ['tree', ['three', 'one', 'two'], 'did you mean three? Also known: one, two'],
  ['xyz', ['one', 'two'], 'known: one, two'],
  ['won', ['one'], 'known: one'],
  ['onee', ['one'], 'did you mean one?'],
  ['one', [], null],
])('of %s among %j', (word, known, hint) => {
  expect(formatKnownWords(word, known)).toBe(hint)
})

it('says how many words a long list leaves out', () => {
  const words = Array.from({ length: 83 }, (_, place) => `w${place}`)
  expect(listWords(words.slice(0, 80))).toMatch(/^w0, .*, w79$/)
  expect(listWords(words)).toMatch(/, w79 and 3 more$/)
})
