import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'
import { recordRun } from '../world/journals/recorded.ts'

const { text, world } = recordRun('31', 20)
const header = `${text.slice(0, text.indexOf('\n'))}\n`
const first = text.slice(header.length, text.indexOf('\n', header.length))

const cut = `${text.split('\n').slice(0, 6).join('\n')}\n`
const lastInstant = [...text.matchAll(/"at":"([^"]+)"/g)].at(-1)?.[1] ?? ''

describe('otcsim replay --verify', () => {
  it.each([
    ['an empty file', '', [], 5, /there is no header/],
    ['an empty line', '\n', [], 5, /./],
    ['a text that is no journal', 'all is well\n', [], 5, /./],
    ['a line without its header', `${first}\n`, [], 5, /./],
    ['a journal of its header', header, [], 1, /looked at no lines/],
    ['a packed journal of its header', gzipSync(header), [], 1, /looked at no lines/],
    ['a header with half a line', header + first.slice(0, 20), [], 1, /looked at no lines/],
    ['a span before the first line', text, ['--until', '0'], 1, /looked at no lines/],
    ['an instant before the start', text, ['--until', '2025-01-01T00:00:00Z'], 1, /looked at no lines/],
    ['a place after the end', text, ['--until', String(world.sequence + 1)], 1, /looked only as far as #/],
    [
      'an instant after the end',
      text,
      ['--until', '2030-01-01T00:00:00Z'],
      1,
      /looked only as far as #\d+ at 20/,
    ],
    ['an instant after a cut', cut, ['--until', '2026-01-05T00:01:00Z'], 1, /where the journal ends; 2026/],
  ])('fails for %s', async (_what, journal, words, code, said) => {
    const cwd = folderWith({})
    writeFileSync(join(cwd, 'a.journal'), journal)
    const done = await otcsim(['replay', 'a.journal', '--verify', ...words], { cwd })
    expect(done.err).toMatch(said)
    expect(done.code).toBe(code)
    const json = await otcsim(['replay', 'a.journal', '--verify', '--json', ...words], { cwd })
    expect(json.code).toBe(code)
    expect(json.out).not.toContain('"ok":true')
  })

  it('takes an instant before the end, and that of the last line', async () => {
    const cwd = folderWith({ 'a.journal': text })
    for (const until of ['2026-01-05T00:00:00.001Z', lastInstant]) {
      const done = await otcsim(['replay', 'a.journal', '--verify', '--until', until], { cwd })
      expect(done).toMatchObject({ code: 0, out: expect.stringContaining(` at ${until}, digest`) })
    }
  })

  it('says what it has looked at', async () => {
    const cwd = folderWith({ 'a.journal': text })
    const done = await otcsim(['replay', 'a.journal', '--verify'], { cwd })
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^looked at: \d+ lines$/m) })
  })
})
