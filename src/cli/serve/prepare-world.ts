import { prepareStatistics } from '../../engine/reports/prepare-statistics.ts'
import type { World } from '../../world/world.ts'

/** First whatever waited for the start, then work for a quarter of the time at most, in pieces that nobody notices. */
const quietMillis = 700
const pauseMillis = 4

/**
 * Makes what the first reader of a world's prices would wait for, while nobody has asked yet. Answers how to stop. What
 * goes wrong is left for that reader to be told.
 */
export function prepareWorld(world: World): () => void {
  let timer = setTimeout(step, quietMillis).unref()
  function step(): void {
    try {
      if (!prepareStatistics(world.venue.state)) timer = setTimeout(step, pauseMillis).unref()
    } catch {}
  }
  return () => clearTimeout(timer)
}
