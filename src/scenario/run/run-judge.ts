import { stillUntilMillis } from '../../engine/idle/idle-market.ts'
import type { State } from '../../engine/state.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { CompiledScenario, Expectation, Moment } from '../compile/compiled.ts'
import type { Place } from '../file/tree.ts'
import type { Observed, ReadoutSource } from '../predicates/evaluate-predicate.ts'
import { evaluateNumber, evaluatePredicate, observe, valueText } from '../predicates/evaluate-predicate.ts'
import { exactToText } from '../predicates/exact.ts'
import type { Expression } from '../predicates/predicate.ts'
import type { NamedRows } from '../predicates/readouts.ts'

/** A run of a scenario as it stands now. */
export interface JudgedRun {
  readonly state: State
  readonly named: NamedRows
  /** Reads it as predicates see it; `fill` runs over the fills from `firstFill` on. */
  sourceOf(firstFill: number): ReadoutSource
  /** When the scenario's script next acts by itself. */
  scriptAtMillis(): number
}

/**
 * Judges a run by what its scenario expects. Whoever moves the run must call `look` wherever it stops, in order of
 * time, and must stop at `nextStop` at the latest. The stops decide what is seen, never what happens.
 */
export class RunJudge {
  /** Those with recorded values: few, if any, and asked at every look. */
  private readonly recording: readonly Expectation[]
  private readonly endMillis: number
  private readonly sliceMillis: number
  private readonly expectations: ExpectationRun
  private readonly found: RecordedNow[] = []
  private fillsSeen = 0

  /** Stops at least `stops` times on the way to the end. */
  constructor(scenario: CompiledScenario, endMillis: number, stops: number) {
    this.recording = scenario.expectations.filter(({ recorded }) => recorded.length > 0)
    this.endMillis = endMillis
    this.sliceMillis = Math.max(1, Math.ceil((endMillis - scenario.venue.startMillis) / stops))
    this.expectations = new ExpectationRun(scenario.expectations, endMillis)
  }

  get failures(): readonly ExpectationFailure[] {
    return this.expectations.failures
  }

  get aggregates(): readonly AggregateValue[] {
    return this.expectations.aggregates
  }

  /** What the recorded values were, with their places. */
  get recorded(): readonly RecordedNow[] {
    return this.found
  }

  look({ state, named, sourceOf }: JudgedRun): void {
    // A run that was taken back to an earlier state has fewer fills than were seen.
    const source = sourceOf(Math.min(this.fillsSeen, state.fills.count))
    const soFar = (): ReadoutSource => sourceOf(0)
    this.expectations.look(state.nowMillis, source, soFar, named)
    this.found.push(...recordedNow(this.recording, state.nowMillis, this.endMillis, soFar, named))
    this.fillsSeen = state.fills.count
  }

  /**
   * The next instant to stop at. While something is watched all the time, that is every instant at which anything can
   * change; the venue does not notice, because an advance may be cut anywhere.
   */
  nextStop({ state, named, scriptAtMillis }: JudgedRun): Millis {
    const now = state.nowMillis
    const decided = this.expectations.nextAtMillis(named)
    const planned = Math.min(this.endMillis, scriptAtMillis(), decided, now + this.sliceMillis)
    const soonest = (at: number): Millis => millis(Math.max(now + 1, at))
    if (!this.expectations.watchesEveryInstant) return soonest(planned)
    const { startMillis, gridMillis } = state.config
    const nextGrid = startMillis + (Math.floor((now - startMillis) / gridMillis) + 1) * gridMillis
    const due = Math.min(Math.max(nextGrid, stillUntilMillis(state)), state.timeline.nextAtMillis)
    return soonest(Math.min(planned, due))
  }
}

/** A recorded value as it is in this run, and the text in the file that it replaces. */
export interface RecordedNow {
  readonly place: Place
  readonly length: number
  readonly text: string
}

