import { describe, expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'
import { recordRun } from '../world/journals/recorded.ts'

const { text, world } = recordRun('31', 20)
const header = `${text.slice(0, text.indexOf('\n'))}\n`

describe('otcsim replay --verify', () => {
  it.each([
    ['a journal of its header', header, [], /looked at no lines/],
    ['a span before the first line', text, ['--until', '0'], /looked at no lines/],
    ['a place after the end', text, ['--until', String(world.sequence + 1)], /looked only as far as #/],
  ])('fails for %s', async (_what, journal, words, said) => {
    const done = await otcsim(['replay', 'a.journal', '--verify', ...words], {
      cwd: folderWith({ 'a.journal': journal }),
    })
    expect(done.err).toMatch(said)
    expect(done.code).toBe(1)
  })
})
