import { describe, expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'
import { recordRun } from '../world/journals/recorded.ts'

const { text } = recordRun('31', 20)
const header = `${text.slice(0, text.indexOf('\n'))}\n`
const fails = ['--assert', 'account[desk].balance.USD.total < 0']

describe('otcsim shrink', () => {
  it.each([
    ['an empty file', '', fails, 5, /there is no header/],
    ['a text that is no journal', 'all is well\n', fails, 5, /./],
    ['a journal of its header', header, fails, 1, /nothing is left to show/],
    [
      'an assertion that is false from the start',
      text,
      ['--assert', 'price.BTC.mid < 0'],
      1,
      /nothing is left/,
    ],
    ['an assertion that holds', text, ['--assert', 'price.BTC.mid > 0'], 1, /does not show the failure/],
    [
      'an assertion that is neither',
      text,
      ['--assert', 'metrics[viewer].makerFillRatio > 2'],
      1,
      /does not show the failure|nothing is left to show/,
    ],
    ['an order that never was', text, ['--assert', "order[ord_999].status == 'open'"], 2, /ord_999/],
    ['a digest that is not its', text, ['--digest', '0'.repeat(32)], 1, /does not show the failure/],
    ['the digest of a journal of its header', header, ['--digest'], 1, /nothing is left to show/],
    ['neither an assertion nor a digest', text, [], 2, /needs --assert/],
  ])('fails for %s', async (_what, journal, words, code, said) => {
    const done = await otcsim(['shrink', 'a.journal', ...words], {
      cwd: folderWith({ 'a.journal': journal }),
    })
    expect(done.err).toMatch(said)
    expect(done).toMatchObject({ code, out: '' })
  })

  it('says what it has looked at', async () => {
    const words = ['shrink', 'a.journal', '--digest']
    const done = await otcsim(words, { cwd: folderWith({ 'a.journal': text }) })
    expect(done).toMatchObject({ code: 0, err: expect.stringMatching(/^looked at: \d+ lines$/m) })
  })
})
