import type { TimelineEntry } from '../compile/compiled.ts'
import { fits, type SeenRequest } from '../compile/request-pattern.ts'
import type { AwaitAction } from '../compile/scripted-action.ts'
import { evaluatePredicate, type ReadoutSource } from '../predicates/evaluate-predicate.ts'
import type { Act } from './agenda.ts'
import type { ScriptState } from './script-state.ts'

/** An `await` that has begun: its entry, which of its acts, and what it waits for. */
export interface Await extends Act {
  readonly action: AwaitAction
}

/** What a script is waiting for, in the order in which it began to: requests of clients, or predicates. */
export class Awaits {
  private waiting: readonly Await[] = []

  get list(): readonly Await[] {
    return this.waiting
  }

  /** Whether any of them waits for a predicate. */
  get watchesPredicates(): boolean {
    return this.waiting.some(({ action }) => action.that !== null)
  }

  begin(awaited: Await): void {
    this.waiting = [...this.waiting, awaited]
  }

  /** Its time is up. Nothing happens if what it waited for has come. */
  giveUp(entry: number, turn: number): void {
    this.waiting = this.waiting.filter((waiting) => waiting.entry !== entry || waiting.turn !== turn)
  }

  /** Takes out those that a request meets, and answers them. */
  takeMetBy(request: SeenRequest): readonly Await[] {
    return this.take(({ action }) => action.request !== null && fits(action.request, request))
  }

  /** Takes out those whose predicate is true, and answers them. */
  takeTrue(source: ReadoutSource): readonly Await[] {
    return this.take(({ action }) => action.that !== null && evaluatePredicate(action.that, source) === true)
  }

  capture(): ScriptState['awaiting'] {
    return this.waiting.map(({ entry, turn }) => [entry, turn])
  }

  restore(awaiting: ScriptState['awaiting'], timeline: readonly TimelineEntry[]): void {
    this.waiting = awaiting.flatMap(([entry, turn]) => {
      const action = timeline[entry]?.action
      return action?.kind === 'await' ? [{ entry, turn, action }] : []
    })
  }

  private take(isMet: (awaited: Await) => boolean): readonly Await[] {
    const met = this.waiting.filter(isMet)
    if (met.length > 0) this.waiting = this.waiting.filter((waiting) => !met.includes(waiting))
    return met
  }
}
