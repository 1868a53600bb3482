import * as shapes from '../../api/admin-answers.ts'
import * as bodies from '../../api/admin-bodies.ts'
import { longestAdvanceMillis } from '../../api/clock.ts'
import type { ClockSettings } from '../../journal/world-snapshot.ts'
import { lastWorldMillis, millisToIso } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { type AdvanceTarget, advanceForAdmin, latestMillis } from '../../world/advance-world.ts'
import { setClock } from '../../world/change-world.ts'
import { endOfTimeReason } from '../../world/clock.ts'
import { eventFields } from '../../world/events/describe-event.ts'
import { publicNames } from '../../world/events/event-log.ts'
import { accountViews, clockView, rememberAdvance } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import { documentedAdvance } from './documented-bodies.ts'
import {
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  assetSymbols,
  inWorld,
  parseInstant,
  unknownWord,
  wrongField,
} from './route.ts'

export const clockRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/clock', {
    id: 'getClock',
    summary: 'The present, and how time passes',
    response: shapes.clockNow,
    answer: viewClock,
  }),
  inWorld('PUT', '/clock', {
    id: 'setClock',
    summary: 'Change how time passes',
    response: shapes.clockNow,
    example: { body: { mode: 'manual' } },
    body: bodies.clockBody,
    answer: (world, _call, body) => {
      setClock(world, toClockSettings(body))
      return viewClock(world)
    },
  }),
  inWorld('POST', '/clock/advance', {
    id: 'advanceClock',
    summary: 'Advance the clock, and see what happened',
    response: shapes.advanced,
    errors: [409],
    example: { body: { byMs: 1000 } },
    body: bodies.advanceBody,
    documentedBody: documentedAdvance,
    answer: advance,
  }),
]

function viewClock(world: World) {
  return { now: millisToIso(world.now), ...clockView(world.clock) }
}

export function toClockSettings({
  mode,
  speed,
  stepMs,
  maxMs,
}: RecordOf<typeof bodies.clockBody>): Partial<ClockSettings> {
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(speed === undefined ? {} : { speed }),
    ...(stepMs === undefined ? {} : { stepMillis: millis(stepMs) }),
    ...(maxMs === undefined ? {} : { maxMillis: millis(maxMs) }),
  }
}

/**
 * Lets time pass. Other worlds are answered meanwhile; requests to this one wait, because they would see half an
 * advance.
 */
function advance(world: World, _call: AdminCall, body: RecordOf<typeof bodies.advanceBody>) {
  const goal = readTarget(world, body)
  return world.workQueue.begin(advanceForAdmin(world, goal), () =>
    rememberAdvance(world, latestMillis(world, goal)),
  )
}

/** The longest wait for an event. Choice: one day, unless `maxMs` says otherwise. */
const defaultWaitMillis = 86_400_000

function readTarget(world: World, body: RecordOf<typeof bodies.advanceBody>): AdvanceTarget {
  const { byMs, to, until } = body
  if (Object.keys(body).length !== 1)
    throw wrongField('body', 'must have exactly one of byMs, to, toNext and until')
  if (byMs !== undefined) return { kind: 'instant', atMillis: requireReachable('byMs', world.now + byMs) }
  if (to !== undefined) return readInstantTarget(world, to)
  if (until === undefined) return { kind: 'next' }
  const { event, match = {}, maxMs = defaultWaitMillis } = until
  if (!publicNames.includes(event))
    throw unknownWord('until.event', 'is not a known event', event, publicNames)
  checkMatch(world, match)
  return { kind: 'event', event, match, deadlineMillis: requireReachable('until.maxMs', world.now + maxMs) }
}

/** Refuses to wait for an event that can't happen: one with a field, an asset or an account that does not exist. */
function checkMatch(world: World, match: { readonly [field: string]: unknown }): void {
  const checkKnown = (field: string, reason: string, word: unknown, words: readonly string[]) => {
    if (word !== undefined && !words.some((each) => each === word))
      throw unknownWord(`until.match.${field}`, reason, String(word), words)
  }
  for (const field of Object.keys(match)) checkKnown(field, 'is not a field of events', field, eventFields)
  checkKnown('asset', 'is not a known asset', match['asset'], assetSymbols(world))
  const accounts = accountViews(world).map(({ id }) => id)
  checkKnown('account', 'is not a known account', match['account'], accounts)
}

function readInstantTarget(world: World, to: string): AdvanceTarget {
  const atMillis = parseInstant('to', to)
  if (atMillis < world.now) {
    const reason = `Time does not go back: it is ${millisToIso(world.now)}`
    throw new AdminRefusal({ code: 'backward-time', reason })
  }
  if (atMillis - world.now > longestAdvanceMillis) throw wrongField('to', 'must be at most 366 days ahead')
  return { kind: 'instant', atMillis: requireReachable('to', atMillis) }
}

/** Returns an instant that a world can reach. Errors: 400 for one beyond the end of time. */
function requireReachable(field: string, atMillis: number): Millis {
  if (atMillis > lastWorldMillis) throw wrongField(field, `goes too far: ${endOfTimeReason}`)
  return millis(atMillis)
}
