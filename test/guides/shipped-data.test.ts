import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bookText } from '../build/generate-book.ts'
import { candlesText } from '../build/generate-candles.ts'
import { otcsim, repository } from '../cli/harness.ts'

it('the candles that ship are those that otcsim makes', () => {
  expect(readFileSync(join(repository, 'scenarios/data/candles-4h.csv'), 'utf8')).toBe(candlesText())
})

it('the book that ships is the one that otcsim makes', () => {
  expect(readFileSync(join(repository, 'scenarios/data/book.csv'), 'utf8')).toBe(bookText())
})

it('the recording that ships holds no secrets, and proves the readings of its venue', async () => {
  const text = readFileSync(join(repository, 'scenarios/data/recorded.har'), 'utf8')
  expect(text).not.toMatch(/sims_|simk_/)
  const ended = await otcsim(['drift', '--har', 'scenarios/data/recorded.har', '--json'])
  expect(ended.code).toBe(0)
  expect(ended.out).toContain('"wrapped"')
})
