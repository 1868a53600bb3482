import type fc from 'fast-check'
import type { Plan } from '../arbitraries/plans.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import type { CheckedRun } from '../properties/checked-run.ts'
import type { DifferentialRun } from '../properties/differential-run.ts'

/** What a model run drives: the engine and its twin, with the invariants of the engine. */
export interface Pair {
  readonly run: DifferentialRun
  readonly checked: CheckedRun
}

/** The model has no state of its own: the twin inside the pair is the model. */
export type NoModel = Record<string, never>

/** One plan as a step of a model run. */
export class VenueCommand implements fc.Command<NoModel, Pair> {
  private readonly plan: Plan

  constructor(plan: Plan) {
    this.plan = plan
  }

  check(): boolean {
    return true
  }

  run(_model: NoModel, { run, checked }: Pair): void {
    const command = commandOf(this.plan, run.twin.world)
    const { broken } = checked.execute(command)
    if (run.difference !== null) throw new Error(run.difference)
    if (broken.length > 0) throw new Error(broken.join('\n'))
  }

  toString(): string {
    return JSON.stringify(this.plan)
  }
}
