import { millisToIso } from '../numeric/time-text.ts'
import type { Expectation } from './compiled.ts'
import { evaluatePredicate, observedValues, type ReadoutSource } from './evaluate-predicate.ts'

/** An expectation that did not hold: when that was seen, and what was there instead. */
export interface ExpectationFailure {
  readonly expectation: Expectation
  readonly atMillis: number
  readonly expected: string
  readonly got: string
}

/**
 * The expectations of one run. Whoever moves the world calls `look` at every instant that it stops at, in order of
 * time, and stops at `nextAtMillis` at the latest. An unknown read-out (an order not placed yet) neither fulfils nor
 * breaks `by`, `always` and `never`; at the instant of `at`, and at the deadline of `by`, it fails.
 */
export class ExpectationRun {
  private pending: readonly Expectation[]
  private readonly endMillis: number
  private readonly found: ExpectationFailure[] = []

  constructor(expectations: readonly Expectation[], endMillis: number) {
    this.pending = expectations
    this.endMillis = endMillis
  }

  /** In the order in which they were seen. */
  get failures(): readonly ExpectationFailure[] {
    return this.found
  }

  /** Whether something must be looked at wherever the world can stop. */
  get watchesEveryInstant(): boolean {
    return this.pending.some((expectation) => expectation.kind !== 'at')
  }

  /** The next instant at which something is decided; infinity when nothing is left. */
  get nextAtMillis(): number {
    return this.pending.reduce((least, expectation) => Math.min(least, this.decidedAt(expectation)), Infinity)
  }

  look(nowMillis: number, source: ReadoutSource): void {
    const left = this.pending.filter((expectation) => this.staysPending(expectation, nowMillis, source))
    if (left.length !== this.pending.length) this.pending = left
  }

  private staysPending(expectation: Expectation, nowMillis: number, source: ReadoutSource): boolean {
    const { kind, predicate } = expectation
    const deadline = this.decidedAt(expectation)
    if (kind === 'at' && nowMillis < deadline) return true
    const holds = evaluatePredicate(predicate, source)
    switch (kind) {
      case 'at':
      case 'by':
        if (holds === true) return false
        if (nowMillis < deadline) return true
        break
      case 'always':
        if (holds !== false) return nowMillis < deadline
        break
      case 'never':
        if (holds !== true) return nowMillis < deadline
        break
    }
    const observed = observedValues(predicate, source)
    this.found.push({
      expectation,
      atMillis: nowMillis,
      expected: expectedText(expectation, deadline),
      got: `${observed === '' ? 'it' : observed} at ${millisToIso(nowMillis)}`,
    })
    return false
  }

  private decidedAt(expectation: Expectation): number {
    return expectation.at ?? this.endMillis
  }
}

function expectedText({ kind, predicate }: Expectation, deadline: number): string {
  const isTimed = kind === 'at' || kind === 'by'
  return isTimed ? `${kind} ${millisToIso(deadline)}: ${predicate.text}` : `${kind}: ${predicate.text}`
}
