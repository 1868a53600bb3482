import * as shapes from '../../api/admin-answers.ts'
import { clockModes } from '../../api/admin-answers.ts'
import { invalid, type Problem } from '../../api/errors.ts'
import { mapOf, partial } from '../../api/wire-shapes.ts'
import type { ClockSettings } from '../../journal/world-snapshot.ts'
import { isoToMillis, lastWorldMillis, millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { oneOfWords, typed } from '../../shape/shape.ts'
import { advanceWorld, type Goal } from '../../world/advance-world.ts'
import { setClock } from '../../world/change-world.ts'
import { beyondTime, highestSpeed, longestAdvanceMillis } from '../../world/clock.ts'
import { eventFields } from '../../world/events/describe-event.ts'
import { publicNames } from '../../world/events/event-log.ts'
import type { Steps } from '../../world/work-queue.ts'
import type { World } from '../../world/world.ts'
import { assetSymbols, inWorld, inWorldWith } from './find.ts'
import {
  type AdminAnswer,
  type AdminRoute,
  type Answered,
  bare,
  ok,
  refused,
  unknownWord,
  withBody,
} from './route.ts'
import { accountViews, clockView, rememberAdvance } from './views.ts'

/** A span of world time in milliseconds. */
export const spanSchema = typed<number>({ type: 'integer', minimum: 0, maximum: longestAdvanceMillis })

export const clockSchema = partial({
  mode: oneOfWords(...clockModes),
  speed: typed<number>({ type: 'number', exclusiveMinimum: 0, maximum: highestSpeed }),
  stepMs: spanSchema,
})

const advanceSchema = partial({
  byMs: spanSchema,
  to: typed<string>({ type: 'string', maxLength: 40 }),
  toNext: typed<true>({ const: true }),
  until: partial(
    {
      event: typed<string>({ type: 'string' }),
      // A list of one word has the same text as the word, and would be waited for in vain.
      match: mapOf(
        typed<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
      ),
      maxMs: spanSchema,
    },
    ['event'],
  ),
})

export const clockRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/clock',
    { id: 'getClock', summary: 'The present and how time passes', response: shapes.clockNow },
    inWorld((world) => ok({ now: millisToIso(world.now), ...clockView(world.clock) })),
  ),
  withBody(
    'PUT',
    '/worlds/:world/clock',
    {
      id: 'setClock',
      summary: 'Change how time passes',
      response: shapes.clockNow,
      example: () => ({ body: { mode: 'manual' } }),
    },
    clockSchema,
    inWorldWith((world, body: RecordOf<typeof clockSchema>) => {
      setClock(world, clockChange(body))
      return ok({ now: millisToIso(world.now), ...clockView(world.clock) })
    }),
  ),
  withBody(
    'POST',
    '/worlds/:world/clock/advance',
    {
      id: 'advanceClock',
      summary: 'Let time pass, and see what that brought',
      response: shapes.advanced,
      errors: [409],
      example: () => ({ body: { byMs: 1000 } }),
    },
    advanceSchema,
    inWorldWith((world, body: RecordOf<typeof advanceSchema>) => advance(world, body)),
  ),
]

export function clockChange({ mode, speed, stepMs }: RecordOf<typeof clockSchema>): Partial<ClockSettings> {
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(speed === undefined ? {} : { speed }),
    ...(stepMs === undefined ? {} : { stepMillis: millis(stepMs) }),
  }
}

/** Other worlds are answered meanwhile; requests to this one wait, because they would see half an advance. */
function advance(world: World, body: RecordOf<typeof advanceSchema>): Answered {
  const goal = goalOf(world, body)
  if ('status' in goal) return goal
  return world.workQueue.begin(advanceTo(world, goal), () => rememberAdvance(world, latestOf(world, goal)))
}

/** The instant that an advance reaches at the latest. */
function latestOf(world: World, goal: Goal): number {
  if (goal.kind === 'next') return world.running.nextDueMillis
  return goal.kind === 'instant' ? goal.atMillis : goal.deadlineMillis
}

function* advanceTo(world: World, goal: Goal): Steps<AdminAnswer> {
  const { fromMillis, events, omitted, reason } = yield* withDigests(world, advanceWorld(world, goal))
  return ok({
    from: millisToIso(fromMillis),
    now: millisToIso(world.now),
    events,
    ...(omitted > 0 ? { eventsOmitted: omitted } : {}),
    reason,
    digest: world.digest(),
  })
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

/** Choice: an advance until an event waits at most one day, unless `maxMs` says how long. */
const defaultWaitMillis = 86_400_000

function goalOf(world: World, body: RecordOf<typeof advanceSchema>): Goal | AdminAnswer {
  const { byMs, to, until } = body
  if (Object.keys(body).length !== 1) {
    const reason = 'must have exactly one of byMs, to, toNext and until'
    return refused(invalid({ field: 'body', reason }))
  }
  if (byMs !== undefined)
    return within('byMs', world.now + byMs) ?? { kind: 'instant', atMillis: millis(world.now + byMs) }
  if (to !== undefined) return instantGoal(world, to)
  if (until === undefined) return { kind: 'next' }
  if (!publicNames.includes(until.event)) {
    return refused(unknownWord('until.event', 'is not a known event', until.event, publicNames))
  }
  const match: { readonly [field: string]: unknown } = until.match ?? {}
  const stray = strayMatch(world, match)
  if (stray !== null) return refused(stray)
  const deadlineMillis = millis(world.now + (until.maxMs ?? defaultWaitMillis))
  const beyond = within('until.maxMs', deadlineMillis)
  if (beyond !== null) return beyond
  return { kind: 'event', event: until.event, match, deadlineMillis }
}

/** A field that no event has, or an asset or account that does not exist: waiting for it would be in vain. */
function strayMatch(world: World, match: { readonly [field: string]: unknown }): Problem | null {
  const unknown = Object.keys(match).find((field) => !eventFields.includes(field))
  if (unknown !== undefined)
    return unknownWord(`until.match.${unknown}`, 'is not a field of events', unknown, eventFields)
  const { asset, account } = match
  const symbols = assetSymbols(world)
  if (asset !== undefined && !symbols.some((symbol) => symbol === asset))
    return unknownWord('until.match.asset', 'is not a known asset', String(asset), symbols)
  const accounts = accountViews(world).map(({ id }) => id)
  if (account !== undefined && !accounts.some((id) => id === account))
    return unknownWord('until.match.account', 'is not a known account', String(account), accounts)
  return null
}

function instantGoal(world: World, to: string): Goal | AdminAnswer {
  const atMillis = isoToMillis(to)
  if (atMillis === null) return refused(invalid({ field: 'to', reason: 'must be an ISO 8601 instant' }))
  if (atMillis < world.now) {
    return refused({
      code: 'backward-time',
      reason: `Time does not go back: it is ${millisToIso(world.now)}`,
    })
  }
  if (atMillis - world.now > longestAdvanceMillis) {
    return refused(invalid({ field: 'to', reason: 'must be at most 366 days ahead' }))
  }
  return within('to', atMillis) ?? { kind: 'instant', atMillis: millis(atMillis) }
}

/** Null for an instant that no world can reach. */
function within(field: string, atMillis: number): AdminAnswer | null {
  return atMillis > lastWorldMillis
    ? refused(invalid({ field, reason: `goes too far: ${beyondTime}` }))
    : null
}
