import { element } from '../../numeric/columns.ts'
import { millisPerDay, millisToIso } from '../../numeric/time-text.ts'
import { withCommas } from '../../numeric/units.ts'
import { type CandleColumns, findCandleColumns, sampleRows } from './candle-columns.ts'
import { type ReadRows, readCandleRows } from './candle-rows.ts'
import { type CandleSpans, findSpans, orderRows } from './candle-spans.ts'
import { type CandleTable, createCandleTable, noCandles } from './candle-table.ts'
import { describePhaseChanges } from './candle-warnings.ts'
import type { FileOptions } from './file-options.ts'
import type { RecordingExplanation, RecordingProblem } from './interpretation.ts'
import { type CandleRows, noRows } from './row-table.ts'
import { isMissing } from './table-fields.ts'
import type { TableHeader, TextTable } from './table-header.ts'
import { createTableNumbers, createTimeReader, type TimeAccess } from './table-reader.ts'
import type { ZoneLookup } from './table-times.ts'
import { compareTimes, findMeaning, type TimeEnd } from './time-meaning.ts'
import { chooseVolume, type VolumeColumn } from './volume-column.ts'

/** A table of candles as it was read: what it holds, and its first problem if it cannot be used. */
export interface CandleResult {
  readonly kind: 'candles'
  readonly layout: string
  /** The good rows, in the order of the file. */
  readonly rows: CandleRows
  readonly badRows: number
  /** The first few problems of rows. */
  readonly problems: readonly RecordingProblem[]
  readonly candles: CandleTable
  readonly explanation: RecordingExplanation | null
  /** Why the table cannot be used as it is; null when it can. */
  readonly problem: RecordingProblem | null
}

/** Reads a table of candles. Everything that its names say is checked against its rows. */
export function readCandleTable(
  table: TextTable,
  header: TableHeader,
  options: FileOptions,
  findOffset: ZoneLookup,
): CandleResult {
  const { rows, firstRowNumber } = table
  const columns = findCandleColumns(header, rows, options)
  if ('message' in columns) return createFailure({ ...columns, row: columns.row + firstRowNumber - 1 })
  const sample = sampleRows(rows, header.firstRow)
  const row = header.firstRow + firstRowNumber
  const numbers = createTableNumbers(sample, listFigures(columns), table.hasSemicolons, options, row)
  if ('message' in numbers) return createFailure(numbers, columns)
  const time = createTimeReader(columns, sample, options, false, findOffset)
  if ('message' in time) return createFailure({ ...time, row }, columns)
  const nameOf = (column: number): string => header.written[column] ?? `column ${column + 1}`
  const chosen = chooseVolume(
    columns.volumes,
    createVolumeSample(sample, columns, numbers),
    columns.known,
    options,
    nameOf,
  )
  const volume =
    'message' in chosen || chosen.column >= 0
      ? chosen
      : (findUnreadVolume(sample, columns, numbers, options, nameOf) ?? chosen)
  const volumeColumn = 'message' in volume ? -1 : volume.column
  const reader = {
    readTime: time.read,
    plainTime: time.plain,
    readNumber: numbers,
    volume: volumeColumn,
  }
  const read = readCandleRows(rows, header, columns, reader, options, firstRowNumber)
  if ('message' in read) return createFailure(read, columns)
  const found = {
    lastRow: rows.length + firstRowNumber - 1,
    header,
    columns,
    time,
    options,
    read: inAssets(read, volume),
    row,
    nameOf,
    sample,
    findOffset,
  }
  const { badRows, problems, rows: good } = found.read
  const base = { kind: 'candles' as const, layout: columns.layout, rows: good, badRows, problems }
  const early =
    findRowProblem(found) ?? ('message' in volume ? { ...volume, row: Math.max(1, row - 1) } : null)
  if (early !== null || 'message' in volume)
    return { ...base, candles: noCandles, explanation: null, problem: early }
  const built = buildCandles(found, volume)
  if ('message' in built) return { ...base, candles: noCandles, explanation: null, problem: built }
  return { ...base, ...built, problem: null }
}

interface Found {
  readonly header: TableHeader
  readonly columns: CandleColumns
  readonly time: TimeAccess
  readonly options: FileOptions
  readonly read: ReadRows
  /** Number of the first row below the header, from 1. */
  readonly row: number
  readonly lastRow: number
  readonly nameOf: (column: number) => string
  readonly sample: readonly (readonly string[])[]
  readonly findOffset: ZoneLookup
}

