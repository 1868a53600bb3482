import type { JudgedRun } from '../../scenario/run/run-judge.ts'
import type { World } from '../world.ts'

/** The run of a world's scenario so far, to be judged. */
export function judgedRun({ running }: World): JudgedRun {
  const { script, venue } = running
  const { state } = venue
  return {
    state,
    named: script.named,
    sourceOf: (firstFill) => script.sourceOf(state, firstFill),
    scriptAtMillis: () => script.nextAtMillis,
  }
}
