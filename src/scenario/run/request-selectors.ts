import type { CompiledScenario } from '../compile/compiled.ts'
import { type Predicate, readoutsOf } from '../predicates/predicate.ts'

/** Everything that stands in the brackets of `requests[...]` in a scenario: what has to be counted. */
export function selectorsOf(scenario: CompiledScenario): ReadonlySet<string> {
  const selectors = new Set<string>()
  for (const predicate of predicatesOf(scenario)) {
    for (const { readout } of readoutsOf(predicate.root))
      if (readout.family === 'requests') selectors.add(readout.selector)
  }
  return selectors
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
