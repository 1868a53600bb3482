import { longestAdvanceMillis } from '../api/clock.ts'
import { lastWorldMillis, millisToIso } from '../numeric/time-text.ts'
import { type Millis, millis } from '../numeric/units.ts'
import { matchesEvent, type PublicEvent } from './events/describe-event.ts'
import { publicName } from './events/event-log.ts'
import type { Steps } from './work-queue.ts'
import type { World } from './world.ts'

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
export function* advanceWorld(world: World, goal: Goal): Steps<Advanced> {
  const fromMillis = world.now
  const before = world.events.lastSequence
  const reason = yield* move(world, goal)
  const events = world.eventsSince(before)
  return { fromMillis, events, omitted: world.events.lastSequence - before - events.length, reason }
}

/** The same as the admin API tells of it. */
export function* toldAdvance(world: World, goal: Goal): Steps<object> {
  const { fromMillis, events, omitted, reason } = yield* withDigests(world, advanceWorld(world, goal))
  return {
    from: millisToIso(fromMillis),
    now: millisToIso(world.now),
    events,
    ...(omitted > 0 ? { eventsOmitted: omitted } : {}),
    reason,
    digest: world.digest(),
  }
}

/** Pieces between two digests, some hundred milliseconds of work. */
const piecesPerDigest = 256

/** Reads the world's digest now and then, because the one at the end costs what has changed since the previous one. */
function* withDigests<Result>(world: World, pieces: Steps<Result>): Steps<Result> {
  for (let done = 1; ; done += 1) {
    const next = pieces.next()
    if (next.done === true) return next.value
    if (done % piecesPerDigest === 0) world.digest()
    yield
  }
}

export function latestOf(world: World, goal: Goal): number {
  if (goal.kind === 'next') return world.running.nextDueMillis
  return goal.kind === 'instant' ? goal.atMillis : goal.deadlineMillis
}

function* move(world: World, goal: Goal): Steps<Advanced['reason']> {
  if (goal.kind === 'instant') {
    yield* world.advanceInSteps(goal.atMillis)
    return 'advanced'
  }
  if (goal.kind === 'next') {
    const next = world.running.nextDueMillis
    if (next > world.now + longestAdvanceMillis || next > lastWorldMillis) return 'nothing-due'
    yield* world.advanceInSteps(millis(next))
    return 'advanced'
  }
  const search = { ...goal, isFound: false }
  yield* world.advanceAlong(wayTo(world, search))
  return search.isFound ? 'matched' : 'maxMs'
}

interface Search extends Extract<Goal, { readonly kind: 'event' }> {
  isFound: boolean
}

/** How many due instants make a piece; work with fewer is over so soon that it is not cut. */
const dueInPiece = 20
const soonMillis = 1000

/**
 * Goes from one due instant to the next, so that the clock stops at the instant of the event. It is one advance
 * nevertheless, with one line in the journal.
 */
function* wayTo(world: World, search: Search): Steps<Millis> {
  const { running } = world
  const { deadlineMillis } = search
  if (deadlineMillis - running.now > soonMillis) yield
  for (let passed = 1; ; passed += 1) {
    const before = world.events.lastSequence
    const next = Math.min(Math.max(running.nextDueMillis, running.now + 1), deadlineMillis)
    yield* running.runInSteps(millis(next))
    running.runTo(millis(next))
    search.isFound = happened(world, before, search)
    if (search.isFound || running.now >= deadlineMillis) return running.now
    if (passed % dueInPiece === 0) yield
  }
}

function happened(world: World, before: number, { event, match }: Search): boolean {
  // Most are of other kinds, and wording an event costs more than letting it happen.
  if (!world.events.since(before).some(({ type }) => publicName(type) === event)) return false
  return world
    .eventsSince(before)
    .some((candidate) => candidate.type === event && matchesEvent(candidate, match))
}
