import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { caseBudget } from '../support/full-run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { candleCsv, otcsim } from './harness.ts'

const shipped = ['calm', 'flash-crash', 'thin-book', 'quote-expiry', 'limit-breach', 'events/covid-2020-03']

interface JsonReport {
  readonly ok: boolean
  readonly scenarios: readonly { readonly name: string; readonly ok: boolean; readonly digest: string }[]
}

/** Leaves out how recordings were read, and progress: on a busy machine a run takes long enough to print it. */
const withoutProgress = (err: string): string =>
  err.replace(
    /^(?:(?:\d+ of \d+ runs {2}\d+ failed {2})?\S+ {2}\d+% {2}\S+ {2}\d+ s left|\S+: read as .*)\n/gm,
    '',
  )

const reportOf = (text: string): JsonReport => JSON.parse(text)

it('meets every expectation of the shipped scenarios, with the same digest each time', async () => {
  const first = await otcsim(['run', ...shipped, '--reporter', 'json'])
  expect(withoutProgress(first.err)).toBe('')
  expect(first.code).toBe(0)
  const report = reportOf(first.out)
  expect(report.scenarios.map(({ name, ok }) => [name, ok])).toEqual(
    shipped.map((name) => [name.replace('events/', ''), true]),
  )
  const again = shipped.slice(0, caseBudget(shipped.length, 2))
  const second = reportOf((await otcsim(['run', ...again, '--reporter', 'json'])).out)
  expect(JSON.stringify(second.scenarios)).toBe(JSON.stringify(report.scenarios.slice(0, again.length)))
})

it('gives other digests for other seeds, but the same outcome', async () => {
  const [seven, eight] = [
    await otcsim(['run', 'calm', '--reporter', 'json', '--seed', '7']),
    await otcsim(['run', 'calm', '--reporter', 'json', '--seed', '8']),
  ]
  expect(reportOf(seven.out).scenarios[0]?.digest).not.toBe(reportOf(eight.out).scenarios[0]?.digest)
  expect(eight.code).toBe(0)
})

it.each([
  ['plain', 'candles.csv', (text: string) => text],
  ['gzip', 'candles.csv.gz', (text: string) => gzipSync(text)],
])('replays %s candles from their start to their end, bad prints included', async (_, name, pack) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, name), pack(candleCsv()))
  const words = ['run', 'replay-candles', '--param', `data=${name}`]
  const first = await otcsim(words, { cwd: folder })
  expect({ ...first, err: withoutProgress(first.err) }).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain('340d of virtual time')
  // The bid at a hundredth of the first price is filled by the bad print, at the price of the bid.
  expect(first.out).toMatch(/2017-03-30T\S+ {2}trader {2}buy {2}10 BTC @ 3\.97 {2}fee 0 USD {2}a5/)
  expect(first.out).toMatch(/digest {8}[0-9a-f]{32}\n/)
  expect((await otcsim(words, { cwd: folder })).out).toBe(first.out)
})

it('names the quotes of the timeline in its fills, and says why they are refused', async () => {
  const folder = temporaryFolder()
  const text = `version: 1
name: quoted
clock: {start: 2026-01-05T00:00:00Z, end: 1m}
market:
  flow: {kind: none}
  assets:
    BTC: {price: 50000, model: {kind: constant}, liquidity: {kind: none}}
timeline:
  - at: +1s
    quote: {as: pair, account: maker, asset: BTC, bidPrice: 49000, askPrice: 51000, bidSize: 1, askSize: 1}
  - {at: +2s, order: {as: hit, account: trader, side: sell, asset: BTC, quantity: 0.5, price: 49000}}
  - {at: +31s, amend: {quote: pair, bidPrice: 48000}}
expect:
  - {at: end, that: {"quote[pair].refusal": quote-terminal}}
`
  writeFileSync(join(folder, 'quoted.yaml'), text)
  const { out, code } = await otcsim(['run', 'quoted.yaml'], { cwd: folder })
  expect(code).toBe(0)
  expect(out).toMatch(/maker {2}buy {2}0\.5 BTC @ 49000 {2}fee 0 USD {2}pair\n/)
  expect(out).toMatch(/trader {2}sell {2}0\.5 BTC @ 49000 {2}fee 24\.5 USD {2}hit\n/)
  expect(out).toContain('amend-quote pair: quote-terminal, The quote is no longer live (line 12)')
})

