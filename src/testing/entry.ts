/* The package's entry `otcsim/testing`: a venue for tests, whatever runs them. */

export type { FaultForm } from '../api/faults/fault-rule.ts'
export type { WorldSnapshot } from '../journal/world-snapshot.ts'
export type { OpenWorld as World } from '../pipeline/fetch.ts'
export type { RequestMatch, RequestTimes } from '../world/logs/find-requests.ts'
export { seedOf } from '../world/logs/test-failure.ts'
export { type InWorld, type InWorldOptions, inWorld, keepJournal, sharedVenue } from './in-world.ts'
export { type FakeTimers, type LiveForOptions, liveFor } from './live-for.ts'
export type { ScenarioChoice } from './start-venue.ts'
export {
  createWorld,
  forkWorld,
  type StartVenueOptions,
  startVenue,
  type TestVenue,
  type TestWorldOptions,
} from './start-venue.ts'
export type { NamedTest } from './test-name.ts'
export type { TestKey, TestWorld } from './test-world.ts'
