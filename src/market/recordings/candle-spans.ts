import {
  formatDuration,
  isoToMillis,
  millisPerDay,
  millisPerHour,
  millisToIso,
} from '../../numeric/time-text.ts'
import { haveSameFigures } from './candle.ts'
import type { CandleRow } from './candle-rows.ts'
import type { FileOptions } from './file-options.ts'
import type { LeftOutTally, RecordingProblem } from './interpretation.ts'

/*
 * When candles begin and end, by the distances of their rows. Most have one span; months, local days and local weeks
 * have spans of their own.
 */

/** Rows by ascending time, each time once. */
interface OrderedRows {
  readonly rows: readonly CandleRow[]
  /** Number of rows that had to be sorted. */
  readonly sorted: number
}

/**
 * Orders rows by ascending time, each time once. Rows that repeat another are left out. Returns the first row that is
 * out of order or contradicts another, unless the options say what to do.
 */
export function orderRows(
  read: readonly CandleRow[],
  { dedupe, sort }: FileOptions,
  leftOut: LeftOutTally,
): OrderedRows | RecordingProblem {
  const isDescending = (read[0]?.atMillis ?? 0) > (read.at(-1)?.atMillis ?? 0)
  const given = isDescending ? read.toReversed() : [...read]
  const sorted = sort === true ? countUnsorted(given) : 0
  if (sort === true) given.sort((left, right) => left.atMillis - right.atMillis)
  const rows: CandleRow[] = []
  for (const row of given) {
    const before = rows.at(-1)
    if (before === undefined || row.atMillis > before.atMillis) rows.push(row)
    else if (row.atMillis < before.atMillis) {
      const order = isDescending ? 'descending' : 'ascending'
      const message = `out of order: the rows are ${order}, but row ${before.row} is not before it; say sort: true`
      return { row: row.row, column: 'time', message }
    } else if (haveSameFigures(before, row)) leftOut.add('that repeat another', row.row)
    else if (dedupe === undefined) {
      const message = `same time as row ${before.row}, other figures; say dedupe: first or dedupe: last`
      return { row: row.row, column: 'time', message }
    } else {
      const isKept = dedupe === (isDescending ? 'first' : 'last')
      leftOut.add('of a time that another row has', isKept ? before.row : row.row)
      if (isKept) rows[rows.length - 1] = row
    }
  }
  return { rows, sorted }
}

/** Returns how many rows stand behind a later one. */
function countUnsorted(rows: readonly CandleRow[]): number {
  let latest = Number.NEGATIVE_INFINITY
  let count = 0
  for (const { atMillis } of rows) {
    if (atMillis < latest) count += 1
    latest = Math.max(latest, atMillis)
  }
  return count
}

/**
 * Returns the commonest distance between neighbours in time, milliseconds; of equally common ones the shortest;
 * 0 where no two rows differ. Rows are in ascending order; rows of one instant have no distance.
 */
export function findCommonestDistance(rows: readonly { readonly atMillis: number }[]): number {
  const counts = new Map<number, number>()
  for (const [place, row] of rows.entries()) {
    const distance = (rows[place + 1]?.atMillis ?? row.atMillis) - row.atMillis
    if (distance > 0) counts.set(distance, (counts.get(distance) ?? 0) + 1)
  }
  let commonest = 0
  for (const [distance, count] of counts) {
    const most = counts.get(commonest) ?? 0
    if (count > most || (count === most && distance < commonest)) commonest = distance
  }
  return commonest
}

/** When each candle begins and how long it lasts, milliseconds. */
export interface CandleSpans {
  readonly atMillis: readonly number[]
  readonly spanMillis: readonly number[]
  /** The commonest span of the candles, milliseconds. */
  readonly commonMillis: number
  readonly text: string
  /** How far the first candle begins after a multiple of the span; 0 for months. */
  readonly phaseMillis: number
  /** What is said about a phase that changes; null where it does not. */
  readonly phaseWarning: string | null
}

/**
 * Finds when candles begin and end. `end` says which end of a candle the times are. Returns the first row that lies
 * within another's candle, or that the table has too few rows to tell.
 */