it('exits with 1 when an expectation fails, and shows where, what, and how to reproduce it', async () => {
  const folder = temporaryFolder()
  const text = `version: 1
name: doomed
clock: {end: 10s}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}}}}
expect:
  - {at: +1s, that: price.BTC.mark == 50000}
  - at: +5s
    that: price.BTC.mark > 60000
    message: it must rise
`
  writeFileSync(join(folder, 'doomed.yaml'), text)
  const pretty = await otcsim(['run', 'doomed.yaml', '--seed', '9'], { cwd: folder })
  expect(pretty.code).toBe(1)
  expect(pretty.out).toContain(`  ✗ doomed.yaml:8:11  it must rise
      expected at 2026-01-05T00:00:05.000Z: price.BTC.mark > 60000
      got      price.BTC.mark = 50000 at 2026-01-05T00:00:05.000Z
           7 |   - at: +5s
      >    8 |     that: price.BTC.mark > 60000
           9 |     message: it must rise
  expectations  1 of 2 held`)
  expect(pretty.out).toContain('replay        npx otcsim run doomed.yaml --seed 9')
  expect(pretty.err).toBe('1 of 1 scenarios failed\n')
  const json = await otcsim(['run', 'doomed.yaml', '--reporter', 'json'], { cwd: folder })
  expect(JSON.parse(json.out)).toMatchObject({
    ok: false,
    scenarios: [
      {
        name: 'doomed',
        file: 'doomed.yaml',
        ok: false,
        failures: [
          {
            file: 'doomed.yaml',
            line: 8,
            col: 11,
            expected: 'at 2026-01-05T00:00:05.000Z: price.BTC.mark > 60000',
            got: 'price.BTC.mark = 50000 at 2026-01-05T00:00:05.000Z',
            message: 'it must rise',
          },
        ],
      },
    ],
  })
})

it.each([
  [2, ['run', 'clam'], /no file and no shipped scenario is called "clam"; did you mean "calm"\?/],
  [2, ['run', './clam.yaml'], 'cannot read ./clam.yaml: there is no such file\n'],
  [2, ['run', '.'], 'cannot read .: it is a directory\n'],
  [2, ['run', 'calm', '--param', 'data'], /expected KEY=VALUE, found "data"/],
  [2, ['run', 'calm', '--sed', '7'], /unknown option '--sed'\n\(Did you mean --seed\?\)/],
  [2, ['run'], /missing required argument 'files'/],
  [
    2,
    ['run', 'calm', '--reporter', 'xml'],
    /"xml" is not a reporter; the reporters are pretty, json, junit, github, html/,
  ],
  [2, ['run', 'calm', '--reporter', 'pretty,json'], /json is a document: give it a file, as in json:FILE/],
  [
    2,
    ['run', 'calm', '--shard', '3/2'],
    /argument '3\/2' is invalid. expected a part such as 1\/4, counted from 1/,
  ],
  [2, ['run', 'calm', '--seed', ''], /argument '' is invalid. a seed must not be empty/],
  [2, ['run', 'calm', '--update', '--seed', '9'], '--seed does not go with --update\n'],
  [2, ['run', 'calm', '--only', 'nix'], 'no run\'s file or variant contains "nix"\n'],
  [2, ['run', 'calm', '--jobs', '0'], /expected a whole number from 1 to 256/],
  [
    2,
    ['run', 'replay-candles'],
    /params\.data: the parameter has no default; give it with --param data=VALUE\n$/,
  ],
  [
    5,
    ['run', 'replay-candles', '--param', 'data=nix.csv'],
    /model\.data: cannot read .+nix\.csv: there is no such file\n$/,
  ],
  [5, ['run', 'replay-candles', '--param', 'data=package.json'], /model\.data: /],
  [2, ['rnu', 'calm'], /unknown command "rnu"; did you mean "run"\? Other commands: serve, backtest, /],
])('ends with %i for %j', async (code, words, err) => {
  const ended = await otcsim(words)
  expect(ended.code).toBe(code)
  expect(ended.out).toBe('')
  expect(ended.err).toEqual(typeof err === 'string' ? err : expect.stringMatching(err))
})

it('names the row and the column of a bad candle', async () => {
  const folder = temporaryFolder()
  const rows = candleCsv().split('\n')
  rows[7] = '1463630400000,401,403,399,abc,500'
  writeFileSync(join(folder, 'bad.csv'), rows.join('\n'))
  const ended = await otcsim(['run', 'replay-candles', '--param', 'data=bad.csv'], { cwd: folder })
  expect(ended.code).toBe(5)
  expect(ended.err).toMatch(/bad\.csv:8 close: /)
})

it('refuses anything but text in a regular file or a complete gzip file', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'latin.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe9]))
  writeFileSync(join(folder, 'torn.csv.gz'), gzipSync(candleCsv()).subarray(0, 1000))
  mkdirSync(join(folder, 'dir.yaml'))
  const run = (...words: string[]) => otcsim(['run', ...words], { cwd: folder })
  expect(await run('latin.yaml')).toMatchObject({
    code: 2,
    err: 'cannot read latin.yaml: it is not UTF-8 text\n',
  })
  expect(await run('dir.yaml')).toMatchObject({ code: 2, err: 'cannot read dir.yaml: it is a directory\n' })
  const torn = await run('replay-candles', '--param', 'data=torn.csv.gz')
  expect(torn.code).toBe(5)
  expect(torn.err).toContain('it is not a complete gzip file')
})

it('reads all files before it runs one', async () => {
  const ended = await otcsim(['run', 'calm', 'clam'])
  expect(ended).toMatchObject({ code: 2, out: '' })
})