/** Returns the rows with their volumes in units of the asset: those in USD at the mean of open and close. */
function inAssets(read: ReadRows, volume: VolumeColumn | RecordingProblem): ReadRows {
  if ('message' in volume || volume.unit === 'asset') return read
  const { rows } = read
  const inUnits = rows.volume.map(
    (usd, place) => (2 * usd) / (element(rows.open, place) + element(rows.close, place)),
  )
  return { ...read, rows: { ...rows, volume: inUnits } }
}

function createFailure(problem: RecordingProblem, columns?: CandleColumns): CandleResult {
  const none = { rows: noRows, badRows: 0, problems: [], candles: noCandles, explanation: null }
  return { kind: 'candles', layout: columns?.layout ?? 'candles', ...none, problem }
}

function listFigures({ open, high, low, close, volumes, vwap }: CandleColumns): readonly number[] {
  return [open, high, low, close, vwap, ...volumes.map(({ column }) => column)].filter(
    (column) => column >= 0,
  )
}

function createVolumeSample(
  sample: readonly (readonly string[])[],
  { open, high, low }: CandleColumns,
  readNumber: (field: string | undefined) => number,
) {
  const whole = sample.filter((fields) => readNumber(fields[open]) > 0)
  const readPrice = (column: number) => (fields: readonly string[]) =>
    readNumber(fields[column < 0 ? open : column])
  return {
    low: whole.map(readPrice(low)),
    high: whole.map(readPrice(high)),
    figure: (column: number, row: number): number => readNumber(whole[row]?.[column]),
  }
}

/** Returns a problem where no volume is read, although a column of one has texts such as `125.63K`; else null. */
function findUnreadVolume(
  sample: readonly (readonly string[])[],
  { volumes }: CandleColumns,
  readNumber: (field: string | undefined) => number,
  { columns }: FileOptions,
  nameOf: (column: number) => string,
): RecordingProblem | null {
  if (columns?.volume === 'none') return null
  for (const { column } of volumes) {
    const field = sample.find((row) => !isMissing(row[column]) && Number.isNaN(readNumber(row[column])))
    if (field === undefined) continue
    const message = `"${field[column]}" of ${nameOf(column)} is no number; say columns: volume=NAME, or volume=none`
    return { row: 1, column: 'volume', message }
  }
  return null
}

/** Returns the first problem of the rows that the options do not allow, or null. */
function findRowProblem({ columns, lastRow, nameOf, options, read, row }: Found): RecordingProblem | null {
  const [first] = read.problems
  if (first !== undefined && options.skipBad !== true) {
    const rows = read.badRows === 1 ? 'this row' : `${withCommas(read.badRows)} such rows`
    return { ...first, message: `${first.message}; skipBad: true leaves out ${rows}` }
  }
  if (first !== undefined) read.leftOut.add('that cannot be read', first.row, read.badRows)
  if (read.rows.count === 0) {
    const message =
      options.symbol === undefined ? 'there are no candles' : `there are no candles of ${options.symbol}`
    return { row: lastRow, column: '', message }
  }
  const { count, outside } = read.averages
  if (count >= leastRows && outside > count * 0.05) {
    const message = `${nameOf(columns.vwap)} lies outside of the candle in ${outside} of ${count} rows, so the columns are not what they are called; say columns: open=…,high=…,low=…,close=…`
    return { row, column: '', message }
  }
  return null
}

/** The least number of rows that prove anything about a column. */
const leastRows = 4

function buildCandles(
  found: Found,
  volume: VolumeColumn,
): RecordingProblem | { readonly candles: CandleTable; readonly explanation: RecordingExplanation } {
  const { columns, options, read, row } = found
  const ordered = orderRows(read.rows, options, read.leftOut)
  if ('message' in ordered) return ordered
  const meaning = findMeaning(ordered.rows, columns, found.header, options)
  if ('message' in meaning) return { ...meaning, row }
  const rows =
    meaning.addMillis === 0
      ? ordered.rows
      : { ...ordered.rows, atMillis: ordered.rows.atMillis.map((at) => at + meaning.addMillis) }
  const spans = findSpans(rows, meaning.end, row)
  if ('message' in spans) return spans
  const compared = compareTimes({ ...found, end: meaning.end, spanMillis: spans.commonMillis })
  if ('message' in compared) return compared
  const candles = makeCandles(rows, spans, columns)
  const problem =
    findExchangedPrices(candles, found) ??
    findHugeVolume(candles, volume, found) ??
    findFarTime(candles, rows)
  if (problem !== null) return problem
  const changed =
    ordered.sorted === 0
      ? []
      : [
          `${withCommas(ordered.sorted)} ${ordered.sorted === 1 ? 'row' : 'rows'} sorted into the order of time`,
        ]
  return {
    candles,
    explanation: describe(found, volume, meaning, spans, [...changed, ...compared.notes], candles, rows),
  }
}

