import { millisToIso } from '../../numeric/time-text.ts'
import type { FileOptions } from './file-options.ts'
import type { RecordingProblem } from './interpretation.ts'
import { createNumberReader, findNumberForm, isNumber } from './table-fields.ts'
import {
  findEpochUnit,
  findTimeForm,
  type LocalTime,
  readDigits,
  readEpoch,
  readOffset,
  readTimeText,
  spellClock,
  spellDay,
  type TimeForm,
  type ZoneLookup,
} from './table-times.ts'

type Row = readonly string[]

/** Reads the time of a row in milliseconds since 1970, or returns what is wrong with it. */
export type ReadRowTime = (row: Row) => number | string

/** How the times of a table are read, and how they were understood. */
export interface TimeAccess {
  readonly read: ReadRowTime
  readonly form: string
  readonly zone: string
  /** Whether a zone was taken that neither the table nor the options state. */
  readonly isZoneAssumed: boolean
  readonly plain: PlainTime
}

/**
 * How a single column states instants, where a quick reader may read it: numbers since 1970, or texts in UTC that begin
 * with the year. Null where zones or other orders have a say.
 */
export type PlainTime = 'epoch' | 'text' | null

interface TimeColumns {
  readonly time: number
  readonly clock: number
  readonly zone: number
}

const noTime = (row: Row, { time, clock }: TimeColumns): string => {
  const text = clock < 0 ? (row[time] ?? '') : `${row[time] ?? ''} ${row[clock] ?? ''}`
  return `"${text}" is not a time (ISO 8601, or a number since 1970)`
}

/**
 * Creates the reader of a table's times, by the rows of a sample. Returns a problem where dates fit both ways, or where
 * the options state what has no effect.
 */
export function createTimeReader(
  columns: TimeColumns,
  sample: readonly Row[],
  options: FileOptions,
  dropsFractions: boolean,
  findOffset: ZoneLookup,
): TimeAccess | RecordingProblem {
  const { clock, time } = columns
  const readText = (row: Row): string => {
    const text = row[time]?.trim() ?? ''
    return clock < 0 ? text : `${spellDay(text)} ${spellClock(row[clock]?.trim() ?? '')}`
  }
  const found = findTimeForm(sample.map(readText))
  // Whoever reads the rows finds that none of them has a time.
  if (found === null) return createPlainReader((row) => noTime(row, columns), 'unknown', null)
  const { form, isUndecided } = found
  const refuse = (message: string): RecordingProblem => ({ row: 1, column: 'time', message })
  if (form.kind === 'epoch') {
    if (options.zone !== undefined) return refuse('zone: the times are numbers since 1970, which need none')
    const read: ReadRowTime = (row) => {
      const text = row[time]?.trim() ?? ''
      const millis = isNumber(text) ? readEpoch(text, dropsFractions) : null
      return millis ?? noTime(row, columns)
    }
    return createPlainReader(read, describeEpoch(sample, readText), dropsFractions ? null : 'epoch')
  }
  if (isUndecided && options.dates === undefined) {
    const text = readText(sample.find((row) => readText(row) !== '') ?? [])
    return refuse(`dates such as "${text}" fit both ways; say dates: day-first or dates: month-first`)
  }
  return createLocalReader({
    columns,
    readText,
    form: withDates(form, options),
    sample,
    options,
    dropsFractions,
    findOffset,
  })
}

const withDates = (form: TimeForm, { dates }: FileOptions): TimeForm =>
  form.kind === 'text' && dates !== undefined && (form.dates === 'day-first' || form.dates === 'month-first')
    ? { ...form, dates }
    : form

const createPlainReader = (read: ReadRowTime, form: string, plain: PlainTime): TimeAccess => ({
  read,
  form,
  zone: 'UTC',
  isZoneAssumed: false,
  plain,
})

function describeEpoch(sample: readonly Row[], readText: (row: Row) => string): string {
  const units = new Set(sample.map(readText).filter(isNumber).map(findEpochUnit))
  return [...units].join(' and ')
}

interface LocalTable {
  readonly columns: TimeColumns
  readonly readText: (row: Row) => string
  readonly form: TimeForm
  readonly sample: readonly Row[]
  readonly options: FileOptions
  readonly dropsFractions: boolean
  readonly findOffset: ZoneLookup
}

