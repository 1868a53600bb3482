import { byteElement, element, integerElement } from '../../../numeric/columns.ts'
import { isoToMillis } from '../../../numeric/time-text.ts'

/*
 * Fields of a line of CSV, read from bytes: a day of a book has tens of millions of them, and most never become a text.
 * Exports of exchanges quote nothing that holds a comma.
 */

const [comma, dot, quote, space, zero, nine] = [44, 46, 34, 32, 48, 57]
const [lineFeed, carriageReturn] = [10, 13]
const wordBytes = 4
/** The most fields of a line; the last one holds what is behind them. */
const maximumFields = 512
/** Up to 15 digits are exact in a double, and so are powers of ten: their quotient is the nearest double. */
const exactDigits = 15
const powersOfTen = new Float64Array(exactDigits + 1)
for (let power = 0; power <= exactDigits; power += 1) powersOfTen[power] = Number(`1e${power}`)

/** Splits lines of CSV, and reads their fields. A scanner is used again for each line. */
export class FieldScanner {
  private bytes: Uint8Array = new Uint8Array(0)
  private readonly starts = new Int32Array(maximumFields)
  private readonly ends = new Int32Array(maximumFields)

  /** The place behind the end of the line that was split last. */
  next = 0
  /** Whether the first fields of the line are, byte for byte, those of the line before it. */
  isHeadRepeated = false
  private view = new DataView(this.bytes.buffer)
  private headStart = 0
  private headLength = 0

