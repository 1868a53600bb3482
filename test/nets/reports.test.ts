import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { otcsim, repository } from '../cli/harness.ts'
import { expectGolden } from './golden-text.ts'

/* What the command line says of work that is done: runs in every reporter, backtests and sweeps. */

const folder = mkdtempSync(join(tmpdir(), 'otcsim-reports-'))
/** Of no other test, so that no cells of another sweep count as tried before. */
const ownFolder = mkdtempSync(join(tmpdir(), 'otcsim-sweeps-'))
afterAll(() => {
  for (const path of [folder, ownFolder]) rmSync(path, { recursive: true })
})

const scenario = `version: 1
name: fails
clock: { start: 2026-01-05T00:00:00Z, end: 10m }
matrix: { seed: [1, 2] }
market: { flow: { kind: none }, assets: { BTC: { price: 50000, model: { kind: constant }, liquidity: { kind: power } } } }
accounts: [{ id: trader, balances: { USD: 100000 } }]
timeline:
  - { at: +1m, order: { as: bid, account: trader, side: buy, asset: BTC, quantity: 1, price: 49000 } }
  - { at: +2m, order: { as: dear, account: trader, side: buy, asset: BTC, quantity: 100, price: 49000 } }
expect:
  - { at: +3m, that: "order[bid].status == 'filled'", message: the bid is hit }
  - { at: +3m, that: { "order[bid].filledQuantity": { gt: 0.5, lt: 2 } } }
  - { at: end, that: "account[trader].balance.USD.total == 100000" }
  - never: "order[dear].refusal == 'INSUFFICIENT_BALANCE'"
`
const file = join(folder, 'fails.yaml')
writeFileSync(file, scenario)

/** Without what differs by machine and by version of the program. */
const plain = (text: string): string =>
  text
    // Progress is printed on a slow machine.
    .replace(/^.* (?:ms|s) left(?: .*)?\n/gm, '')
    .replace(/---\n$/, '')
    .replaceAll(folder, 'FOLDER')
    .replaceAll(repository, 'REPOSITORY')
    .replace(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'TIME')
    .replace(/(time|elapsed|wallMs|seconds)(["=: ]+)[\d.]+/gi, '$1$2TIME')

it.each(['pretty', 'json', 'junit', 'github'])(
  'runs that pass and fail, by the reporter %s',
  async (reporter) => {
    const { code, out } = await otcsim(['run', file, 'thin-book', '--reporter', reporter])
    expect(code).toBe(1)
    await expectGolden(`reports/run.${reporter}.txt`, plain(out))
  },
)

it('runs on a page', async () => {
  const page = join(folder, 'runs.html')
  await otcsim(['run', file, 'thin-book', '--reporter', `html:${page}`])
  // Words only: what the page looks like is held by pictures.
  const words = readFileSync(page, 'utf8')
    .replace(/<(style|script|svg)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/\s*\n\s*/g, '\n')
  await expectGolden('reports/run.html.txt', plain(words))
})

copyFileSync(join(repository, 'scenarios/strategies/trend.ts'), join(ownFolder, 'trend.ts'))
writeFileSync(join(ownFolder, 'package.json'), '{"type":"module"}')
mkdirSync(join(ownFolder, 'node_modules'))
symlinkSync(repository, join(ownFolder, 'node_modules', 'otcsim'))
const short = ['trend.ts', '--model', 'gbm,vol=0.6', '--to', '6h', '--set', 'fast=5', '--set', 'slow=20']

it.each([
  ['backtest.txt', ['backtest', ...short]],
  ['backtest.json', ['backtest', ...short, '--json']],
  ['backtest-assert.txt', ['backtest', ...short, '--assert', 'returns.profit > 1000000000']],
  [
    'sweep.txt',
    ['sweep', ...short.slice(0, 5), '--seeds', '1..3', '--set', 'fast=5,10', '--set', 'slow=20', '--fresh'],
  ],
  // After the one above, whose cells were tried before.
  [
    'sweep-narrower.txt',
    ['sweep', ...short.slice(0, 5), '--seeds', '1..3', '--set', 'fast=10', '--set', 'slow=20', '--fresh'],
  ],
])('the result %s', async (name, words) => {
  const { out, err } = await otcsim(words, { cwd: ownFolder })
  await expectGolden(`reports/${name}`, plain(`${out}${err === '' ? '' : `---\n${err}`}`))
})

it('nothing of this is written beside what was asked for', () => {
  expect(readdirSync(folder).toSorted()).toEqual([
    'fails.yaml',
    ...[1, 2].map((place) => `runs.failure-${place}.html`),
    'runs.html',
  ])
})
