import { formatDuration } from '../../numeric/time-text.ts'
import { withCommas } from '../../numeric/units.ts'
import type { ColumnKind } from './file-options.ts'

/** What is wrong with a table of candles or trades, and where. */
export interface RecordingProblem {
  /** Row number from 1, the header included. */
  readonly row: number
  /** Column by its meaning; empty where the whole row is wrong. */
  readonly column: '' | ColumnKind
  readonly message: string
}

/** Rows that a reading leaves out, and why. */
export interface LeftOutRows {
  readonly reason: string
  readonly count: number
  /** Number of the first of them, from 1. */
  readonly firstRow: number
}

/** How a file was understood. It stands in one line on every run, and says what was taken without evidence. */
export interface RecordingExplanation {
  readonly kind: 'candles' | 'trades'
  /** The export that the file was recognized as; null for none of the known ones. */
  readonly export: string | null
  /** The columns that are read, by what they hold: each as `timestamp`, or as `column 3` without a header. */
  readonly columns: Readonly<Record<string, string>>
  /** The end of a candle that its time means; null for trades. */
  readonly times: 'open' | 'close' | null
  /** How the times are written, such as `milliseconds` or `text`. */
  readonly timeForm: string
  readonly zone: string
  /** The unit of volumes in the file, and how it is known. */
  readonly volume: string
  readonly spanMillis: number
  /** What the span is, in words: `1h`, `calendar months`. */
  readonly span: string
  /** How far candles begin after a multiple of their span since 1970, milliseconds. */
  readonly phaseMillis: number
  readonly rows: number
  readonly leftOut: readonly LeftOutRows[]
  /** What was done to the rows, and which columns were not read. */
  readonly changed: readonly string[]
  /** What nothing in the file says, with the option that says it. */
  readonly assumed: readonly string[]
  /** The warnings for whoever uses the recording: leaps, gaps, a phase that changes. */
  readonly warnings: readonly string[]
}

/** Formats how a file was understood as one line. */
export function formatInterpretation(explanation: RecordingExplanation): string {
  const { changed, columns, kind, leftOut, phaseMillis, rows, span, times, timeForm, volume, zone, assumed } =
    explanation
  const { time, ...rest } = columns
  const ends = times === null ? '' : times === 'open' ? ', beginnings of candles' : ', ends of candles'
  const phase =
    phaseMillis === 0 || kind === 'trades' ? '' : `, ${formatDuration(phaseMillis)} after the ${span}`
  const parts = [
    ...(explanation.export === null ? [] : [explanation.export]),
    `${withCommas(rows)} ${rows === 1 ? kind.slice(0, -1) : kind}${kind === 'candles' ? ` of ${span}${phase}` : ''}`,
    `time ${time} (${timeForm}, ${zone}${ends})`,
    formatColumns(rest),
    volume.startsWith('volume ') ? volume : `volume ${volume}`,
    ...(leftOut.length === 0 ? [] : [`left out: ${leftOut.map(formatLeftOut).join(', ')}`]),
    ...changed,
    ...(assumed.length === 0 ? [] : [`assumed: ${assumed.join(', ')}`]),
  ]
  return parts.join('; ')
}

/** Formats columns that have other names than what they hold. */
function formatColumns(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([role, name]) => (role === name.toLowerCase() ? name : `${role} ${name}`))
    .join(', ')
}

const formatLeftOut = ({ count, firstRow, reason }: LeftOutRows): string =>
  `${withCommas(count)} ${count === 1 ? 'row' : 'rows'} ${reason} (the first is row ${firstRow})`

/** Counts the rows that a reading leaves out, by reason. */
export class LeftOutTally {
  private readonly byReason = new Map<string, { count: number; firstRow: number }>()

  add(reason: string, row: number, count = 1): void {
    const known = this.byReason.get(reason)
    if (known === undefined) this.byReason.set(reason, { count, firstRow: row })
    else {
      known.count += count
      known.firstRow = Math.min(known.firstRow, row)
    }
  }

  list(): readonly LeftOutRows[] {
    return [...this.byReason].map(([reason, { count, firstRow }]) => ({ reason, count, firstRow }))
  }
}

/** How a file was understood, in the form in which results and the console show it. */
export interface RecordingInfo {
  /** The file as it was named. */
  readonly file: string
  readonly line: string
  readonly warnings: readonly string[]
  /** What the store of prepared recordings has to do with it; absent where it has nothing. It is no part of results. */
  readonly store?: string
}

/**
 * Returns the line and the warnings of a file that was read; `store` is what the store of prepared recordings did,
 * null for nothing.
 */
export const toNote = (
  file: string,
  explanation: RecordingExplanation,
  store: string | null = null,
): RecordingInfo => ({
  file,
  line: formatInterpretation(explanation),
  warnings: explanation.warnings,
  ...(store === null ? {} : { store }),
})
