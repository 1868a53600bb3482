import { millis } from '../../numeric/units.ts'
import type { World } from '../world.ts'
import type { Delay } from './fault-plan.ts'

/** The world's clock moves on, as if the request had been that long on its way. */
export function passTime(world: World, { worldMillis }: Delay): void {
  if (worldMillis > 0) world.advanceTo(millis(world.now + worldMillis))
}
