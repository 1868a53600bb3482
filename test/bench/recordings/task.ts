import { readFileSync } from 'node:fs'
import { createPreparedStore } from '../../../src/cli/recordings/prepared-store.ts'
import { readRecordingFile } from '../../../src/cli/recordings/read-recording.ts'
import { countCandles } from '../../../src/market/recordings/candle-table.ts'

/* One way of reading a file, in a process of its own: once from cold, and then seven times. */

/** Processor time of one reading, milliseconds. */
export interface ReadingTimes {
  readonly coldMillis: number
  /** The least of those that follow. */
  readonly settledMillis: number
}

const [task = '', file = '', directory = ''] = process.argv.slice(2)

const readings: Readonly<Record<string, () => number>> = {
  naive: () => readNaively(readFileSync(file, 'utf8')),
  plain: () => readAll(null),
  packed: () => readAll(null),
  prepared: () => readAll(directory),
}

function readAll(folder: string | null): number {
  const store = folder === null ? null : createPreparedStore(folder)
  const answer = readRecordingFile(file, {}, file, store)
  if (!answer.ok) throw new Error(answer.reason)
  return countCandles(answer.candles)
}

/** The shortest way through a table whose columns one knows. */
function readNaively(text: string): number {
  const lines = text.split('\n')
  const columns = Array.from({ length: 6 }, () => new Float64Array(lines.length))
  for (const [place, line] of lines.entries()) {
    const fields = line.split(',')
    for (const [column, values] of columns.entries()) values[place] = Number(fields[column])
  }
  return lines.length
}

function measure(): number {
  const begun = process.cpuUsage()
  if (!((readings[task]?.() ?? 0) > 1)) throw new Error(`nothing was read by ${task}`)
  const { system, user } = process.cpuUsage(begun)
  return (user + system) / 1000
}

const coldMillis = measure()
const settled = Array.from({ length: 7 }, measure)
const times: ReadingTimes = { coldMillis, settledMillis: Math.min(...settled) }
console.log(JSON.stringify(times))
