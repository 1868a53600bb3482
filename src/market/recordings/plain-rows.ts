import { element } from '../../numeric/columns.ts'
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
  /** The code of the sign between two fields. */
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
    const end = this.findEnd(place)
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

  /** Returns where a row ends: at its line end, or at the end of the text. */
  findEnd(place: number): number {
    const { bytes, starts } = this
    const begin = starts[place] ?? 0
    let end = starts[place + 1] ?? 0
    if (end > begin && bytes[end - 1] === newline) end -= 1
    return end > begin && bytes[end - 1] === carriageReturn ? end - 1 : end
  }
}

/** Finds where rows begin. A last line without a line feed is a row, and an empty one is none. */
function findStarts(bytes: Uint8Array): Uint32Array {
  let starts = new Uint32Array(1024)
  let count = 1
  for (let place = bytes.indexOf(newline); place >= 0; place = bytes.indexOf(newline, place + 1)) {
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

/** Reads fields of digits with a point or without, one after the other, as `Number` would. */
export class PlainNumbers {
  /** The number that was read last; NaN for a field without anything in it. */
  value = 0
  private readonly bytes: Uint8Array
  private readonly delimiter: number

  constructor({ bytes, delimiter }: PlainRows) {
    this.bytes = bytes
    this.delimiter = delimiter
  }

  /**
   * Reads the field that begins at a byte, in a row that ends before another. Returns where the field ends; -1 for a
   * field that is left to `Number`: with a sign, an exponent, blanks, or more digits than a double surely holds.
   */
  read(from: number, end: number): number {
    const { bytes, delimiter } = this
    // The first digits, and those behind them: two integers are faster than a double.
    let first = 0
    let rest = 0
    let digits = 0
    let whole = -1
    let place = from
    for (; place < end; place += 1) {
      const code = bytes[place] ?? 0
      if (code >= digitZero && code <= digitNine) {
        if (digits < firstDigits) first = (first * 10 + code - digitZero) | 0
        else if (digits < maximumDigits) rest = (rest * 10 + code - digitZero) | 0
        digits += 1
      } else if (code === point && whole < 0) whole = digits
      else break
    }
    if (digits > maximumDigits || (place < end && bytes[place] !== delimiter)) return -1
    if (digits === 0) {
      this.value = Number.NaN
      return place === from ? place : -1
    }
    const integer = digits <= firstDigits ? first : first * element(powersOfTen, digits - firstDigits) + rest
    if (integer > Number.MAX_SAFE_INTEGER) return -1
    const decimals = whole < 0 ? 0 : digits - whole
    this.value = decimals === 0 ? integer : integer / element(powersOfTen, decimals)
    return place
  }
}

/** The digits of which an integer of 32 bits always holds the value. */
const firstDigits = 9
/** The most digits of which a double may hold the value. */
const maximumDigits = 16
const [digitZero, digitNine, point] = [48, 57, 46]

/**
 * Powers of ten are exact doubles up to 1e22, and so is every integer up to 2^53: their quotient is rounded once, and so
 * is the very number that the text states.
 */
const powersOfTen = Float64Array.of(
  ...[1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16],
)

/** Returns whether two stretches of a text are equal. */
export function isSameText(bytes: Uint8Array, from: number, to: number, other: number): boolean {
  for (let place = from; place < to; place += 1)
    if (bytes[place] !== bytes[other + place - from]) return false
  return true
}