  /**
   * Splits a line, which ends at a line feed or at `to`, and returns the number of its fields. Spaces and quotes around a
   * field are no part of it. The first `head` fields are compared with those of the line before, because rows of one
   * message share them.
   */
  split(bytes: Uint8Array, from: number, to: number, head = 0): number {
    const { ends, starts } = this
    this.isHeadRepeated = head > 0 && this.bytes === bytes && this.repeatsHead(from, to)
    if (this.bytes !== bytes) {
      this.bytes = bytes
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    let count = 0
    if (this.isHeadRepeated) {
      this.moveHead(head, from - this.headStart)
      count = head
    }
    const begin = count === 0 ? from : from + this.headLength
    let start = begin
    let place = begin
    for (; place < to; place += 1) {
      const byte = byteElement(bytes, place)
      // Letters, digits and points are above.
      if (byte > comma) continue
      if (byte === lineFeed) break
      if (byte !== comma || count === maximumFields - 1) continue
      starts[count] = start
      ends[count] = place
      // All that may stand around a field is below letters and digits.
      if (start < place && (byteElement(bytes, start) <= quote || byteElement(bytes, place - 1) <= quote))
        this.trim(count)
      count += 1
      start = place + 1
    }
    starts[count] = start
    ends[count] = place
    this.trim(count)
    this.next = place + 1
    if (head > 0) {
      this.headStart = from
      this.headLength = count < head ? 0 : integerElement(starts, head) - from
    }
    return count + 1
  }

  private repeatsHead(from: number, to: number): boolean {
    const { headLength, headStart, view } = this
    if (headLength < wordBytes || from + headLength > to) return false
    // Words at a time, the last of which overlap. What differs is most often the end of the head, a time.
    let place = headLength - wordBytes
    for (; place > 0; place -= wordBytes)
      if (view.getInt32(headStart + place) !== view.getInt32(from + place)) return false
    return view.getInt32(headStart) === view.getInt32(from)
  }

  private moveHead(head: number, distance: number): void {
    const { ends, starts } = this
    for (let field = 0; field < head; field += 1) {
      starts[field] = integerElement(starts, field) + distance
      ends[field] = integerElement(ends, field) + distance
    }
  }

  private trim(field: number): void {
    const { bytes, ends, starts } = this
    let first = integerElement(starts, field)
    let last = integerElement(ends, field)
    while (first < last && isAround(byteElement(bytes, first))) first += 1
    while (last > first && isAround(byteElement(bytes, last - 1))) last -= 1
    starts[field] = first
    ends[field] = last
  }

  isEmpty(field: number): boolean {
    return this.starts[field] === this.ends[field]
  }

  lengthOf(field: number): number {
    return integerElement(this.ends, field) - integerElement(this.starts, field)
  }

  /** Returns the first byte of a field; 0 for an empty one. */
  firstByte(field: number): number {
    return this.isEmpty(field) ? 0 : byteElement(this.bytes, integerElement(this.starts, field))
  }

  readText(field: number): string {
    let text = ''
    const end = integerElement(this.ends, field)
    for (let place = integerElement(this.starts, field); place < end; place += 1)
      text += String.fromCharCode(byteElement(this.bytes, place))
    return text
  }

  /** Returns whether a field holds exactly these bytes. */
  holds(field: number, wanted: Uint8Array): boolean {
    const start = integerElement(this.starts, field)
    if (this.lengthOf(field) !== wanted.length) return false
    for (let place = 0; place < wanted.length; place += 1)
      if (this.bytes[start + place] !== wanted[place]) return false
    return true
  }

  /** Returns the bytes of a field. */
  copyBytes(field: number): Uint8Array {
    return this.bytes.slice(this.starts[field], this.ends[field])
  }

  /** Returns the number of a field, the nearest double; NaN for anything else. */
  readNumber(field: number): number {
    const { bytes } = this
    const end = integerElement(this.ends, field)
    const start = integerElement(this.starts, field)
    let value = 0
    let digits = 0
    let decimals = -1
    for (let place = start; place < end; place += 1) {
      const byte = byteElement(bytes, place)
      if (byte >= zero && byte <= nine) {
        value = value * 10 + (byte - zero)
        if (value > 0) digits += 1
        if (decimals >= 0) decimals += 1
      } else if (byte === dot && decimals < 0) decimals = 0
      else return this.readRareNumber(field)
    }
    if (start === end) return Number.NaN
    if (digits > exactDigits || decimals > exactDigits) return this.readRareNumber(field)
    return decimals <= 0 ? value : value / element(powersOfTen, decimals)
  }

  /** Reads a number with a sign, an exponent or many digits. */
  private readRareNumber(field: number): number {
    const text = this.readText(field)
    return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
  }

  /**
   * Returns the number of digits of a field that holds nothing else; 0 for any other field. It tells the unit of a time:
   * 10 seconds, 13 milliseconds, 16 microseconds, 19 nanoseconds.
   */
  countDigits(field: number): number {
    const end = integerElement(this.ends, field)
    const start = integerElement(this.starts, field)
    for (let place = start; place < end; place += 1) {
      const byte = byteElement(this.bytes, place)
      if (byte < zero || byte > nine) return 0
    }
    return end - start
  }

  /**
   * Reads an instant of as many digits as its unit has, as whole microseconds since 1970, rounded up: 13 for
   * milliseconds, 16 for microseconds, 19 for nanoseconds. Returns -1 for any other field.
   */
  readMicros(field: number, digits: number): number {
    const { bytes } = this
    const start = integerElement(this.starts, field)
    const end = integerElement(this.ends, field)
    if (end - start !== digits) return -1
    const microEnd = Math.min(end, start + microDigits)
    let value = 0
    for (let place = start; place < microEnd; place += 1) {
      const byte = byteElement(bytes, place)
      if (byte < zero || byte > nine) return -1
      value = value * 10 + (byte - zero)
    }
    let isFiner = false
    for (let place = microEnd; place < end; place += 1) {
      const byte = byteElement(bytes, place)
      if (byte < zero || byte > nine) return -1
      if (byte !== zero) isFiner = true
    }
    if (digits < microDigits) value *= element(powersOfTen, microDigits - digits)
    return isFiner ? value + 1 : value
  }
}

const microDigits = 16

const isAround = (byte: number): boolean => byte === space || byte === quote || byte === carriageReturn

/** Reads an instant such as `2024-08-08T23:54:15.408123456Z` as whole microseconds, rounded up; -1 for other texts. */
export function parseIsoMicros(text: string): number {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/.exec(text)
  if (match === null) return -1
  const [, day = '', time = '', fraction = '', zone = 'Z'] = match
  const millis = isoToMillis(`${day}T${time}${zone === 'Z' ? 'Z' : zone.replace(/^(...)(?=\d)/, '$1:')}`)
  if (millis === null) return -1
  const nanos = Number(fraction.padEnd(9, '0'))
  return millis * 1_000 + Math.ceil(nanos / 1_000)
}

/** Finds the ends of the lines in bytes; the lines are what lies between them. */
export const findLineEnd = (bytes: Uint8Array, from: number): number => bytes.indexOf(lineFeed, from)

/**
 * Splits the lines of a block and gives each to `read`, unless it is blank. Returns how many lines there were. `head` is
 * the number of first fields that rows of one message share.
 */
export function readRows(
  scanner: FieldScanner,
  bytes: Uint8Array,
  from: number,
  to: number,
  line: number,
  read: (fields: number, line: number) => void,
  head = 0,
): number {
  let count = 0
  for (let place = from; place < to; place = scanner.next) {
    const fields = scanner.split(bytes, place, to, head)
    if (fields > 1 || !scanner.isEmpty(0)) read(fields, line + count)
    count += 1
  }
  return count
}
