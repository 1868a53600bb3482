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

/**
 * Splits rows into the fields of some columns, and reads those that are numbers: digits with a point or without. It
 * reads them as `Number` would, to the last bit.
 */
export class PlainFields {
  /** By column, the number in the row that was split last; NaN for an empty field. */
  readonly values: Float64Array
  /** By column, the bytes at which the field of the row that was split last begins and ends. */
  readonly begins: Uint32Array
  readonly ends: Uint32Array
  /** The byte at which the last column ends, in the row that was split last. */
  private lastEnd = 0
  private readonly bytes: Uint8Array
  private readonly delimiter: number
  private readonly isNumber: Uint8Array

  /** `isNumber` has 1 for columns of numbers and 0 for others, up to the last one that is needed. */
  constructor({ bytes, delimiter }: PlainRows, isNumber: Uint8Array) {
    this.bytes = bytes
    this.delimiter = delimiter
    this.isNumber = isNumber
    this.values = new Float64Array(isNumber.length)
    this.begins = new Uint32Array(isNumber.length)
    this.ends = new Uint32Array(isNumber.length)
  }

  /**
   * Splits the row between two bytes. Returns false for one that is left to the usual way: with too few fields, or with
   * a number that has a sign, an exponent, blanks, or more digits than a double surely holds.
   *
   * It is one function, because a call a field costs a tenth of its time.
   */
  split(from: number, end: number): boolean {
    const { begins, bytes, delimiter, ends, isNumber, values } = this
    let place = from
    for (let column = 0; column < isNumber.length; column += 1) {
      if (place > end) return false
      const begin = place
      if (isNumber[column] !== 1) {
        begins[column] = begin
        while (place < end && bytes[place] !== delimiter) place += 1
        ends[column] = place
        place += 1
        continue
      }
      // Integers of 32 bits are faster than doubles, and exact up to nine digits.
      let digits = 0
      const firstEnd = Math.min(place + 9, end)
      for (; place < firstEnd; place += 1) {
        const digit = (bytes[place] ?? 0) - 48
        if (digit >>> 0 > 9) break
        digits = (digits * 10 + digit) | 0
      }
      let number = digits
      if (place === firstEnd && place < end) {
        digits = 0
        const restEnd = Math.min(place + 9, end)
        for (; place < restEnd; place += 1) {
          const digit = (bytes[place] ?? 0) - 48
          if (digit >>> 0 > 9) break
          digits = (digits * 10 + digit) | 0
        }
        number = number * element(powersOfTen, place - firstEnd) + digits
      }
      if (place > begin && place < end && bytes[place] === point) {
        place += 1
        digits = 0
        const fraction = place
        const restEnd = Math.min(place + 9, end)
        for (; place < restEnd; place += 1) {
          const digit = (bytes[place] ?? 0) - 48
          if (digit >>> 0 > 9) break
          digits = (digits * 10 + digit) | 0
        }
        const power = element(powersOfTen, place - fraction)
        number = number * power + digits
        values[column] = number / power
      } else values[column] = number
      // A greater integer may have been rounded, and its quotient would be rounded again.
      const isWhole = place === end || bytes[place] === delimiter
      if (!isWhole || place === begin || number > Number.MAX_SAFE_INTEGER) {
        place = this.readLong(column, begin, end)
        if (place < 0) return false
      }
      place += 1
    }
    this.lastEnd = place - 1
    return true
  }

  /** Counts the fields of the row that was split last, with those behind its last column; `end` is where it ends. */
  countFields(end: number): number {
    const { bytes, delimiter } = this
    let fields = this.isNumber.length
    for (let byte = this.lastEnd; byte < end; byte += 1) if (bytes[byte] === delimiter) fields += 1
    return fields
  }

  /** Reads a number of any length, or none. Returns where its field ends; -1 for one that is left to the usual way. */
  private readLong(column: number, begin: number, end: number): number {
    const { bytes, delimiter, values } = this
    let number = 0
    let pointAt = -1
    let place = begin
    for (; place < end && bytes[place] !== delimiter; place += 1) {
      const digit = (bytes[place] ?? 0) - 48
      if (digit >= 0 && digit <= 9) number = number * 10 + digit
      else if (bytes[place] === point && pointAt < 0) pointAt = place
      else return -1
    }
    const decimals = pointAt < 0 ? 0 : place - pointAt - 1
    const digits = place - begin - (pointAt < 0 ? 0 : 1)
    if (place > begin && (digits === 0 || number > Number.MAX_SAFE_INTEGER || decimals > mostDecimals))
      return -1
    values[column] = digits === 0 ? Number.NaN : number / element(powersOfTen, decimals)
    return place
  }
}

const point = 46

/**
 * Powers of ten are exact doubles up to 1e22, and so is every integer up to 2^53: their quotient is rounded once, and so
 * is the very number that the text states.
 */
const powersOfTen = Float64Array.of(
  ...[1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18],
  ...[1e19, 1e20, 1e21, 1e22],
)
const mostDecimals = 22

/** Returns whether two stretches of a text are equal. */
export function isSameText(bytes: Uint8Array, from: number, to: number, other: number): boolean {
  for (let place = from; place < to; place += 1)
    if (bytes[place] !== bytes[other + place - from]) return false
  return true
}
