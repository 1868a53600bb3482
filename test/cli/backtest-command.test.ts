import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { built } from './built-command.ts'
import { otcsim, repository, serve } from './harness.ts'

const strategies = join(repository, 'scenarios/strategies')
const maker = join(strategies, 'market-maker.ts')
const quoting = [maker, '--scenario', 'calm', '--to', '3m', '--set', 'halfSpreadBps=1']

it('prints a table, or the whole result', async () => {
  const table = await otcsim(['backtest', ...quoting])
  expect(table).toMatchObject({ code: 0, err: '' })
  expect(table.out).toMatch(/^market-maker {2}scenario calm {2}seed "7" {2}account desk\n/)
  expect(table.out).toMatch(/\n {2}profit {14}-?[\d,]+\.\d\d USD, -?\d+\.\d\d+ %\n/)
  expect(table.out).toContain(' refresh=1s\n')
  expect(table.out).toMatch(/\n {2}digest {14}[0-9a-f]{32}\n$/)
  const json = await otcsim(['backtest', ...quoting, '--json', '--seed', '9'])
  expect(JSON.parse(json.out)).toMatchObject({
    format: 'otcsim-backtest',
    seed: '9',
    strategy: 'market-maker',
  })
  expect((await otcsim(['backtest', ...quoting, '--json', '--seed', '9'])).out).toBe(json.out)
})

it('says that nothing was accepted, and what lets an account sell', async () => {
  const words = ['backtest', maker, '--model', 'gbm', '--to', '10s']
  const refused = await otcsim(words)
  expect(refused.code).toBe(0)
  expect(refused.out).toContain(
    '\n  No order and no quote was accepted, so there is nothing to judge. The account begins with money alone: --margin lets it sell what it has not bought.\n',
  )
  expect((await otcsim([...words, '--margin'])).out).not.toContain('No order and no quote')
})

it('writes the tables of a run into folders', async () => {
  const cwd = temporaryFolder()
  const run = await otcsim(
    ['backtest', ...quoting, '--json', '--csv', 'out/csv', '--parquet', 'out/parquet'],
    { cwd },
  )
  expect(run).toMatchObject({ code: 0 })
  const { equity, quotes } = JSON.parse(run.out)
  const lines = (name: string) => readFileSync(join(cwd, `out/csv/${name}.csv`), 'utf8').split('\n')
  expect(lines('quotes').length).toBe(quotes.length + 2)
  expect(lines('equity')[1]).toMatch(/^2026-01-05T00:00:00\.000Z,/)
  expect(lines('equity').length).toBe(equity.atMillis.length + 2)
  for (const name of ['equity', 'orders', 'fills', 'trips', 'quotes', 'transfers', 'series'])
    expect(readFileSync(join(cwd, `out/parquet/${name}.parquet`)).toString('latin1', 0, 4)).toBe('PAR1')
})

it('keeps a journal that replays', async () => {
  const cwd = temporaryFolder()
  const run = await otcsim(['backtest', ...quoting, '--json', '--journal', 'run.journal'], { cwd })
  expect(run).toMatchObject({ code: 0, err: expect.stringMatching(/^wrote run\.journal \(\d+ KB\)\n$/) })
  const { digest, sequence } = JSON.parse(run.out)
  const replayed = await otcsim(['replay', 'run.journal', '--json'], { cwd })
  expect(JSON.parse(replayed.out)).toMatchObject({ ok: true, digest, sequence })
  const again = await otcsim(['backtest', ...quoting, '--journal', 'run.journal'], { cwd })
  expect(again).toMatchObject({ code: 2 })
  expect(again.err).toContain('it already exists')
})

it('leaves no journal of a run that is refused, so the mended command can write it', async () => {
  const cwd = temporaryFolder()
  for (const mistake of [
    ['--to', 'soon'],
    ['--account', 'nobody'],
    ['--set', 'colour=red'],
    ['--seed', '1', '--from', '9x'],
  ]) {
    const refused = await otcsim(['backtest', ...quoting, '--journal', 'run.journal', ...mistake], { cwd })
    expect([refused.code, existsSync(join(cwd, 'run.journal'))]).toEqual([2, false])
  }
})

it('compares a run with the seeds of a sweep', async () => {
  const cwd = temporaryFolder()
  const market = [maker, '--scenario', 'calm', '--to', '3m']
  const cells = ['--set', 'halfSpreadBps=1,2', '--seeds', '1..4', '--jobs', '1', '--repeats', '0']
  const swept = await built(['sweep', ...market, ...cells, '--ndjson', 'cases.ndjson'], cwd)
  expect(swept.code).toBe(0)
  const html = ['--html', 'run.html', '--among', 'cases.ndjson']
  expect(await otcsim(['backtest', ...quoting, ...html], { cwd })).toMatchObject({ code: 0 })
  expect(readFileSync(join(cwd, 'run.html'), 'utf8')).toContain('Profits of 4 seeds in USD')
  const wide = ['backtest', ...market, '--set', 'halfSpreadBps=9', ...html]
  expect(await otcsim(wide, { cwd })).toMatchObject({
    code: 5,
    err: expect.stringContaining('halfSpreadBps'),
  })
  expect((await otcsim(['backtest', ...quoting, '--among', 'x'], { cwd })).err).toContain(
    '--among needs --html',
  )
})

