import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

const words = ['run', 'events/flash-2023-08-17', '--param', 'grid=1m', '--reporter', 'json']

it('otcsim run --html draws price, spread, depth and volume, and the same run gives the same bytes', async () => {
  const cwd = temporaryFolder()
  const plain = await otcsim(words, { cwd })
  const first = await otcsim([...words, '--html', 'a.html'], { cwd })
  await otcsim([...words, '--html', 'b.html'], { cwd })
  expect([first.code, first.out]).toEqual([plain.code, plain.out])
  const page = readFileSync(join(cwd, 'a.html'), 'utf8')
  expect(readFileSync(join(cwd, 'b.html'), 'utf8') === page).toBe(true)
  for (const title of [
    'BTC, USD',
    'Spread, basis points',
    'Depth within 1 % of the mid, USD',
    'Volume, USD',
  ]) {
    expect(page.includes(`>${title}</text>`)).toBe(true)
  }
  expect(page.includes('Equity of trader, USD')).toBe(true)
  expect(/NaN|undefined|<script|https?:\/\/(?!www\.w3\.org)/.exec(page)).toBeNull()
  expect(page.length).toBeLessThan(400_000)
})

it('draws the low of a fall between two samples, and a purchase in it', async () => {
  const cwd = temporaryFolder()
  await otcsim([...words, '--html', 'a.html'], { cwd })
  const page = readFileSync(join(cwd, 'a.html'), 'utf8')
  const description =
    /The mark of BTC goes from [\d,]+ to [\d,]+ USD, between ([\d,]+) and [\d,]+; ([\d,.]+M?) USD were traded/.exec(
      page,
    )
  expect(description?.[1]).toBe('25,090')
  expect(/<title>trader bought [\d.]+ at [\d,]+ USD</.test(page)).toBe(true)
})

it('draws the events of the script and where an expectation failed, and lists them', async () => {
  const cwd = folderWith({
    'late.yaml': [
      'version: 1',
      'name: late',
      'clock: { start: 2026-01-05T00:00:00Z, end: 10m, grid: 1s }',
      'market: { assets: { BTC: { price: 50000, model: { kind: constant } } } }',
      'accounts: [{ id: desk, balances: { USD: 1000 } }]',
      'timeline: [{ at: +1m, id: pause, halt: { asset: BTC, for: 1m } }, { at: +5m, liquidity: { asset: BTC, spreadX: 3, for: 1m } }]',
      "expect: [{ at: +2m30s, that: 'price.BTC.mid > 60000' }]",
    ].join('\n'),
  })
  const ended = await otcsim(['run', 'late.yaml', '--report', 'a.html'], { cwd })
  const page = readFileSync(join(cwd, 'a.html'), 'utf8')
  expect([ended.code, ended.err]).toEqual([1, expect.any(String)])
  expect(page).toContain('script event</text>')
  expect(page).toContain('expectation failed</text>')
  expect(page).toContain('<summary>Script events and failures (3)</summary>')
  expect(page).toContain('pause (halt)')
})