/**
 * Makes the candles of rows. Choice: where only opens are recorded, a candle goes straight to the next open, and its
 * price stays before a gap.
 */
function makeCandles(
  { close, count, high, low, open, volume }: CandleRows,
  { atMillis, endMillis }: CandleSpans,
  { layout }: CandleColumns,
): CandleTable {
  if (layout === 'candles') return createCandleTable({ atMillis, endMillis, open, high, low, close, volume })
  const closes = open.map((own, place) => {
    const isNext = place + 1 < count && element(atMillis, place + 1) === element(endMillis, place)
    return isNext ? element(open, place + 1) : own
  })
  return createCandleTable({
    ...{ atMillis, endMillis, open, volume, close: closes },
    high: open.map((own, place) => Math.max(own, element(closes, place))),
    low: open.map((own, place) => Math.min(own, element(closes, place))),
  })
}

/** Returns a problem where each close is the open of the candle before, and not the other way round. */
function findExchangedPrices(
  { atMillis, close, count, endMillis, open }: CandleTable,
  { columns, options, row }: Found,
): RecordingProblem | null {
  if (
    columns.layout === 'opens' ||
    (options.columns?.open !== undefined && options.columns.close !== undefined)
  )
    return null
  let [told, exchanged] = [0, 0]
  for (let place = 1; place < count; place += 1) {
    if (element(endMillis, place - 1) !== element(atMillis, place)) continue
    const right = Math.abs(element(open, place) - element(close, place - 1))
    const other = Math.abs(element(close, place) - element(open, place - 1))
    if (right !== other) told += 1
    if (other < right / 4) exchanged += 1
  }
  if (told < leastRows || exchanged < told * 0.8) return null
  return {
    row,
    column: 'open',
    message:
      'each close is the open of the candle before, as where open and close are exchanged, or the times run backwards; say columns: open=…,close=…',
  }
}

/** The daily volume that no asset reaches in USD. A larger one must be in other units than it is read in. */
const maximumDailyUsd = 1e11

function findHugeVolume(
  { atMillis, count, endMillis, high, low, volume }: CandleTable,
  { evidence, unit }: VolumeColumn,
  { row }: Found,
): RecordingProblem | null {
  if (unit === 'usd' || evidence === 'stated' || evidence === 'proved') return null
  if (count === 0) return null
  const days = Math.max(1 / 24, (element(endMillis, count - 1) - element(atMillis, 0)) / millisPerDay)
  let usd = 0
  for (let place = 0; place < count; place += 1)
    usd += (element(volume, place) * (element(low, place) + element(high, place))) / 2
  if (usd / days <= maximumDailyUsd) return null
  const worth = withCommas(Math.round(usd / days / 1e9))
  return {
    row,
    column: 'volume',
    message: `read as units of the asset, about ${worth} billion USD a day were traded; say volumeIn: usd, or volumeIn: asset if it is so`,
  }
}

/** 2100-01-01: no recording is of later times, so that such numbers mean something else. */
const farMillis = 4_102_444_800_000

function findFarTime({ atMillis }: CandleTable, { row }: CandleRows): RecordingProblem | null {
  // Candles are in the order of time.
  if (!((atMillis.at(-1) ?? 0) >= farMillis)) return null
  const place = atMillis.findIndex((at) => at >= farMillis)
  const time = millisToIso(element(atMillis, place))
  return {
    row: row[place] ?? 1,
    column: 'time',
    message: `the time would be ${time}, in the far future: the column holds something else; say columns: time=NAME`,
  }
}

