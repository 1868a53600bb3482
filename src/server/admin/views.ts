import type { OperationId } from '../../api/operations/operations.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { ClockSettings } from '../../journal/world-snapshot.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { ApiKey } from '../../world/keys.ts'
import type { World } from '../../world/world.ts'

/**
 * The readings under which the admin API shows what the interface also shows: its own words and shapes, whatever
 * the world reads into the specification, but with the ids that clients know. A test's setup must not change with the
 * reading that it tries out.
 */
const plainReadings = (world: World): Readings => ({
  ...defaultReadings,
  'ids.format': world.readings['ids.format'],
})

/** What an operation of the interface answers to an account, in its own words whatever the world's readings are; null for a refusal. */
export function shownTo(
  world: World,
  account: number,
  operation: OperationId,
  parameter = '',
  query = '',
): object | null {
  const request = { operation, parameter, query, body: '' }
  const { status, body } = world.answer(account, request, plainReadings(world))
  return status === 200 ? body : null
}

/** Design, section 9: World. */
export function worldView(world: World) {
  return {
    id: world.id,
    seed: world.seed,
    scenario: world.scenario.name,
    now: millisToIso(world.now),
    clock: clockView(world.clock),
    readings: world.readings,
    digest: world.digest(),
    accounts: accountViews(world),
  }
}

interface Advance {
  readonly longWorks: number
  readonly view: ReturnType<typeof worldView>
  readonly toMillis: number
}

const advances = new WeakMap<World, Advance>()

/** Remembers a world as it is, for `settledView`: a long advance is about to begin, to this instant at most. */
export function rememberAdvance(world: World, toMillis: number): void {
  advances.set(world, { longWorks: world.workQueue.longWorks, view: worldView(world), toMillis })
}

/**
 * The same without waiting for work on the world: until that is over, the world is shown as it was before, and
 * `advancing` says how far it has come.
 */
export function settledView(world: World) {
  const failedTest = world.failure?.test ?? null
  const about = { madeAt: millisToIso(world.madeAtWallMillis), test: world.test ?? failedTest, failedTest }
  const log = { ...world.requests.counts, ...about }
  if (!world.workQueue.isPaused) return { ...worldView(world), ...log }
  return { ...(advanceOf(world)?.view ?? worldView(world)), ...log, advancing: advancingView(world) }
}

/**
 * Where an advancing world is, and where it is going: null where that is not known, as when it catches up with real
 * time.
 */
export function advancingView(world: World) {
  const advance = advanceOf(world)
  return { now: millisToIso(world.now), to: advance === null ? null : millisToIso(advance.toMillis) }
}

function advanceOf(world: World): Advance | null {
  const advance = advances.get(world)
  return advance?.longWorks === world.workQueue.longWorks ? advance : null
}

/** The accounts in the order of the engine's rows, with their working keys. */
export function accountViews(world: World) {
  const { accounts } = world.venue.state
  const keys = new Map<number, ApiKey[]>()
  for (const key of world.keys.list()) {
    if (key.isRevoked) continue
    const others = keys.get(key.account)
    if (others === undefined) keys.set(key.account, [key])
    else others.push(key)
  }
  return accounts.ids
    .map((id, row) => ({ id, keys: (keys.get(row) ?? []).map(keyView) }))
    .slice(firstClientAccount)
}

export function keyView({ apiKey, apiSecret, scopes }: ApiKey) {
  return { apiKey, apiSecret, scopes: [...scopes] }
}

export function clockView({ mode, speed, stepMillis }: ClockSettings) {
  return { mode, speed, stepMs: stepMillis }
}

export function digestView(world: World) {
  return { digest: world.digest(), sequence: world.sequence, now: millisToIso(world.now) }
}
