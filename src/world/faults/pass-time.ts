import { type Millis, millis } from '../../numeric/units.ts'
import type { Delay } from './fault-plan.ts'

/** Whatever has a clock that can be moved on. */
export interface Timed {
  readonly now: Millis
  advanceTo(atMillis: Millis): void
}

/** The world's clock moves on, as if the request had been that long on its way. */
export function passTime(world: Timed, { worldMillis }: Delay): void {
  if (worldMillis > 0) world.advanceTo(millis(world.now + worldMillis))
}
