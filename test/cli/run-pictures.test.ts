import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
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

const bounded = [
  'version: 1',
  'name: bounded',
  'clock: { start: 2026-01-05T00:00:00Z, end: 10m, grid: 1s }',
  'market: { assets: { BTC: { price: 50000, model: { kind: constant } } } }',
  'accounts: [{ id: desk, balances: { USD: 100000 } }]',
  'timeline:',
  '  - { at: +1m, order: { account: desk, as: low, side: buy, asset: BTC, quantity: 0.1, price: 49000 } }',
  "  - { when: 'order[low].exists', id: seen, once: true, halt: { asset: BTC, for: 1m } }",
  'expect:',
  '  - { at: +5m, that: \'order[low].status == "filled"\' }',
  "  - { always: 'price.BTC.bid > 49500' }",
  "  - { at: +6m, that: 'price.BTC.mid > 50500' }",
  "  - { never: 'price.BTC.ask > 500000' }",
].join('\n')

it('draws what expectations demand of prices, where the axis can show it, and says what it leaves out', async () => {
  const cwd = folderWith({ 'bounded.yaml': bounded })
  await otcsim(['run', 'bounded.yaml', '--html', 'a.html'], { cwd })
  const page = readFileSync(join(cwd, 'a.html'), 'utf8')
  expect(page).toContain('>always price.BTC.bid &gt; 49500</text>')
  expect(page).toContain('<title>at price.BTC.mid &gt; 50500: failed</title>')
  expect(page).toContain('Bounds that are not drawn: never price.BTC.ask &gt; 500000.')
  expect(page).toContain('seen (halt), the first time')
})

it('links each failure to a page of the console at that moment, with the order in question selected', async () => {
  const cwd = folderWith({ 'bounded.yaml': bounded })
  const ended = await otcsim(['run', 'bounded.yaml', '--html', 'a.html'], { cwd })
  const page = readFileSync(join(cwd, 'a.html'), 'utf8')
  const links = [...page.matchAll(/<a href="(a\.failure[^"]*)">([^<]*)</g)].map(([, to, words]) => [
    to,
    words,
  ])
  expect(links).toEqual([
    [
      'a.failure-1.html#world=default&amp;account=desk&amp;asset=BTC&amp;order=ord_1',
      'See it in the console, at 2026-01-05T00:05:00.000Z',
    ],
    ['a.failure-2.html#world=default&amp;asset=BTC', 'See it in the console, at 2026-01-05T00:06:00.000Z'],
  ])
  expect(ended.err).toContain('wrote a.failure-1.html (')
  const { failure, moments } = readRecording(join(cwd, 'a.failure-1.html'))
  expect(failure).toMatchObject({
    at: '2026-01-05T00:05:00.000Z',
    about: { kind: 'order', id: 'ord_1' },
    answer: [expect.stringContaining('ord_1 (buy 0.1 BTC @ 49,000) is open: it waits for an ask of 49,000')],
  })
  expect(moments.at(-1).place.at).toBe('2026-01-05T00:05:00.000Z')
})

it('has one page for all that fails at an instant, and each address selects its own', async () => {
  const both = bounded.replace('expect:', "expect:\n  - { at: +5m, that: 'price.BTC.mid > 50500' }")
  const cwd = folderWith({ 'bounded.yaml': both })
  await otcsim(['run', 'bounded.yaml', '--html', 'a.html'], { cwd })
  const page = readFileSync(join(cwd, 'a.html'), 'utf8')
  expect([...page.matchAll(/<a href="a\.failure-([^"]*)"/g)].map(([, to]) => to)).toEqual([
    '1.html#world=default&amp;asset=BTC',
    '1.html#world=default&amp;account=desk&amp;asset=BTC&amp;order=ord_1',
    '2.html#world=default&amp;asset=BTC',
  ])
  expect(readdirSync(cwd).toSorted()).toEqual([
    'a.failure-1.html',
    'a.failure-2.html',
    'a.html',
    'bounded.yaml',
  ])
  const { failure } = readRecording(join(cwd, 'a.failure-1.html'))
  expect(failure.message).toMatch(/price\.BTC\.mid > 50500[\s\S]*order\[low\]\.status/)
})

/** Reads what a page of the console has recorded. */
function readRecording(file: string) {
  const [, packed = ''] =
    /<script type="text\/plain" id="recording"[^>]*>([^<]*)</.exec(readFileSync(file, 'utf8')) ?? []
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8'))
}
