import { element } from '../../numeric/columns.ts'
import {
  formatDuration,
  isoToMillis,
  millisPerDay,
  millisPerHour,
  millisToIso,
} from '../../numeric/time-text.ts'
import type { FileOptions } from './file-options.ts'
import type { LeftOutTally, RecordingProblem } from './interpretation.ts'
import { type CandleRows, pickRows } from './row-table.ts'

/*
 * When candles begin and end, by the distances of their rows. Most have one span; months, local days and local weeks
 * have spans of their own.
 */

/** Rows by ascending time, each time once. */
interface OrderedRows {
  readonly rows: CandleRows
  /** Number of rows that had to be sorted. */
  readonly sorted: number
}

/**
 * Orders rows by ascending time, each time once. Rows that repeat another are left out. Returns the first row that is
 * out of order or contradicts another, unless the options say what to do.
 */
export function orderRows(
  read: CandleRows,
  { dedupe, sort }: FileOptions,
  leftOut: LeftOutTally,
): OrderedRows | RecordingProblem {
  const { atMillis, count, row } = read
  if (isAscending(read)) return { rows: read, sorted: 0 }
  const isDescending = element(atMillis, 0) > element(atMillis, count - 1)
  const given = Array.from({ length: count }, (_, place) => (isDescending ? count - 1 - place : place))
  const sorted = sort === true ? countUnsorted(given, atMillis) : 0
  if (sort === true) given.sort((left, right) => element(atMillis, left) - element(atMillis, right))
  const kept: number[] = []
  for (const place of given) {
    const before = kept.at(-1)
    const at = element(atMillis, place)
    const beforeMillis = before === undefined ? Number.NEGATIVE_INFINITY : element(atMillis, before)
    const [number, beforeNumber] = [row[place] ?? 0, row[before ?? 0] ?? 0]
    if (before === undefined || at > beforeMillis) kept.push(place)
    else if (at < beforeMillis) {
      const order = isDescending ? 'descending' : 'ascending'
      const message = `out of order: the rows are ${order}, but row ${beforeNumber} is not before it; say sort: true`
      return { row: number, column: 'time', message }
    } else if (haveSameFiguresAt(read, before, place)) leftOut.add('that repeat another', number)
    else if (dedupe === undefined) {
      const message = `same time as row ${beforeNumber}, other figures; say dedupe: first or dedupe: last`
      return { row: number, column: 'time', message }
    } else {
      const isKept = dedupe === (isDescending ? 'first' : 'last')
      leftOut.add('of a time that another row has', isKept ? beforeNumber : number)
      if (isKept) kept[kept.length - 1] = place
    }
  }
  return { rows: pickRows(read, kept), sorted }
}

function isAscending({ atMillis, count }: CandleRows): boolean {
  for (let place = 1; place < count; place += 1)
    if (!(element(atMillis, place) > element(atMillis, place - 1))) return false
  return true
}

function haveSameFiguresAt(
  { close, high, low, open, volume }: CandleRows,
  left: number,
  right: number,
): boolean {
  return [open, high, low, close, volume].every((column) => column[left] === column[right])
}

/** Returns how many rows stand behind a later one. */
function countUnsorted(places: readonly number[], atMillis: Float64Array): number {
  let latest = Number.NEGATIVE_INFINITY
  let count = 0
  for (const place of places) {
    const at = element(atMillis, place)
    if (at < latest) count += 1
    latest = Math.max(latest, at)
  }
  return count
}

/**
 * Returns the commonest distance between neighbours in time, milliseconds; of equally common ones the shortest;
 * 0 where no two rows differ. Instants are in ascending order; equal ones have no distance.
 */
export function findCommonestDistance(atMillis: Float64Array): number {
  const counts = new Map<number, number>()
  let run = 0
  let length = 0
  const count = (): void => {
    if (run > 0) counts.set(run, (counts.get(run) ?? 0) + length)
    length = 0
  }
  for (let place = 1; place < atMillis.length; place += 1) {
    const distance = element(atMillis, place) - element(atMillis, place - 1)
    if (distance !== run) {
      count()
      run = distance
    }
    length += 1
  }
  count()
  let commonest = 0
  for (const [distance, times] of counts) {
    const most = counts.get(commonest) ?? 0
    if (times > most || (times === most && distance < commonest)) commonest = distance
  }
  return commonest
}

/** When each candle begins and how long it lasts, milliseconds. */
export interface CandleSpans {
  readonly atMillis: Float64Array
  readonly endMillis: Float64Array
  /** The commonest span of the candles, milliseconds. */
  readonly commonMillis: number
  readonly text: string
  /** How far the first candle begins after a multiple of the span; 0 for months. */
  readonly phaseMillis: number
}

/**
 * Finds when candles begin and end. `end` says which end of a candle the times are. Returns a problem for the first
 * row that lies within another's candle, and for a table with too few rows to know a span.
 */
