import { element } from '../numeric/columns.ts'
import { figure } from './figure.ts'
import type { Drawdown, DrawdownMetrics } from './metrics.ts'
import { doubles } from './samples.ts'

const maximumShown = 5

/**
 * Drawdowns of unit values at instants; the first value, which is above 0, counts as a peak. The lists have the same
 * length and are not empty.
 */
export function drawdownMetrics(units: ArrayLike<number>, instants: ArrayLike<number>): DrawdownMetrics {
  const index = doubles(units)
  const atMillis = doubles(instants)
  const drawdowns = drawdownsOf(index, atMillis)
  const deepest = drawdowns.toSorted((left, right) => left.depth - right.depth)
  let squares = 0
  let peak = 0
  for (let place = 0; place < index.length; place += 1) {
    const value = element(index, place)
    peak = Math.max(peak, value)
    const depth = value / peak - 1
    squares += depth * depth
  }
  const endMillis = element(atMillis, atMillis.length - 1)
  let longestMillis = 0
  let isLongestOpen = false
  for (const { peakMillis, recoveryMillis } of drawdowns) {
    const span = (recoveryMillis ?? endMillis) - peakMillis
    if (span <= longestMillis) continue
    longestMillis = span
    isLongestOpen = recoveryMillis === null
  }
  return {
    maximum: figure(deepest[0]?.depth ?? 0),
    longestMillis,
    isLongestOpen,
    ulcer: figure(Math.sqrt(squares / index.length)),
    deepest: deepest.slice(0, maximumShown),
  }
}

/** Every stretch below a peak, oldest first. */
function drawdownsOf(index: Float64Array, atMillis: Float64Array): readonly Drawdown[] {
  const drawdowns: Drawdown[] = []
  let peak = element(index, 0)
  let peakMillis = element(atMillis, 0)
  let troughMillis = 0
  let depth = 0
  for (let place = 0; place < index.length; place += 1) {
    const value = element(index, place)
    if (value < peak) {
      if (value / peak - 1 >= depth) continue
      depth = value / peak - 1
      troughMillis = element(atMillis, place)
      continue
    }
    const millis = element(atMillis, place)
    if (depth < 0) drawdowns.push({ peakMillis, recoveryMillis: millis, troughMillis, depth })
    depth = 0
    peak = value
    peakMillis = millis
  }
  if (depth < 0) drawdowns.push({ peakMillis, recoveryMillis: null, troughMillis, depth })
  return drawdowns
}
