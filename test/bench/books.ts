import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Answer } from './books/task.ts'
import { type DayFiles, readShortRows, writeDay } from './books/write-day.ts'

/*
 * What a recorded book costs: reading gzip CSV, passing over a day where nobody rests, following each of its levels, and a
 * maker who quotes both sides each 100 ms. Each is a process of its own, and its memory is the most that it ever had.
 *
 * `npm run bench books [-- --data FILE] [--million ROWS]`: FILE has `ts_ms,kind,side,price,quantity` and is repeated,
 * each time later; without one, a book is drawn. Exit code 1 when a promise is broken.
 */

const { values: flags } = parseArgs({
  options: { data: { type: 'string', default: '' }, million: { type: 'string', default: '20' } },
})
const dayRows = Number(flags.million) * 1e6
const mostMegabytes = 350
const leastPerSecond = { prepare: 1e6, watch: 4.7e6, maker: 2.35e6 }

let broken = 0
const directory = mkdtempSync(join(tmpdir(), 'otcsim-bench-'))
try {
  const short = readShortRows(flags.data)
  const packed = writeDay(directory, 'packed', short, 1e6)
  const tenth = writeDay(directory, 'tenth', short, dayRows / 10)
  const day = writeDay(directory, 'day', short, dayRows)
  measureAll(packed, tenth, day)
} finally {
  rmSync(directory, { recursive: true })
}
process.exitCode = broken === 0 ? 0 : 1

function measureAll(packed: DayFiles, tenth: DayFiles, day: DayFiles): void {
  const read = perform('prepare', packed)
  tell('gzip CSV to a prepared form', read, perSecond(read) >= leastPerSecond.prepare)
  perform('prepare', tenth)
  const readDay = perform('prepare', day)
  tell('the same of a day', readDay, readDay.peakMegabytes <= mostMegabytes)
  const fold = perform('fold', day)
  tell('rows folded with nothing around them', fold)
  tell('a day passed where nobody rests', perform('pass', day), true, fold)
  const watch = perform('watch', day)
  tell('a day whose levels are followed', watch, perSecond(watch) >= leastPerSecond.watch, fold)
  const maker = perform('maker', day)
  tell('a maker of both sides at 100 ms', maker, perSecond(maker) >= leastPerSecond.maker, fold)
  const short = perform('maker', tenth)
  tell('a maker over a tenth of the day', short, true, fold)
  line(
    `most memory of the maker: ${maker.peakMegabytes.toFixed(0)} MB, and ${short.peakMegabytes.toFixed(0)} MB over a tenth of the day`,
    maker.peakMegabytes <= mostMegabytes,
  )
}

function perform(task: string, { book, trades }: DayFiles): Answer {
  const program = fileURLToPath(new URL('books/task.mjs', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [program, task, directory, book, trades], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${task} of ${book} failed`)
  return JSON.parse(stdout)
}

function perSecond({ cpuSeconds, rows }: Answer): number {
  return rows / cpuSeconds
}

function tell(name: string, answer: Answer, isKept = true, fold: Answer | null = null): void {
  const million = (perSecond(answer) / 1e6).toFixed(2)
  const times = fold === null ? '' : `, x${(perSecond(fold) / perSecond(answer)).toFixed(2)} of the bare rows`
  line(
    `${name}: ${(answer.rows / 1e6).toFixed(1)} M rows in ${answer.cpuSeconds.toFixed(2)} s of processor time, ${million} M/s${times}; ${answer.peakMegabytes.toFixed(0)} MB; ${answer.result}`,
    isKept,
  )
}

function line(text: string, isKept: boolean): void {
  if (!isKept) broken += 1
  process.stdout.write(`${text}${isKept ? '' : '   BROKEN'}\n`)
}
