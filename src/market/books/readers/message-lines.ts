import { BinanceBook } from './binance-book.ts'
import type { BookFileReader, ReadingTarget } from './book-reader.ts'
import { BybitBook } from './bybit-book.ts'
import { findLineEnd } from './field-scanner.ts'
import { HyperliquidBook } from './hyperliquid-book.ts'
import type { JsonMessage, MessageBook } from './json-message.ts'

/** Returns the object of a line, and the time at which it was received; null for a line that is no message. */
export function parseMessage(text: string): { message: JsonMessage; localMicros: number } | null {
  const match = /^\s*(?:(\d{16}|\d{19})\s+)?(?=\{)/.exec(text)
  if (match === null) return null
  const [{ length }, digits = ''] = match
  const value = parseObject(text.slice(length))
  if (value === null) return null
  const micros = Number(digits.slice(0, 16)) + (/[1-9]/.test(digits.slice(16)) ? 1 : 0)
  return { message: value, localMicros: digits === '' ? -1 : micros }
}

function parseObject(text: string): JsonMessage | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

/**
 * Reads lines of JSON as an exchange sent them, each alone or behind the time at which the recorder received it, as
 * hftbacktest's collector writes them. The first message of a known exchange decides whose they are.
 */
export class MessageLines implements BookFileReader {
  private readonly target: ReadingTarget
  private readonly decoder = new TextDecoder('utf-8')
  private readonly books: readonly MessageBook[]
  private chosen: MessageBook | null = null

  constructor(target: ReadingTarget) {
    this.target = target
    this.books = [new BinanceBook(target), new BybitBook(target), new HyperliquidBook(target)]
  }

  get format(): string {
    return this.chosen?.format ?? 'lines of JSON'
  }

  readLines(bytes: Uint8Array, from: number, to: number, line: number): number {
    let count = 0
    for (let place = from; place < to; count += 1) {
      const found = findLineEnd(bytes, place)
      const end = found < 0 ? to : Math.min(found, to)
      const text = this.decoder.decode(bytes.subarray(place, end)).trim()
      if (text !== '') this.readMessage(text, line + count)
      place = end + 1
    }
    return count
  }

  end(): void {
    if (this.chosen !== null) this.chosen.end()
    else
      this.target.notes.addFault({
        ...{ kind: 'format', line: 0, field: '', isFatal: true },
        message: 'no line is a message of Binance, Bybit or Hyperliquid about a book or trades',
        remedy: 'check what the recorder subscribed to: changes of depth with a snapshot, and trades',
      })
  }

  private readMessage(text: string, line: number): void {
    const parsed = parseMessage(text)
    if (parsed === null) {
      const { notes, options } = this.target
      notes.addUnreadable(line, '', 'is no message in JSON', options.skipBad === true)
      return
    }
    const { localMicros, message } = parsed
    this.chosen ??= this.books.find((book) => book.recognizes(message)) ?? null
    const isRead = this.chosen?.read(message, localMicros, line) ?? false
    if (!isRead) this.target.notes.leaveOut('of other messages', line)
  }
}
