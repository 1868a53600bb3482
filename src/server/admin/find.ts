import { invalid } from '../../api/errors.ts'
import { cash, firstClientAccount, none } from '../../engine/codes.ts'
import { isoToMillis, millisToIso } from '../../numeric/time-text.ts'
import type { History } from '../../world/history/history.ts'
import type { Moment } from '../../world/history/moment.ts'
import type { Steps } from '../../world/work-queue.ts'
import type { World } from '../../world/world.ts'
import { type AdminAnswer, type AdminCall, type Answered, refused, unknownName } from './route.ts'

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

/** A moment of the past, in a query or a body. Without an instant it is that of the line. */
interface MomentWords {
  readonly sequence: string | number | null
  readonly at: string | null
}

/**
 * Null for the present, which is meant when nothing is given. Errors, in order: 400 for an instant without a line, then
 * for the form of either.
 */
export function momentOf({ sequence, at }: MomentWords): Found<Moment | null> {
  if (sequence === null && at === null) return found(null)
  if (sequence === null) return wrong('sequence', 'is required with an instant: it says behind which line')
  if (!/^\d{1,15}$/.test(String(sequence))) return wrong('sequence', 'must be the sequence of a line')
  const atMillis = at === null ? 0 : isoToMillis(at)
  if (atMillis === null) return wrong('at', 'must be an ISO 8601 instant')
  return found({ sequence: Number(sequence), atMillis })
}

/** How long one request may work on a long past while others wait. */
const followMillis = 25

interface Followed {
  readonly history: History
  /** Whether the past is known up to the present. */
  readonly isWhole: boolean
}

/**
 * Acts on the past of a world, which is then known a little further than before, when nobody else is travelling in it.
 * Errors: 404 for a world that is gone by then.
 */
export function inHistory(world: World, call: AdminCall, act: (followed: Followed) => Answered): Answered {
  const history = call.worlds.historyOf(world)
  if (history === null) return refused({ code: 'unknown-resource' })
  if (history.workQueue.isTaken) return history.workQueue.wait(() => inHistory(world, call, act))
  return act({ history, isWhole: history.follow(followMillis) })
}

/**
 * Looks at the world as it was at a moment. Errors: 404 a moment that is no longer known, one that never was, one that
 * is not known yet.
 */
export function atMoment(
  world: World,
  moment: Moment,
  call: AdminCall,
  look: (past: World) => AdminAnswer,
): Answered {
  return inHistory(world, call, ({ history }) =>
    history.workQueue.begin(lookBack(history, world, moment, look)),
  )
}

function* lookBack(
  history: History,
  world: World,
  moment: Moment,
  look: (past: World) => AdminAnswer,
): Steps<AdminAnswer> {
  const past = yield* history.travelTo(moment)
  if (past !== null) return look(past)
  const { begins, reached } = history
  const reason =
    moment.sequence < begins.sequence
      ? `The past begins behind #${begins.sequence} at ${millisToIso(begins.atMillis)}`
      : moment.sequence > world.sequence
        ? `The last line is #${world.sequence}`
        : `The past is read until #${reached.sequence} so far: ask again`
  return refused({ code: 'unknown-resource', reason })
}

function wrong(field: string, reason: string): Found<never> {
  return { ok: false, answer: refused(invalid({ field, reason })) }
}
