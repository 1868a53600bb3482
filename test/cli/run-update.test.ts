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
  expect(updated.out).toMatch(/^✓ pinned [^✗]*expectations {2}0 of 2 held, 2 not judged\n[^✗]*$/)
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

it('shows what it cannot mend, and nothing that it has mended', async () => {
  const failing = pinned.replace(
    'expect:',
    "expect:\n  - {at: end, that: {market.BTC.status: {eq: 'inactive'}}}",
  )
  const cwd = folderWith({ 'pinned.yaml': failing })
  const updated = await otcsim(['run', 'pinned.yaml', '--update'], { cwd })
  expect(updated.code).toBe(1)
  expect(updated.out).toContain(
    'pinned.yaml:8:47  expected at 2026-01-05T00:00:10.000Z: market.BTC.status eq inactive',
  )
  expect(updated.out).toContain('expectations  0 of 3 held, 2 not judged')
})

it('does not count a failed bound beside a recorded value as mended', async () => {
  const failing = pinned.replace('{eq: 1}', '{eq: 1, gte: 60000}')
  const cwd = folderWith({ 'pinned.yaml': failing })
  const updated = await otcsim(['run', 'pinned.yaml', '--update'], { cwd })
  expect(updated.code).toBe(1)
  expect(updated.out).toContain('expectations  0 of 2 held, 1 not judged')
  const again = await otcsim(['run', 'pinned.yaml'], { cwd })
  expect(again.code).toBe(1)
  expect(again.out).toMatch(/pinned\.yaml:9:\d+ {2}expected .* price\.BTC\.mark gte 60000/)
})

it('refuses pins of several runs in one place', async () => {
  const cwd = folderWith({ 'pinned.yaml': pinned.replace('clock:', 'matrix: {seed: [1, 2]}\nclock:') })
  const both = await otcsim(['run', 'pinned.yaml', '--update'], { cwd })
  expect(both.code).toBe(2)
  expect(both.err).toMatch(/runs of one matrix differ in what they record .*: choose it by --only\n$/)
  const one = await otcsim(['run', 'pinned.yaml', '--update', '--only', 'seed=2'], { cwd })
  expect(one).toMatchObject({ code: 0 })
})
