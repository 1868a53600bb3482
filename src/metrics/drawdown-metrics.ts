import { figure } from './figure.ts'
import type { Drawdown, DrawdownMetrics } from './metrics.ts'

const maximumShown = 5

/**
 * Drawdowns of unit values at instants; the first value, which is above 0, counts as a peak. The lists have the same
 * length and are not empty.
 */
export function drawdownMetrics(index: readonly number[], atMillis: readonly number[]): DrawdownMetrics {
  const drawdowns = drawdownsOf(index, atMillis)
  const deepest = drawdowns.toSorted((left, right) => left.depth - right.depth)
  let squares = 0
  let peak = 0
  for (const value of index) {
    peak = Math.max(peak, value)
    const depth = value / peak - 1
    squares += depth * depth
  }
  const endMillis = Number(atMillis.at(-1))
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
function drawdownsOf(index: readonly number[], atMillis: readonly number[]): readonly Drawdown[] {
  const drawdowns: Drawdown[] = []
  let peak = Number(index[0])
  let peakMillis = Number(atMillis[0])
  let open: { troughMillis: number; depth: number } | null = null
  for (const [place, value] of index.entries()) {
    const millis = Number(atMillis[place])
    if (value >= peak) {
      if (open !== null) drawdowns.push({ peakMillis, recoveryMillis: millis, ...open })
      open = null
      peak = value
      peakMillis = millis
      continue
    }
    const depth = value / peak - 1
    if (open === null || depth < open.depth) open = { troughMillis: millis, depth }
  }
  if (open !== null) drawdowns.push({ peakMillis, recoveryMillis: null, ...open })
  return drawdowns
}
