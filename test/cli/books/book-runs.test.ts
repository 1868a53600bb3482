import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRecordedBook } from '../../../src/index.ts'
import { built } from '../built-command.ts'
import { otcsim } from '../harness.ts'
import { at, project } from './queue-project.ts'

/* Backtests and sweeps over recorded books: a small book of our own, in which the queue decides what is filled. */

const files = ['--book', 'book.csv', '--trades', 'trades.csv']
const filled = (out: string): number =>
  JSON.parse(out).fills.reduce((sum: number, { quantity }: { quantity: number }) => sum + quantity, 0)

describe('otcsim backtest --book', () => {
  it('fills by the law of the queue, the same from the files and from what was prepared of them', async () => {
    const cwd = project()
    const run = (law: string) =>
      otcsim(['backtest', 'join.mjs', ...files, '--queue-law', law, '--margin', '--json'], { cwd })
    const fills: Record<string, number> = {}
    for (const law of ['front', 'riskAverse', 'power:2', 'power2:2', 'power3:2', 'log', 'log2']) {
      const { code, err, out } = await run(law)
      expect([code, err]).toEqual([0, ''])
      fills[law] = filled(out)
    }
    // What is sure bounds what is likely.
    expect(fills).toMatchObject({ front: 6, riskAverse: 4 })
    for (const law of ['power:2', 'power2:2', 'power3:2', 'log', 'log2']) {
      expect(fills[law]).toBeGreaterThan(4)
      expect(fills[law]).toBeLessThanOrEqual(6)
    }
    expect(readdirSync(join(cwd, '.otcsim/recordings'))).toHaveLength(2)
    expect((await run('log')).out).toBe((await run('log')).out)
  })

  it('says how it has understood the files, and with which command the run is repeated', async () => {
    const cwd = project()
    const words = ['backtest', 'join.mjs', ...files, '--queue-law', 'power:2', '--html', 'run.html', '--json']
    const { out } = await otcsim(words, { cwd })
    const { metrics, source, fromMillis, toMillis } = JSON.parse(out)
    expect(source).toEqual({ kind: 'data', name: 'book.csv' })
    expect([fromMillis, toMillis]).toEqual([at, at + 20_000])
    expect(metrics.warnings.join('\n')).toContain('price steps of 0.5, quantity steps of 0.1')
    expect(readFileSync(join(cwd, 'run.html'), 'utf8')).toContain(
      'otcsim backtest join.mjs --book book.csv --trades trades.csv --queue-law power:2',
    )
  })

  it('runs several assets, each with its own book', async () => {
    const cwd = project()
    const words = ['--book', 'BTC=book.csv', '--book', 'ETH=book.csv', '--trades', 'ETH=trades.csv']
    const { code, out } = await otcsim(['backtest', 'join.mjs', ...words, '--json', '--queue-law', 'log'], {
      cwd,
    })
    expect(code).toBe(0)
    const { fills } = JSON.parse(out)
    expect(new Set(fills.map(({ asset }: { asset: string }) => asset))).toEqual(new Set(['ETH']))
  })

  it.each<[readonly string[], number, string]>([
    [['--book', 'book.csv', '--data', 'x.csv'], 2, '--book'],
    [['--queue-law', 'log'], 2, '--book'],
    [[...files, '--queue-law', 'fifo'], 2, 'riskAverse'],
    [[...files, '--queue-law', 'power:two'], 2, '--queue-law: expected a law such as riskAverse or power:2'],
    [['--book', 'no.csv'], 5, 'no.csv: cannot be read'],
    [['--book', 'trades.csv'], 5, 'holds trades and no book'],
    [['--book', 'BTC=book.csv', '--trades', 'trades.csv'], 2, '--trades BTC=trades.csv'],
    [['--book', 'BTC=book.csv', '--trades', 'ETH=trades.csv'], 2, '--trades: there is no --book of ETH'],
    [[...files, '--shift-trades', 'soon'], 2, '--shift-trades: expected whole milliseconds'],
    [[...files, '--shift-trades', '9000000'], 5, 'move them with --shift-trades'],
  ])('refuses %j', async (words, code, text) => {
    const finished = await otcsim(['backtest', 'join.mjs', ...words], { cwd: project() })
    expect(finished.err).toContain(text)
    expect(finished.code).toBe(code)
  })
})

it('the library reads the same book, and refuses with every fault', async () => {
  const cwd = project()
  const { code } = await otcsim(['doctor', '--book', 'book.csv', '--trades', 'trades.csv'], { cwd })
  expect(code).toBe(0)
  const read = await readRecordedBook('book.csv', { trades: ['trades.csv'], cwd })
  expect(read.priceStep).toEqual({ units: 5, scale: 1 })
  // Named by the command line before, and kept since.
  expect(readdirSync(join(cwd, '.otcsim/recordings'))).toHaveLength(2)
  await expect(readRecordedBook('trades.csv', { cwd })).rejects.toThrow(
    'trades.csv:1: holds trades and no book',
  )
  await expect(readRecordedBook('no.csv', { cwd })).rejects.toThrow(RangeError)
})

it('a scenario names its book and trades, and a parameter may be the law', async () => {
  const cwd = project()
  writeFileSync(
    join(cwd, 'book.yaml'),
    `version: 1
name: book
params: { law: log }
clock: { start: data, end: data, grid: 100ms }
market:
  assets:
    BTC:
      liquidity: { kind: recorded, data: book.csv, queue: { law: '\${law}' } }
      flow: { kind: recorded, data: trades.csv }
accounts: [{ id: desk, type: margin, balances: { USD: 100000 } }]
`,
  )
  const run = (law: string) =>
    otcsim(['backtest', 'join.mjs', '--scenario', 'book.yaml', '--param', `law=${law}`, '--json'], { cwd })
  const [front, sure] = [await run('front'), await run('riskAverse')]
  expect([front.err, front.code]).toEqual(['', 0])
  expect(filled(front.out)).toBeGreaterThan(filled(sure.out))
})

it('a sweep runs every law as a case, in threads that share what was prepared', async () => {
  const cwd = project()
  const words = ['--queue-law', 'front,riskAverse,power:2', '--seeds', '1', '--jobs', '1', '--json']
  const sweep = await built(['sweep', 'join.mjs', ...files, ...words], cwd)
  expect(sweep.err).not.toContain('problem')
  expect(sweep.code).toBe(0)
  const { cells, worst } = JSON.parse(sweep.out)
  expect(cells.map(({ parameters }: { parameters: object }) => parameters)).toEqual(
    ['front', 'riskAverse', 'power:2'].map((queueLaw) => ({ queueLaw })),
  )
  const { digest, replay } = worst[0]
  const again = await otcsim([...replay.split(' ').slice(2), '--json'], { cwd })
  expect(JSON.parse(again.out).digest).toBe(digest)
})
