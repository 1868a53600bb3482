import type { Command } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { type BookRow, makeRecordedBook } from '../../src/market/books/make-recorded-book.ts'
import { bookChunkRows, type RecordedBook } from '../../src/market/books/recorded-book.ts'

/*
 * A golden vector: a world, its commands, and the digest after each of them. The file is read on engines that know
 * nothing of the generators, so it holds plain data, and generators may change without touching it.
 */
export interface GoldenVector {
  readonly name: string
  readonly config: VenueConfig
  readonly commands: readonly Command[]
  /** 32 hexadecimal digits after each command. */
  readonly digests: readonly string[]
  /** Hash of all events, one line per event. */
  readonly events: string
}

/** One vector per line; maps are written as {"map": entries}, recorded books as {"bookRows": five numbers a row}. */
export function writeVectors(vectors: readonly GoldenVector[]): string {
  return `[\n${vectors.map((vector) => JSON.stringify(vector, plainValues)).join(',\n')}\n]\n`
}

export function readVectors(text: string): readonly GoldenVector[] {
  const vectors: readonly GoldenVector[] = JSON.parse(text, realValues)
  return vectors
}

function plainValues(_key: string, value: unknown): unknown {
  if (isRecordedBook(value)) return { bookRows: listNumbers(value) }
  return value instanceof Map ? { map: [...value] } : value
}

function realValues(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('map' in value && Array.isArray(value.map)) return new Map<unknown, unknown>(value.map)
  return 'bookRows' in value && Array.isArray(value.bookRows) ? makeBook(value.bookRows) : value
}

const isRecordedBook = (value: unknown): value is RecordedBook =>
  typeof value === 'object' && value !== null && 'chunk' in value && typeof value.chunk === 'function'

function listNumbers(book: RecordedBook): readonly number[] {
  const numbers: number[] = []
  for (let row = 0; row < book.rowCount; row += 1) {
    const { atMillis, kinds, priceTicks, quantitySteps, sides } = book.chunk(Math.floor(row / bookChunkRows))
    for (const column of [atMillis, kinds, sides, priceTicks, quantitySteps])
      numbers.push(column[row % bookChunkRows] ?? 0)
  }
  return numbers
}

function makeBook(numbers: readonly number[]): RecordedBook {
  const rows: BookRow[] = []
  for (let at = 0; at < numbers.length; at += 5) {
    const [atMillis = 0, kind = 0, side = 0, priceTicks = 0, quantitySteps = 0] = numbers.slice(at, at + 5)
    rows.push({ atMillis, kind, side, priceTicks, quantitySteps })
  }
  return makeRecordedBook(rows)
}