export function findSpans(
  rows: readonly CandleRow[],
  end: 'open' | 'close',
  row: number,
): CandleSpans | RecordingProblem {
  const common = findCommonestDistance(rows)
  if (common === 0) return { row, column: 'time', message: 'one candle alone does not tell its span' }
  const calendar = findCalendar(rows, common)
  const spanMillis: number[] = []
  const atMillis: number[] = []
  for (const [place, { atMillis: time, row: number }] of rows.entries()) {
    const other = end === 'open' ? rows[place + 1] : rows[place - 1]
    const distance = other === undefined ? null : Math.abs(other.atMillis - time)
    const span = calendar.measureSpan(time, distance, end)
    if (distance !== null && distance < span) {
      const [first, second] = end === 'open' ? [number, other?.row ?? number] : [other?.row ?? number, number]
      const message = `${distance} ms after row ${first}, within its candle`
      return { row: second, column: 'time', message }
    }
    spanMillis.push(span)
    atMillis.push(end === 'open' ? time : time - span)
  }
  const isOfMonths = calendar.kind === 'months'
  const phaseMillis = isOfMonths || millisPerDay % common !== 0 ? 0 : (atMillis[0] ?? 0) % common
  return {
    atMillis,
    spanMillis,
    commonMillis: common,
    text: calendar.text,
    phaseMillis,
    phaseWarning: calendar.kind === 'fixed' ? describePhases(atMillis, common, rows) : null,
  }
}

interface Calendar {
  readonly kind: 'fixed' | 'months' | 'local days'
  readonly text: string
  /** Returns the span of a candle by its time and the distance to its neighbour. */
  readonly measureSpan: (time: number, distance: number | null, end: 'open' | 'close') => number
}

function findCalendar(rows: readonly CandleRow[], common: number): Calendar {
  const shift = common >= 28 * millisPerDay ? findMonthShift(rows) : null
  if (shift !== null) {
    const steps = rows
      .slice(1)
      .map(
        (row, place) => countMonths(row.atMillis + shift) - countMonths((rows[place]?.atMillis ?? 0) + shift),
      )
    const months = Math.min(...steps.filter((step) => step > 0))
    const measureSpan = (time: number, _: number | null, end: 'open' | 'close'): number => {
      const own = countMonths(time + shift)
      const [from, to] = end === 'open' ? [own, own + months] : [own - months, own]
      return monthStart(to) - monthStart(from)
    }
    return {
      kind: 'months',
      text: months === 1 ? 'calendar months' : `${months} calendar months`,
      measureSpan,
    }
  }
  const isLocal =
    common % millisPerDay === 0 &&
    rows.some(
      (row, place) => Math.abs(row.atMillis - (rows[place - 1]?.atMillis ?? 0)) === common - millisPerHour,
    )
  const fixed = formatDuration(common)
  if (!isLocal) return { kind: 'fixed', text: fixed, measureSpan: () => common }
  return {
    kind: 'local days',
    text: `local ${common === millisPerDay ? 'days' : fixed}, of ${formatDuration(common - millisPerHour)} where clocks change`,
    measureSpan: (_, distance) =>
      distance !== null && Math.abs(distance - common) === millisPerHour ? distance : common,
  }
}

/** The farthest that a local midnight is from one of UTC. */
const zoneReach = 14 * millisPerHour

/** Returns what to add to times so that they are beginnings of months; null where they are none. */
function findMonthShift(rows: readonly CandleRow[]): number | null {
  const first = rows[0]?.atMillis ?? 0
  const shift = monthStart(countMonths(first + zoneReach)) - first
  if (Math.abs(shift) > zoneReach) return null
  const isMonth = ({ atMillis }: CandleRow): boolean => {
    const start = monthStart(countMonths(atMillis + shift + millisPerHour))
    return Math.abs(start - (atMillis + shift)) <= millisPerHour
  }
  return rows.every(isMonth) ? shift : null
}

/** Counts the months since the year 0 of the month in which an instant lies, or begins within the hour. */
function countMonths(millis: number): number {
  const text = millisToIso(millis + millisPerHour)
  return Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1
}

function monthStart(months: number): number {
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1]
  return isoToMillis(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`) ?? 0
}

/** Describes where candles begin at another place of their span than before; null where they never do. */
function describePhases(
  atMillis: readonly number[],
  common: number,
  rows: readonly CandleRow[],
): string | null {
  let changes = 0
  let first: number | null = null
  for (let place = 1; place < atMillis.length; place += 1) {
    if ((atMillis[place] ?? 0) % common === (atMillis[place - 1] ?? 0) % common) continue
    changes += 1
    first ??= place
  }
  if (first === null) return null
  const [before, after] = [atMillis[first - 1] ?? 0, atMillis[first] ?? 0].map((millis) => millis % common)
  const more = changes === 1 ? '' : ` (and ${changes - 1} times more)`
  return `From row ${rows[first]?.row} on, ${millisToIso(atMillis[first] ?? 0)}, candles begin ${formatDuration(after ?? 0)} after a multiple of ${formatDuration(common)}, before that ${formatDuration(before ?? 0)}${more}: there the clock of the file was changed, or two recordings were joined.`
}
