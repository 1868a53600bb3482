import { defaultReadings, type Readings } from '../../api/readings/readings.ts'
import type { World } from '../../world/world.ts'

/**
 * The readings under which the admin API shows what the interface also shows: its own words and shapes, whatever
 * the world reads into the specification, but with the ids that clients know. A test's setup must not change with the
 * reading that it tries out.
 */
export const plainReadings = (world: World): Readings => ({
  ...defaultReadings,
  'ids.format': world.readings['ids.format'],
})
