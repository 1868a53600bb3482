import { rememberBook } from '../../market/books/known-books.ts'
import type { BookOptions } from '../../market/books/readers/book-options.ts'
import type { BookStep } from '../../market/books/readers/book-units.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import { decimalToNumber, parseDecimal } from '../../numeric/units.ts'
import {
  addMistake,
  childField,
  type Field,
  requiredField,
  statedScalar,
  statedText,
  textOr,
} from './fields.ts'
import { listFiles, refuseFiles } from './named-files.ts'
import {
  type BookRequest,
  hasRecordedBook,
  type NamedFile,
  type ReadBook,
  type RecordedBooks,
} from './recorded-books.ts'
import type { LoadOptions, ReadFiles } from './source.ts'
import { isWhole, toPlain } from './tree.ts'

/** Reads the recorded books that the assets of a market name. `asRead` receives each of them, by its key. */
export function readBooks(
  assets: readonly (readonly [string, Field])[],
  market: Field,
  options: LoadOptions,
  asRead: ReadFiles,
): RecordedBooks {
  const books = new Map<string, ReadBook>()
  for (const [symbol, asset] of assets) {
    if (!hasRecordedBook(asset) || !isWhole(asset.tree)) continue
    const data = requiredField(requiredField(asset, 'liquidity'), 'data')
    if (options.readBook === undefined) {
      refuseFiles(data)
      continue
    }
    const flow = childField(asset, 'flow') ?? childField(market, 'flow')
    const isRecorded = textOr(childField(flow, 'kind'), '') === 'recorded'
    const trades = isRecorded ? childField(flow, 'data') : null
    const request = createRequest(symbol, asset, data, trades, isRecorded)
    const answer = options.readBook(request)
    if (answer.ok) {
      books.set(symbol, answer)
      rememberBook(answer.book)
      const { book, priceStep, quantityStep } = answer
      asRead.books.set(request.key, { hash: book.hash, book, priceStep, quantityStep })
      asRead.notes.push(...(answer.notes ?? []))
    } else {
      const files = [...listFiles(data), ...listFiles(trades)]
      addMistake((answer.file === undefined ? undefined : files[answer.file]) ?? data, answer.reason)
    }
  }
  return books
}

function createRequest(
  symbol: string,
  asset: Field,
  data: Field,
  trades: Field | null,
  hasTrades: boolean,
): BookRequest {
  const pair = childField(asset, 'pair')
  const nameFile = (file: Field): NamedFile => ({
    name: statedText(file),
    isParameter: statedScalar(file).isParameter,
  })
  const request = {
    symbol,
    book: listFiles(data).map(nameFile),
    trades: listFiles(trades).map(nameFile),
    hasTrades,
    priceStep: readStep(childField(pair, 'priceStep')),
    quantityStep: readStep(childField(pair, 'quantityStep')),
  }
  const options = readOptions(data)
  const stated = Object.keys(options).length === 0 ? request : { ...request, options }
  return { ...request, options, key: JSON.stringify(stated) }
}

/** Reads how files are to be read, which stands beside them. The schema has checked it. */
function readOptions(data: Field): BookOptions {
  if (data.tree.kind !== 'mapping') return {}
  const { file: _, ...options } = Object(toPlain(data.tree))
  return options
}

const readStep = (field: Field | null): BookStep | null =>
  field === null ? null : parseDecimal(statedText(field))

/**
 * Returns a book's span and first price as a single candle, by which the clock starts and ends and the pair gets its
 * price, as they do by the candles of a replay.
 */
export function coverBook({ book, priceStep }: ReadBook): readonly Candle[] {
  const { index } = book
  let first = 0
  while (first + 1 < index.count && (index.bidTicks[first] === 0 || index.askTicks[first] === 0)) first += 1
  const halfTicks = Math.max(1, (index.bidTicks[first] ?? 0) + (index.askTicks[first] ?? 0))
  const price = (halfTicks * decimalToNumber(priceStep.units, priceStep.scale)) / 2
  const spanMillis = Math.max(1, book.lastMillis - book.firstMillis)
  return [
    { atMillis: book.firstMillis, spanMillis, open: price, high: price, low: price, close: price, volume: 0 },
  ]
}
