import { omitUndefined } from '../../../api/options.ts'
import type { SourceOptions } from '../../../backtest/source.ts'
import { formatBookFault } from '../../../market/books/readers/book-facts.ts'
import { type BookOptions, bookOptions } from '../../../market/books/readers/book-options.ts'
import type { ReadBook } from '../../../scenario/file/recorded-books.ts'
import { dataFailure, usageFailure } from '../../failure.ts'
import { aFlag, aSwitch, type FlagsOf, parsedFlag } from '../../flags.ts'
import { gatherByAsset, gatherFiles, parseNamedFiles } from '../named-files.ts'
import { createPreparedStore } from '../prepared-store.ts'
import { readBookFiles } from './scenario-books.ts'

const describe = (name: keyof typeof bookOptions.properties): string => {
  const { description = '' } = bookOptions.properties[name]
  return `${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`
}

const needsBook = { needs: ['book'] }

/** Options that name the files of recorded books, and say how they are to be read. */
export const bookFlags = {
  book: parsedFlag(
    gatherFiles,
    '<file>',
    'a recorded order book, or its files in order of time, such as day1.csv.gz,day2.csv.gz; for several assets BTC=FILE, repeated',
  ),
  trades: parsedFlag(
    gatherFiles,
    '<file>',
    'the trades of the same time; left out where the files of the book hold them',
    needsBook,
  ),
  holdGaps: aSwitch(describe('holdGaps'), needsBook),
  shiftTrades: aFlag('<milliseconds>', describe('shiftTrades'), needsBook),
}

/** Options of recorded books as a command has them; those that files of candles have as well are among them. */
export type BookFlags = Partial<FlagsOf<typeof bookFlags>> & {
  readonly asset?: string
  /** False to read files anew. */
  readonly cache?: boolean
  readonly symbol?: string
  readonly skipBad?: boolean
  readonly sort?: boolean
}

/** Reads the options of books from flags. Ends the command for a shift that is no number. */
export function readBookOptions({ holdGaps, shiftTrades, skipBad, sort, symbol }: BookFlags): BookOptions {
  if (shiftTrades !== undefined && !/^[+-]?\d{1,8}$/.test(shiftTrades))
    throw usageFailure(`--shift-trades: expected whole milliseconds, found "${shiftTrades}"`)
  return omitUndefined({
    symbol,
    shiftTrades: shiftTrades === undefined ? undefined : Number(shiftTrades),
    skipBad: skipBad === true ? true : undefined,
    sort: sort === true ? true : undefined,
    holdGaps: holdGaps === true ? true : undefined,
  })
}

/** The recorded books of a run, and what is to be said of how their files were understood. */
export type ReadBooks = Required<Pick<SourceOptions, 'books' | 'notes'>>

/**
 * Reads the books that `--book` and `--trades` name, one for each asset. Ends the command when a file cannot be used, or
 * when it is unclear which asset it belongs to.
 */
export function readBooks(flags: BookFlags, book: string, cwd: string): ReadBooks {
  const options = readBookOptions(flags)
  const store = flags.cache === false ? null : createPreparedStore(cwd)
  const files = listBooks(flags, book, cwd)
  const books: Record<string, ReadBook> = {}
  for (const [symbol, named] of files) {
    const answer = readBookFiles(named, options, { price: null, quantity: null }, { cwd, store })
    if (!answer.ok) throw dataFailure(nameBookFlags(answer.faults.map(formatBookFault).join('\n')))
    books[symbol] = answer.read
  }
  const notes = Object.values(books).flatMap((read) => read.notes ?? [])
  return { books, notes: notes.map((note) => ({ ...note, warnings: note.warnings.map(nameBookFlags) })) }
}

/** Returns the files of the one book that `--book` and `--trades` name; null without `--book`. */
export function findBookFiles(flags: BookFlags, cwd: string): AssetFiles | null {
  const { book } = flags
  if (book === undefined) return null
  const [first, ...more] = [...listBooks(flags, book, cwd).values()]
  if (first === undefined || more.length > 0) throw usageFailure('--book: name the files of one book')
  return first
}

interface AssetFiles {
  readonly book: readonly string[]
  readonly trades: readonly string[]
}

function listBooks(flags: BookFlags, book: string, cwd: string): ReadonlyMap<string, AssetFiles> {
  const named = parseNamedFiles(book, cwd)
  const traded = flags.trades === undefined ? [] : parseNamedFiles(flags.trades, cwd)
  const [first] = named
  if (first?.asset === null && named.length === 1) {
    const [trades, ...more] = traded
    if (more.length > 0 || (trades !== undefined && trades.asset !== null))
      throw usageFailure('--trades: there is one book without an asset, so name its trades the same way')
    return new Map([[flags.asset ?? 'BTC', { book: first.files, trades: trades?.files ?? [] }]])
  }
  if (flags.asset !== undefined) throw usageFailure('--asset does not go with --book that names its asset')
  const books = gatherByAsset(named, '--book', cwd)
  const trades = gatherByAsset(traded, '--trades', cwd)
  const lone = [...trades.keys()].find((symbol) => !books.has(symbol))
  if (lone !== undefined) throw usageFailure(`--trades: there is no --book of ${lone}`)
  return new Map([...books].map(([symbol, own]) => [symbol, { book: own, trades: trades.get(symbol) ?? [] }]))
}

/** Writes the options of books that a message names as flags: `holdGaps: true` is `--hold-gaps`. */
export const nameBookFlags = (message: string): string =>
  message
    .replace(/\bholdGaps: true\b/g, '--hold-gaps')
    .replace(/\bskipBad: true\b/g, '--skip-bad')
    .replace(/\bsort: true\b/g, '--sort')
    .replace(/\bshiftTrades: (?=-?\d)/g, '--shift-trades ')
    .replace(/\bshiftTrades\b/g, '--shift-trades')
    .replace(/\bsymbol: (?=\S)/g, '--symbol ')
