import { stillUntilMillis } from '../../engine/idle/idle-market.ts'
import type { State } from '../../engine/state.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { CompiledScenario, Expectation, ScriptedMoment } from '../compile/compiled.ts'
import type { SourceLocation } from '../file/tree.ts'
import {
  evaluateNumber,
  evaluatePredicate,
  formatValue,
  observe,
  type ReadoutObservation,
} from '../predicates/evaluate-predicate.ts'
import { exactToText } from '../predicates/exact.ts'
import { explainUnknown } from '../predicates/explain-unknown.ts'
import type { Predicate } from '../predicates/predicate.ts'
import type { NamedRows, ReadoutSource } from '../predicates/readouts.ts'

export interface EvaluatedRun {
  readonly state: State
  readonly named: NamedRows
  /** Creates the source that predicates read the run from; `fill` runs over the fills from `firstFill` on. */
  createSource(firstFill: number): ReadoutSource
  /** Returns the instant at which the scenario's script next acts by itself. */
  nextScriptMillis(): number
}

/** A recorded value as it is in this run, and the place and length of the text in the file that it replaces. */
export interface RecordedReplacement {
  readonly place: SourceLocation
  readonly length: number
  readonly text: string
}

export interface ExpectationFailure {
  readonly expectation: Expectation
  readonly atMillis: number
  readonly expected: string
  readonly got: string
  /** The places of the bounds that were not met, at least one. */
  readonly places: readonly SourceLocation[]
}

/** An expectation that could not be judged in this run, and need not be by what the file says. */
export interface UnjudgedExpectation {
  readonly expectation: Expectation
  readonly reason: string
}

/**
 * How often an expectation was evaluated, and how often it had a known value then. `leads-to` is known where its first
 * predicate holds, because it demands nothing elsewhere.
 */
export interface EvaluationCount {
  readonly evaluations: number
  readonly known: number
}

/** The number that one run contributes to an expectation that is judged over all runs. */
export interface AggregateValue {
  readonly expectation: Expectation
  /** The number as decimal text; null when the value did not exist. */
  readonly value: string | null
}

/**
 * Judges a run by the expectations of its scenario. The caller who advances the run must have it evaluated wherever it
 * stops, in order of time, and must stop at `nextStop` at the latest. The stops decide what is seen, never what
 * happens.
 *
 * An unknown read-out (of an order not placed yet) neither fulfils nor breaks `by`, `always` and `never`. At the
 * instant of `at`, and at the deadline of `by`, it fails. So does an expectation that is timed by a label that never
 * comes, or by a moment after the end. Choice: so does one that was known at no instant, and a `leads-to` that was
 * never set off, unless the file says that it may be unjudged: what was never looked at holds nothing.
 */
export class ExpectationEvaluator {
  /** The failures, in the order in which they were seen. */
  readonly failures: ExpectationFailure[] = []
  readonly unjudged: UnjudgedExpectation[] = []
  readonly counts: ReadonlyMap<Expectation, EvaluationCount>
  readonly aggregates: AggregateValue[] = []
  /** The recorded values as they are in this run, with their places. */
  readonly recorded: RecordedReplacement[] = []
  /** The expectations that every look asks, in the order of the file. */
  private pending: readonly Pending[]
  /**
   * The expectations about one known instant, latest first. A file may have thousands, of which each look asks only a
   * few.
   */
  private readonly dated: Pending[]
  private readonly endMillis: number
  private readonly sliceMillis: number
  private fillsSeen = 0

  /** Creates an evaluator that asks for at least `stops` stops on the way to the end. */
  constructor({ expectations, venue }: CompiledScenario, endMillis: number, stops: number) {
    this.endMillis = endMillis
    this.sliceMillis = Math.max(1, Math.ceil((endMillis - venue.startMillis) / stops))
    const all = expectations.map((expectation, place): Pending => {
      const { kind, at, since } = expectation
      const datedAt = kind === 'at' && at?.kind === 'at' && since === null ? at.at : null
      return { expectation, place, datedAt, owedSinceMillis: null, evaluations: 0, known: 0 }
    })
    this.counts = new Map(all.map((pending) => [pending.expectation, pending]))
    this.pending = all.filter(({ datedAt }) => datedAt === null)
    this.dated = all
      .filter(({ datedAt }) => datedAt !== null)
      .sort((left, right) => (right.datedAt ?? 0) - (left.datedAt ?? 0))
  }

  evaluate({ state, named, createSource: sourceOf }: EvaluatedRun): void {
    const { nowMillis } = state
    // A run that was restored to an earlier state has fewer fills than were seen.
    const seen = sourceOf(Math.min(this.fillsSeen, state.fills.count))
    const look: Look = { nowMillis, source: seen, wholeSource: () => sourceOf(0), rows: named }
    const asked = this.takeDue(nowMillis)
    const left = asked.filter((pending) => {
      const { expectation } = pending
      // The answer at one instant must not depend on where the run has stopped before.
      const isDue = expectation.kind === 'at' && nowMillis >= this.computeDeadlineMillis(expectation, named)
      return this.evaluatePending(pending, isDue ? { ...look, source: look.wholeSource() } : look)
    })
    if (left.length !== asked.length) this.pending = left
    this.fillsSeen = state.fills.count
  }

