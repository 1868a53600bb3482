import { byteElement, element } from '../../numeric/columns.ts'

/*
 * Rows of safe integers in few bytes: each number as its difference to that of the row before, with the sign in the lowest
 * bit, seven bits a byte and the lowest first (the LEB128 of DWARF).
 */

/** The most bytes that a packed number takes. */
export const mostPackedBytes = 8
/** Twice as much is still counted exactly. */
const mostChange = 4503599627370495 // 2^52 - 1

/**
 * Packs rows of so many numbers, one after the other; `into` has `mostPackedBytes` for each number and is written over.
 * Null where a number is no safe integer, or its difference cannot be kept.
 */
export function packRows(rows: Float64Array, width: number, into: Uint8Array): Uint8Array | null {
  let end = 0
  for (let place = 0; place < rows.length; place += 1) {
    const value = element(rows, place)
    const change = value - (place < width ? 0 : element(rows, place - width))
    if (!(Number.isSafeInteger(value) && Math.abs(change) <= mostChange)) return null
    let left = change < 0 ? -2 * change - 1 : 2 * change
    while (left >= 128) {
      const upper = Math.floor(left / 128)
      into[end] = left - upper * 128 + 128
      end += 1
      left = upper
    }
    into[end] = left
    end += 1
  }
  return into.slice(0, end)
}

/** Writes packed rows into `rows`, which must be as long as those packed. */
export function unpackRows(packed: Uint8Array, width: number, rows: Float64Array): void {
  let next = 0
  for (let place = 0; place < rows.length; place += 1) {
    let byte = byteElement(packed, next)
    next += 1
    let left = byte & 127
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = byteElement(packed, next)
      next += 1
      left += (byte & 127) * scale
    }
    const half = Math.floor(left / 2)
    const change = half * 2 === left ? half : -half - 1
    rows[place] = change + (place < width ? 0 : element(rows, place - width))
  }
}
