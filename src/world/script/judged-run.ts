import type { JudgedRun } from '../../scenario/run/run-judge.ts'
import type { RunningScenario } from './running-scenario.ts'

/** The run of a world's scenario so far, to be judged. */
export function judgedRun({ script, venue }: RunningScenario): JudgedRun {
  const { state } = venue
  return {
    state,
    named: script.named,
    sourceOf: (firstFill) => script.sourceOf(state, firstFill),
    scriptAtMillis: () => script.nextAtMillis,
  }
}
