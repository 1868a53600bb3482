import { detectBookFormat, readableFormats } from './book-formats.ts'
import type { BookFileReader, BookFileRole, ReadingTarget } from './book-reader.ts'
import { findLineEnd } from './field-scanner.ts'
import { reorderMicros } from './row-queue.ts'

/** Reads files of one role, one after the other, from pieces of their bytes into queues of rows. */
export class BookStream {
  readonly role: BookFileRole
  /** How many lines were read, headers and blank ones included. */
  lineCount = 0
  /** Whether every file has ended. */
  isEnded = false
  private readonly target: Omit<ReadingTarget, 'role'>
  private reader: BookFileReader | null = null
  private readerKey = ''
  private readonly decoder = new TextDecoder('utf-8')
  private file = ''
  private line = 0
  private header: string | null = null
  /** What stands behind the last line end. */
  private rest = new Uint8Array(0)

  constructor(role: BookFileRole, target: Omit<ReadingTarget, 'role'>) {
    this.role = role
    this.target = target
  }

  /** What is read, in words; empty before the first line. */
  get format(): string {
    return this.reader?.format ?? ''
  }

  /** The time up to which all rows of this stream are known and in order, microseconds since 1970. */
  get settledMicros(): number {
    if (this.isEnded) return Number.POSITIVE_INFINITY
    const { book, trades } = this.target
    const newest =
      this.role === 'trades' ? trades.newestMicros : Math.max(book.newestMicros, trades.newestMicros)
    return newest - reorderMicros
  }

  beginFile(name: string): void {
    this.file = name
    this.line = 0
    this.header = null
    this.rest = new Uint8Array(0)
  }

  /** Reads the lines of a piece. What stands behind its last line end waits for the next piece. */
  readPiece(piece: Uint8Array): void {
    this.target.notes.beginFile(this.file)
    const end = piece.lastIndexOf(lineFeed) + 1
    if (end === 0) {
      this.rest = join(this.rest, piece)
      return
    }
    let from = 0
    if (this.rest.length > 0) {
      from = findLineEnd(piece, 0) + 1
      const whole = join(this.rest, piece.subarray(0, from))
      this.readLines(whole, 0, whole.length)
    }
    this.readLines(piece, from, end)
    this.rest = piece.slice(end)
  }

  /** Ends a file. `cut` says why it has no end, such as a broken compression; null where it has one. */
  endFile(cut: string | null): void {
    const { notes, options } = this.target
    notes.beginFile(this.file)
    const last = this.rest
    this.rest = new Uint8Array(0)
    if (cut !== null) {
      const isFatal = options.skipBad !== true
      notes.addFault({
        ...{ kind: 'cut', line: this.line + 1, field: this.findLastField(last), message: cut, isFatal },
        remedy: isFatal
          ? 'bring the file again, or read what there is with skipBad: true'
          : 'what there is was read',
      })
      return
    }
    if (last.length > 0 && !notes.isBroken) this.readLast(last)
    if (this.header === null && !notes.isBroken)
      notes.addFault({
        ...{ kind: 'format', line: 0, field: '', isFatal: true },
        message: 'the file is empty',
        remedy: `name a file of a book: ${readableFormats}`,
      })
  }

  /** Ends the last file. */
  finish(): void {
    this.isEnded = true
    if (!this.target.notes.isBroken) this.reader?.end()
  }

  /** Reads a last line without an end. One that cannot be read shows that the file was cut off. */
  private readLast(bytes: Uint8Array): void {
    const { notes, options } = this.target
    const text = this.decoder.decode(bytes).trim()
    const isWhole =
      text.startsWith('{') || /^\d+\s+\{/.test(text) ? text.endsWith('}') : this.hasAllFields(text)
    if (this.header === null || isWhole) {
      if (this.header !== null && !text.endsWith('}'))
        notes.addFault({
          ...{ kind: 'cut', line: this.line + 1, field: this.findLastField(bytes), isFatal: false },
          message: 'the last line has no line end',
          remedy: 'if the file was cut off there, its last number is wrong: compare its size',
        })
      this.readLines(bytes, 0, bytes.length)
      return
    }
    const isFatal = options.skipBad !== true
    notes.addFault({
      ...{
        kind: 'cut',
        line: this.line + 1,
        field: this.findLastField(bytes),
        message: 'ends in the middle of its last line',
        isFatal,
      },
      remedy: isFatal
        ? 'bring the file again, or read what there is with skipBad: true'
        : 'what there is was read',
    })
  }

  /**
   * Returns the name of the field in which a last line ends: of a message the last one that has begun, else by the
   * header.
   */
  private findLastField(bytes: Uint8Array): string {
    const text = this.decoder.decode(bytes)
    const header = this.header ?? ''
    if (/^\s*(?:\d+\s+)?\{/.test(header)) return [...text.matchAll(/"(\w+)"\s*:/g)].at(-1)?.[1] ?? ''
    const names = header.split(',')
    return names[Math.min(text.split(',').length, names.length) - 1]?.trim() ?? ''
  }

  private hasAllFields(text: string): boolean {
    return text.split(',').length >= (this.header ?? '').split(',').length && !text.endsWith(',')
  }

  private readLines(bytes: Uint8Array, from: number, to: number): void {
    let place = from
    while (place < to && this.header === null) {
      const found = findLineEnd(bytes, place)
      const end = found < 0 || found >= to ? to : found
      this.line += 1
      this.lineCount += 1
      const first = this.decoder.decode(bytes.subarray(place, end))
      place = end + 1
      if (first.trim() !== '') this.begin(first)
    }
    if (place >= to || this.target.notes.isBroken || this.reader === null) return
    const count = this.reader.readLines(bytes, place, to, this.line + 1)
    this.line += count
    this.lineCount += count
  }

  /** Recognizes a file by its first line that is not blank. */
  private begin(first: string): void {
    const { notes } = this.target
    const format = detectBookFormat(first)
    this.header = first
    if (format === null || (this.role === 'book' && format.role === 'trades')) {
      const isTrades = format !== null
      notes.addFault({
        ...{ kind: 'format', line: this.line, field: '', isFatal: true },
        message: isTrades
          ? 'holds trades and no book'
          : `begins with ${JSON.stringify(first.slice(0, 80))}, which is no known form of a book or of trades`,
        remedy: isTrades ? 'name it as the trades beside a book' : `name a file of ${readableFormats}`,
      })
      return
    }
    // Columns may stand in another order in the next file; messages go on where they were.
    const key = format.hasHeader ? first.trim() : 'no header'
    if (this.reader === null || key !== this.readerKey) {
      this.reader?.end()
      this.reader = format.create({ ...this.target, role: this.role })
    }
    this.readerKey = key
    if (format.hasHeader) return
    const bytes = new TextEncoder().encode(first)
    this.reader.readLines(bytes, 0, bytes.length, this.line)
  }
}

const lineFeed = 10

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}
