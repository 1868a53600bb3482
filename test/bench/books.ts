import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureReference, type ReferenceAnswers } from './books/reference.ts'
import type { Answer } from './books/task.ts'
import { type DayFiles, readShortRows, writeDay } from './books/write-day.ts'

/*
 * What a recorded book costs: reading gzip CSV, passing over a day where nobody rests, following each of its levels, and a
 * maker who quotes both sides each 100 ms. Each is a process of its own, and its memory is the most that it ever had.
 *
 * `npm run bench books [-- --data FILE] [--million ROWS]`: FILE has `ts_ms,kind,side,price,quantity` and is repeated,
 * each time later; without one, a book is drawn. Where Python has the wheel of hftbacktest, that works off the same events
 * in the same run (test/hftbacktest/find-wheel.ts says how to get it). Exit code 1 when a promise is broken.
 */

const { values: flags } = parseArgs({
  options: { data: { type: 'string', default: '' }, million: { type: 'string', default: '20' } },
})
const dayRows = Number(flags.million) * 1e6
const mostMegabytes = 350
const mostRestoreSeconds = 2
/** How many times as long as the bare rows each may take, and what is wanted of a second on a machine of its own. */
const most = {
  prepare: { times: 20, wanted: '1 M/s' },
  pass: { times: 2, wanted: '4.7 M/s' },
  watch: { times: 3, wanted: '4.7 M/s' },
  maker: { times: 6, wanted: '2.35 M/s' },
}

/** How many times the reference's events a second are worked off at least. */
const least = { replay: 1, maker: 0.5 }

let broken = 0
const directory = mkdtempSync(join(tmpdir(), 'otcsim-bench-'))
try {
  const short = readShortRows(flags.data)
  const packed = writeDay(directory, 'packed', short, 1e6)
  const tenth = writeDay(directory, 'tenth', short, dayRows / 10)
  const day = writeDay(directory, 'day', short, dayRows)
  const ours = measureAll(packed, tenth, day)
  compareWithReference(ours, measureReference(directory, short, day.repetitions))
} finally {
  rmSync(directory, { recursive: true })
}
process.exitCode = broken === 0 ? 0 : 1

function measureAll(packed: DayFiles, tenth: DayFiles, day: DayFiles): OurAnswers {
  tell('gzip CSV to a prepared form, a small file and the start of the program', perform('prepare', packed))
  perform('prepare', tenth)
  const read = perform('prepare', day)
  const fold = perform('fold', day)
  tell('rows of a day folded with nothing around them', fold)
  judge('gzip CSV of a day to a prepared form', 'prepare', read, fold)
  tell('a tenth of a day passed where nobody rests', perform('pass', tenth))
  const pass = perform('pass', day)
  judge('a day passed where nobody rests', 'pass', pass, fold)
  judge('a day whose levels are followed', 'watch', perform('watch', day), fold)
  const maker = perform('maker', day)
  judge('a maker of both sides at 100 ms', 'maker', maker, fold)
  const [short, long] = [perform('maker-once', tenth), perform('maker-once', day)]
  line(
    `most memory of the maker: ${long.peakMegabytes.toFixed(0)} MB, and ${short.peakMegabytes.toFixed(0)} MB over a tenth of the day; of the reading ${read.peakMegabytes.toFixed(0)} MB`,
    Math.max(long.peakMegabytes, read.peakMegabytes) <= mostMegabytes,
  )
  const restore = perform('restore', day)
  line(
    `a snapshot of the middle of the day: opened and restored in ${restore.wallSeconds.toFixed(2)} s, ${restore.cpuSeconds.toFixed(2)} s of processor time; ${restore.result}`,
    restore.cpuSeconds <= mostRestoreSeconds && restore.result === 'equal to the end',
  )
  return { pass, maker }
}

interface OurAnswers {
  readonly pass: Answer
  readonly maker: Answer
}

/** Tells what hftbacktest takes for the same events in this run, and holds ours against it. */
function compareWithReference({ maker, pass }: OurAnswers, reference: ReferenceAnswers): void {
  if ('lack' in reference) {
    line(`hftbacktest was not measured: ${reference.lack}`, true)
    return
  }
  tell('hftbacktest: the same events without orders', reference.replay)
  tell('hftbacktest: a maker of both sides at 100 ms', reference.maker)
  const replayTimes = perSecond(pass) / perSecond(reference.replay)
  const makerTimes = perSecond(maker) / perSecond(reference.maker)
  line(
    `events a second of processor time beside hftbacktest in this run: without orders x${replayTimes.toFixed(2)}, at least x${least.replay}; the maker x${makerTimes.toFixed(2)}, at least x${least.maker}`,
    replayTimes >= least.replay && makerTimes >= least.maker,
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

function tell(name: string, answer: Answer): void {
  line(describe(name, answer), true)
}

/** Tells a measurement, and holds it against the bare rows of the same run. */
function judge(name: string, bar: keyof typeof most, answer: Answer, fold: Answer): void {
  const times = perSecond(fold) / perSecond(answer)
  const { times: allowed, wanted } = most[bar]
  line(
    `${describe(name, answer)}; x${times.toFixed(2)} of the bare rows, at most x${allowed}; ${wanted} wanted`,
    times <= allowed,
  )
}

function describe(name: string, answer: Answer): string {
  const { cpuSeconds, peakMegabytes, result, rows } = answer
  const told = result === '' ? '' : `; ${result}`
  return `${name}: ${(rows / 1e6).toFixed(1)} M rows in ${cpuSeconds.toFixed(2)} s of processor time, ${(perSecond(answer) / 1e6).toFixed(2)} M/s; ${peakMegabytes.toFixed(0)} MB${told}`
}

function line(text: string, isKept: boolean): void {
  if (!isKept) broken += 1
  process.stdout.write(`${text}${isKept ? '' : '   BROKEN'}\n`)
}
