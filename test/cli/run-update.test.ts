import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

const pinned = `# why: this stays
version: 1
name: pinned
clock: {end: 10s}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: gbm}}}}

expect:
  - journalDigest: "?"   # and this
  - {at: +5s, recorded: true, that: {price.BTC.mark: {eq: 1}, market.BTC.status: {eq: 'inactive'}}}   # this, too
`

it('updates pinned digests and recorded values, and nothing else', async () => {
  const cwd = folderWith({ 'pinned.yaml': pinned })
  const before = await otcsim(['run', 'pinned.yaml'], { cwd })
  expect(before.code).toBe(1)
  expect(before.out).toContain('expected journalDigest: ?')
  const updated = await otcsim(['run', 'pinned.yaml', '--update'], { cwd })
  expect(updated.code).toBe(0)
  expect(updated.err).toMatch(
    /^updated pinned\.yaml:9 {2}inactive -> active\nupdated pinned\.yaml:9 {2}1 -> 5\d{4}(\.\d+)?\nupdated pinned\.yaml:8 {2}\? -> [0-9a-f]{32}\n$/,
  )
  const text = readFileSync(join(cwd, 'pinned.yaml'), 'utf8')
  expect(
    text
      .replace(/[0-9a-f]{32}/, '?')
      .replace(/eq: [0-9.]+/, 'eq: 1')
      .replace("'active'", "'inactive'"),
  ).toBe(pinned)
  expect(await otcsim(['run', 'pinned.yaml'], { cwd })).toMatchObject({ code: 0 })
  const other = await otcsim(['run', 'pinned.yaml', '--seed', '2'], { cwd })
  expect(other.code).toBe(1)
  expect(other.out).toMatch(/got {6}the run ended with [0-9a-f]{32}/)
})
