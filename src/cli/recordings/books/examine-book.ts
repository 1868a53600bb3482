import {
  type BookFacts,
  findBookLack,
  formatBookFault,
  formatBookReading,
  listBookWarnings,
} from '../../../market/books/readers/book-facts.ts'
import { detectBookFormat } from '../../../market/books/readers/book-formats.ts'
import type { BookOptions } from '../../../market/books/readers/book-options.ts'
import { stepNumber } from '../../../market/books/readers/book-units.ts'
import { formatDuration, millisToIso } from '../../../numeric/time-text.ts'
import { formatCounted, withCommas } from '../../../numeric/units.ts'
import { createPreparedStore } from '../prepared-store.ts'
import { readBeginning, UnreadableFile } from './file-pieces.ts'
import { openRecordedBook } from './prepared-book.ts'
import type { BookFiles } from './read-book.ts'

/** Returns whether a file begins as one of a recorded book. */
export function isBookFile(path: string): boolean {
  try {
    const decoder = new TextDecoder('utf-8')
    let text = ''
    for (const piece of readBeginning(path)) {
      text += decoder.decode(piece, { stream: true })
      const first = text.split('\n').find((line) => line.trim() !== '')
      if (first !== undefined && (text.trimStart().includes('\n') || text.length > longestLine))
        return detectBookFormat(first)?.role === 'book'
    }
    return detectBookFormat(text.trim())?.role === 'book'
  } catch (error) {
    if (error instanceof UnreadableFile) return false
    throw error
  }
}

const longestLine = 8 * 1024 * 1024

/** What `doctor` says of a recorded book. `reason` says why it cannot be used; null when it can. */
export interface BookReport {
  readonly file: string
  readonly ok: boolean
  readonly reason: string | null
  /** How many rows were read; 0 for files that cannot be used. */
  readonly rows: number
  readonly read: string | null
  readonly book: BookFacts | null
  readonly warnings: readonly string[]
  readonly advice: readonly string[]
}

/** Reads a recorded book and says what it holds, what is wrong with it, and how to use it. */
export function diagnoseBook(files: BookFiles, options: BookOptions, cwd: string): BookReport {
  const file = [...files.book, ...(files.trades ?? [])].join(', ')
  const units = { price: null, quantity: null }
  const answer = openRecordedBook({ files, options, units, cwd, store: createPreparedStore(cwd) })
  if (!answer.ok) {
    const reasons = answer.faults.toSorted((left, right) => Number(right.isFatal) - Number(left.isFatal))
    const reason = reasons.map(formatBookFault).join('\n')
    return { file, ok: false, reason, rows: 0, read: null, book: null, warnings: [], advice: [] }
  }
  const { facts } = answer
  const reason = findBookLack(facts)
  return {
    ...{ file, ok: reason === null, reason },
    ...{ rows: facts.counts.rows, read: formatBookReading(facts), book: facts },
    warnings: listBookWarnings(facts).filter((warning) => warning !== reason),
    advice: reason === null ? listAdvice(files, facts) : [],
  }
}

function listAdvice({ book, trades }: BookFiles, { files, recorder }: BookFacts): readonly string[] {
  const words = ['npx otcsim backtest STRATEGY --book', book.join(',')]
  if (trades !== null && trades.length > 0) words.push('--trades', trades.join(','))
  const isList = book.length > 1
  const data = isList ? `[${book.map((name) => JSON.stringify(name)).join(', ')}]` : JSON.stringify(files[0])
  const latency =
    recorder === null || recorder.leastMicros < 0
      ? []
      : [
          `feed latency: the recorder received messages ${formatMicros(recorder.meanMicros)} after they were sent, on average: --latency feed=${Math.max(1, Math.round(recorder.meanMicros / 1_000))}ms`,
        ]
  return [words.join(' '), `liquidity: { kind: recorded, data: ${data} }`, ...latency]
}

/** Formats the diagnosis of a book for a terminal. */
export function describeBook({ advice, book, file, ok, read, reason, warnings }: BookReport): string {
  const lines = [file]
  const add = (name: string, text: string): number => lines.push(`  ${name.padEnd(10)} ${text}`)
  if (read !== null) add('read as', read)
  if (book !== null) describeFacts(book, add)
  for (const warning of warnings) add('warning', warning)
  for (const line of advice) add(line === advice[0] ? 'use' : '', line)
  if (!ok) for (const line of (reason ?? '').split('\n')) add('unusable', line)
  return `${lines.join('\n')}\n`
}

function describeFacts(facts: BookFacts, add: (name: string, text: string) => number): void {
  const { clocks, comparedUpdates, counts, first, faults, last, recorder, silences, units, updateGaps } =
    facts
  add('from', `${millisToIso(facts.fromMillis)} to ${millisToIso(facts.toMillis)}`)
  const [bid, ask] = [first.bid ?? 'none', first.ask ?? 'none']
  add(
    'prices',
    `first ${bid} to ${ask}, last ${last.bid ?? 'none'} to ${last.ask ?? 'none'}, in steps of ${stepNumber(units.price)}`,
  )
  const gaps = updateGaps.length
  add(
    'sequence',
    comparedUpdates === 0
      ? 'the files do not number their updates'
      : `${formatCounted(comparedUpdates, 'update')} compared with the one before, ${gaps === 0 ? 'none missing' : `missing ${gaps === 1 ? 'once' : `${withCommas(gaps)} times`}`}`,
  )
  const longest = silences.count === 0 ? '' : `, the longest ${formatDuration(silences.longestMillis)}`
  add('silences', `${withCommas(silences.count)} of at least 10s without a row${longest}`)
  const order = faults.find(({ kind }) => kind === 'order')
  add(
    'order',
    `${formatCounted(facts.movedCount, 'row')} put in order, ${order === undefined ? 'none' : withCommas(order.count)} too late for it`,
  )
  add(
    'crossed',
    `${formatCounted(counts.crossedInstants, 'instant')}, of ${formatCounted(counts.rows, 'row')}`,
  )
  if (clocks !== null) {
    const share = (value: number): string => `${(100 * value).toFixed(0)} %`
    const sided = counts.trades - counts.tradesWithoutSide
    add(
      'clocks',
      `${withCommas(counts.tradesAtBest)} of ${formatCounted(sided, 'trade')} at the best price before them or beyond; of ${withCommas(clocks.trades)} in a sample ${share(clocks.share)} exactly there, the most (${share(clocks.bestShare)}) with trades moved by ${clocks.bestShiftMillis} ms`,
    )
  }
  if (recorder !== null)
    add(
      'recorder',
      `${formatCounted(recorder.count, 'message')} received ${formatMicros(recorder.leastMicros)} to ${formatMicros(recorder.mostMicros)} after they were sent, ${formatMicros(recorder.meanMicros)} on average`,
    )
}

/** Formats a difference of clocks, which may be negative. */
const formatMicros = (micros: number): string => `${(micros / 1_000).toFixed(1)} ms`
