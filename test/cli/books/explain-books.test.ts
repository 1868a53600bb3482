import { describe, expect, it } from 'vitest'
import { findKnownBook, rememberBook } from '../../../src/market/books/known-books.ts'
import { makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'
import { otcsim } from '../harness.ts'
import { project } from './queue-project.ts'

/* What another process can tell of a run over recorded books, from the run's journal. */

/** Returns a folder with the journal of a run, which no book in memory belongs to. */
async function runOnce(): Promise<string> {
  const cwd = project()
  const words = ['--book', 'book.csv', '--trades', 'trades.csv', '--margin', '--json']
  const { code, err } = await otcsim(['backtest', 'join.mjs', ...words, '--journal', 'run.journal'], { cwd })
  expect([code, err]).toEqual([0, expect.stringContaining('wrote run.journal')])
  forgetBooks()
  return cwd
}

/** Makes the program forget the books that it has read, as another process has not read them. */
function forgetBooks(): void {
  const row = { atMillis: 0, kind: 1, side: 0, priceTicks: 1, quantitySteps: 1 }
  for (let number = 0; number < 64; number += 1)
    rememberBook(makeRecordedBook([row], { hash: `other-${number}` }))
  expect(findKnownBook('other-0')).not.toBeNull()
}

describe('the journal of a run over a recorded book', () => {
  it('is replayed with what was prepared of the book', async () => {
    const cwd = await runOnce()
    const { code, out } = await otcsim(['replay', 'run.journal', '--verify'], { cwd })
    expect([code, out]).toEqual([0, expect.stringContaining('ok  ')])
  })

  it('is found beside the journal, too', async () => {
    const cwd = await runOnce()
    const other = project()
    const { code, err } = await otcsim(['replay', `${cwd}/run.journal`], { cwd: other })
    // The folder of the journal has the book.
    expect([code, err]).toEqual([0, ''])
  })

  it('tells why each order was filled', async () => {
    const cwd = await runOnce()
    const { code, err, out } = await otcsim(['explain', 'run.journal'], { cwd })
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^looked at: \d+ lines; explained 1 of 1 order and 0 quotes\n$/),
    ])
    const [sentence, ...fills] = out.trim().split('\n')
    expect(sentence).toMatch(/^ord_1 \(buy 6 BTC @ 100\) is partially filled, 4 of 6 BTC at 100/)
    expect(sentence).toMatch(/; nothing is ahead of it at its price \(riskAverse\)$/)
    expect(fills).toHaveLength(2)
    expect(fills[0]).toBe(
      '  fill_1 at 22:13:26.700: 2 at 100 as maker, filled by a recorded trade of 2 at 22:13:26.700; 20 was ahead of it at placing: trades took 20, 0 left without a trade (riskAverse), 0 left (row 47, trades.csv line 12)',
    )
  })

  it.each<[string, readonly string[], number, string]>([
    ['an unknown id', ['ord_7'], 2, 'ord_7 is no order or quote of this journal, which has 1 order'],
    ['an unknown account', ['--account', 'desc'], 2, 'did you mean "desk"?'],
    ['a time before any order', ['--until', '0'], 5, 'there is nothing to explain'],
    ['a place that is none', ['--until', 'soon'], 2, '--until takes a sequence'],
  ])('refuses %s', async (_, words, code, text) => {
    const cwd = await runOnce()
    const finished = await otcsim(['explain', 'run.journal', ...words], { cwd })
    expect([finished.code, finished.err]).toEqual([code, expect.stringContaining(text)])
  })

  it('gives the same as JSON', async () => {
    const cwd = await runOnce()
    const { out } = await otcsim(['explain', 'run.journal', 'ord_1', '--json'], { cwd })
    const story = JSON.parse(out)
    expect(story).toMatchObject({ kind: 'order', id: 'ord_1', account: 'desk' })
    expect(story.fills.map(({ quantity }: { quantity: number }) => quantity)).toEqual([2, 2])
  })
})
