import fc from 'fast-check'
import { expect, it } from 'vitest'
import { otcsim, repository } from '../cli/harness.ts'
import { caseBudget } from '../support/full-run.ts'
import { folderWith } from '../support/temporary-folder.ts'
import { recordRun } from '../world/journals/recorded.ts'

/*
 * Whatever a judging command is given, it says what it has looked at, and ends with 0 only if that was something. Source:
 * design, section 17.
 */

interface Drawn {
  readonly files: { readonly [name: string]: string }
  readonly words: readonly string[]
}

const env = { PATH: process.env['PATH'] ?? '' }

/** Draws a text of some of these parts, in any order and number, none at all included. */
const someOf = (parts: readonly string[], between = ''): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((chosen) => chosen.join(between))

const doctor = someOf([
  'ts_ms,open,high,low,close,volume\n',
  '1609459200000,10,12,8,11,5\n',
  '1609462800000,11,12,8,11,5\n',
  '1609466400000,11,12,8,11,5\n',
  '# nothing\n',
  '\n',
]).map((text): Drawn => ({ files: { 'a.csv': text }, words: ['doctor', 'a.csv'] }))

const answers = [
  ['/api/sdk/orders', 200, '{"orders":[],"pagination":{"page":1,"limit":50,"total":0,"totalPages":0}}'],
  [
    '/api/sdk/orders/ord_9',
    404,
    '{"statusCode":404,"message":"There is no order ord_9","error":"Not Found"}',
  ],
  ['/api/sdk/portfolio/positions/BTC', 200, ''],
  ['/index.html', 200, '<html></html>'],
] as const
const drift = fc.array(fc.constantFrom(...answers), { maxLength: 3 }).map((chosen): Drawn => {
  const entries = chosen.map(([path, status, text]) => ({
    startedDateTime: '2026-01-05T00:00:00.000Z',
    time: 5,
    request: { method: 'GET', url: `https://venue.example${path}`, headers: [], queryString: [] },
    response: { status, headers: [], content: { mimeType: 'application/json', text } },
  }))
  return { files: { 'a.har': JSON.stringify({ log: { entries } }) }, words: ['drift', '--har', 'a.har'] }
})

const { text: journal, world } = recordRun('31', 20)
const lines = journal.split('\n')
const journals = fc.nat(lines.length).map((kept) => `${lines.slice(0, kept).join('\n')}\n`)
const replay = fc.tuple(journals, fc.nat(world.sequence + 2)).map(
  ([text, until]): Drawn => ({
    files: { 'a.journal': text },
    words: ['replay', 'a.journal', '--verify', '--until', String(until)],
  }),
)
const assertions = ['price.BTC.mid < 0', 'price.BTC.mid > 0', 'account[desk].balance.USD.total == 1000000']
const shrink = fc.tuple(journals, fc.constantFrom(...assertions)).map(
  ([text, assertion]): Drawn => ({
    files: { 'a.journal': text },
    words: ['shrink', 'a.journal', '--assert', assertion],
  }),
)

const diff = fc.tuple(journals, journals).map(
  ([a, b]): Drawn => ({
    files: { 'a.journal': a, 'b.journal': b },
    words: ['diff', 'a.journal', 'b.journal'],
  }),
)

const hooks = [
  "onStart({ sync }) { sync.orders.create({ asset: 'BTC', side: 'buy', quantity: 0.1, orderType: 'market' }) }",
  "onStart({ sync }) { sync.orders.create({ asset: 'BTC', side: 'buy', quantity: 0.1, price: 10 }) }",
  'onStart({ stop }) { stop() }',
  'onTick({ sync }) { sync.portfolio.balances() }',
  'onStart() {}',
]
const conditions = [
  'returns.profit > -1000',
  'returns.profit >= 0',
  'costs.fees < 5',
  'maker.spreadBps > -99',
  'trips.hitRate >= 0',
]
const backtest = fc.tuple(fc.constantFrom(...hooks), fc.subarray(conditions, { minLength: 1 })).map(
  ([hook, chosen]): Drawn => ({
    files: { 's.mjs': `export default { name: 'one', onRefusal: 'note', ${hook} }\n` },
    words: [
      ...['backtest', 's.mjs', '--model', 'gbm,vol=0.6', '--to', '5m', '--equity-grid', '1m'],
      ...chosen.flatMap((condition) => ['--assert', condition]),
    ],
  }),
)

const scenario = `version: 1
name: drawn
clock: {start: 2026-01-05T00:00:00Z, end: 5s, mode: manual}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}, liquidity: {kind: power}}}}
accounts: [{id: trader, balances: {USD: 100000}}]
`
const expectations = [
  '  - {at: +1s, that: price.BTC.mid > 1}\n',
  '  - {always: "metrics[trader].makerFillRatio > 2"}\n',
  '  - {never: fill.price < 1}\n',
  '  - {always: "quote[*].bidPrice > 1"}\n',
]
const run = someOf(expectations).map(
  (text): Drawn => ({
    files: { 's.yaml': text === '' ? scenario : `${scenario}expect:\n${text}` },
    words: ['run', 's.yaml'],
  }),
)

const ask = `node ${repository}/test/evidence/ask.mjs portfolio/balances`
const suite = someOf([ask, 'true', "printf 'TAP version 13\\n1..0\\n'"], '; ').map((text) => text || 'true')
const exec = suite.map((text): Drawn => ({ files: {}, words: ['exec', '--', 'sh', '-c', text] }))
const matrix = suite.map((text): Drawn => {
  const words = ['matrix', '--only', 'envelope', '--depth', '1', '--no-faults']
  return { files: {}, words: [...words, '--', 'sh', '-c', text] }
})

it.each([
  ['doctor', doctor, 80, /\d row/],
  ['drift', drift, 80, /\d exchange/],
  ['replay --verify', replay, 80, /\d line/],
  ['shrink', shrink, 40, /\d line/],
  ['diff', diff, 80, /\d line/],
  ['backtest --assert', backtest, 24, /\d fill|\d condition/],
  ['run', run, 60, /\d known value/],
  ['exec', exec, 12, /\d request/],
  ['matrix', matrix, 8, /\d request/],
] as const)('%s ends with 0 only if it has looked at something', async (_name, drawn, budget, vital) => {
  const property = fc.asyncProperty(drawn, async ({ files, words }) => {
    const { code, out, err } = await otcsim(words, { cwd: folderWith(files), env })
    if (code !== 0) {
      expect(err + out).not.toBe('')
      return
    }
    const told = [...`${out}\n${err}`.matchAll(/looked at: (.*)/g)].map(([, record = '']) => record)
    expect(told.length).toBeGreaterThan(0)
    for (const record of told) {
      const vitals = record.split(', ').filter((part) => vital.test(part))
      expect(vitals.length, record).toBeGreaterThan(0)
      for (const part of vitals)
        expect(Number.parseInt(part.replaceAll(',', ''), 10), record).toBeGreaterThan(0)
    }
  })
  await fc.assert(property, { numRuns: caseBudget(budget) })
})
