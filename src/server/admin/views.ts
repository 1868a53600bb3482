import { firstClientAccount } from '../../engine/codes.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { ClockSettings } from '../../world/clock/clock-driver.ts'
import type { ApiKey } from '../../world/keys.ts'
import type { World } from '../../world/world.ts'

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

const before = new WeakMap<World, { readonly longWorks: number; readonly view: WorldView }>()
type WorldView = ReturnType<typeof worldView>

/** Remembers a world as it is, for `settledView`: something long is about to be done to it. */
export function rememberView(world: World): void {
  before.set(world, { longWorks: world.turns.longWorks, view: worldView(world) })
}

/** The same without waiting for what is done to the world: until that is over, the world is as it was before. */
export function settledView(world: World): WorldView {
  const remembered = world.turns.isPaused ? before.get(world) : undefined
  return remembered?.longWorks === world.turns.longWorks ? remembered.view : worldView(world)
}

/** The accounts in the order of the engine's rows, with their working keys. */
export function accountViews(world: World) {
  const { accounts } = world.venue.state
  const keys = world.keys.list().filter((key) => !key.isRevoked)
  return accounts.ids
    .map((id, row) => ({ id, keys: keys.filter((key) => key.account === row).map(keyView) }))
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
