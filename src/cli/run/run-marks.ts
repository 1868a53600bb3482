import { firstClientAccount } from '../../engine/codes.ts'
import { eventNameOf } from '../../scenario/actions/actions.ts'
import type {
  CompiledScenario,
  Expectation,
  ScriptedMoment,
  TimelineEntry,
} from '../../scenario/compile/compiled.ts'
import { happenedLabel } from '../../scenario/compile/compiled.ts'
import type { Comparison, ExactDecimal } from '../../scenario/predicates/exact.ts'
import { exactToText } from '../../scenario/predicates/exact.ts'
import { type Expression, listConjuncts, type ReadoutPart } from '../../scenario/predicates/predicate.ts'
import type { ScenarioRun } from '../../scenario/run/run-scenario.ts'

/** An instant that charts show: an event of the script, or where an expectation failed. */
export interface RunMark {
  readonly atMillis: number
  readonly text: string
  readonly isFailure: boolean
}

/**
 * Lists the events of the script and the instants of failures, in the order of time. An entry that acts again and again,
 * or whose instant only the run decides, stands where it first acted; where it has no id, nothing knows when that was.
 */
export function listMarks({ timeline }: CompiledScenario, run: ScenarioRun): readonly RunMark[] {
  const events = timeline.flatMap((entry, place): readonly RunMark[] => {
    const atMillis = findInstant(entry, place, run)
    if (atMillis === null) return []
    const event = eventNameOf(entry.action)
    const text = entry.id === null ? event : `${entry.id} (${event})`
    return [{ atMillis, text: `${text}${triggerWords[entry.trigger.kind]}`, isFailure: false }]
  })
  const failures = run.failures.map(({ atMillis, expectation }) => ({
    atMillis,
    text: expectation.message ?? expectation.predicate.text,
    isFailure: true,
  }))
  return [...events, ...failures].sort((left, right) => left.atMillis - right.atMillis)
}

const triggerWords = { at: '', after: '', every: ', the first time', when: ', the first time' } as const

function findInstant(entry: TimelineEntry, place: number, { named }: ScenarioRun): number | null {
  const { trigger } = entry
  if (trigger.kind === 'at') return trigger.at
  if (trigger.kind === 'every' && trigger.from.kind === 'at') return trigger.from.at
  const label = happenedLabel(entry, place)
  return label === null ? null : (named.instants.get(label) ?? null)
}

/** Lists the thresholds of a run that has ended. */
export function listRunBounds(scenario: CompiledScenario, run: ScenarioRun): readonly RunBound[] {
  return listThresholds(scenario, {
    failed: new Set(run.failures.map(({ expectation }) => expectation)),
    endMillis: run.state.nowMillis,
    instantOf: (label) => run.named.instants.get(label),
  })
}

/**
 * A bound that an expectation sets to what a chart shows, as plain data: the value, from when to when it counts, and
 * the panel that it belongs to.
 */
export interface RunBound {
  /** What is bounded: a price of an asset, or what an account is worth, in USD. */
  readonly of: { readonly kind: 'price' | 'equity'; readonly name: string }
  readonly value: number
  readonly fromMillis: number
  readonly toMillis: number
  /** The bound in words, such as `always price.BTC.bid > 48000`. */
  readonly text: string
  readonly hasFailed: boolean
}

/** What a run knows that the thresholds need. */
interface JudgedExpectations {
  readonly failed: ReadonlySet<Expectation>
  readonly endMillis: number
  /** Returns the instant at which a labelled entry acted; undefined when it did not. */
  instantOf(label: string): number | undefined
}

const shownPrices: ReadonlySet<string> = new Set(['bid', 'ask', 'mid', 'last', 'mark'])

/**
 * Lists the bounds that expectations set to prices and equity by a number alone. Others, such as a difference of two
 * prices, have no place on an axis.
 */
function listThresholds(
  scenario: CompiledScenario,
  { failed, endMillis, instantOf }: JudgedExpectations,
): readonly RunBound[] {
  const toMillis = (moment: ScriptedMoment | null, absent: number): number => {
    if (moment === null) return absent
    return moment.kind === 'at' ? moment.at : (instantOf(moment.label) ?? Number.NaN) + moment.offsetMillis
  }
  return scenario.expectations.flatMap((expectation): readonly RunBound[] => {
    const { aggregate, at, kind, predicate, since, to } = expectation
    if (aggregate !== null) return []
    const last = toMillis(at, endMillis)
    const first = kind === 'at' ? last : toMillis(since, scenario.venue.startMillis)
    if (!(first <= last)) return []
    const parts = [...predicate.parts, ...(to?.parts ?? [])]
    return parts
      .flatMap(({ expression }) => [...listConjuncts(expression)])
      .flatMap((expression) => {
        const bound = readBound(scenario, expression)
        if (bound === null) return []
        const text = `${kind} ${bound.text}`
        return [{ ...bound, text, fromMillis: first, toMillis: last, hasFailed: failed.has(expectation) }]
      })
  })
}

type Bound = Pick<RunBound, 'of' | 'text' | 'value'>

function readBound(scenario: CompiledScenario, expression: Expression): Bound | null {
  if (expression.kind === 'not') return readBound(scenario, expression.operand)
  if (expression.kind !== 'compare') return null
  const { left, operator, right } = expression
  const [value, other] = [readNumber(right), readNumber(left)]
  if (left.kind === 'readout' && value !== null) return makeBound(scenario, left, operator, value)
  if (right.kind === 'readout' && other !== null) return makeBound(scenario, right, mirrors[operator], other)
  return null
}

const mirrors: { readonly [operator in Comparison]: Comparison } = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '==': '==',
  '!=': '!=',
}

function readNumber(expression: Expression): ExactDecimal | null {
  if (expression.kind === 'number') return expression.value
  const operand = expression.kind === 'negate' ? readNumber(expression.operand) : null
  return operand === null ? null : { units: -operand.units, scale: operand.scale }
}

function makeBound(
  { access, venue }: CompiledScenario,
  { name, readout }: ReadoutPart,
  operator: Comparison,
  bound: ExactDecimal,
): Bound | null {
  const value = Number(exactToText(bound))
  const text = `${name} ${operator} ${exactToText(bound)}`
  const { account, asset, family, field } = readout
  const symbol = venue.assets[asset]?.symbol
  if (family === 'price' && shownPrices.has(field) && symbol !== undefined)
    return { of: { kind: 'price', name: symbol }, value, text }
  const id = access[account - firstClientAccount]?.id
  const isEquity = family === 'account' && field === 'equity'
  return isEquity && id !== undefined ? { of: { kind: 'equity', name: id }, value, text } : null
}
