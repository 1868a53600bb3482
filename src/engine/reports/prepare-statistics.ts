import type { RollingStatistics } from '../series/rolling-statistics.ts'
import { type State, stateOf } from '../state.ts'

/**
 * Does a few hundred microseconds of the work that the first read of these assets' 24-hour statistics would have to do:
 * nearly half a second for five assets in a fresh process. True when nothing is left. The state does not change.
 *
 * Assets take turns, so that what their paths have in common is made only once.
 */
export function prepareStatistics(state: State, assets: readonly number[]): boolean {
  let next: RollingStatistics | null = null
  let fewest = Number.POSITIVE_INFINITY
  for (const asset of assets) {
    const { statistics } = stateOf(state, asset)
    const steps = statistics.preparedSteps
    if (steps >= fewest) continue
    next = statistics
    fewest = steps
  }
  next?.prepare()
  return next === null
}

/** Rows of all traded assets. */
export function tradedAssets({ assets }: State): readonly number[] {
  return Array.from({ length: assets.count - 1 }, (_, place) => place + 1)
}