  /**
   * Returns the next instant to stop at. While something is watched all the time, that is every instant at which
   * anything can change; the venue does not notice, because an advance may be split anywhere.
   */
  nextStop({ state, named, nextScriptMillis: scriptAtMillis }: EvaluatedRun): Millis {
    const now = state.nowMillis
    const decided = this.pending.map(({ expectation }) => this.computeDeadlineMillis(expectation, named))
    const planned = [this.endMillis, scriptAtMillis(), now + this.sliceMillis, this.nextDatedMillis()]
    const watchesEveryInstant = this.pending.some(({ expectation }) => expectation.kind !== 'at')
    if (watchesEveryInstant) {
      const { startMillis, gridMillis } = state.config
      const nextGrid = startMillis + (Math.floor((now - startMillis) / gridMillis) + 1) * gridMillis
      planned.push(Math.max(nextGrid, stillUntilMillis(state)), state.timeline.nextAtMillis)
    }
    const soonest = decided.reduce((least, at) => Math.min(least, at), Math.min(...planned))
    return millis(Math.max(now + 1, soonest))
  }

  private nextDatedMillis(): number {
    return Math.min(this.dated.at(-1)?.datedAt ?? Number.POSITIVE_INFINITY, this.endMillis)
  }

  /** Takes the dated expectations that are due, and returns them with the pending ones in the order of the file. */
  private takeDue(nowMillis: number): readonly Pending[] {
    const due: Pending[] = []
    while (this.dated.length > 0 && this.nextDatedMillis() <= nowMillis) due.push(...this.dated.splice(-1))
    if (due.length === 0) return this.pending
    return [...this.pending, ...due].sort((left, right) => left.place - right.place)
  }

  /** Judges an expectation as far as this look can. Returns whether it stays pending. */
  private evaluatePending(pending: Pending, look: Look): boolean {
    const { expectation } = pending
    const { kind, aggregate } = expectation
    const wait = findWait(expectation, look)
    if (wait !== null) {
      if (look.nowMillis < this.endMillis) return true
      const isAllowed = expectation.mayBeUnjudged || (expectation.isIfReached && wait.isAfterEnd)
      this.endUnjudged(expectation, look, { got: wait.reason, places: [expectation.momentPlace] }, isAllowed)
      return false
    }
    if (kind === 'at' && look.nowMillis === this.computeDeadlineMillis(expectation, look.rows))
      this.recorded.push(...findReplacements(expectation, look.source))
    if (aggregate !== null) {
      const value = evaluateNumber(aggregate.target, look.source)
      countEvaluation(pending, value !== null)
      this.aggregates.push({ expectation, value: value === null ? null : exactToText(value) })
      return false
    }
    return kind === 'leads-to' ? this.evaluateLeadsTo(pending, look) : this.evaluateSingle(pending, look)
  }

  private evaluateSingle(pending: Pending, look: Look): boolean {
    const { expectation } = pending
    const { kind, predicate } = expectation
    const { nowMillis, source, rows } = look
    const quantifier = kind === 'always' ? 'every' : 'some'
    const holds = evaluatePredicate(predicate, source, quantifier)
    countEvaluation(pending, holds !== null)
    const isMet = kind === 'always' ? holds !== false : kind === 'never' ? holds !== true : holds === true
    const isStanding = kind === 'always' || kind === 'never'
    if (isMet === isStanding && nowMillis < this.computeDeadlineMillis(expectation, rows)) return true
    if (isMet && pending.known > 0) return false
    const seen = describeSeen(observe(predicate, source, quantifier), nowMillis)
    if (pending.known > 0) this.fail(expectation, look, seen)
    else {
      const got = seen.got + formatOften('known', pending) + this.explain(predicate, look)
      this.endUnjudged(expectation, look, { ...seen, got }, expectation.mayBeUnjudged)
    }
    return false
  }

  /**
   * Judges `leads-to`: whenever the first predicate holds, the second must hold then or in time. Returns whether the
   * expectation stays pending. The oldest debt is due first, and paying it pays all later ones.
   */
  private evaluateLeadsTo(pending: Pending, look: Look): boolean {
    const { expectation } = pending
    const { predicate, to, withinMillis, mayBeUnjudged } = expectation
    if (to === null) return false
    const { nowMillis, source } = look
    const isLast = nowMillis >= this.endMillis
    const isSetOff = evaluatePredicate(predicate, source) === true
    countEvaluation(pending, isSetOff)
    if (isSetOff) pending.owedSinceMillis ??= nowMillis
    if (pending.owedSinceMillis !== null && evaluatePredicate(to, source) === true)
      pending.owedSinceMillis = null
    const owed = pending.owedSinceMillis
    if (isLast && pending.known === 0) {
      const got = `never set off: ${predicate.text}${formatOften('held', pending)}${this.explain(predicate, look)}`
      const { places } = observe(predicate, source, 'some')
      this.endUnjudged(expectation, look, { got, places }, mayBeUnjudged)
    }
    if (owed === null) return !isLast
    if (!isLast && nowMillis < owed + withinMillis) return true
    const since = `${predicate.text} held at ${millisToIso(owed)}, then `
    const { got, places } = describeSeen(observe(to, source, 'some'), nowMillis)
    this.fail(expectation, look, { got: since + got, places })
    return false
  }

