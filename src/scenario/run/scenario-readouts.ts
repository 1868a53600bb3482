import type { CompiledScenario } from '../compile/compiled.ts'
import { type Predicate, readoutsOf } from '../predicates/predicate.ts'
import type { Readout } from '../predicates/readouts.ts'

/** What the predicates of a scenario read. */
export function* readoutsIn(scenario: CompiledScenario): Generator<Readout> {
  for (const predicate of predicatesOf(scenario)) {
    for (const { readout } of readoutsOf(predicate.root)) yield readout
  }
}

function* predicatesOf({ timeline, expectations }: CompiledScenario): Generator<Predicate> {
  for (const { trigger, action } of timeline) {
    if (trigger.kind === 'when') yield trigger.predicate
    if (action.kind === 'await' && action.that !== null) yield action.that
  }
  for (const { predicate, to } of expectations) {
    yield predicate
    if (to !== null) yield to
  }
}
