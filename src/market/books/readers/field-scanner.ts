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

/**
 * Returns whether two words of four bytes agree in every place where either has a byte of 44 (a comma) or less. Works
 * on all four at once: 83 added to the low seven bits of a byte carries into its eighth bit if they are above 44.
 */
function haveEqualSeparators(left: number, right: number): boolean {
  const high = 0x8080_8080
  const leftAbove = ((left & 0x7f7f_7f7f) + 0x5353_5353) | left
  const rightAbove = ((right & 0x7f7f_7f7f) + 0x5353_5353) | right
  if (((leftAbove ^ rightAbove) & high) !== 0) return false
  const separators = Math.imul((~leftAbove & high) >>> 7, 255)
  return ((left ^ right) & separators) === 0
}

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
  /** How many bytes from the start of the head are those of the line before it. */
  private repeatedLength = -1

  /**
   * Splits a line, which ends at a line feed or at `to`, and returns the number of its fields. Spaces and quotes around a
   * field are no part of it. The first `head` fields are compared with those of the line before: they most often end at
   * the same places, and rows of one message share them.
   */
  split(bytes: Uint8Array, from: number, to: number, head = 0): number {
    const { ends, starts } = this
    const isHeadKnown = head > 0 && this.bytes === bytes && this.keepsHead(from, to)
    if (this.bytes !== bytes) {
      this.bytes = bytes
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    if (isHeadKnown) this.moveHead(head, from - this.headStart)
    else this.forgetHead()
    let count = isHeadKnown ? head : 0
    let start = from + this.headLength
    let place = start
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

  /**
   * Returns whether the fields of the head stand where those of the line before do: all bytes up to a comma, of which
   * separators are made, are the same there. Works on four bytes at a time, the last of which overlap.
   */
  private keepsHead(from: number, to: number): boolean {
    const { headLength, headStart, view } = this
    if (headLength < wordBytes || from + headLength > to) return false
    const last = headLength - wordBytes
    let repeated = -1
    for (let place = 0; ; place = Math.min(place + wordBytes, last)) {
      const before = view.getInt32(headStart + place)
      const now = view.getInt32(from + place)
      if (before !== now) {
        if (repeated < 0) repeated = place
        if (!haveEqualSeparators(before, now)) return false
      }
      if (place === last) break
    }
    this.isHeadRepeated = repeated < 0
    this.repeatedLength = repeated < 0 ? headLength : repeated
    return true
  }

  private forgetHead(): void {
    this.isHeadRepeated = false
    this.headLength = 0
    this.repeatedLength = -1
  }

  private moveHead(head: number, distance: number): void {
    const { ends, starts } = this
    for (let field = 0; field < head; field += 1) {
      starts[field] = integerElement(starts, field) + distance
      ends[field] = integerElement(ends, field) + distance
    }
  }

  /** Returns whether a field of the head, and all before it, are known to be those of the line before. */
  isRepeated(field: number): boolean {
    return integerElement(this.ends, field) - this.headStart <= this.repeatedLength
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
   * Returns the number of digits of a field that holds nothing else; 0 for any other field. The unit of a time follows
   * from it: 10 digits are seconds, 13 milliseconds, 16 microseconds, 19 nanoseconds.
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
    const first = this.readEight(start)
    const isWhole = digits >= microDigits
    const second = isWhole ? this.readEight(start + eight) : 0
    if (first < 0 || second < 0) return -1
    let value = isWhole ? first * 1e8 + second : first
    let isFiner = false
    for (let place = start + (isWhole ? microDigits : eight); place < end; place += 1) {
      const byte = byteElement(bytes, place)
      if (byte < zero || byte > nine) return -1
      if (!isWhole) value = value * 10 + (byte - zero)
      else if (byte !== zero) isFiner = true
    }
    if (!isWhole) value *= element(powersOfTen, microDigits - digits)
    return isFiner ? value + 1 : value
  }

  /** Reads eight digits as a whole number; -1 for anything else. */
  private readEight(start: number): number {
    const { bytes } = this
    let value = 0
    for (let place = start; place < start + eight; place += 1) {
      const digit = byteElement(bytes, place) - zero
      if (digit >>> 0 > 9) return -1
      value = (value * 10 + digit) | 0
    }
    return value
  }
}

const eight = 8
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

/** Returns the index of the next line feed from `from` on; -1 if there is none. */
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
