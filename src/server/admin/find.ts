import { cash, firstClientAccount, none } from '../../engine/codes.ts'
import type { World } from '../../world/world.ts'
import { type AdminAnswer, type AdminCall, type Answered, unknownName } from './route.ts'

/** What a path names, or the 404 that says so, with the name that was perhaps meant. */
export type Found<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly answer: AdminAnswer }

export function found<Value>(value: Value): Found<Value> {
  return { ok: true, value }
}

export function notFound(what: string, name: string, known: Iterable<string>): Found<never> {
  return { ok: false, answer: unknownName(what, name, known) }
}

/** The world of the path, as it is. */
export function worldOf({ worlds, params }: AdminCall): Found<World> {
  const id = params['world'] ?? ''
  const world = worlds.get(id)
  if (world !== undefined) return found(world)
  return notFound(
    'world',
    id,
    worlds.list().map((other) => other.id),
  )
}

/** Acts in the world of the path, moved to the present, when everything that came before is done. */
function enter(call: AdminCall, act: (world: World) => Answered): Answered {
  const world = worldOf(call)
  if (!world.ok) return world.answer
  const { workQueue, time } = world.value
  // The world may be gone by then.
  if (world.value.mustWait()) return workQueue.wait(() => enter(call, act))
  time.catchUp()
  return act(world.value)
}

/** The row of the path's account; the venue's own accounts cannot be named. */
export function accountOf(world: World, { params }: AdminCall): Found<number> {
  const id = params['account'] ?? ''
  const { accounts } = world.venue.state
  const row = accounts.rowOf(id)
  return row === none ? notFound('account', id, accounts.ids.slice(firstClientAccount)) : found(row)
}

/** The row of the path's traded asset. */
export function tradedAssetOf(world: World, { params }: AdminCall): Found<number> {
  return tradedAssetNamed(world, params['asset'] ?? '')
}

export function tradedAssetNamed(world: World, symbol: string): Found<number> {
  const { assets } = world.venue.state
  const row = assets.rowOf(symbol)
  return row > cash ? found(row) : notFound('traded asset', symbol, assetSymbols(world).slice(cash + 1))
}

export function assetSymbols(world: World): string[] {
  return world.venue.state.config.assets.map(({ symbol }) => symbol)
}

/** Runs an operation in the world of the path. */
export function inWorld(run: (world: World, call: AdminCall) => Answered): (call: AdminCall) => Answered {
  return (call) => enter(call, (world) => run(world, call))
}

/** The same with a body. */
export function inWorldWith<Body>(
  run: (world: World, body: Body, call: AdminCall) => Answered,
): (call: AdminCall, body: Body) => Answered {
  return (call, body) => enter(call, (world) => run(world, body, call))
}
