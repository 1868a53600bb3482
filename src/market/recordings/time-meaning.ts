import { formatDuration, millisPerDay, millisPerMinute } from '../../numeric/time-text.ts'
import type { CandleColumns } from './candle-columns.ts'
import { findCommonestDistance } from './candle-spans.ts'
import type { FileOptions } from './file-options.ts'
import type { RecordingProblem } from './interpretation.ts'
import type { CandleRows } from './row-table.ts'
import { findTimeEnd, type TableHeader } from './table-header.ts'
import { createTimeReader, type ReadRowTime } from './table-reader.ts'
import type { ZoneLookup } from './table-times.ts'

/* Which end of a candle its time means: by the name, by the export, by the digits; and what other times say of it. */

export interface TimeEnd {
  readonly end: 'open' | 'close'
  readonly evidence: 'stated' | 'named' | 'proved' | 'assumed'
  /** Added to times such as 23:59:59.999, which are a little before the end of their candle. */
  readonly addMillis: number
}

/** Finds which end of a candle the times are. Returns a problem where the digits contradict the name. */
export function findMeaning(
  { atMillis }: CandleRows,
  { known, time }: CandleColumns,
  { names }: TableHeader,
  { times }: FileOptions,
): TimeEnd | RecordingProblem {
  const addMillis = findLastInstant(atMillis)
  const named = known?.times ?? findTimeEnd(names[time] ?? '')
  if (times !== undefined)
    return { end: times, evidence: 'stated', addMillis: times === 'close' ? addMillis : 0 }
  if (named === 'open' && addMillis !== 0) {
    const message = `${names[time]} is called a beginning, and its digits are those of an end; say times: open or times: close`
    return { row: 1, column: 'time', message }
  }
  if (named !== null) return { end: named, evidence: 'named', addMillis }
  return addMillis === 0
    ? { end: 'open', evidence: 'assumed', addMillis }
    : { end: 'close', evidence: 'proved', addMillis }
}

/** Returns what is missing from every time to a multiple of the span, a millisecond or a second; 0 for other times. */
function findLastInstant(times: Float64Array): number {
  const span = findCommonestDistance(times)
  for (const missing of [1, 1000]) {
    const unit = Math.min(span, millisPerDay)
    if (unit < millisPerMinute || unit % millisPerMinute !== 0) return 0
    if (times.every((time) => (time + missing) % millisPerMinute === 0)) return missing
  }
  return 0
}

interface Comparison {
  readonly columns: CandleColumns
  readonly header: TableHeader
  readonly time: { readonly read: ReadRowTime }
  readonly sample: readonly (readonly string[])[]
  readonly options: FileOptions
  readonly findOffset: ZoneLookup
  readonly nameOf: (column: number) => string
  readonly row: number
  readonly end: 'open' | 'close'
  readonly spanMillis: number
}

/**
 * Compares the times with those of other columns: ends of candles lie a span behind, all others are equal, or a text in
 * another zone. Returns what is to be said, or a problem.
 */
export function compareTimes(
  comparison: Comparison,
): RecordingProblem | { readonly notes: readonly string[] } {
  const { columns, end, findOffset, header, nameOf, options, row, sample, spanMillis, time } = comparison
  const notes: string[] = []
  for (const other of columns.otherTimes) {
    const { zone: _, ...withoutZone } = options
    const reader = createTimeReader(
      { time: other, clock: -1, zone: -1 },
      sample,
      withoutZone,
      true,
      findOffset,
    )
    if ('message' in reader) continue
    const differences = sample.flatMap((fields) => {
      const [own, read] = [time.read(fields), reader.read(fields)]
      return typeof own === 'number' && typeof read === 'number' ? [read - own] : []
    })
    if (differences.length === 0) continue
    const named = header.names.length === 0 ? 'close' : findTimeEnd(header.names[other] ?? '')
    const isDay = sample.every((fields) => /^\d{4}[-/.]?\d{2}[-/.]?\d{2}$/.test(fields[other]?.trim() ?? ''))
    const slack = Math.max(1000, spanMillis * 0.11)
    const span = end === 'open' ? spanMillis : -spanMillis
    const isOtherEnd = (difference: number): boolean => Math.abs(difference - span) <= slack
    const isEqual = (difference: number): boolean => Math.abs(difference) < (isDay ? millisPerDay : 1000)
    const isNamedOther = named !== null && named !== end
    const fitting = [
      differences.filter(isOtherEnd).length,
      isNamedOther ? 0 : differences.filter(isEqual).length,
    ]
    const wrong = differences.length - Math.max(...fitting)
    if (wrong === 0) continue
    const [first = 0] = differences
    const isZone =
      differences.every((difference) => difference === first) &&
      first % (15 * millisPerMinute) === 0 &&
      Math.abs(first) <= 14 * 60 * millisPerMinute
    if (isZone && !isNamedOther && reader.form !== 'seconds' && reader.isZoneAssumed) {
      notes.push(
        `${nameOf(other)} is ${formatDuration(Math.abs(first))} ${first < 0 ? 'behind' : 'ahead of'} ${nameOf(columns.time)}, and is not read`,
      )
      continue
    }
    if (options.columns?.time !== undefined) continue
    const what = isNamedOther
      ? `is not the other end of a candle of ${nameOf(columns.time)}`
      : `differs from ${nameOf(columns.time)}`
    const message = `${nameOf(other)} ${what} in ${wrong} of ${differences.length} rows looked at; say columns: time=NAME`
    return { row, column: 'time', message }
  }
  return { notes }
}