it('shows another run beside it in its report', async () => {
  const cwd = temporaryFolder()
  const other = await otcsim(['backtest', ...quoting, '--seed', '9', '--json'], { cwd })
  writeFileSync(join(cwd, 'other.json'), other.out)
  writeFileSync(join(cwd, 'not.json'), '{"format":"otcsim-backtest","version":1}')
  const beside = (file: string) =>
    otcsim(['backtest', ...quoting, '--html', 'run.html', '--beside', file], { cwd })
  expect(await beside('other.json')).toMatchObject({ code: 0 })
  const page = readFileSync(join(cwd, 'run.html'), 'utf8')
  expect(page).toContain('How the two runs differ')
  expect(page).not.toContain('--beside')
  const refused = await beside('not.json')
  expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('not what otcsim backtest --json')])
})

it('runs a recording, and a model', async () => {
  const cwd = temporaryFolder()
  const rows = Array.from({ length: 120 }, (_, place) => {
    const close = 100 + 5 * Math.sin(place / 7)
    return [1_735_689_600 + 60 * place, close - 0.1, close + 0.3, close - 0.4, close, 3].join(',')
  })
  writeFileSync(join(cwd, 'candles.csv'), `time,open,high,low,close,volume\n${rows.join('\n')}\n`)
  const set = ['--set', 'fast=3', '--set', 'slow=9']
  const data = await otcsim(
    ['backtest', join(strategies, 'trend.ts'), '--data', 'candles.csv', ...set, '--json'],
    { cwd },
  )
  expect(data.err).toBe('')
  const result = JSON.parse(data.out)
  expect(result.source).toEqual({ kind: 'data', name: 'candles.csv' })
  expect(result.calls.onBar).toBe(120)
  expect(result.fills.length).toBeGreaterThan(4)
  const model = ['--model', 'gbm,vol=0.6', '--to', '1h', '--json']
  const modelled = await otcsim(['backtest', join(strategies, 'trend.ts'), ...model])
  expect(JSON.parse(modelled.out)).toMatchObject({ source: { kind: 'model' }, calls: { onBar: 60 } })
})

it('runs over HTTP on a server, with the same digest as in process', async () => {
  const { url } = await serve(['--port', '0', '--scenario', 'calm', '--clock', 'manual'])
  const words = [
    'backtest',
    maker,
    '--to',
    '10s',
    '--set',
    'halfSpreadBps=1',
    '--seed',
    '7',
    '--tick',
    '1s',
    '--json',
  ]
  const inProcess = JSON.parse((await otcsim([...words, '--scenario', 'calm'])).out)
  const live = await otcsim([...words, '--scenario', 'calm', '--live', url])
  expect(live.err).toBe('')
  expect(JSON.parse(live.out)).toMatchObject({
    digest: inProcess.digest,
    source: { kind: 'live', name: url },
  })
})

const own = `
  export default {
    name: 'own',
    parameters: { size: { type: 'number', default: 1, maximum: 5, description: 'Of an order' } },
    onTick(context: { parameters: { size: number } }) {
      if (context.parameters.size === 3) throw new Error('three is bad')
    },
  }
`

