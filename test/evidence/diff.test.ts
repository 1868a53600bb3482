import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'
import { recordRun } from '../world/journals/recorded.ts'

const { text } = recordRun('31', 20)
const lines = text.trimEnd().split('\n')
const header = `${lines[0]}\n`
const first = `${lines[1]}\n`
const other = `${recordRun('32', 20).text.split('\n')[0]}\n`

async function compare(a: string | Buffer, b: string | Buffer, ...words: readonly string[]) {
  const cwd = folderWith({})
  writeFileSync(join(cwd, 'a.journal'), a)
  writeFileSync(join(cwd, 'b.journal'), b)
  return otcsim(['diff', 'a.journal', 'b.journal', ...words], { cwd })
}

describe('otcsim diff', () => {
  it.each([
    ['empty files', '', '', 5, /there is no header/],
    ['empty lines', '\n', '\n', 5, /./],
    ['texts that are no journals', 'all is well\n', 'all is well\n', 5, /./],
    ['lines without their header', first, first, 5, /./],
    ['headers alone', header, header, 1, /looked at no lines/],
    ['packed headers', gzipSync(header), gzipSync(header), 1, /looked at no lines/],
    ['a header, and one with half a line', header, header + first.slice(0, 20), 1, /looked at no lines/],
    ['a header beside lines', header, text, 1, /differ/],
    ['headers of other seeds', header, other, 1, /differ/],
    ['an empty file beside a journal', text, '', 5, /there is no header/],
  ])('fails for %s', async (_what, a, b, code, said) => {
    const done = await compare(a, b)
    expect(done.err).toMatch(said)
    expect(done.code).toBe(code)
    expect(done.out).not.toContain('the same')
    const json = await compare(a, b, '--json')
    expect(json.code).toBe(code)
    expect(json.out).not.toContain('"same":true')
  })

  it('says how many lines it has compared', async () => {
    const count = lines.length - 1
    expect(await compare(text, text)).toEqual({
      code: 0,
      out: `the same: ${count} lines\n`,
      err: `looked at: ${count} lines\n`,
    })
    const cut = `${lines.slice(0, 4).join('\n')}\n`
    expect(await compare(text, cut)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^looked at: 3 lines\n/),
    })
    const { out } = await compare(text, text, '--json')
    expect(JSON.parse(out)).toMatchObject({ same: true, lookedAt: { lines: count } })
  })
})
