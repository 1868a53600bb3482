import type { EventSink } from '../engine/events.ts'
import { isMarketStill } from '../engine/market-step.ts'
import type { State } from '../engine/state.ts'
import { Venue } from '../engine/venue.ts'
import { type Millis, millis } from '../numeric/units.ts'
import type { CompiledScenario, TimedAction } from './compiled.ts'
import { type ExpectationFailure, ExpectationRun } from './expectation-run.ts'
import { readVenue } from './read-venue.ts'
import { Script, type ScriptedVenue } from './script.ts'

/** A scenario that has been run to its end. */
export interface ScenarioRun {
  readonly venue: Venue
  readonly script: Script
  readonly failures: readonly ExpectationFailure[]
  /** Actions that the venue refused, in the order of time. */
  readonly refusals: readonly { readonly entry: TimedAction; readonly problem: string }[]
  /** Commands that the script gave, refused ones too. */
  readonly sequence: number
  readonly digest: string
}

/** Told how much of the run's span is done, 0 to 1, about two hundred times a run. */
export type Progress = (done: number, nowMillis: number) => void

/**
 * Runs a scenario in virtual time from its start to its end: its clock's, else its last action or expectation. The same
 * scenario and seed give the same digest, whoever watches.
 */
export function runScenario(scenario: CompiledScenario, progress: Progress = () => {}): ScenarioRun {
  const venue = Venue.open(scenario.venue, noSink)
  const { state } = venue
  const script = new Script(scenario.timeline)
  const { startMillis } = scenario.venue
  const endMillis = endOf(scenario)
  const expectations = new ExpectationRun(scenario.expectations, endMillis)
  const source = readVenue(state, script)
  const refusals: { entry: TimedAction; problem: string }[] = []
  let sequence = 0
  const door: ScriptedVenue = {
    state,
    execute: (command) => {
      sequence += 1
      return venue.execute(command)
    },
    advance: (at, work) => venue.advance(at, work),
  }
  const slice = Math.max(1, Math.ceil((endMillis - startMillis) / 200))
  for (let stop = startMillis; ; stop = nextStop(state, script, expectations, endMillis, slice)) {
    script.runTo(door, stop, (entry, problem) => {
      if (problem !== null) refusals.push({ entry, problem })
    })
    expectations.look(stop, source)
    if (stop >= endMillis) break
    progress((stop - startMillis) / (endMillis - startMillis), stop)
  }
  return { venue, script, failures: expectations.failures, refusals, sequence, digest: venue.digest() }
}

/** When a run of the scenario ends. */
export function endOf(scenario: CompiledScenario): Millis {
  if (scenario.clock.endMillis !== null) return scenario.clock.endMillis
  let last = scenario.venue.startMillis
  for (const { at } of [...scenario.timeline, ...scenario.expectations]) {
    if (at !== null && at > last) last = at
  }
  return last
}

/**
 * The next instant to stop at. While something is watched at every instant, that is wherever anything can change; it
 * makes no difference to the venue, because an advance may be cut anywhere.
 */
function nextStop(
  state: State,
  script: Script,
  expectations: ExpectationRun,
  endMillis: number,
  slice: number,
): Millis {
  const now = state.nowMillis
  const planned = Math.min(endMillis, script.nextAtMillis, expectations.nextAtMillis, now + slice)
  if (!expectations.watchesEveryInstant) return millis(planned)
  const { startMillis, gridMillis } = state.config
  const nextGrid = startMillis + (Math.floor((now - startMillis) / gridMillis) + 1) * gridMillis
  const due = Math.min(
    isMarketStill(state) ? Number.POSITIVE_INFINITY : nextGrid,
    state.timeline.nextAtMillis,
  )
  return millis(Math.max(now + 1, Math.min(planned, due)))
}

const noSink: EventSink = { emit: () => {} }
