import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { randomCandles } from './backtest/data.ts'
import type { ReadingTimes } from './recordings/task.ts'
import { median } from './stopwatch.ts'

/*
 * What reading a recording costs: a year of minutes as plain CSV, as gzip, and prepared, beside the shortest way through
 * the same text (split lines and fields, then `Number`), which checks nothing. Each is a process of its own, in turns, and
 * reads the file once from cold and then until it has settled. Processor time counts, of the reading alone.
 *
 * `npm run bench recordings [-- --rows N --rounds N]`. Only ratios within one run mean anything: exit code 1 where one of
 * them is missed. Rows a second and milliseconds are said beside what is wanted of a machine of its own.
 */

const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '525600' },
    rounds: { type: 'string', default: '5' },
  },
})
const rows = Number(flags.rows)
const tasks = ['naive', 'plain', 'packed', 'prepared'] as const
type Task = (typeof tasks)[number]

const directory = mkdtempSync(join(tmpdir(), 'otcsim-bench-'))
try {
  const text = writeText()
  const files = { plain: join(directory, 'minutes.csv'), packed: join(directory, 'minutes.csv.gz') }
  writeFileSync(files.plain, text)
  writeFileSync(files.packed, gzipSync(text))
  measureAll(files)
} finally {
  rmSync(directory, { recursive: true })
}

function writeText(): string {
  const lines = randomCandles(rows, '7').map(
    ({ atMillis, close, high, low, open }, place) =>
      `${atMillis},${open.toFixed(2)},${high.toFixed(2)},${low.toFixed(2)},${close.toFixed(2)},${((place * 7919) % 1e6) / 1e5}`,
  )
  return `ts_ms,open,high,low,close,volume\n${lines.join('\n')}\n`
}

function measureAll(files: { readonly plain: string; readonly packed: string }): void {
  const taken = new Map<Task, ReadingTimes[]>(tasks.map((task) => [task, []]))
  perform('prepared', files.packed)
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    for (const task of round % 2 === 0 ? tasks : tasks.toReversed())
      taken.get(task)?.push(perform(task, task === 'plain' || task === 'naive' ? files.plain : files.packed))
  }
  const millis = (task: Task, when: keyof ReadingTimes): number =>
    median((taken.get(task) ?? []).map((times) => times[when]))
  console.log(`${rows} rows, processor time of the reading, medians of ${flags.rounds} rounds\n`)
  console.log('| | from cold, ms | settled, ms | rows a second, settled |')
  console.log('| --- | --- | --- | --- |')
  for (const task of tasks) {
    const rate = Math.round(rows / millis(task, 'settledMillis')) / 1000
    console.log(
      `| ${task} | ${millis(task, 'coldMillis').toFixed(0)} | ${millis(task, 'settledMillis').toFixed(0)} | ${rate.toFixed(2)} M |`,
    )
  }
  console.log()
  const ratio = (task: Task, when: keyof ReadingTimes): number =>
    median(
      (taken.get('naive') ?? []).map((naive, round) => naive[when] / (taken.get(task)?.[round]?.[when] ?? 0)),
    )
  judge('plain CSV to the naive way, from cold', ratio('plain', 'coldMillis'), 1, '1.5 M rows a second')
  judge('plain CSV to the naive way, settled', ratio('plain', 'settledMillis'), 1.5, '1.5 M rows a second')
  judge(
    'gzip CSV to the naive way on plain CSV, settled',
    ratio('packed', 'settledMillis'),
    1,
    '1.5 M rows a second',
  )
  judge('prepared to the naive way, from cold', ratio('prepared', 'coldMillis'), 5, '50 ms a year of minutes')
}

function perform(task: Task, file: string): ReadingTimes {
  const program = fileURLToPath(new URL('recordings/task.mjs', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [program, task, file, directory], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${task} of ${file} failed`)
  return JSON.parse(stdout)
}

function judge(text: string, value: number, bound: number, wanted: string): void {
  const isHeld = value >= bound
  if (!isHeld) process.exitCode = 1
  console.log(
    `${isHeld ? 'held  ' : 'MISSED'} ${text}: ${value.toFixed(2)}, at least ${bound} (wanted of a machine of its own: ${wanted})`,
  )
}
