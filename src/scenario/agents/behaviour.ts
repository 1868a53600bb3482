import { assert } from '../../numeric/assert.ts'
import type { Millis } from '../../numeric/units.ts'
import type { JsonData } from '../read/json-data.ts'
import type { AgentSpec } from './agent-spec.ts'
import { numberOf, recordOf } from './captured.ts'
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
