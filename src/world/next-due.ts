import { isMarketStill } from '../engine/market-step.ts'
import type { State } from '../engine/state.ts'

/** The next instant at which a venue has something to do by itself; infinity when it never has. */
export function nextDueMillis(state: State): number {
  const { config, gridIndex, timeline } = state
  const nextGridMillis = config.startMillis + (gridIndex + 1) * config.gridMillis
  return Math.min(isMarketStill(state) ? Number.POSITIVE_INFINITY : nextGridMillis, timeline.nextAtMillis)
}
