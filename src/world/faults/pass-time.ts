import { type Millis, millis } from '../../numeric/units.ts'
import type { Delay } from './fault-plan.ts'

/** Anything with a clock that can be moved on. */
export interface Timed {
  readonly now: Millis
  advanceTo(atMillis: Millis): void
}

/** Moves the world's clock on, as if the request had been under way for that long. */
export function passTime(world: Timed, { worldMillis }: Delay): void {
  if (worldMillis > 0) world.advanceTo(millis(world.now + worldMillis))
}
