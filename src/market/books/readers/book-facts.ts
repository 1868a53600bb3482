import { formatDuration, millisToIso } from '../../../numeric/time-text.ts'
import { formatCounted, withCommas } from '../../../numeric/units.ts'
import type { BookSummary } from '../book-maker.ts'
import type { ClockComparison } from './book-clocks.ts'
import type { BookFault, BookNotes, ClockDifferences, LeftOutLines, UpdateGap } from './book-notes.ts'
import type { BookCounts } from './book-preparer.ts'
import { type BookUnits, stepNumber } from './book-units.ts'
import type { LateRows } from './row-queue.ts'

/** What is to be known of a recorded book besides its rows: how it was understood, and what is wrong with it. */
export interface BookFacts {
  readonly files: readonly string[]
  /** What was read, in words: of the book, and of trades beside it. */
  readonly formats: readonly string[]
  readonly lineCount: number
  readonly fromMillis: number
  readonly toMillis: number
  readonly units: BookUnits
  readonly counts: BookCounts
  /** The best prices at the end of the recording, in USD; null where a side is empty. */
  readonly last: { readonly bid: number | null; readonly ask: number | null; readonly trade: number | null }
  readonly first: { readonly bid: number | null; readonly ask: number | null }
  /** How many rows were put before others, because their files have them too late. */
  readonly movedCount: number
  /** How many rows were too late for that, and count at the time of a later one. */
  readonly lateCount: number
  /** How many updates were held against the one before them; 0 where the files do not number them. */
  readonly comparedUpdates: number
  readonly updateGaps: readonly UpdateGap[]
  /** The longest span without any row, milliseconds; 0 without one of ten seconds. */
  readonly silences: {
    readonly count: number
    readonly longestMillis: number
    readonly longestFromMillis: number
  }
  readonly leftOut: readonly LeftOutLines[]
  readonly faults: readonly BookFault[]
  /** How the clocks of trades and book go together; null without trades. */
  readonly clocks: ClockComparison | null
  /** The differences between the recorder's clock and the exchange's; null where the files do not have both. */
  readonly recorder: ClockDifferences | null
}

export interface ReadingParts {
  readonly notes: BookNotes
  readonly formats: readonly string[]
  readonly lineCount: number
  readonly movedCount: number
  readonly late: readonly LateRows[]
  readonly units: BookUnits
  readonly clocks: ClockComparison | null
  readonly counts: BookCounts
  readonly summary: BookSummary
}

/** Gathers what is to be known of a book that was read. */
export function describeReading(parts: ReadingParts): BookFacts {
  const { clocks, counts, formats, late, lineCount, movedCount, notes, summary, units } = parts
  const { firstMillis, gaps, index, lastMillis } = summary
  const tick = stepNumber(units.price)
  const price = (ticks: number | undefined): number | null =>
    ticks === undefined || ticks === 0 ? null : Number((ticks * tick).toPrecision(15))
  const end = index.count - 1
  const firstSeen = index.bidTicks.findIndex((ticks, place) => ticks !== 0 && index.askTicks[place] !== 0)
  const longest = gaps.reduce<{ fromMillis: number; toMillis: number }>(
    (most, gap) => (gap.toMillis - gap.fromMillis > most.toMillis - most.fromMillis ? gap : most),
    { fromMillis: 0, toMillis: 0 },
  )
  return {
    ...{ files: [...notes.files], formats, lineCount, fromMillis: firstMillis, toMillis: lastMillis },
    ...{ units, counts, movedCount },
    first: { bid: price(index.bidTicks[firstSeen]), ask: price(index.askTicks[firstSeen]) },
    last: {
      ...{ bid: price(index.bidTicks[end]), ask: price(index.askTicks[end]) },
      trade: price(index.lastTicks[end]),
    },
    lateCount: late.reduce((sum, { count }) => sum + count, 0),
    comparedUpdates: notes.comparedUpdates,
    updateGaps: notes.gaps,
    silences: {
      count: gaps.length,
      longestMillis: longest.toMillis - longest.fromMillis,
      longestFromMillis: longest.fromMillis,
    },
    leftOut: notes.listLeftOut(),
    faults: [...notes.listFaults(), ...late.flatMap((rows) => describeLate(rows, notes))],
    clocks,
    recorder: notes.surveyClocks(),
  }
}

