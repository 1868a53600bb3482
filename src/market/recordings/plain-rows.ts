import type { TableRows } from './table-header.ts'

/*
 * A text of plain rows: ASCII, without quotes, one row a line. Its rows are split when they are asked for, so that a
 * file of a million rows needs no million lists of texts.
 */

const newline = 10
const carriageReturn = 13

/** The rows of a text, split at line feeds and a delimiter, with blanks around the fields cut. */
export class PlainRows implements TableRows {
  readonly length: number
  readonly bytes: Uint8Array
  /** The delimiter's code. */
  readonly delimiter: number
  /** Where each row begins, and behind the last one where a further one would. */
  readonly starts: Uint32Array

  /** `bytes` are ASCII without quotes, with line feeds. */
  constructor(bytes: Uint8Array, delimiter: string) {
    this.bytes = bytes
    this.delimiter = delimiter.charCodeAt(0)
    this.starts = findStarts(bytes)
    this.length = this.starts.length - 1
  }

  at(place: number): readonly string[] | undefined {
    if (place < 0 || place >= this.length) return undefined
    const { bytes } = this
    const end = this.endOf(place)
    const fields: string[] = []
    let field = ''
    for (let byte = this.starts[place] ?? 0; byte < end; byte += 1) {
      const code = bytes[byte] ?? 0
      if (code === this.delimiter) {
        fields.push(field.trim())
        field = ''
      } else field += String.fromCharCode(code)
    }
    fields.push(field.trim())
    return fields
  }

  /** Returns where a row ends: at its line feed, or at the end of the text. */
  endOf(place: number): number {
    const next = this.starts[place + 1] ?? 0
    return this.bytes[next - 1] === newline ? next - 1 : next
  }
}

/** Finds where rows begin. A last line without a line feed is a row, and an empty one is none. */
function findStarts(bytes: Uint8Array): Uint32Array {
  let starts = new Uint32Array(1024)
  let count = 1
  for (let place = 0; place < bytes.length; place += 1) {
    if (bytes[place] !== newline) continue
    if (count === starts.length) {
      const more = new Uint32Array(count * 2)
      more.set(starts)
      starts = more
    }
    starts[count] = place + 1
    count += 1
  }
  const isOpen = bytes.length > 0 && bytes[bytes.length - 1] !== newline
  if (!isOpen) return starts.subarray(0, count)
  const whole = new Uint32Array(count + 1)
  whole.set(starts.subarray(0, count))
  whole[count] = bytes.length
  return whole
}

/** The largest integer that doubles hold exactly; above it digits are left to `Number`. */
const largestExact = Number.MAX_SAFE_INTEGER
/** The most digits of which a double always holds the integer exactly. */
const maximumDigits = 16

/**
 * Powers of ten are exact doubles up to 1e22, and so is every integer up to 2^53: their quotient is rounded once, and so
 * is the very number that the text states.
 */
const powersOfTen = Float64Array.of(
  ...[1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16],
)

/**
 * Reads a field of digits with a point or without, as `Number` would. Returns NaN for any other text: signs, exponents,
 * blanks, and more digits than a double surely holds.
 */
export function readPlainNumber(bytes: Uint8Array, from: number, to: number): number {
  let value = 0
  let digits = 0
  let decimals = -1
  for (let place = from; place < to; place += 1) {
    const digit = (bytes[place] as number) - 48
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit
      if (value !== 0) digits += 1
      if (decimals >= 0) decimals += 1
    } else if (digit === point && decimals < 0 && place > from) decimals = 0
    else return Number.NaN
  }
  if (from === to || digits > maximumDigits || value > largestExact || decimals > maximumDigits)
    return Number.NaN
  return decimals > 0 ? value / (powersOfTen[decimals] as number) : value
}

const point = 46 - 48

/** Returns whether two stretches of a text are equal. */
export function isSameText(bytes: Uint8Array, from: number, to: number, other: number): boolean {
  for (let place = from; place < to; place += 1)
    if (bytes[place] !== bytes[other + place - from]) return false
  return true
}

/** Returns the end of a field without the carriage return of a line. */
export const cutReturn = (bytes: Uint8Array, from: number, to: number): number =>
  to > from && bytes[to - 1] === carriageReturn ? to - 1 : to
