import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { divergence } from './replay.ts'
import { readVectors } from './vector.ts'

/* The same vectors run on other engines, time zones and locales by test/golden/on-every-engine. */

const vectors = readVectors(readFileSync(new URL('vectors.json', import.meta.url), 'utf8'))

test.each(vectors)('the golden vector $name holds', (vector) => {
  expect(vector.commands.length).toBe(vector.digests.length)
  expect(divergence(vector)).toBe(null)
})

test('a difference is found at its first step', () => {
  const [vector] = vectors
  if (vector === undefined) throw new Error('There are no golden vectors')
  const digests = vector.digests.with(7, '0'.repeat(32))
  expect(divergence({ ...vector, digests })).toContain('digest after command 7')
  expect(divergence({ ...vector, events: '' })).toContain('other events')
})