/** The recorded values of those expectations that are judged at this very instant. */
function recordedNow(
  expectations: readonly Expectation[],
  nowMillis: number,
  endMillis: number,
  sourceNow: () => ReadoutSource,
  rows: NamedRows,
): readonly RecordedNow[] {
  return expectations.flatMap(({ kind, at, recorded }): readonly RecordedNow[] => {
    if (kind !== 'at' || at === null || recorded.length === 0) return []
    const label = at.kind === 'after' ? rows.instantOf(at.label) : null
    const instant = at.kind === 'at' ? at.at : label === null ? null : label + at.offsetMillis
    if (instant === null || Math.min(instant, endMillis) !== nowMillis) return []
    const source = sourceNow()
    return recorded.flatMap(({ target, place, length }) => {
      const text = targetText(target, source)
      return text === null ? [] : [{ place, length, text }]
    })
  })
}

function targetText(target: Expression, source: ReadoutSource): string | null {
  const number = evaluateNumber(target, source)
  if (number !== null) return valueText(number)
  const value = target.kind === 'readout' ? source.read(target.readout, null) : null
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : null
}

/** An expectation that did not hold: when that was seen, and what was there instead. */
export interface ExpectationFailure {
  readonly expectation: Expectation
  readonly atMillis: number
  readonly expected: string
  readonly got: string
  /** Where the bounds stand that were not met, at least one. */
  readonly places: readonly Place[]
}

/** The number that one run gives to an expectation that is judged over all runs. */
export interface AggregateValue {
  readonly expectation: Expectation
  /** Decimal text; null when the value did not exist. */
  readonly value: string | null
}

/**
 * The expectations of one run. Whoever moves the world must call `look` at every instant at which it stops, in order
 * of time, and must stop at `nextAtMillis` at the latest. An unknown read-out (an order not placed yet) neither
 * fulfils nor breaks `by`, `always` and `never`; at the instant of `at`, and at the deadline of `by`, it fails. So
 * does an expectation that is timed by a label that never comes.
 */
class ExpectationRun {
  /** Those that every look asks, in the order of the file. */
  private pending: readonly Pending[]
  /** Those about one known instant, the latest first: a file may have thousands, and each look has to do with a few. */
  private readonly dated: Pending[]
  private readonly endMillis: number
  private readonly found: ExpectationFailure[] = []
  private readonly values: AggregateValue[] = []

  constructor(expectations: readonly Expectation[], endMillis: number) {
    this.endMillis = endMillis
    const all = expectations.map(
      (expectation, place): Pending => ({ expectation, place, owedSinceMillis: null }),
    )
    this.pending = all.filter((one) => datedAt(one) === null)
    this.dated = all
      .filter((one) => datedAt(one) !== null)
      .sort((left, right) => (datedAt(right) ?? 0) - (datedAt(left) ?? 0))
  }

  /** In the order in which they were seen. */
  get failures(): readonly ExpectationFailure[] {
    return this.found
  }

  get aggregates(): readonly AggregateValue[] {
    return this.values
  }

  /** Whether something must be looked at wherever the world can stop. */
  get watchesEveryInstant(): boolean {
    return this.pending.some(({ expectation }) => expectation.kind !== 'at')
  }

  /** The next instant at which something is decided; infinity when nothing is left. */
  nextAtMillis(rows: NamedRows): number {
    return this.pending.reduce(
      (least, { expectation }) => Math.min(least, this.deadlineOf(expectation, rows)),
      this.nextDatedMillis(),
    )
  }

  /** Read-outs of fills are of those since the last look in `seen`, and of all in what `seenSoFar` makes. */
  look(nowMillis: number, seen: ReadoutSource, seenSoFar: () => ReadoutSource, rows: NamedRows): void {
    const asked = this.withDated(nowMillis)
    const left = asked.filter((pending) => {
      // What is asked at one instant must not depend on where the run has stopped before.
      const isDue =
        pending.expectation.kind === 'at' && nowMillis >= this.deadlineOf(pending.expectation, rows)
      return this.staysPending(pending, nowMillis, isDue ? seenSoFar() : seen, rows)
    })
    if (left.length !== asked.length) this.pending = left
  }

  private nextDatedMillis(): number {
    const next = this.dated.at(-1)
    return next === undefined
      ? Number.POSITIVE_INFINITY
      : Math.min(datedAt(next) ?? this.endMillis, this.endMillis)
  }

  /** What a look asks, in the order of the file. */
  private withDated(nowMillis: number): readonly Pending[] {
    const due: Pending[] = []
    while (this.nextDatedMillis() <= nowMillis) due.push(...this.dated.splice(-1))
    if (due.length === 0) return this.pending
    return [...this.pending, ...due].sort((left, right) => left.place - right.place)
  }

