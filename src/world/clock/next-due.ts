import { nextItemMillis } from '../../engine/due-items.ts'
import { stillUntilMillis } from '../../engine/house/market-step.ts'
import type { State } from '../../engine/state.ts'

/** The next instant at which a venue does something by itself; infinity when it never does. */
export function nextDueMillis(state: State): number {
  return Math.min(nextStepMillis(state), nextItemMillis(state))
}

/** The next instant of the market's grid at which anything moves. */
function nextStepMillis(state: State): number {
  const { config, gridIndex } = state
  const { startMillis, gridMillis } = config
  const stillMillis = stillUntilMillis(state)
  const index = Math.max(gridIndex + 1, Math.ceil((stillMillis - startMillis) / gridMillis))
  return startMillis + index * gridMillis
}
