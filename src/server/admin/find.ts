import { cash, firstClientAccount, none } from '../../engine/codes.ts'
import { isoToMillis, millisToIso } from '../../numeric/time-text.ts'
import type { History } from '../../world/history/history.ts'
import type { Moment } from '../../world/history/price-history.ts'
import type { FollowedHistory } from '../../world/views/history-views.ts'
import type { Steps } from '../../world/work-queue.ts'
import type { World } from '../../world/world.ts'
import { type AdminCall, AdminRefusal, unknownName, wrongField } from './route.ts'

/** The row of the path's account; the venue's own accounts cannot be named. */
export function accountOf(world: World, { params }: AdminCall): number {
  const id = params['account'] ?? ''
  const { accounts } = world.venue.state
  const row = accounts.rowOf(id)
  if (row === none) throw unknownName('account', id, accounts.ids.slice(firstClientAccount))
  return row
}

/** The row of the path's traded asset. */
export function tradedAssetOf(world: World, { params }: AdminCall): number {
  return tradedAssetNamed(world, params['asset'] ?? '')
}

export function tradedAssetNamed(world: World, symbol: string): number {
  const row = world.venue.state.assets.rowOf(symbol)
  if (row <= cash) throw unknownName('traded asset', symbol, assetSymbols(world).slice(cash + 1))
  return row
}

export function assetSymbols(world: World): string[] {
  return world.venue.state.config.assets.map(({ symbol }) => symbol)
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
export function momentOf({ sequence, at }: MomentWords): Moment | null {
  if (sequence === null && at === null) return null
  if (sequence === null)
    throw wrongField('sequence', 'is required with an instant: it says behind which line')
  if (!/^\d{1,15}$/.test(String(sequence))) throw wrongField('sequence', 'must be the sequence of a line')
  return { sequence: Number(sequence), atMillis: at === null ? 0 : instantIn('at', at) }
}

/** Errors: 400 for what is no instant. */
export function instantIn(field: string, text: string): number {
  const atMillis = isoToMillis(text)
  if (atMillis === null) throw wrongField(field, 'must be an ISO 8601 instant')
  return atMillis
}

/** How long one request may work on a long past while others wait. */
const followMillis = 25

/**
 * Acts on the past of a world, which is then known a little further than before, when nobody else is travelling in it.
 * Errors: 404 for a world that is gone by then.
 */
export function inHistory(
  world: World,
  call: AdminCall,
  act: (followed: FollowedHistory) => unknown,
): unknown {
  const history = call.worlds.historyOf(world)
  if (history === null) throw new AdminRefusal({ code: 'unknown-resource' })
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
  look: (past: World) => unknown,
): unknown {
  return inHistory(world, call, ({ history }) =>
    history.workQueue.begin(lookBack(history, world, moment, look)),
  )
}

function* lookBack(
  history: History,
  world: World,
  moment: Moment,
  look: (past: World) => unknown,
): Steps<unknown> {
  const past = yield* history.travelTo(moment)
  if (past !== null) return look(past)
  const { begins, reached } = history
  const reason =
    moment.sequence < begins.sequence
      ? `The past begins behind #${begins.sequence} at ${millisToIso(begins.atMillis)}`
      : moment.sequence > world.sequence
        ? `The last line is #${world.sequence}`
        : `The past is read until #${reached.sequence} so far: ask again`
  throw new AdminRefusal({ code: 'unknown-resource', reason })
}
