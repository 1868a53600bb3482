import { stillUntilMillis } from '../../engine/idle/idle-market.ts'
import type { State } from '../../engine/state.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { CompiledScenario, Expectation } from '../compile/compiled.ts'
import type { Place } from '../file/tree.ts'
import type { ReadoutSource } from '../predicates/evaluate-predicate.ts'
import { evaluateNumber, valueText } from '../predicates/evaluate-predicate.ts'
import type { Expression } from '../predicates/predicate.ts'
import type { NamedRows } from '../predicates/readouts.ts'
import { type AggregateValue, type ExpectationFailure, ExpectationRun } from './expectation-run.ts'

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
      const text = textOf(target, source)
      return text === null ? [] : [{ place, length, text }]
    })
  })
}

function textOf(target: Expression, source: ReadoutSource): string | null {
  const number = evaluateNumber(target, source)
  if (number !== null) return valueText(number)
  const value = target.kind === 'readout' ? source.read(target.readout, null) : null
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : null
}
