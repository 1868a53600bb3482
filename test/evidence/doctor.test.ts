import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'

const header = 'ts_ms,open,high,low,close,volume\n'
const row = (hour: number) => `${1_609_459_200_000 + hour * 3_600_000},10,12,8,11,5\n`

describe('otcsim doctor FILE', () => {
  it.each([
    ['an empty file', 'a.csv', ''],
    ['spaces', 'a.csv', '  \n\n \n'],
    ['a mark of byte order alone', 'a.csv', '\ufeff'],
    ['a header alone', 'a.csv', header],
    ['a header, again and again', 'a.csv', header + header + header],
    ['remarks alone', 'a.csv', '# no data\n# at all\n'],
    ['rows without a price', 'a.csv', `${header}1609459200000,,,,,\n1609462800000,,,,,\n`],
    ['a list of nothing', 'a.json', '[]'],
    ['an object of nothing', 'a.json', '{}'],
    ['an answer without rows', 'a.json', '{"result":{"list":[]}}'],
    ['a packed header', 'a.csv.gz', gzipSync(header)],
    ['packed nothing', 'a.csv.gz', gzipSync('')],
  ])('fails for %s', async (_what, name, content) => {
    const cwd = folderWith({})
    writeFileSync(join(cwd, name), content)
    const done = await otcsim(['doctor', name], { cwd })
    expect(done.code).toBe(5)
    expect(done.err).not.toBe('')
    expect(done.out).toMatch(/^looked at: \d+ rows?$/m)
    const { ok } = JSON.parse((await otcsim(['doctor', name, '--json'], { cwd })).out)
    expect(ok).toBe(false)
  })

  it.each([
    ['a pattern that no file fits', ['*.csv']],
    ['a file that is not there', ['none.csv']],
    ['a folder', ['.']],
  ])('fails for %s', async (_what, words) => {
    const done = await otcsim(['doctor', ...words], { cwd: folderWith({}) })
    expect(done.code).toBeGreaterThan(0)
    expect(done.err).not.toBe('')
  })

  it('says how many rows of all files it has looked at', async () => {
    const cwd = folderWith({ 'a.csv': header + row(0) + row(1), 'b.csv': header + row(0) + row(1) + row(2) })
    const done = await otcsim(['doctor', 'a.csv', 'b.csv'], { cwd })
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^looked at: 5 rows$/m) })
    const json = JSON.parse((await otcsim(['doctor', 'a.csv', 'b.csv', '--json'], { cwd })).out)
    expect(json).toMatchObject({ ok: true, lookedAt: { rows: 5 } })
  })
})

it('otcsim doctor says how many settings it has looked at', async () => {
  const cwd = folderWith({})
  expect((await otcsim(['doctor'], { cwd })).out).toMatch(/^looked at: \d{2,} settings$/m)
})
