import type { FaultRule } from '../../api/faults/fault-types.ts'
import { digestWithFaults, scriptedPrefix } from '../../api/faults/matches-fault.ts'
import type { EventSink } from '../../engine/events.ts'
import type { State } from '../../engine/state.ts'
import { Venue } from '../../engine/venue.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { ScriptedVenue, WorldAccess, WorldAction } from '../agents/behaviour.ts'
import type {
  CompiledScenario,
  Expectation,
  PinnedDigest,
  TimedAction,
  Trigger,
} from '../compile/compiled.ts'
import type { NamedRows } from '../predicates/readouts.ts'
import {
  type AggregateValue,
  type EvaluatedRun,
  type EvaluationCount,
  ExpectationEvaluator,
  type ExpectationFailure,
  type RecordedReplacement,
  type UnjudgedExpectation,
} from './expectation-evaluator.ts'
import { EffectRecorder, type IdleEntry } from './idle-entries.ts'
import { Script } from './script.ts'

export interface ScenarioRun {
  readonly state: State
  readonly named: NamedRows
  readonly failures: readonly ExpectationFailure[]
  /** The expectations that could not be judged and need not be, with the reasons. */
  readonly unjudged: readonly UnjudgedExpectation[]
  /** How often each expectation was evaluated. */
  readonly counts: ReadonlyMap<Expectation, EvaluationCount>
  /** The numbers that this run contributes to expectations over all runs of a matrix. */
  readonly aggregates: readonly AggregateValue[]
  /** The expected digest, if the run ended with another one; else null. */
  readonly brokenPin: PinnedDigest | null
  /** The recorded values as they are in this run, with their places. */
  readonly recorded: readonly RecordedReplacement[]
  /** The actions that the venue refused, in the order of time. */
  readonly refusals: readonly Refusal[]
  /** The entries of the timeline that had no effect. */
  readonly idle: readonly IdleEntry[]
  /** How many commands the script gave, refused ones included. */
  readonly sequence: number
  readonly digest: string
}

/** An action that the venue refused, and the name of its first refusal. */
export interface Refusal {
  readonly entry: TimedAction
  readonly problem: string
  /** The refusal in a sentence; null where the name says it all. */
  readonly reason: string | null
}

/** Receives how much of the run's time is done, from 0 to 1, about two hundred times a run. */
export type Progress = (done: number, nowMillis: number) => void

export interface RunOptions {
  readonly progress?: Progress
  readonly sink?: EventSink
  /** Called wherever the run stops on its way, with the venue's state at that instant. */
  readonly watch?: (state: State) => void
  /** The least number of stops on the way, for callers who watch them; 200 by default. */
  readonly stops?: number
}

/**
 * Runs a scenario in virtual time from its start to its end: the end of its clock, or else its last action or
 * expectation. The same scenario and seed give the same digest, with any observers.
 */
export function runScenario(scenario: CompiledScenario, options: RunOptions = {}): ScenarioRun {
  const { progress, sink = noSink, watch, stops = 200 } = options
  const venue = Venue.open(scenario.venue, sink)
  const { state } = venue
  const script = new Script(scenario)
  const { startMillis } = scenario.venue
  const endMillis = computeEndMillis(scenario)
  const judge = new ExpectationEvaluator(scenario, endMillis, stops)
  const refusals: Refusal[] = []
  const effects = new EffectRecorder()
  let sequence = 0
  const world = new StandingFaults()
  const scriptedVenue: ScriptedVenue = {
    state,
    world,
    execute: (command) => {
      sequence += 1
      return venue.execute(command)
    },
    advance: (at, work) => venue.advance(at, work),
  }
  const judged: EvaluatedRun = {
    state,
    named: script.named,
    createSource: (firstFill: number) => script.createSource(state, firstFill),
    nextScriptMillis: () => script.nextAtMillis,
  }
  for (let stop = startMillis; ; stop = judge.nextStop(judged)) {
    script.runTo(scriptedVenue, stop, (entry, problem, reason) => {
      effects.noteAct(entry.place)
      if (problem !== null) refusals.push({ entry, problem, reason })
    })
    judge.evaluate(judged)
    watch?.(state)
    if (stop >= endMillis) break
    progress?.((stop - startMillis) / (endMillis - startMillis), stop)
  }
  const digest = world.addToDigest(venue.digest())
  const { failures, unjudged, counts, aggregates, recorded } = judge
  const { pinned } = scenario
  const brokenPin = pinned === null || pinned.digest === digest ? null : pinned
  return {
    state,
    named: script.named,
    failures,
    unjudged,
    counts,
    aggregates,
    brokenPin,
    recorded,
    refusals,
    idle: effects.listIdle(scenario, endMillis, script.named, false),
    sequence,
    digest,
  }
}

/**
 * Returns the end of a run: the end of the clock, or else the last action or expectation. Entries that only the run
 * can time do not count, so a scenario of such entries needs a clock with an end.
 */
export function computeEndMillis(scenario: CompiledScenario): Millis {
  if (scenario.clock.endMillis !== null) return scenario.clock.endMillis
  let last: number = scenario.venue.startMillis
  for (const { trigger } of scenario.timeline) last = Math.max(last, findLastMillis(trigger))
  for (const { at } of scenario.expectations) if (at?.kind === 'at') last = Math.max(last, at.at)
  return millis(last)
}

function findLastMillis(trigger: Trigger): number {
  if (trigger.kind === 'at') return trigger.at
  if (trigger.kind !== 'every') return 0
  const { from, to } = trigger
  return to?.kind === 'at' ? to.at : from.kind === 'at' ? from.at : 0
}

const noSink: EventSink = { emit: () => {} }

/**
 * The world around the venue for a script that runs without one. Actions on keys, limits and clocks have no effect.
 * Nor have fault rules, but they are part of the state, so that a run has the same digest as a world in which only
 * the script acts.
 */
class StandingFaults implements WorldAccess {
  private readonly rules = new Map<string, FaultRule>()

  apply(action: WorldAction, token: string): null {
    if (action.kind === 'fault') this.rules.set(token, action.rule)
    return null
  }

  revert(token: string): void {
    this.rules.delete(token)
  }

  addToDigest(digest: string): string {
    const standing = [...this.rules].map(([token, rule]) => ({
      id: scriptedPrefix + token,
      rule,
      untilMillis: null,
      matched: 0,
      fired: 0,
    }))
    return digestWithFaults(digest, standing)
  }
}
