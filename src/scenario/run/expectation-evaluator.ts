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
 * comes.
 */
export class ExpectationEvaluator {
  /** The failures, in the order in which they were seen. */
  readonly failures: ExpectationFailure[] = []
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
      return { expectation, place, datedAt, owedSinceMillis: null }
    })
    this.pending = all.filter(({ datedAt }) => datedAt === null)
    this.dated = all
      .filter(({ datedAt }) => datedAt !== null)
      .sort((left, right) => (right.datedAt ?? 0) - (left.datedAt ?? 0))
  }

  evaluate({ state, named, createSource: sourceOf }: EvaluatedRun): void {
    const { nowMillis } = state
    // A run that was restored to an earlier state has fewer fills than were seen.
    const seen = sourceOf(Math.min(this.fillsSeen, state.fills.count))
    const asked = this.takeAsked(nowMillis)
    const left = asked.filter((pending) => {
      const { expectation } = pending
      // The answer at one instant must not depend on where the run has stopped before.
      const isDue = expectation.kind === 'at' && nowMillis >= this.computeDeadlineMillis(expectation, named)
      return this.evaluatePending(pending, nowMillis, isDue ? sourceOf(0) : seen, named)
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
  private takeAsked(nowMillis: number): readonly Pending[] {
    const due: Pending[] = []
    while (this.dated.length > 0 && this.nextDatedMillis() <= nowMillis) due.push(...this.dated.splice(-1))
    if (due.length === 0) return this.pending
    return [...this.pending, ...due].sort((left, right) => left.place - right.place)
  }

  private evaluatePending(
    pending: Pending,
    nowMillis: number,
    source: ReadoutSource,
    rows: NamedRows,
  ): boolean {
    const { expectation } = pending
    const { kind, predicate } = expectation
    const deadline = this.computeDeadlineMillis(expectation, rows)
    const isLast = nowMillis >= this.endMillis
    const awaitedLabel = findMissingLabel(expectation, rows)
    if (awaitedLabel !== null) {
      if (!isLast) return true
      const places = [expectation.momentPlace]
      this.fail(expectation, nowMillis, rows, { got: `"${awaitedLabel}" never happened`, places })
      return false
    }
    if (kind === 'at' && nowMillis < deadline) return true
    if (kind === 'at' && nowMillis === deadline) this.recorded.push(...findReplacements(expectation, source))
    if (expectation.since !== null && nowMillis < computeInstantMillis(expectation.since, rows)) return true
    if (expectation.aggregate !== null) {
      const value = evaluateNumber(expectation.aggregate.target, source)
      this.aggregates.push({ expectation, value: value === null ? null : exactToText(value) })
      return false
    }
    if (kind === 'leads-to') return this.evaluateLeadsTo(pending, nowMillis, source, rows)
    const quantifier = kind === 'always' ? 'every' : 'some'
    const holds = evaluatePredicate(predicate, source, quantifier)
    const isMet = kind === 'always' ? holds !== false : kind === 'never' ? holds !== true : holds === true
    const isStanding = kind === 'always' || kind === 'never'
    if (isMet) return isStanding && nowMillis < deadline
    if (!isStanding && nowMillis < deadline) return true
    this.fail(expectation, nowMillis, rows, describeSeen(observe(predicate, source, quantifier), nowMillis))
    return false
  }

  /**
   * Judges `leads-to`: whenever the first predicate holds, the second must hold then or in time. Returns whether the
   * expectation stays pending. The oldest debt is due first, and paying it pays all later ones.
   */
  private evaluateLeadsTo(
    pending: Pending,
    nowMillis: number,
    source: ReadoutSource,
    rows: NamedRows,
  ): boolean {
    const { expectation } = pending
    const { predicate, to, withinMillis } = expectation
    if (to === null) return false
    const isPaid = evaluatePredicate(to, source) === true
    if (isPaid) pending.owedSinceMillis = null
    else if (pending.owedSinceMillis === null && evaluatePredicate(predicate, source) === true)
      pending.owedSinceMillis = nowMillis
    const isLast = nowMillis >= this.endMillis
    const owed = pending.owedSinceMillis
    if (owed === null) return !isLast
    if (!isLast && nowMillis < owed + withinMillis) return true
    const since = `${predicate.text} held at ${millisToIso(owed)}, then `
    const { got, places } = describeSeen(observe(to, source, 'some'), nowMillis)
    this.fail(expectation, nowMillis, rows, { got: since + got, places })
    return false
  }

  private fail(expectation: Expectation, atMillis: number, rows: NamedRows, seen: Seen): void {
    const expected = formatExpected(expectation, this.computeDeadlineMillis(expectation, rows), rows)
    this.failures.push({ expectation, atMillis, expected, ...seen })
  }

  private computeDeadlineMillis({ at }: Expectation, rows: NamedRows): number {
    return at === null ? this.endMillis : Math.min(computeInstantMillis(at, rows), this.endMillis)
  }
}

interface Pending {
  readonly expectation: Expectation
  readonly place: number
  /** The instant that the expectation is about, where the file itself says it; null for all others. */
  readonly datedAt: number | null
  /** For `leads-to`, the instant since when the second predicate is owed; null when it is not. */
  owedSinceMillis: number | null
}

function findReplacements({ recorded }: Expectation, source: ReadoutSource): readonly RecordedReplacement[] {
  return recorded.flatMap(({ target, place, length }) => {
    const value = target.kind === 'readout' ? source.read(target.readout, null) : null
    const text = typeof value === 'string' ? value : value === null ? null : formatValue(value)
    return text === null ? [] : [{ place, length, text }]
  })
}

/** Returns the label that times the expectation and has not come yet; null when there is none. */
function findMissingLabel({ at, since }: Expectation, rows: NamedRows): string | null {
  const moments = [since, at].flatMap((moment) => (moment?.kind === 'after' ? moment.label : []))
  return moments.find((label) => !Number.isFinite(rows.instants.get(label) ?? Number.NaN)) ?? null
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