  private explain(predicate: Predicate, { wholeSource: sourceOf, rows }: Look): string {
    const why = explainUnknown(predicate, sourceOf(), rows)
    return why === '' ? '' : `: ${why}`
  }

  /** Ends an expectation of which nothing was known: it is left out if it may be, and fails otherwise. */
  private endUnjudged(expectation: Expectation, look: Look, seen: Seen, isAllowed: boolean): void {
    if (isAllowed) this.unjudged.push({ expectation, reason: seen.got })
    else this.fail(expectation, look, seen)
  }

  private fail(expectation: Expectation, { nowMillis: atMillis, rows }: Look, seen: Seen): void {
    const expected = formatExpected(expectation, this.computeDeadlineMillis(expectation, rows), rows)
    this.failures.push({ expectation, atMillis, expected, ...seen })
  }

  private computeDeadlineMillis({ at }: Expectation, rows: NamedRows): number {
    return at === null ? this.endMillis : Math.min(computeInstantMillis(at, rows), this.endMillis)
  }
}

/** A run at one instant, as predicates see it. */
interface Look {
  readonly nowMillis: number
  /** In this source `fill` runs over the fills since the last look, in `wholeSource` over all of them. */
  readonly source: ReadoutSource
  readonly wholeSource: () => ReadoutSource
  readonly rows: NamedRows
}

interface Pending {
  readonly expectation: Expectation
  readonly place: number
  /** The instant that the expectation is about, where the file itself says it; null for all others. */
  readonly datedAt: number | null
  /** For `leads-to`, the instant since when the second predicate is owed; null when it is not. */
  owedSinceMillis: number | null
  evaluations: number
  known: number
}

function countEvaluation(pending: Pending, isKnown: boolean): void {
  pending.evaluations += 1
  if (isKnown) pending.known += 1
}

/** Formats how often a predicate was known or held, where that was never; '' for a single look, which says it itself. */
const formatOften = (verb: string, { evaluations }: EvaluationCount): string =>
  evaluations === 1 ? '' : `, ${verb} at none of ${evaluations} instants`

function findReplacements({ recorded }: Expectation, source: ReadoutSource): readonly RecordedReplacement[] {
  return recorded.flatMap(({ target, place, length }) => {
    const value = target.kind === 'readout' ? source.read(target.readout, null) : null
    const text = typeof value === 'string' ? value : value === null ? null : formatValue(value)
    return text === null ? [] : [{ place, length, text }]
  })
}

interface Wait {
  readonly reason: string
  /** Whether it waits for a known instant, which then lies after the end of the run. */
  readonly isAfterEnd: boolean
}

/** Says what an expectation still waits for before it can be evaluated, as it reads at the end; null for nothing. */
function findWait({ kind, at, since }: Expectation, { nowMillis, rows }: Look): Wait | null {
  const moments = [since, at].filter((moment) => moment !== null)
  for (const moment of moments) {
    const isUnknown = moment.kind === 'after' && !Number.isFinite(computeInstantMillis(moment, rows))
    if (isUnknown) return { reason: `"${moment.label}" never happened`, isAfterEnd: false }
  }
  const first = since ?? (kind === 'at' ? at : null)
  if (first === null) return null
  const instant = computeInstantMillis(first, rows)
  return nowMillis >= instant
    ? null
    : { reason: `the run ended before ${millisToIso(instant)}`, isAfterEnd: true }
}

/** Returns the instant of a moment; infinity until its label has come. */
function computeInstantMillis(moment: ScriptedMoment, rows: NamedRows): number {
  if (moment.kind === 'at') return moment.at
  return (rows.instants.get(moment.label) ?? Number.POSITIVE_INFINITY) + moment.offsetMillis
}

type Seen = Pick<ExpectationFailure, 'got' | 'places'>

const describeSeen = ({ values, places }: ReadoutObservation, nowMillis: number): Seen => ({
  got: `${values === '' ? 'it' : values} at ${millisToIso(nowMillis)}`,
  places,
})

function formatExpected(expectation: Expectation, deadline: number, rows: NamedRows): string {
  const { kind, predicate, to, withinMillis, since } = expectation
  const until = millisToIso(deadline)
  switch (kind) {
    case 'at':
    case 'by':
      return `${kind} ${until}: ${predicate.text}`
    case 'within': {
      const from = since === null ? Number.POSITIVE_INFINITY : computeInstantMillis(since, rows)
      return Number.isFinite(from)
        ? `within ${millisToIso(from)} and ${until}: ${predicate.text}`
        : `within: ${predicate.text}`
    }
    case 'leads-to': {
      const span = withinMillis === Number.MAX_SAFE_INTEGER ? '' : ` within ${formatDuration(withinMillis)}`
      return `leads to${span}: ${predicate.text} -> ${to?.text ?? ''}`
    }
    default:
      return `${kind}: ${predicate.text}`
  }
}
