import type { TimelineEntry } from '../compile/compiled.ts'
import { evaluatePredicate, type ReadoutSource } from '../predicates/evaluate-predicate.ts'
import type { Predicate } from '../predicates/predicate.ts'
import type { ScriptState } from './script-state.ts'

interface Watch {
  readonly entry: number
  readonly predicate: Predicate
  readonly isOnce: boolean
  wasTrue: boolean
  isDone: boolean
  turns: number
}

/** The entries of a timeline that act `when` a predicate becomes true (not while it stays true). */
export class Watches {
  private readonly watches: readonly Watch[]

  constructor(timeline: readonly TimelineEntry[]) {
    this.watches = timeline.flatMap(({ trigger }, entry) => {
      if (trigger.kind !== 'when') return []
      const { predicate, isOnce } = trigger
      return [{ entry, predicate, isOnce, wasTrue: false, isDone: false, turns: 0 }]
    })
  }

  /** Whether any may still act. */
  get isWatching(): boolean {
    return this.watches.some(({ isDone }) => !isDone)
  }

  /**
   * Looks at each in the order of the timeline, and lets those act whose predicate has become true since the last
   * look. Each sees what the one before has done, so `read` is called for each. Entries in `fired` are skipped, and
   * those that act are added to it: each acts once an instant, so that two cannot set each other off for ever.
   */
  look(read: () => ReadoutSource, fired: Set<number>, act: (entry: number, turn: number) => void): void {
    for (const watch of this.watches) {
      if (watch.isDone || fired.has(watch.entry)) continue
      const holds = evaluatePredicate(watch.predicate, read()) === true
      const hasBecomeTrue = holds && !watch.wasTrue
      watch.wasTrue = holds
      if (!hasBecomeTrue) continue
      fired.add(watch.entry)
      watch.isDone = watch.isOnce
      act(watch.entry, watch.turns)
      watch.turns += 1
    }
  }

  capture(): ScriptState['watches'] {
    return this.watches.map(({ wasTrue, isDone, turns }) => [wasTrue, isDone, turns])
  }

  restore(captured: ScriptState['watches']): void {
    for (const [index, watch] of this.watches.entries()) {
      const [wasTrue = false, isDone = false, turns = 0] = captured[index] ?? []
      watch.wasTrue = wasTrue
      watch.isDone = isDone
      watch.turns = turns
    }
  }
}
