import type { RollingStatistics } from '../series/rolling-statistics.ts'
import { type State, stateOf } from '../state.ts'

/**
 * Makes a part, some hundred microseconds of work, of what the first read of these assets' 24-hour statistics would have to
 * make, which is nearly half a second for five assets in a fresh process. True when nothing is left. It changes nothing.
 *
 * Assets take turns, because what the market's paths have in common is then made once.
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

/** All that can be traded. */
export function tradedAssets({ assets }: State): readonly number[] {
  return Array.from({ length: assets.count - 1 }, (_, place) => place + 1)
}
