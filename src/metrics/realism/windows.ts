import { element } from '../../numeric/columns.ts'
import { log } from '../../numeric/portable-math.ts'
import type { JudgedWindow } from './judge.ts'
import type { WindowKind } from './window-features.ts'

/** The closes of steps that follow each other; NaN where there is none. */
export interface CloseSeries {
  /** The beginning of the first step. */
  readonly fromMillis: number
  readonly stepMillis: number
  readonly prices: Float64Array
}

/** A window that was cut from a path. */
export interface PathWindow extends JudgedWindow {
  /** The beginning of its first return. */
  readonly fromMillis: number
}

/** The windows of a path, and why others were left out. */
export interface WindowList {
  readonly windows: readonly PathWindow[]
  /** Windows with more than five closes missing. */
  readonly withGaps: number
  /** Windows of which some feature isn't a number, because the price stood still for too long. */
  readonly standing: number
}

/** The most closes that may be missing in a window; the price stands still there. */
const mostMissing = 5

/** Cuts a path into whole windows, and computes their features. Source of the rules: feats.py of market-recipe.md. */
export function cutWindows(closes: CloseSeries, kind: WindowKind): WindowList {
  const path = coarsenCloses(closes, kind.stepMillis)
  const lengthMillis = kind.stepMillis * kind.length
  const windows: PathWindow[] = []
  let [withGaps, standing] = [0, 0]
  const ahead = wrap(kind.originMillis - path.fromMillis, lengthMillis) / kind.stepMillis
  for (let first = ahead === 0 ? kind.length : ahead; first + kind.length <= path.prices.length; ) {
    const returns = computeReturns(path.prices, first, kind.length)
    const fromMillis = path.fromMillis + first * kind.stepMillis
    first += kind.length
    if (returns === null) {
      withGaps += 1
      continue
    }
    const values = Object.values(kind.compute(returns))
    if (values.every(Number.isFinite))
      windows.push({ fromMillis, group: Math.floor(fromMillis / kind.blockMillis), values })
    else standing += 1
  }
  return { windows, withGaps, standing }
}

/**
 * Takes the last close of each longer step, from the first whole one on. Errors: the longer step is no multiple of the
 * path's (RangeError).
 */
function coarsenCloses(closes: CloseSeries, stepMillis: number): CloseSeries {
  const { fromMillis, prices } = closes
  const span = stepMillis / closes.stepMillis
  if (span === 1) return closes
  if (!Number.isInteger(span)) throw new RangeError('the step of windows is no multiple of that of the path')
  const skipped = wrap(-fromMillis, stepMillis) / closes.stepMillis
  const coarse = new Float64Array(Math.floor((prices.length - skipped) / span)).fill(Number.NaN)
  for (let place = 0; place < coarse.length; place += 1) {
    for (let i = skipped + place * span; i < skipped + (place + 1) * span; i += 1) {
      if (!Number.isNaN(element(prices, i))) coarse[place] = element(prices, i)
    }
  }
  return { fromMillis: fromMillis + skipped * closes.stepMillis, stepMillis, prices: coarse }
}

/** Computes the log returns of a window. Null if too many closes are missing, or the one before it is. */
function computeReturns(prices: Float64Array, first: number, length: number): Float64Array | null {
  const returns = new Float64Array(length)
  let last = element(prices, first - 1)
  if (Number.isNaN(last)) return null
  let missing = 0
  for (let i = 0; i < length; i += 1) {
    const price = element(prices, first + i)
    if (Number.isNaN(price)) missing += 1
    else {
      returns[i] = price === last ? 0 : log(price / last)
      last = price
    }
  }
  return missing > mostMissing ? null : returns
}

const wrap = (value: number, length: number): number => ((value % length) + length) % length