function describe(
  { columns, header, nameOf, options, read, time }: Found,
  volume: VolumeColumn,
  meaning: TimeEnd,
  spans: CandleSpans,
  changed: readonly string[],
  candles: CandleTable,
  { row: rowNumbers }: CandleRows,
): RecordingExplanation {
  const roles = ['time', 'clock', 'open', 'high', 'low', 'close'] as const
  const names = roles.flatMap((role) => (columns[role] < 0 ? [] : [[role, nameOf(columns[role])] as const]))
  const { count, outside } = read.averages
  const leftOut = [
    ...(header.rowsAbove === 0 ? [] : [{ reason: 'above the header', count: header.rowsAbove, firstRow: 1 }]),
    ...read.leftOut.list(),
  ]
  const assumed = [
    ...(meaning.evidence === 'assumed' ? ['times are beginnings (times: close if not)'] : []),
    ...(time.isZoneAssumed ? ['times are in UTC (zone: if not)'] : []),
    ...(volume.evidence === 'assumed' ? ['volumes are in units of the asset (volumeIn: usd if not)'] : []),
  ]
  const phases = describePhaseChanges(candles, allTimes, (place) => `row ${rowNumbers[place]}, `)
  return {
    kind: 'candles',
    export: columns.known?.name ?? null,
    columns: Object.fromEntries(names),
    times: meaning.end,
    timeForm: time.form,
    zone: options.zone ?? time.zone,
    volume: describeVolume(volume, nameOf),
    spanMillis: spans.commonMillis,
    span: spans.text,
    phaseMillis: spans.phaseMillis,
    rows: spans.atMillis.length,
    leftOut,
    changed,
    assumed,
    warnings: [
      ...describeVolumes(candles, volume, nameOf),
      ...(phases === null ? [] : [phases]),
      ...(outside === 0
        ? []
        : [`${nameOf(columns.vwap)} lies outside of the candle in ${outside} of ${count} rows.`]),
    ],
  }
}

const allTimes = { fromMillis: Number.NEGATIVE_INFINITY, toMillis: Number.POSITIVE_INFINITY }

function describeVolume(
  { column, evidence, provedBy, unit }: VolumeColumn,
  nameOf: (column: number) => string,
): string {
  if (column < 0) return 'none'
  const units = unit === 'asset' ? 'units of the asset' : 'USD'
  const how = {
    stated: ' as stated',
    proved: `, proved by ${nameOf(provedBy)}`,
    named: ' by its name',
    export: ' as the export has it',
    assumed: '',
    absent: '',
  }[evidence]
  return `${nameOf(column)} in ${units}${how}`
}

/** How often a volume must be what those before it were, to be one of another unit. */
const unitFactor = 20
/** How many candles on both sides are compared. */
const windowSize = 8

/** Describes where volumes are not what another column says, and where they go over to another unit. */
function describeVolumes(
  { atMillis, count, volume }: CandleTable,
  { column, misfits, provedBy }: VolumeColumn,
  nameOf: (column: number) => string,
): readonly string[] {
  const warnings: string[] = []
  if (misfits > 0)
    warnings.push(
      `${nameOf(column)} and ${nameOf(provedBy)} contradict each other in ${misfits} of the rows looked at: one of them is in another unit there.`,
    )
  // Only candles in which something was traded count.
  let before = Number.NaN
  for (let place = 0; place < count; place += 1) {
    const after = element(volume, place)
    if (!(after > 0)) continue
    const isNear = after < before * unitFactor && before < after * unitFactor
    const isFirst = Number.isNaN(before)
    before = after
    if (isNear || isFirst) continue
    const isUp = goesOver(volume, place, 1)
    if (!isUp && !goesOver(volume, place, -1)) continue
    const at = millisToIso(element(atMillis, place))
    warnings.push(
      `From ${at} on, volumes are ${isUp ? `more than ${unitFactor} times` : `less than a ${unitFactor}th of`} those before: they may be in another unit there.`,
    )
    break
  }
  return warnings
}

/**
 * Returns whether every volume from a place on is a multiple of every one before it, or the other way round; as many
 * on either side as are compared. Makes no list, because in some recordings it is called for every twentieth candle.
 */
function goesOver(volume: Float64Array, place: number, direction: 1 | -1): boolean {
  const isUp = direction === 1
  const least = findExtreme(volume, isUp ? place : place - 1, direction, false)
  const greatest = findExtreme(volume, isUp ? place - 1 : place, isUp ? -1 : 1, true)
  return least >= greatest * unitFactor
}

/** Finds the least or the greatest of the volumes above 0 that are compared on one side, from its first place on. */
function findExtreme(volume: Float64Array, from: number, step: 1 | -1, isGreatest: boolean): number {
  let extreme = isGreatest ? 0 : Number.POSITIVE_INFINITY
  let left = windowSize
  for (let at = from; left > 0 && at >= 0 && at < volume.length; at += step) {
    const own = element(volume, at)
    if (!(own > 0)) continue
    left -= 1
    extreme = isGreatest ? Math.max(extreme, own) : Math.min(extreme, own)
  }
  return extreme
}
