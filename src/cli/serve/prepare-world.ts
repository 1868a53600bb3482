import { prepareStatistics, tradedAssets } from '../../engine/reports/prepare-statistics.ts'
import type { World } from '../../world/world.ts'

/**
 * Everything that waited for the start goes first. After that, preparing takes at most a quarter of the time, in pieces
 * too short to be noticed.
 */
const quietMillis = 700
const pauseMillis = 4

/**
 * Prepares what the first reader of a world's prices would wait for, while nobody has asked yet. Answers how to stop.
 * An error is left for that reader to meet.
 */
export function prepareWorld(world: World): () => void {
  let timer = setTimeout(step, quietMillis).unref()
  function step(): void {
    try {
      const { state } = world.venue
      const assets = tradedAssets(state)
      for (let piece = 0; piece < 4; piece += 1) prepareStatistics(state, assets)
      if (!prepareStatistics(state, assets)) timer = setTimeout(step, pauseMillis).unref()
    } catch {}
  }
  return () => clearTimeout(timer)
}
