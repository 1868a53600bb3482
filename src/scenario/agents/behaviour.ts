import { assert } from '../../numeric/assert.ts'
import type { RandomStream } from '../../numeric/random.ts'
import { resumeStream } from '../../numeric/random.ts'
import type { Millis } from '../../numeric/units.ts'
import type { JsonData } from '../read/json-data.ts'
import { isDataRecord } from '../read/json-data.ts'
import type { AgentSpec } from './agent-spec.ts'
import { numberIn } from './parameters.ts'
import type { Participant, ParticipantContext } from './participant.ts'
import type { ScriptedVenue } from './scripted-venue.ts'

/**
 * What differs between the kinds of agents. When one is asked to act, and how it is started and stopped, is the same
 * for all.
 */
export interface Behaviour {
  /** The first instant at which it acts after a start: now or later. */
  begin(nowMillis: number): number
  /** Acts, and answers the next instant at which it wants to act; infinity when it is done. */
  act(venue: ScriptedVenue): number
  /** Everything that its next acts depend on besides the specification and the parameters. */
  capture(): JsonData
  restore(captured: JsonData): void
}

/** Makes the behaviour of an agent; `read` answers a parameter's number as it is at the moment. */
export type MakeBehaviour = (spec: AgentSpec, context: ParticipantContext, read: ReadParameter) => Behaviour

export type ReadParameter = (name: string) => number

/** An agent that can be started and stopped, and acts by its behaviour in between. */
export function createParticipant(
  spec: AgentSpec,
  context: ParticipantContext,
  make: MakeBehaviour,
): Participant {
  let values = spec.values
  const behaviour = make(spec, context, (name) => numberIn(values, name))
  const startsAt = spec.startsAtMillis ?? context.startMillis
  let lastActMillis = -1
  let nextAtMillis =
    startsAt < Number.POSITIVE_INFINITY ? behaviour.begin(startsAt) : Number.POSITIVE_INFINITY
  return {
    get nextAtMillis() {
      return nextAtMillis
    },
    act: (venue) => {
      lastActMillis = venue.state.nowMillis
      const wanted = behaviour.act(venue)
      assert(wanted > lastActMillis, 'an agent moves on in time')
      nextAtMillis = wanted
    },
    start: (now: Millis) => {
      if (nextAtMillis < Number.POSITIVE_INFINITY) return
      nextAtMillis = Math.max(behaviour.begin(now), lastActMillis + 1)
    },
    stop: () => {
      nextAtMillis = Number.POSITIVE_INFINITY
    },
    set: (changed) => {
      values = new Map([...values, ...changed])
    },
    capture: () => ({
      lastActMillis,
      nextAtMillis: Number.isFinite(nextAtMillis) ? nextAtMillis : null,
      values: Object.fromEntries(values),
      own: behaviour.capture(),
    }),
    restore: (captured) => {
      const data = recordOf(captured)
      lastActMillis = numberOf(data['lastActMillis'])
      nextAtMillis = data['nextAtMillis'] === null ? Number.POSITIVE_INFINITY : numberOf(data['nextAtMillis'])
      values = new Map(
        Object.entries(recordOf(data['values'])).map(([name, value]) => {
          return [name, typeof value === 'string' ? value : numberOf(value)]
        }),
      )
      behaviour.restore(data['own'] ?? null)
    },
  }
}

/* Readers of captures. Only what was captured is restored; anything else is a bug of ours or a damaged snapshot. */

export function recordOf(data: JsonData | undefined): { readonly [key: string]: JsonData } {
  assert(isDataRecord(data), 'a captured agent is a record')
  return data
}

export function numbersOf(data: JsonData | undefined): number[] {
  assert(Array.isArray(data), 'a captured list is a list')
  return data.map(numberOf)
}

export function numberOf(data: JsonData | undefined): number {
  assert(typeof data === 'number', 'a captured number is a number')
  return data
}

/** A random stream that continues from its captured state. */
export function streamOf(data: JsonData | undefined): RandomStream {
  const [s0 = 0, s1 = 0, s2 = 0, carry = 0] = numbersOf(data)
  return resumeStream([s0, s1, s2, carry])
}
