import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import { type Candle, haveSameFigures } from './candle.ts'
import type { FileOptions } from './file-options.ts'

/** A file of a recording that comes in several. */
export interface RecordingPart {
  readonly file: string
  readonly candles: readonly Candle[]
}

export type JoinedRecording =
  | {
      readonly ok: true
      readonly candles: readonly Candle[]
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
  // A single file's array is not copied: the table that is made of it is kept for this very array.
  const [only] = parts
  if (only !== undefined && parts.length === 1) return { ok: true, candles: only.candles, repeated: 0 }
  const sorted = [...parts].sort((left, right) => startOf(left) - startOf(right))
  const whole: Candle[] = []
  let repeated = 0
  let previous: RecordingPart | null = null
  for (const part of sorted) {
    const reason = previous === null ? null : findMismatch(previous, part)
    if (reason !== null) return { ok: false, place: parts.indexOf(part), reason }
    const { length } = whole
    for (const candle of part.candles) {
      const before = whole.at(-1)
      if (before === undefined || candle.atMillis >= before.atMillis + Math.max(before.spanMillis, 0)) {
        whole.push(candle)
        continue
      }
      const place = whole.findLastIndex(({ atMillis }) => atMillis <= candle.atMillis)
      const other = whole[place]
      const isSameTime = other?.atMillis === candle.atMillis && other.spanMillis === candle.spanMillis
      if (other === undefined || !isSameTime || (dedupe === undefined && !haveSameFigures(other, candle))) {
        const shown = millisToIso(candle.atMillis)
        const remedy = isSameTime ? ' with other figures; say dedupe: first or dedupe: last' : ''
        return { ok: false, place: parts.indexOf(part), reason: `overlaps another file at ${shown}${remedy}` }
      }
      repeated += 1
      if (dedupe === 'last') whole[place] = candle
    }
    if (whole.length === length)
      return { ok: false, place: parts.indexOf(part), reason: 'overlaps another file: nothing in it is new' }
    previous = part
  }
  return { ok: true, candles: whole, repeated }
}

const startOf = ({ candles }: RecordingPart): number => candles[0]?.atMillis ?? 0

/** Returns why two files are not parts of one recording; null when they may be. */
function findMismatch(before: RecordingPart, part: RecordingPart): string | null {
  const [left, right] = [before.candles[0]?.spanMillis ?? 0, part.candles[0]?.spanMillis ?? 0]
  if ((left === 0) !== (right === 0)) return 'holds trades beside candles'
  // Months, and local days, have spans of their own.
  const isNear = Math.abs(left - right) <= left / 9
  if (isNear) return null
  return `holds candles of ${formatDuration(right)}, and ${before.file} those of ${formatDuration(left)}`
}
