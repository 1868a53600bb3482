import { bisectPlaces, element } from '../../numeric/columns.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import {
  type CandleFields,
  type Candles,
  type CandleTable,
  candleAt,
  countCandles,
  createCandleTable,
  getCandleTable,
} from './candle-table.ts'
import type { FileOptions } from './file-options.ts'

/** A file of a recording that comes in several. */
export interface RecordingPart {
  readonly file: string
  readonly candles: Candles
}

export type JoinedRecording =
  | {
      readonly ok: true
      readonly candles: Candles
      /** Number of candles that two files had, with equal figures or as the options decide. */
      readonly repeated: number
    }
  | {
      readonly ok: false
      /** The part at fault, by its place in the list. */
      readonly place: number
      readonly reason: string
    }

/**
 * Joins the files of one recording in the order of time, however they are listed. Candles that two files have with
 * equal figures count once; others overlap, which is refused unless the options say which counts.
 */
export function joinRecordings(
  parts: readonly RecordingPart[],
  { dedupe }: FileOptions = {},
): JoinedRecording {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return { ok: true, candles: only.candles, repeated: 0 }
  const sorted = [...parts].sort((left, right) => startOf(left) - startOf(right))
  const whole = new JoinedColumns(parts.reduce((sum, { candles }) => sum + countCandles(candles), 0))
  let repeated = 0
  let previous: RecordingPart | null = null
  for (const part of sorted) {
    const reason = previous === null ? null : findMismatch(previous, part)
    if (reason !== null) return { ok: false, place: parts.indexOf(part), reason }
    const { count: before } = whole
    const table = getCandleTable(part.candles)
    for (let row = 0; row < table.count; row += 1) {
      const at = element(table.atMillis, row)
      if (whole.count === 0 || at >= whole.endMillis) {
        whole.put(whole.count, table, row)
        continue
      }
      const place = whole.findLastBegun(at)
      const isSameTime = place >= 0 && whole.hasSame(place, table, row, timeFields)
      if (!isSameTime || (dedupe === undefined && !whole.hasSame(place, table, row, figureFields))) {
        const remedy = isSameTime ? ' with other figures; say dedupe: first or dedupe: last' : ''
        return {
          ok: false,
          place: parts.indexOf(part),
          reason: `overlaps another file at ${millisToIso(at)}${remedy}`,
        }
      }
      repeated += 1
      if (dedupe === 'last') whole.put(place, table, row)
    }
    if (whole.count === before)
      return { ok: false, place: parts.indexOf(part), reason: 'overlaps another file: nothing in it is new' }
    previous = part
  }
  return { ok: true, candles: whole.finish(), repeated }
}

const timeFields = ['atMillis', 'endMillis'] as const
const figureFields = ['open', 'high', 'low', 'close', 'volume'] as const
type Field = keyof CandleFields

/** The columns of several files, one after the other. */
class JoinedColumns {
  count = 0
  private readonly columns: Record<Field, Float64Array>

  constructor(capacity: number) {
    const create = (): Float64Array => new Float64Array(capacity)
    this.columns = {
      ...{ atMillis: create(), endMillis: create(), open: create(), high: create(), low: create() },
      ...{ close: create(), volume: create() },
    }
  }

  /** When the last candle ends, milliseconds since 1970. */
  get endMillis(): number {
    return element(this.columns.endMillis, this.count - 1)
  }

  put(place: number, table: CandleFields, row: number): void {
    for (const name of timeFields) this.columns[name][place] = element(table[name], row)
    for (const name of figureFields) this.columns[name][place] = element(table[name], row)
    this.count = Math.max(this.count, place + 1)
  }

  /** Returns the place of the last candle that begins at an instant or before it; -1 for none. */
  findLastBegun(atMillis: number): number {
    const { atMillis: begins } = this.columns
    return bisectPlaces(this.count, (place) => element(begins, place) > atMillis) - 1
  }

  hasSame(place: number, table: CandleFields, row: number, names: readonly Field[]): boolean {
    return names.every((name) => this.columns[name][place] === table[name][row])
  }

  finish(): CandleTable {
    const { close, endMillis, high, low, open, volume, atMillis } = this.columns
    const cut = (column: Float64Array): Float64Array => column.subarray(0, this.count)
    return createCandleTable({
      ...{ atMillis: cut(atMillis), endMillis: cut(endMillis), open: cut(open), high: cut(high) },
      ...{ low: cut(low), close: cut(close), volume: cut(volume) },
    })
  }
}

const startOf = ({ candles }: RecordingPart): number => candleAt(candles, 0)?.atMillis ?? 0

/** Returns why two files are not parts of one recording; null when they may be. */
function findMismatch(before: RecordingPart, part: RecordingPart): string | null {
  const [left = 0, right = 0] = [before, part].map(({ candles }) => candleAt(candles, 0)?.spanMillis ?? 0)
  if ((left === 0) !== (right === 0)) return 'holds trades beside candles'
  // Months, and local days, have spans of their own.
  const isNear = Math.abs(left - right) <= left / 9
  if (isNear) return null
  return `holds candles of ${formatDuration(right)}, and ${before.file} those of ${formatDuration(left)}`
}
