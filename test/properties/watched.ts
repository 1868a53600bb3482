import type { EngineSubject } from '../model/engine-subject.ts'
import type { NaiveVenue } from '../reference/naive-venue.ts'
import type { Watched } from './checked-run.ts'
import type { DifferentialRun } from './differential-run.ts'
import { engineView } from './engine-view.ts'
import { twinView } from './twin-view.ts'

/* What a `CheckedRun` can watch. */

export function watchedEngine(engine: EngineSubject): Watched {
  return {
    execute: (command) => engine.execute(command),
    events: engine.events,
    view: () => engineView(engine.venue.state),
  }
}

export function watchedTwin(twin: NaiveVenue): Watched {
  return {
    execute: (command) => twin.execute(command),
    events: twin.world.events,
    view: () => twinView(twin),
  }
}

/** The engine of a run; its twin executes each command, too. */
export function watchedRun(run: DifferentialRun): Watched {
  return { ...watchedEngine(run.engine), execute: (command) => run.answer(command) }
}
