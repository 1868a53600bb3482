import type { ScriptedWork } from '../../engine/advance.ts'
import type { State } from '../../engine/state.ts'
import type { Venue } from '../../engine/venue.ts'
import type { Millis } from '../../numeric/units.ts'
import type { CompiledScenario, TimelineEntry } from '../../scenario/compile/compiled.ts'
import type { SeenRequest } from '../../scenario/compile/request-pattern.ts'
import type { WorldDoor } from '../../scenario/compile/world-action.ts'
import type { ReadoutSource } from '../../scenario/predicates/evaluate-predicate.ts'
import type { NamedRows } from '../../scenario/run/named-rows.ts'
import { type ActionWitness, Script } from '../../scenario/run/script.ts'
import type { ScriptState } from '../../scenario/run/script-state.ts'
import type { ScriptedVenue } from '../../scenario/run/scripted-venue.ts'
import type { EventLog } from '../logs/event-log.ts'
import { extendedState } from './extend-timeline.ts'

/** The scenario's script in a running world: lets it act whenever time moves. */
export class ScriptRunner {
  private readonly events: EventLog
  private readonly door: WorldDoor
  /** Told of each action besides the log. */
  private readonly witness: ActionWitness | null
  private script: Script

  constructor(
    scenario: CompiledScenario,
    seed: string,
    events: EventLog,
    door: WorldDoor,
    witness: ActionWitness | null,
  ) {
    this.witness = witness
    this.script = new Script(scenario, seed)
    this.events = events
    this.door = door
  }

  /** From its start. */
  start(scenario: CompiledScenario, seed: string): void {
    this.script = new Script(scenario, seed)
  }

  restore(scenario: CompiledScenario, seed: string, state: ScriptState): void {
    this.start(scenario, seed)
    this.script.restore(state)
  }

  /** Goes on with more entries behind those up to `before`. */
  extend(scenario: CompiledScenario, seed: string, before: number, nowMillis: Millis): void {
    this.restore(scenario, seed, extendedState(this.script.capture(), scenario.timeline, before, nowMillis))
  }

  capture(): ScriptState {
    return this.script.capture()
  }

  get nextAtMillis(): number {
    return this.script.nextAtMillis
  }

  get named(): NamedRows {
    return this.script.named
  }

  get watchesRequests(): boolean {
    return this.script.watchesRequests
  }

  get awaits(): readonly TimelineEntry[] {
    return this.script.awaits
  }

  sourceOf(state: State, firstFill: number): ReadoutSource {
    return this.script.sourceOf(state, firstFill)
  }

  noteRequest(request: SeenRequest, state: State): void {
    this.script.noteRequest(request, state)
  }

  /** Carries out what is planned until an instant, each action at its own, and advances there. Throws for what is no instant. */
  runTo(venue: Venue, atMillis: Millis): void {
    // A command from plain JavaScript may lack it, and time would never come there.
    if (!Number.isSafeInteger(atMillis)) throw new RangeError(`${atMillis} is no instant in milliseconds`)
    // A backtest moves time in steps by the million, and most scripts have nothing planned in most of them.
    if (this.script.nextAtMillis > atMillis) {
      venue.advance(atMillis, nothingPlanned)
      return
    }
    const door: ScriptedVenue = {
      state: venue.state,
      execute: (command) => venue.execute(command),
      advance: (at, work) => venue.advance(at, work),
      world: this.door,
    }
    this.script.runTo(door, atMillis, (entry, problem) => {
      this.events.noteAction({ action: entry.action.kind, id: entry.id, problem })
      this.witness?.(entry, problem)
    })
  }
}

const nothingPlanned: ScriptedWork = { nextAtMillis: Number.POSITIVE_INFINITY, runDue: () => undefined }
