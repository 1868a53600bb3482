import { invalid } from '../../api/errors.ts'
import { isoToMillis, millisToIso } from '../../numeric/time-text.ts'
import type { History } from '../../world/history/history.ts'
import type { Moment } from '../../world/history/moment.ts'
import type { Steps } from '../../world/work-queue.ts'
import type { World } from '../../world/world.ts'
import { type Found, found } from './find.ts'
import { type AdminAnswer, type AdminCall, type Answered, refused } from './route.ts'

/** A moment of the past, in a query or a body. Without an instant it is that of the line. */
export interface MomentWords {
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

export interface Followed {
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
