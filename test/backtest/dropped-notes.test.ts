import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'

it.each([
  [1000, 1000, []],
  [1500, 1000, ['The strategy wrote 1500 notes: the first 1000 are kept, 500 are left out.']],
])('of %i notes, keeps %i and says what is left out', async (written, kept, said) => {
  const writer = defineStrategy({
    name: 'writer',
    onStart({ note }) {
      for (let place = 0; place < written; place += 1) note(`note ${place}`)
    },
  })
  const { notes, metrics } = await backtest(writer, { model: 'constant', to: '1m' })
  expect(notes).toHaveLength(kept)
  expect(metrics.warnings.filter((warning) => warning.includes('notes'))).toEqual(said)
})
