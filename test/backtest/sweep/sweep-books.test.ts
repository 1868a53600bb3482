import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scenarioDigest } from '../../../src/backtest/sweep/digests.ts'
import { openScenarios, shareScenarios } from '../../../src/backtest/sweep/share-books.ts'
import { sweep } from '../../../src/backtest/sweep/sweep.ts'
import { loadScenario, readRecordedBook } from '../../../src/index.ts'
import { project } from '../../cli/books/queue-project.ts'
import { otcsim } from '../../cli/harness.ts'

/* Sweeps from code over recorded books: the cases of the command, in this thread and in others. */

const queueLaws = ['front', 'riskAverse', 'power:2']
const scenario = `version: 1
name: book
clock: { start: data, end: data, grid: 100ms }
market:
  assets:
    BTC:
      liquidity: { kind: recorded, data: book.csv, queue: { law: log } }
      flow: { kind: recorded, data: trades.csv }
accounts: [{ id: desk, type: margin, balances: { USD: 100000 } }]
`

it('runs each law as a case, the same on threads and as the command', async () => {
  const cwd = project()
  const books = { BTC: await readRecordedBook('book.csv', { trades: ['trades.csv'], cwd }) }
  const options = { strategy: 'join.mjs', books, queueLaws, seeds: '1', grid: { size: [6] }, cwd }
  const market = { type: 'margin' } as const
  const here = await sweep({ ...options, market })
  const bought = here.rows.map(({ metrics, parameters }) => [
    parameters['queueLaw'],
    metrics['activity.volume'],
  ])
  expect(bought.map(([law]) => law)).toEqual(queueLaws)
  const [front = 0, sure = 0, likely = 0] = bought.map(([, volume]) => Number(volume))
  expect(sure).toBeGreaterThan(0)
  expect(front).toBeGreaterThan(sure)
  expect(likely).toBeGreaterThanOrEqual(sure)
  expect(likely).toBeLessThanOrEqual(front)

  const threads = await sweep({ ...options, market, jobs: 2 })
  expect(threads.digest).toBe(here.digest)
  expect(threads.rows).toEqual(here.rows)

  const words = [
    '--book',
    'book.csv',
    '--trades',
    'trades.csv',
    '--margin',
    '--queue-law',
    queueLaws.join(','),
  ]
  const command = await otcsim(
    ['sweep', 'join.mjs', ...words, '--seeds', '1', '--set', 'size=6', '--jobs', '1', '--ndjson', 'cases'],
    { cwd },
  )
  expect([command.err, command.code]).toEqual([expect.any(String), 0])
  const [, ...lines] = readFileSync(join(cwd, 'cases'), 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).digest)).toEqual(here.rows.map(({ digest }) => digest))
})

it('runs a scenario with a book on threads', async () => {
  const cwd = project()
  writeFileSync(join(cwd, 'book.yaml'), scenario)
  const loaded = await loadScenario('book.yaml', { cwd })
  const options = { strategy: 'join.mjs', scenario: loaded, seeds: '1..2', cwd }
  const [here, threads] = [await sweep(options), await sweep({ ...options, jobs: 2 })]
  expect(threads.rows).toEqual(here.rows)
  expect(threads.rows.map(({ failure }) => failure)).toEqual([null, null])
})

it('makes the same scenario of what threads are given', async () => {
  const cwd = project()
  writeFileSync(join(cwd, 'book.yaml'), scenario)
  const digest = scenarioDigest(await loadScenario('book.yaml', { cwd }))
  const shared = shareScenarios(new Map([[digest, await loadScenario('book.yaml', { cwd })]]))
  const opened = openScenarios(structuredClone(shared)).get(digest)
  expect(opened === undefined ? '' : scenarioDigest(opened)).toBe(digest)
})

it.each<[object, string]>([
  [{ model: 'gbm', queueLaws }, 'queueLaws: only recorded books (books) have queues'],
  [{ books: {}, queueLaws, market: { queueLaw: 'log' } }, 'market.queueLaw names one of them already'],
  [{ books: {}, queueLaws: [] }, 'queueLaws: there are no values'],
  [{ books: {}, queueLaws: ['log', 'log'] }, 'queueLaws: log is there twice'],
])('refuses %j', async (options, text) => {
  await expect(sweep({ strategy: 'join.mjs', cwd: project(), ...options })).rejects.toThrow(text)
})
