import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { RecordedBook } from '../../src/market/books/recorded-book.ts'
import { type Comparison, compareRun } from './compare-run.ts'
import { readBook, readGoldenRun } from './golden-run.ts'
import { recordRuns } from './record-runs.ts'
import { replayRun } from './replay-run.ts'

/*
 * `npm run compare:hftbacktest -- --data FOLDER [--only TEXT] [--list] [--run]`: replays the requests of recorded runs of
 * hftbacktest under `like: hftbacktest`, through the engine itself, and lists every join and fill that differs. Runs
 * whose defects were repaired are replayed under the venue's own rules with whole fills. `--run` first makes new runs of
 * random orders with the published wheel, in .otcsim/hftbacktest, and compares these; where it cannot, it says why.
 */

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env['HFTBACKTEST_DATA'] ?? '' },
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    run: { type: 'boolean', default: false },
  },
})
const { data, list, only, run: wantsRuns } = values
const write = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const sets = ['grid', 'oneshots', 'oneshots_repaired']
const files = sets.flatMap((set) => {
  const folder = join(data, 'book-fills', set)
  return data !== '' && existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)) : []
})
const runFolder = fileURLToPath(new URL('../../.otcsim/hftbacktest', import.meta.url))
const whyNone = wantsRuns ? recordRuns(data, runFolder, write) : null
const recorded =
  wantsRuns && whyNone === null ? readdirSync(runFolder).map((file) => join(runFolder, file)) : []
const chosen = (wantsRuns ? recorded : files)
  .filter((file) => file.includes(only) && !file.includes('nopartial'))
  .sort()

if (whyNone !== null) {
  write(`No new runs can be made: ${whyNone}`)
  process.exitCode = 1
} else if (chosen.length === 0) {
  write(
    `There are no runs to compare${data === '' ? '' : ` in ${data}`}. A folder is wanted, by --data or in`,
  )
  write(
    'HFTBACKTEST_DATA, with books/events_SET_SYMBOL.csv.gz (ts_ms,kind,side,price,quantity) and, as gzip JSON lines,',
  )
  write(
    'book-fills/grid/*.jsonl.gz and book-fills/oneshots/*.jsonl.gz: SET_SYMBOL_strategy_law_latencyMs_exchange.',
  )
  process.exitCode = 1
} else compareAll()

function compareAll(): void {
  const books = new Map<string, RecordedBook>()
  const all: Comparison[] = []
  let unsent = 0
  for (const file of chosen) {
    const run = readGoldenRun(file)
    const { data: set, symbol, lot } = run.head
    const name = `events_${set}_${symbol}.csv.gz`
    const book = books.get(name) ?? readBook(join(data, 'books', name), lot)
    books.set(name, book)
    const replayed = replayRun(run, book)
    const comparison = compareRun(run, replayed)
    all.push(comparison)
    const { differences, equalFills, equalJoins, fills, joins, listedFills, listedJoins } = comparison
    unsent += replayed.unsent.size
    const unexplained = differences.filter(({ reason }) => reason === null)
    write(
      `${run.head.run}: joins ${equalJoins}/${joins}, fills ${equalFills}/${fills}, listed ${listedJoins} joins and ${listedFills} fills${run.head.stopped === null ? '' : ', the reference stopped'}${unexplained.length === 0 ? '' : `, ${unexplained.length} orders differ`}`,
    )
    for (const { golden, id, reason, replayed, what } of list ? differences : unexplained)
      write(
        `  order ${id} ${what}: ${golden || 'none'}, here ${replayed || 'none'}${reason === null ? '' : ` (${reason})`}`,
      )
  }
  const sum = (
    key: 'joins' | 'equalJoins' | 'fills' | 'equalFills' | 'listedFills' | 'listedJoins',
  ): number => all.reduce((total, comparison) => total + comparison[key], 0)
  write(
    `${all.length} runs: ${sum('equalJoins')} of ${sum('joins')} joins and ${sum('equalFills')} of ${sum('fills')} fills are equal; ${sum('listedJoins')} joins and ${sum('listedFills')} fills are of orders that are listed (--list); ${unsent} post-only orders that expired there were not sent`,
  )
  if (sum('equalJoins') < 0.999 * sum('joins') || sum('equalFills') < 0.999 * sum('fills'))
    process.exitCode = 1
}
