import { describe, expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'
import { recordRun } from '../world/journals/recorded.ts'

const { text } = recordRun('31', 20)
const header = `${text.slice(0, text.indexOf('\n'))}\n`

describe('otcsim shrink', () => {
  it.each([
    ['a journal of its header', header, 'account[desk].balance.USD.total < 0'],
    ['an assertion that is false from the start', text, 'price.BTC.mid < 0'],
  ])('fails for %s', async (_what, journal, assertion) => {
    const done = await otcsim(['shrink', 'a.journal', '--assert', assertion], {
      cwd: folderWith({ 'a.journal': journal }),
    })
    expect(done).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/nothing is left to show/) })
  })
})
