// Room: scenario

import { expect, it } from 'vitest'
import { formatMistake } from '../../src/scenario/file/mistake.ts'
import { parseDocument } from '../../src/scenario/file/parse-document.ts'

/* A byte order mark, or tags, hid brackets from the count, and the YAML library then ran out of stack. */

it.each([
  ['a byte order mark', `\uFEFF${'['.repeat(5000)}`, 'f:1:33'],
  ['tags', '!t ['.repeat(5000), 'f:1:128'],
  ['anchors', '&a ['.repeat(5000), 'f:1:128'],
])('brackets behind %s count as nesting', (_, text, place) => {
  const read = parseDocument(text, 'f')
  expect(read.ok ? [] : read.problems.map(formatMistake)).toEqual([`${place} nested deeper than 32 levels`])
})

it('brackets in a text over several lines are no nesting', () => {
  expect(parseDocument(`a: |\n  ${'['.repeat(5000)}\nb: 1`, 'f').ok).toBe(true)
})
