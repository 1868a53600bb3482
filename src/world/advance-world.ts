import { lastWorldMillis } from '../numeric/time-text.ts'
import { type Millis, millis } from '../numeric/units.ts'
import { longestAdvanceMillis } from './clock/clock-driver.ts'
import { matchesEvent, type PublicEvent } from './logs/describe-event.ts'
import type { Pieces } from './turns/pieces.ts'
import type { World } from './world.ts'

/** How far to go: to an instant, to the next thing that is due, or until something happens. */
export type Goal =
  | { readonly kind: 'instant'; readonly atMillis: Millis }
  | { readonly kind: 'next' }
  | {
      readonly kind: 'event'
      /** A public name, such as `order.filled`. */
      readonly event: string
      readonly match: { readonly [field: string]: unknown }
      readonly deadlineMillis: Millis
    }

export interface Advanced {
  readonly fromMillis: Millis
  /** What happened, oldest first; the oldest are missing when there were more than a world keeps (`omitted`). */
  readonly events: readonly PublicEvent[]
  readonly omitted: number
  /** `advanced`, `matched`, `maxMs` (the event did not happen in time) or `nothing-due`. */
  readonly reason: 'advanced' | 'matched' | 'maxMs' | 'nothing-due'
}

/** Moves a world's time on, in pieces; everything due until then has happened after the last. */
export function* advanceWorld(world: World, goal: Goal): Pieces<Advanced> {
  const fromMillis = world.now
  const before = world.events.lastSequence
  const reason = yield* move(world, goal)
  const events = world.eventsSince(before)
  return { fromMillis, events, omitted: world.events.lastSequence - before - events.length, reason }
}

function* move(world: World, goal: Goal): Pieces<Advanced['reason']> {
  if (goal.kind === 'instant') {
    yield* world.advanceInPieces(goal.atMillis)
    return 'advanced'
  }
  if (goal.kind === 'next') {
    const next = world.running.nextDueMillis
    if (next > world.now + longestAdvanceMillis || next > lastWorldMillis) return 'nothing-due'
    yield* world.advanceInPieces(millis(next))
    return 'advanced'
  }
  return yield* moveUntil(world, goal.event, goal.match, goal.deadlineMillis)
}

/** How many due instants make a piece, and what is over so soon that it is not cut. */
const dueInPiece = 20
const soonMillis = 1000

/** Goes from one due instant to the next, so that the clock stops at the instant of the event. */
function* moveUntil(
  world: World,
  event: string,
  match: { readonly [field: string]: unknown },
  deadlineMillis: Millis,
): Pieces<'matched' | 'maxMs'> {
  if (deadlineMillis - world.now > soonMillis) yield
  for (let passed = 1; ; passed += 1) {
    const before = world.events.lastSequence
    const next = Math.min(Math.max(world.running.nextDueMillis, world.now + 1), deadlineMillis)
    yield* world.advanceInPieces(millis(next))
    const happened = world.eventsSince(before)
    if (happened.some((candidate) => candidate.type === event && matchesEvent(candidate, match)))
      return 'matched'
    if (world.now >= deadlineMillis) return 'maxMs'
    if (passed % dueInPiece === 0) yield
  }
}