function describeLate({ count, firstPlace, mostMicros }: LateRows, notes: BookNotes): readonly BookFault[] {
  if (count === 0) return []
  const file = notes.files[Math.floor(firstPlace / 4_294_967_296)] ?? ''
  const fault = {
    ...({ kind: 'order', file, line: firstPlace % 4_294_967_296, field: '', count, isFatal: false } as const),
    message: `comes up to ${formatDuration(Math.ceil(mostMicros / 1_000))} too late to be put in order; it counts at the time of the rows before it`,
    remedy: 'sort the file by the times of the exchange',
  }
  return [fault]
}

/** Formats how a book was understood as one line. */
export function formatBookReading(facts: BookFacts): string {
  const { counts, formats, leftOut, lineCount, movedCount, units } = facts
  const parts = [
    formats.join(', with '),
    `${formatCounted(counts.rows, 'row')} of ${formatCounted(lineCount, 'line')}: ${withCommas(counts.snapshotRows)} of snapshots, ${formatCounted(counts.changes, 'change')}, ${formatCounted(counts.trades, 'trade')}`,
    `price steps of ${stepNumber(units.price)}, quantity steps of ${stepNumber(units.quantity)}`,
    'times of the exchange, rounded up to milliseconds',
    ...(movedCount === 0 ? [] : [`${formatCounted(movedCount, 'row')} put in order`]),
    ...leftOut.map(
      ({ count, file, firstLine, reason }) =>
        `left out: ${withCommas(count)} ${count === 1 ? reason.replace(/^trades /, 'trade ') : reason} (the first is ${file}:${firstLine})`,
    ),
    ...(counts.trades === counts.tradesWithoutSide
      ? []
      : [
          `${((100 * counts.tradesAtBest) / (counts.trades - counts.tradesWithoutSide)).toFixed(0)} % of trades at the best price before them or beyond`,
        ]),
  ]
  return parts.join('; ')
}

/** Formats a fault as one line: its place, what it is, and what to do. */
export function formatBookFault({ count, field, file, line, message, remedy }: BookFault): string {
  const place = `${file}${line === 0 ? '' : `:${line}`}`
  const times = count === 1 ? '' : ` (${withCommas(count)} times)`
  return `${place}${field === '' ? '' : ` ${field}`}: ${message}${times}; ${remedy}`
}

/** Returns why no strategy can trade in a book that was read whole; null where it can. */
export function findBookLack({ files, first, fromMillis, toMillis }: BookFacts): string | null {
  const [file = ''] = files
  if (first.bid === null)
    return `${file}: no instant has a bid and an ask, so nothing has a price; name files with both sides of the book`
  if (fromMillis === toMillis)
    return `${file}: all rows are of ${millisToIso(fromMillis)}, so there is nothing to replay; name files of a longer time`
  return null
}

/** Lists the warnings for whoever runs with a book, each a sentence. */
export function listBookWarnings(facts: BookFacts): readonly string[] {
  const { faults, recorder, silences, updateGaps } = facts
  const lack = findBookLack(facts)
  const repaired = updateGaps.filter(({ isRepaired }) => isRepaired)
  const [gap] = repaired
  const longest =
    gap === undefined
      ? 0
      : Math.max(...repaired.map(({ fromMicros, toMicros }) => Math.ceil((toMicros - fromMicros) / 1_000)))
  return [
    ...(lack === null ? [] : [lack]),
    ...faults.filter(({ isFatal, kind }) => !isFatal && kind !== 'restart').map(formatBookFault),
    ...(gap === undefined
      ? []
      : [
          `Updates are missing ${repaired.length === 1 ? 'once' : `${repaired.length} times`}, up to ${formatDuration(longest)}: the book stands still until the next snapshot (the first at ${gap.file}:${gap.line}).`,
        ]),
    ...(silences.count === 0
      ? []
      : [
          `${silences.count === 1 ? 'One span of at least 10s has' : `${withCommas(silences.count)} spans of at least 10s have`} no row, the longest ${formatDuration(silences.longestMillis)} from ${millisToIso(silences.longestFromMillis)}.`,
        ]),
    ...(recorder !== null && recorder.leastMicros < 0
      ? [
          `The recorder's clock is behind the exchange's: ${withCommas(recorder.negativeCount)} of ${withCommas(recorder.count)} messages were received before they were sent, by up to ${formatDuration(Math.ceil(-recorder.leastMicros / 1_000))}. The times of the exchange are used.`,
        ]
      : []),
  ]
}

/** Returns the fault of a file that cannot be read at all. */
export const describeFailure = (message: string, file = ''): BookFault => ({
  ...{ kind: 'unreadable', file, line: 0, field: '', message, count: 1, isFatal: true },
  remedy: 'name files that can be read',
})
