import type { ApiRequest, ApiResponse } from '../api/context.ts'
import { dispatch } from '../api/dispatch.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { World } from './world.ts'

/** What an operation would answer now, tried on a copy of the venue: nothing happens in the world. */
export function dryRun(world: World, account: number, request: ApiRequest, readings: Readings): ApiResponse {
  const copy = world.running.copy()
  const { state, now } = copy
  return dispatch({ state, account, readings, now, execute: (command) => copy.execute(command) }, request)
}
