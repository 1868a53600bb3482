import { log } from '../numeric/portable-math.ts'
import type { Numbers } from './decimate.ts'
import { at } from './decimate.ts'

/** From a value to pixels along one axis. */
export interface Scale {
  readonly from: number
  readonly to: number
  readonly pixelAt: (value: number) => number
}

/** Least and greatest of what is finite; null when nothing is. */
export interface Extent {
  readonly least: number
  readonly greatest: number
}

/**
 * A scale from the ends of an axis to its first and last pixel. Values beyond the ends are kept at the ends: nothing is
 * ever drawn outside the frame.
 */
export function makeScale(ends: Extent, pixels: readonly [number, number], isLog: boolean): Scale {
  const { least: from, greatest: to } = ends
  const [firstPixel, lastPixel] = pixels
  const map = isLog ? log : identity
  const start = map(from)
  const span = map(to) - start
  const pixelAt = (value: number): number => {
    if (!Number.isFinite(value)) return Number.NaN
    const held = Math.min(to, Math.max(from, value))
    return firstPixel + ((map(held) - start) / span) * (lastPixel - firstPixel)
  }
  return { from, to, pixelAt }
}

export function extentOf(rows: readonly Numbers[], isPositive = false): Extent | null {
  let least = Number.POSITIVE_INFINITY
  let greatest = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    for (let place = 0; place < row.length; place += 1) {
      const value = at(row, place)
      if (!Number.isFinite(value) || (isPositive && value <= 0)) continue
      if (value < least) least = value
      if (value > greatest) greatest = value
    }
  }
  return least <= greatest ? { least, greatest } : null
}

/** The ends of an axis around what is drawn, with a little room; a single value gets room on both sides. */
export function roomFor(extent: Extent | null, isLog: boolean): Extent {
  const { least, greatest } = extent ?? (isLog ? { least: 1, greatest: 10 } : { least: 0, greatest: 1 })
  if (isLog) {
    const factor = least === greatest ? 2 : 1.05
    return { least: least / factor, greatest: greatest * factor }
  }
  const span = greatest - least
  // A span that only comes from rounding would show nothing but noise.
  const size = Math.max(Math.abs(least), Math.abs(greatest))
  if (!Number.isFinite(span)) return { least: least / 2, greatest: greatest / 2 }
  const room = span > size * 1e-12 ? span * 0.05 : size > 0 ? size * 0.01 : 1
  return { least: least - room, greatest: greatest + room }
}

const identity = (value: number): number => value
