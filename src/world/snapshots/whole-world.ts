import type { ClockSettings, WorldSnapshot } from '../../journal/world-snapshot.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { WorldTime } from '../clock.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import type { LaggingViews } from '../faults/lagging-views.ts'
import type { KeyRing } from '../keys.ts'
import type { RateLimiter } from '../rate-limiter.ts'
import type { RunningScenario } from '../script/running-scenario.ts'
import type { ScriptedSettings } from '../script/scripted-settings.ts'

/*
 * A world as a whole: what a snapshot captures, what is restored from it, and what a reset starts again. A new part
 * whose state a world's future depends on belongs in all three.
 */

/** The parts of a world that have state. */
export interface WorldParts {
  readonly running: RunningScenario
  readonly faults: FaultBook
  readonly scripted: ScriptedSettings
  readonly past: LaggingViews
  readonly keys: KeyRing
  readonly limiter: RateLimiter
  readonly time: WorldTime
  /** Snapshots that the script has taken, by name. They belong to the run, and are in no snapshot themselves. */
  readonly kept: Map<string, WorldSnapshot>
}

export function captureParts(
  parts: WorldParts,
): Omit<WorldSnapshot, 'world' | 'sequence' | 'digest' | 'readings'> {
  const { running, faults, scripted, past, keys, limiter, time } = parts
  return {
    ...running.capture(),
    faults: faults.capture(running.now),
    scripted: scripted.capture(),
    lags: past.capture(),
    keys: keys.capture(),
    rateLimits: limiter.limits,
    clock: time.settings,
  }
}

/** Takes on a snapshot; `start` is what a later reset goes back to, if the snapshot's scenario descends from it. */
export function restoreParts(
  parts: WorldParts,
  snapshot: WorldSnapshot,
  clock: ClockSettings,
  start: CompiledScenario,
): void {
  const { running, faults, scripted, past, keys, limiter, time } = parts
  running.restore(snapshot, start)
  keys.restore(snapshot, running.venue.state.accounts)
  faults.restore(snapshot.faults)
  scripted.restore(snapshot.scripted)
  past.restore(snapshot.lags)
  limiter.start(snapshot.rateLimits)
  time.change(clock)
}

/** Back to the scenario's start. */
export function restartParts(parts: WorldParts, seed: string, clock: ClockSettings): void {
  const { running, faults, scripted, past, keys, limiter, time, kept } = parts
  running.start(seed)
  time.change(clock)
  limiter.start(running.scenario.rateLimits)
  faults.restore({ rules: [], made: 0 })
  scripted.clear()
  past.clear()
  kept.clear()
  keys.start(running.scenario.access)
  running.runTo(running.now)
}
