import type { TimelineEntry } from '../compile/compiled.ts'
import { evaluatePredicate, type ReadoutSource } from '../predicates/evaluate-predicate.ts'
import type { Predicate } from '../predicates/predicate.ts'
import type { ScriptState } from './script-state.ts'

interface Watch {
  readonly entry: number
  readonly predicate: Predicate
  readonly isOnce: boolean
  /** Not looked at before this instant: an entry that was added to a running timeline. */
  fromMillis: number
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
      return [{ entry, predicate, isOnce, fromMillis: anyTime, wasTrue: false, isDone: false, turns: 0 }]
    })
  }

  /** Whether any may still act. */
  get isWatching(): boolean {
    return this.watches.some(({ isDone }) => !isDone)
  }

  /** The next instant at which one is looked at for the first time; infinity when there is none. */
  nextFromMillis(nowMillis: number): number {
    const later = this.watches.filter(({ fromMillis }) => fromMillis > nowMillis)
    return Math.min(Number.POSITIVE_INFINITY, ...later.map(({ fromMillis }) => fromMillis))
  }

  /**
   * Looks at each in the order of the timeline, and lets it act if its predicate has become true since the last look.
   * Each sees what the one before has done, so `read` is called for each. Entries in `fired` are skipped, and those
   * that act are added to it: each acts once an instant, so that two cannot set each other off for ever.
   */
  look(
    nowMillis: number,
    read: () => ReadoutSource,
    fired: Set<number>,
    act: (entry: number, turn: number) => void,
  ): void {
    for (const watch of this.watches) {
      if (watch.isDone || nowMillis < watch.fromMillis || fired.has(watch.entry)) continue
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
    return this.watches.map(({ wasTrue, isDone, turns, fromMillis }) =>
      fromMillis === anyTime ? [wasTrue, isDone, turns] : [wasTrue, isDone, turns, fromMillis],
    )
  }

  restore(captured: ScriptState['watches']): void {
    for (const [index, watch] of this.watches.entries()) {
      const [wasTrue = false, isDone = false, turns = 0, fromMillis = anyTime] = captured[index] ?? []
      watch.wasTrue = wasTrue
      watch.isDone = isDone
      watch.turns = turns
      watch.fromMillis = fromMillis
    }
  }
}

const anyTime = Number.NEGATIVE_INFINITY
