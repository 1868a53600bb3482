import { type State, stateOf } from '../../engine/state.ts'
import type { World } from '../../world/world.ts'
import type { VolumeOf } from '../bar-maker.ts'
import { recordedVolume } from './recorded-volume.ts'

/** The volumes of a world's recordings. A price that a script has switched to another model has none any more. */
export function volumesOf(world: World): VolumeOf {
  const volumes = world.scenario.venue.market.assets.map(({ model }) => recordedVolume(model))
  return (place, fromMillis, toMillis) => {
    const between = volumes[place] ?? null
    if (between === null || isSwitched(world.venue.state, place + 1)) return null
    return between(fromMillis, toMillis)
  }
}

function isSwitched(state: State, asset: number): boolean {
  return stateOf(state, asset).overrides.some((one) => one.kind === 'switch' || one.base !== undefined)
}