it.each<[string, readonly string[], number, RegExp]>([
  ['no such file', ['nowhere.ts'], 2, /cannot read nowhere.ts: there is no such file/],
  ['a file that throws', ['throws.ts'], 2, /throws.ts: not today/],
  ['a file without a strategy', ['empty.ts'], 2, /exports no strategy: write `export default defineStrategy/],
  ['an unknown hook', ['misspelt.ts'], 2, /there is no hook onTock; the hooks are onStart/],
  ['two strategies', ['two.ts'], 2, /exports 2 strategies/],
  [
    'an unknown parameter',
    ['own.ts', '--set', 'sise=2'],
    2,
    /did you mean "size"\?\n {2}size: number, at most 5, default 1. Of an order/,
  ],
  [
    'a parameter out of range',
    ['own.ts', '--set', 'size=9'],
    2,
    /parameter size: expected a number, at most 5, found "9"/,
  ],
  [
    'two sources',
    ['own.ts', '--model', 'gbm', '--data', 'x.csv'],
    2,
    /one of --scenario, --data, --book and --model/,
  ],
  ['missing data', ['own.ts', '--data', 'x.csv'], 5, /cannot read .*x.csv: there is no such file/],
  ['an invalid delay', ['own.ts', '--latency', 'slow=5ms'], 2, /expected order, response or feed/],
  ['an invalid end', ['own.ts', '--to', 'never'], 2, /^--to: expected a time/],
  ['an invalid equity grid', ['own.ts', '--equity-grid', '0s'], 2, /^--equity-grid: expected a span/],
  ['an unknown account', ['own.ts', '--account', 'nobody'], 2, /^--account: the scenario has no account/],
  ['an invalid latency', ['own.ts', '--latency', '5'], 2, /^--latency\.order: expected a span such as 5ms/],
  [
    'an unknown model',
    ['own.ts', '--model', 'gmb'],
    2,
    /^--model: unknown kind "gmb".* Did you mean "gbm"\?/,
  ],
  [
    'a model with an invalid figure',
    ['own.ts', '--model', 'gbm,vl=1'],
    2,
    /^--model, vl: unknown key "vl"\. Did you/,
  ],
  ['a price below 0', ['own.ts', '--model', 'gbm', '--price=-5'], 2, /^--price: must be above 0/],
  ['money below 0', ['own.ts', '--model', 'gbm', '--cash=-1'], 2, /^--cash: must be at least 0/],
  [
    'a fee out of range',
    ['own.ts', '--model', 'gbm', '--maker-bps', '1e9'],
    2,
    /^--maker-bps: must be at most/,
  ],
  [
    'a grid too fine',
    ['own.ts', '--model', 'gbm', '--grid', '1ms'],
    2,
    /^--grid: expected a duration from 100ms to 1h/,
  ],
  [
    'an invalid symbol',
    ['own.ts', '--model', 'gbm', '--asset', 'btc'],
    2,
    /^--asset: the key must be an asset/,
  ],
  [
    'volumes in another unit',
    ['own.ts', '--data', 'usd.csv'],
    5,
    /usd.csv:2 volume: .* billion USD a day were traded; say --volume-in usd/,
  ],
  [
    'a strategy that throws',
    ['own.ts', '--set', 'size=3'],
    1,
    /own: onTick failed at 2026-\S+: Error: three is bad\n.*own\.ts/,
  ],
  [
    'nobody there',
    ['own.ts', '--live', 'http://127.0.0.1:9', '--to', '1m'],
    4,
    /http:\/\/127.0.0.1:9 does not answer/,
  ],
  ['a live run without an end', ['own.ts', '--live', 'http://127.0.0.1:9'], 2, /--live needs --to/],
])('refuses %s', async (_name, words, code, message) => {
  const cwd = temporaryFolder()
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)
  write('own.ts', own)
  write('throws.ts', "throw new Error('not today')\n")
  write('empty.ts', 'export const x = 1\n')
  write('misspelt.ts', "export default { name: 'x', onTock() {} }\n")
  write(
    'two.ts',
    "export const a = { name: 'a', onTick() {} }\nexport const b = { name: 'b', onTick() {} }\n",
  )
  write(
    'usd.csv',
    'time,open,high,low,close,volume\n1735689600,9000,9100,8900,9000,5000000\n1735689660,9000,9100,8900,9000,1\n',
  )
  const finished = await otcsim(
    ['backtest', ...words, ...(words.includes('--to') ? [] : words.includes('--live') ? [] : ['--to', '1m'])],
    { cwd },
  )
  expect(finished.err).toMatch(message)
  expect(finished.code).toBe(code)
  expect(finished.out).toBe('')
})

it('accepts a named export, and a CommonJS file', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'inner'))
  writeFileSync(join(cwd, 'named.mjs'), "export const mine = { name: 'mine', onTick() {} }\n")
  writeFileSync(join(cwd, 'inner/old.cjs'), "module.exports = { name: 'old', onTick() {} }\n")
  expect((await otcsim(['backtest', 'named.mjs', '--to', '5s'], { cwd })).out).toMatch(/^mine /)
  expect((await otcsim(['backtest', 'inner/old.cjs', '--to', '5s'], { cwd })).out).toMatch(/^old /)
})

it('lists in its report every flag that reproduces the run', async () => {
  const cwd = temporaryFolder()
  const words = ['--model', 'gbm', '--margin', '--rate-limits', '--to', '1m', '--html', 'report.html']
  await otcsim(['backtest', join(strategies, 'trend.ts'), ...words], { cwd })
  const report = readFileSync(join(cwd, 'report.html'), 'utf8')
  const command = /otcsim backtest [^<]*/.exec(report)?.[0] ?? ''
  for (const flag of ['--model gbm ', '--margin ', '--rate-limits ', '--seed 1'])
    expect(command).toContain(flag)
})

it('writes a report as one HTML file', async () => {
  const cwd = temporaryFolder()
  const run = await otcsim(['backtest', ...quoting, '--html', 'report.html'], { cwd })
  expect(run.code).toBe(0)
  expect(readFileSync(join(cwd, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/i)
})