export function findSpans(
  rows: CandleRows,
  end: 'open' | 'close',
  row: number,
): CandleSpans | RecordingProblem {
  const { atMillis: times, count } = rows
  const common = findCommonestDistance(times)
  if (common === 0) return { row, column: 'time', message: 'one candle alone does not tell its span' }
  const calendar = findCalendar(times, common)
  const other = calendar.kind === 'fixed' ? findOtherSpan(times, common) : null
  if (other !== null) {
    const [from, to] = [other.place, other.place + other.count].map((place) => rows.row[place] ?? 0)
    const message = `the rows to row ${to} are ${formatDuration(other.spanMillis)} apart, and most others ${calendar.text}: candles of two spans are two recordings; keep each in a file of its own`
    return { row: from ?? row, column: 'time', message }
  }
  if (calendar.kind === 'fixed' && areApart(times, common)) {
    const shift = end === 'open' ? 0 : common
    const atMillis = shift === 0 ? times : times.map((time) => time - shift)
    const endMillis = new Float64Array(count)
    for (let place = 0; place < count; place += 1) endMillis[place] = element(atMillis, place) + common
    return {
      atMillis,
      endMillis,
      commonMillis: common,
      text: calendar.text,
      phaseMillis: findPhase(atMillis, common),
    }
  }
  const atMillis = new Float64Array(count)
  const endMillis = new Float64Array(count)
  const step = end === 'open' ? 1 : -1
  for (let place = 0; place < count; place += 1) {
    const time = element(times, place)
    const other = place + step
    const distance = other < 0 || other >= count ? null : Math.abs(element(times, other) - time)
    const span = calendar.measureSpan(time, distance, end)
    if (distance !== null && distance < span) {
      const [first, second] = end === 'open' ? [place, other] : [other, place]
      const message = `${distance} ms after row ${rows.row[first]}, within its candle`
      return { row: rows.row[second] ?? 0, column: 'time', message }
    }
    atMillis[place] = end === 'open' ? time : time - span
    endMillis[place] = element(atMillis, place) + span
  }
  const phaseMillis = calendar.kind === 'months' ? 0 : findPhase(atMillis, common)
  return { atMillis, endMillis, commonMillis: common, text: calendar.text, phaseMillis }
}

/**
 * How many rows in sequence have one distance that is not the span, where they are candles of another span. Choice: a
 * market without a trade in all minutes but the first of each hour is no longer believed after a day.
 */
const leastOtherRows = 24

interface OtherSpan {
  readonly place: number
  readonly count: number
  readonly spanMillis: number
}

/** Finds rows that follow each other at another span than the commonest; null for none. Such rows would be candles too short. */
function findOtherSpan(times: Float64Array, common: number): OtherSpan | null {
  let [first, spanMillis] = [0, 0]
  for (let place = 1; place < times.length; place += 1) {
    const distance = element(times, place) - element(times, place - 1)
    if (distance === spanMillis) continue
    if (spanMillis > common && place - first > leastOtherRows)
      return { place: first, count: place - 1 - first, spanMillis }
    first = place - 1
    spanMillis = distance
  }
  const count = times.length - 1 - first
  return spanMillis > common && count >= leastOtherRows ? { place: first, count, spanMillis } : null
}

const findPhase = (atMillis: Float64Array, common: number): number =>
  millisPerDay % common === 0 ? element(atMillis, 0) % common : 0

/** Returns whether each time is at least a span after the one before. */
function areApart(times: Float64Array, span: number): boolean {
  for (let place = 1; place < times.length; place += 1)
    if (element(times, place) - element(times, place - 1) < span) return false
  return true
}

interface Calendar {
  readonly kind: 'fixed' | 'months' | 'local days'
  readonly text: string
  /** Returns the span of a candle by its time and the distance to its neighbour. */
  readonly measureSpan: (time: number, distance: number | null, end: 'open' | 'close') => number
}

function findCalendar(times: Float64Array, common: number): Calendar {
  const shift = common >= 28 * millisPerDay ? findMonthShift(times) : null
  if (shift !== null) {
    const numbers = [...times].map((time) => countMonths(time + shift))
    const steps = numbers.slice(1).map((month, place) => month - (numbers[place] ?? 0))
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
    times.some((time, place) => Math.abs(time - (times[place - 1] ?? 0)) === common - millisPerHour)
  const fixed = formatDuration(common)
  if (!isLocal) return { kind: 'fixed', text: fixed, measureSpan: () => common }
  return {
    kind: 'local days',
    text: `local ${common === millisPerDay ? 'days' : fixed}, of ${formatDuration(common - millisPerHour)} where clocks change`,
    measureSpan: (_, distance) =>
      distance !== null && Math.abs(distance - common) === millisPerHour ? distance : common,
  }
}

/** The farthest that a local midnight is from one of UTC, in milliseconds. */
const zoneReach = 14 * millisPerHour

/** Returns what to add to times so that they are beginnings of months; null where they are none. */
function findMonthShift(times: Float64Array): number | null {
  const first = times[0] ?? 0
  const shift = monthStart(countMonths(first + zoneReach)) - first
  if (Math.abs(shift) > zoneReach) return null
  const isMonth = (time: number): boolean => {
    const start = monthStart(countMonths(time + shift + millisPerHour))
    return Math.abs(start - (time + shift)) <= millisPerHour
  }
  return times.every(isMonth) ? shift : null
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
