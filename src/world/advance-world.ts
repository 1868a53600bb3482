import { longestAdvanceMillis } from '../api/clock.ts'
import { lastWorldMillis, millisToIso } from '../numeric/time-text.ts'
import { type Millis, millis } from '../numeric/units.ts'
import { matchesEvent, type PublicEvent } from './events/describe-event.ts'
import { publicName } from './events/event-log.ts'
import type { Steps } from './work-queue.ts'
import type { World } from './world.ts'

/** How far to advance a world: to an instant, to the next thing that is due, or until an event happens. */
export type AdvanceTarget =
  | { readonly kind: 'instant'; readonly atMillis: Millis }
  | { readonly kind: 'next' }
  | {
      readonly kind: 'event'
      /** The public name of the event, such as `order.filled`. */
      readonly event: string
      readonly match: { readonly [field: string]: unknown }
      readonly deadlineMillis: Millis
    }

export interface AdvanceResult {
  readonly fromMillis: Millis
  /** What happened, oldest first. A world keeps a limited number of events; `omitted` counts the older ones. */
  readonly events: readonly PublicEvent[]
  readonly omitted: number
  /** Why the advance ended: `maxMs` means that the event did not happen in time. */
  readonly reason: 'advanced' | 'matched' | 'maxMs' | 'nothing-due'
}

/** Advances a world in pieces. After the last piece, everything that was due until then has happened. */
export function* advanceWorld(world: World, target: AdvanceTarget): Steps<AdvanceResult> {
  const fromMillis = world.now
  const before = world.events.lastSequence
  const reason = yield* moveToTarget(world, target)
  const events = world.eventsSince(before)
  return { fromMillis, events, omitted: world.events.lastSequence - before - events.length, reason }
}

/** Advances a world in pieces, and returns the result in the form of the admin API, with the digest afterwards. */
export function* advanceForAdmin(world: World, target: AdvanceTarget): Steps<object> {
  const { fromMillis, events, omitted, reason } = yield* digestBetween(world, advanceWorld(world, target))
  return {
    from: millisToIso(fromMillis),
    now: millisToIso(world.now),
    events,
    ...(omitted > 0 ? { eventsOmitted: omitted } : {}),
    reason,
    digest: world.digest(),
  }
}

/** The number of pieces between two digests: some hundred milliseconds of work. */
const piecesPerDigest = 256

/**
 * Runs pieces of work and takes the world's digest now and then: a digest costs what has changed since the last one, so
 * this keeps the one at the end short.
 */
function* digestBetween<Result>(world: World, pieces: Steps<Result>): Steps<Result> {
  for (let done = 1; ; done += 1) {
    const next = pieces.next()
    if (next.done === true) return next.value
    if (done % piecesPerDigest === 0) world.digest()
    yield
  }
}

/** Returns the latest instant that an advance can reach, in milliseconds; infinity when nothing is ever due. */
export function latestMillis(world: World, target: AdvanceTarget): number {
  if (target.kind === 'next') return world.running.nextDueMillis
  return target.kind === 'instant' ? target.atMillis : target.deadlineMillis
}

function* moveToTarget(world: World, target: AdvanceTarget): Steps<AdvanceResult['reason']> {
  if (target.kind === 'instant') {
    yield* world.advanceInSteps(target.atMillis)
    return 'advanced'
  }
  if (target.kind === 'next') {
    const next = world.running.nextDueMillis
    if (next > world.now + longestAdvanceMillis || next > lastWorldMillis) return 'nothing-due'
    yield* world.advanceInSteps(millis(next))
    return 'advanced'
  }
  const search = { ...target, isFound: false }
  yield* world.advanceWith(searchForEvent(world, search))
  return search.isFound ? 'matched' : 'maxMs'
}

interface EventSearch extends Extract<AdvanceTarget, { readonly kind: 'event' }> {
  isFound: boolean
}

/** How many instants at which something is due make one piece of a search. */
const instantsPerPiece = 20
/** A search over no more world time than this is so short that it starts without a pause. */
const shortSearchMillis = 1000

/**
 * Moves the world from one instant at which something is due to the next, so that the clock stops at the instant of
 * the event. All of it is one advance, with one line in the journal.
 */
function* searchForEvent(world: World, search: EventSearch): Steps<Millis> {
  const { running } = world
  const { deadlineMillis } = search
  if (deadlineMillis - running.now > shortSearchMillis) yield
  for (let passed = 1; ; passed += 1) {
    const before = world.events.lastSequence
    const next = Math.min(Math.max(running.nextDueMillis, running.now + 1), deadlineMillis)
    yield* running.runInSteps(millis(next))
    running.runTo(millis(next))
    search.isFound = hasHappened(world, before, search)
    if (search.isFound || running.now >= deadlineMillis) return running.now
    if (passed % instantsPerPiece === 0) yield
  }
}

function hasHappened(world: World, before: number, { event, match }: EventSearch): boolean {
  // Most events are of other types, and describing an event costs more than letting it happen.
  if (!world.events.since(before).some(({ type }) => publicName(type) === event)) return false
  return world
    .eventsSince(before)
    .some((candidate) => candidate.type === event && matchesEvent(candidate, match))
}