/**
 * Creates the reader of times that are dates and times of day, as opposed to counts since 1970. Returns a problem if
 * their zone is unknown or stated twice.
 */
function createLocalReader({
  columns,
  readText,
  form,
  sample,
  options,
  dropsFractions,
  findOffset,
}: LocalTable): TimeAccess | RecordingProblem {
  const readLocal = (row: Row): LocalTime | null => {
    const text = readText(row)
    if (form.kind === 'text') return readTimeText(text, form.dates, dropsFractions)
    const millis = readDigits(text)
    return millis === null ? null : { millis, offsetMillis: null }
  }
  const locals = sample.map(readLocal).filter((local) => local !== null)
  const hasOwnZone = locals.some(({ offsetMillis }) => offsetMillis !== null)
  const { zone } = options
  if (zone !== undefined && hasOwnZone)
    return { row: 1, column: 'time', message: 'zone: the times name their own zone' }
  if (zone !== undefined && readOffset(zone) === null && findOffset(zone, 0, false) === null)
    return {
      row: 1,
      column: 'time',
      message: `zone: "${zone}" is not a zone such as UTC, -05:00 or America/New_York`,
    }
  const isDescending = (locals[0]?.millis ?? 0) > (locals.at(-1)?.millis ?? 0)
  const resolve = createZoneResolver(isDescending, findOffset)
  const read: ReadRowTime = (row) => {
    const local = readLocal(row)
    if (local === null) return noTime(row, columns)
    if (local.offsetMillis !== null) return local.millis - local.offsetMillis
    const own = columns.zone < 0 || zone !== undefined ? zone : row[columns.zone]?.trim()
    return own === undefined ? local.millis : resolve(own, local.millis)
  }
  const hasColumn = columns.zone >= 0 && zone === undefined && !hasOwnZone
  const isNamed = hasOwnZone || hasColumn || zone !== undefined
  const isYearFirst = form.kind === 'text' && form.dates === 'year-first' && !dropsFractions
  return {
    read,
    plain: isYearFirst && zone === undefined && columns.zone < 0 && columns.clock < 0 ? 'text' : null,
    form: form.kind === 'digits' ? 'calendar digits' : 'text',
    zone: hasOwnZone ? 'own zone' : hasColumn ? `zone of column ${columns.zone + 1}` : (zone ?? 'UTC'),
    isZoneAssumed: !isNamed,
  }
}

/**
 * Creates the function that turns local times into instants. Where clocks are set back, an hour is there twice; the
 * order of the rows says which one is meant.
 */
function createZoneResolver(isDescending: boolean, findOffset: ZoneLookup) {
  let before: number | null = null
  return (zone: string, localMillis: number): number | string => {
    const fixed = readOffset(zone)
    if (fixed !== null) return localMillis - fixed
    const findInstant = (isLater: boolean): number | string => {
      const offset = findOffset(zone, localMillis, isLater)
      if (offset === null) return `"${zone}" is not a zone; say zone: America/New_York or its like`
      const shown = millisToIso(localMillis).slice(0, 16)
      return offset === 'never' ? `${shown} does not exist in ${zone}` : localMillis - offset
    }
    let instant = findInstant(isDescending)
    if (typeof instant === 'string') return instant
    const isTaken = before !== null && (isDescending ? instant >= before : instant <= before)
    if (isTaken) instant = findInstant(!isDescending)
    if (typeof instant === 'number') before = instant
    return instant
  }
}

/** Creates the reader of a table's numbers, or returns a problem where they fit both ways. */
export function createTableNumbers(
  sample: readonly Row[],
  columns: readonly number[],
  hasSemicolons: boolean,
  { decimal }: FileOptions,
  row: number,
): ((field: string | undefined) => number) | RecordingProblem {
  if (decimal !== undefined) return createNumberReader({ decimal, hasThousands: true })
  const fields = sample.flatMap((fields) => columns.map((column) => fields[column] ?? ''))
  const form = findNumberForm(fields, hasSemicolons)
  if (form !== null) return createNumberReader(form)
  const example = fields.find((field) => /[.,]/.test(field)) ?? ''
  const message = `numbers such as "${example.trim()}" fit both ways: with thousands or with decimals behind the sign; say decimal: point or decimal: comma`
  return { row, column: '', message }
}