  private staysPending(pending: Pending, nowMillis: number, source: ReadoutSource, rows: NamedRows): boolean {
    const { expectation } = pending
    const { kind, predicate } = expectation
    const deadline = this.deadlineOf(expectation, rows)
    const isLast = nowMillis >= this.endMillis
    const awaitedLabel = this.missingLabel(expectation, rows)
    if (awaitedLabel !== null) {
      if (!isLast) return true
      const places = [expectation.momentPlace]
      this.fail(expectation, nowMillis, rows, { got: `"${awaitedLabel}" never happened`, places })
      return false
    }
    if (kind === 'at' && nowMillis < deadline) return true
    if (expectation.since !== null && nowMillis < instantOf(expectation.since, rows)) return true
    if (expectation.aggregate !== null) {
      const value = evaluateNumber(expectation.aggregate.target, source)
      this.values.push({ expectation, value: value === null ? null : exactToText(value) })
      return false
    }
    if (kind === 'leads-to') return this.leads(pending, nowMillis, source, rows)
    const quantifier = kind === 'always' ? 'every' : 'some'
    const holds = evaluatePredicate(predicate, source, quantifier)
    switch (kind) {
      case 'always':
        if (holds !== false) return nowMillis < deadline
        break
      case 'never':
        if (holds !== true) return nowMillis < deadline
        break
      default:
        if (holds === true) return false
        if (nowMillis < deadline) return true
    }
    this.fail(expectation, nowMillis, rows, seenAt(observe(predicate, source, quantifier), nowMillis))
    return false
  }

  /**
   * Whenever the first predicate holds, the second holds then or in time. The oldest debt is due first, and whatever
   * pays it pays all that came after it.
   */
  private leads(pending: Pending, nowMillis: number, source: ReadoutSource, rows: NamedRows): boolean {
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
    const { got, places } = seenAt(observe(to, source, 'some'), nowMillis)
    this.fail(expectation, nowMillis, rows, { got: since + got, places })
    return false
  }

  private fail(expectation: Expectation, nowMillis: number, rows: NamedRows, seen: Seen): void {
    const deadline = this.deadlineOf(expectation, rows)
    this.found.push({
      expectation,
      atMillis: nowMillis,
      expected: expectedText(expectation, deadline, rows),
      ...seen,
    })
  }

  private deadlineOf({ at }: Expectation, rows: NamedRows): number {
    return at === null ? this.endMillis : Math.min(instantOf(at, rows), this.endMillis)
  }

  /** The label that times the expectation and has not come yet. */
  private missingLabel({ at, since }: Expectation, rows: NamedRows): string | null {
    for (const moment of [since, at])
      if (moment?.kind === 'after' && rows.instantOf(moment.label) === null) return moment.label
    return null
  }
}

interface Pending {
  readonly expectation: Expectation
  readonly place: number
  /** For `leads-to`: since when the second predicate is owed. */
  owedSinceMillis: number | null
}

/** The instant that an expectation is about, where the file itself says it; null for all others. */
function datedAt({ expectation: { kind, at, since } }: Pending): number | null {
  return kind === 'at' && at?.kind === 'at' && since === null ? at.at : null
}

/** Infinity until its label has come. */
function instantOf(moment: Moment, rows: NamedRows): number {
  if (moment.kind === 'at') return moment.at
  const base = rows.instantOf(moment.label)
  return base === null ? Number.POSITIVE_INFINITY : base + moment.offsetMillis
}

type Seen = Pick<ExpectationFailure, 'got' | 'places'>

const seenAt = ({ values, places }: Observed, nowMillis: number): Seen => ({
  got: `${values === '' ? 'it' : values} at ${millisToIso(nowMillis)}`,
  places,
})

function expectedText(expectation: Expectation, deadline: number, rows: NamedRows): string {
  const { kind, predicate, to, withinMillis, since } = expectation
  const until = millisToIso(deadline)
  switch (kind) {
    case 'at':
    case 'by':
      return `${kind} ${until}: ${predicate.text}`
    case 'within': {
      const from = since === null ? Number.POSITIVE_INFINITY : instantOf(since, rows)
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
