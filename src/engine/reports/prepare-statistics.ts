import { stateOf } from '../checks/walk.ts'
import type { State } from '../state.ts'

/**
 * Makes a part, a millisecond of work or two, of what the first read of 24-hour statistics would have to make: that is
 * nearly half a second for five assets in a fresh process. True when nothing is left. It changes nothing.
 */
export function prepareStatistics(state: State): boolean {
  for (let asset = 1; asset < state.assets.count; asset += 1)
    if (!stateOf(state, asset).statistics.prepare()) return false
  return true
}
