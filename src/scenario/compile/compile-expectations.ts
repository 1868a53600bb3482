import { assert } from '../../numeric/assert.ts'
import { formatDuration } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import { readDuration } from '../file/amounts.ts'
import {
  addMistake,
  booleanOr,
  childField,
  type Field,
  isReadable,
  listEntries,
  listItems,
  muteMistakes,
  readOptional,
  requiredField,
  statedScalar,
  statedText,
  wordOr,
} from '../file/fields.ts'
import { duration, mapping, moment, predicate, withDescription } from '../file/schema-words.ts'
import { isWhole, type SourceLocation } from '../file/tree.ts'
import {
  comparisonsByWord,
  compilePredicate,
  compileReadout,
  findValuePlace,
  listOperations,
} from '../predicates/compile-predicate.ts'
import { type ExactDecimal, exactFromText } from '../predicates/exact.ts'
import { followsFrom } from '../predicates/find-constant.ts'
import { typeOf } from '../predicates/predicate.ts'
import { type Names, readout } from '../predicates/readouts.ts'
import { ifReached, isLate, type MomentScope, readMoment } from './compile-timeline.ts'
import {
  type Aggregate,
  type AggregateBound,
  aggregateStats,
  type Expectation,
  happenedLabel,
  type PinnedDigest,
  type RecordedValue,
  type ScriptedMoment,
  type TimelineEntry,
} from './compiled.ts'

/**
 * Compiles the expectations in the order of the file. Before them come those that everything awaited has come.
 * `unreached` are those that are left out, because their moments are after the end.
 */
export function compileExpectations(
  expect: Field | null,
  timeline: readonly TimelineEntry[],
  names: Names,
  moments: MomentScope,
) {
  let pinned: PinnedDigest | null = null
  const expectations: Expectation[] = []
  const unreached: Expectation[] = []
  for (const entry of listItems(expect)) {
    const digest = childField(entry, 'journalDigest')
    if (digest === null) {
      const compiled = compileExpectation(entry, names, moments)
      if (compiled !== null) (isUnreached(compiled, moments) ? unreached : expectations).push(compiled)
      continue
    }
    if (pinned !== null) addMistake(digest, 'a run has only one digest, which is stated above')
    pinned = { digest: statedText(digest), place: findValuePlace(digest), length: statedText(digest).length }
  }
  return { expectations: [...createAwaitExpectations(timeline), ...expectations], unreached, pinned }
}

const isUnreached = ({ at, since }: Expectation, { endMillis }: MomentScope): boolean =>
  [at, since].some((moment) => moment?.kind === 'at' && isLate(moment.at, endMillis))

const kinds = ['at', 'by', 'within', 'always', 'never', 'eventually', 'leadsTo'] as const

function compileExpectation(entry: Field, names: Names, moments: MomentScope): Expectation | null {
  // Beside `eventually`, `by` is the deadline.
  const kind =
    childField(entry, 'eventually') === null
      ? kinds.find((word) => childField(entry, word) !== null)
      : 'eventually'
  if (kind === undefined) return null
  const field = requiredField(entry, kind)
  const that = childField(entry, 'that')
  const isTimed = kind === 'at' || kind === 'by' || kind === 'within'
  if (isTimed && that === null) addMistake(entry, `"${kind}" says when; "that" must say what`)
  if (!isTimed && that !== null)
    addMistake(that, `"${kind}" is complete; "that" goes with "at", "by" and "within"`)
  const tolerance = readTolerance(childField(entry, 'tol'))
  const said = kind === 'leadsTo' ? requiredField(field, 'from') : isTimed ? that : field
  const predicate = said === null ? null : compilePredicate(said, names, tolerance)
  const isIfReached = booleanOr(childField(entry, 'ifReached'), false)
  const times = readTimes(kind, entry, field, { ...moments, isIfReached })
  const to = kind === 'leadsTo' ? compilePredicate(requiredField(field, 'to'), names, tolerance) : null
  const aggregate = compileAggregate(entry, kind, that, names)
  const recorded = compileRecorded(entry, said, names)
  if (predicate === null || (kind === 'leadsTo' && to === null)) return null
  if (to !== null && recorded.length === 0 && followsFrom(to.parts, predicate.parts)) {
    addMistake(
      requiredField(field, 'to'),
      'follows from "from" whatever the venue does, so that nothing can break it',
    )
    return null
  }
  return {
    kind: kind === 'eventually' ? 'by' : kind === 'leadsTo' ? 'leads-to' : kind,
    ...times,
    predicate,
    to,
    message: readOptional(entry, 'message', statedText),
    isIfReached,
    mayBeUnjudged: booleanOr(childField(entry, 'mayBeUnjudged'), false),
    aggregate,
    recorded,
    place: entry.tree.place,
  }
}

interface Times {
  readonly at: ScriptedMoment | null
  readonly since: ScriptedMoment | null
  readonly withinMillis: Millis
  readonly momentPlace: SourceLocation
}

const noTimes = (momentPlace: SourceLocation): Times => ({
  at: null,
  since: null,
  withinMillis: millis(0),
  momentPlace,
})

function readTimes(kind: (typeof kinds)[number], entry: Field, field: Field, moments: MomentScope): Times {
  const none = noTimes(field.tree.place)
  if (kind === 'at' || kind === 'by') return { ...none, at: readMoment(field, moments) }
  if (kind === 'eventually') {
    const by = childField(entry, 'by')
    return by === null ? none : { ...none, at: readMoment(by, moments), momentPlace: by.tree.place }
  }
  if (kind === 'within') {
    if (!isReadable(field)) return none
    const [start, span] = listItems(field)
    assert(start !== undefined && span !== undefined, 'the schema has checked that this is a pair')
    const since = readMoment(start, moments)
    return { ...none, since, at: delayMoment(since, readDuration(span), moments.endMillis) }
  }
  const within = kind === 'leadsTo' ? childField(field, 'within') : null
  const unbounded = millis(Number.MAX_SAFE_INTEGER)
  const withinMillis = kind !== 'leadsTo' ? millis(0) : within === null ? unbounded : readDuration(within)
  return { ...none, withinMillis }
}

/** Moves a moment later by a span, to the end of the run at the latest. */
function delayMoment(moment: ScriptedMoment, span: Millis, endMillis: Millis | null): ScriptedMoment {
  if (moment.kind === 'after') return { ...moment, offsetMillis: millis(moment.offsetMillis + span) }
  return { kind: 'at', at: millis(Math.min(moment.at + span, endMillis ?? Number.POSITIVE_INFINITY)) }
}

const readTolerance = (field: Field | null): ExactDecimal | null =>
  field === null ? null : exactFromText(statedScalar(field).text)

/** Compiles `aggregate`, which needs a single number and bounds for it. */
function compileAggregate(entry: Field, kind: string, that: Field | null, names: Names): Aggregate | null {
  const field = childField(entry, 'aggregate')
  if (field === null || (that !== null && !isWhole(that.tree))) return null
  const [first, ...others] = that?.tree.kind === 'mapping' ? listEntries(that) : []
  if (kind !== 'at' || first === undefined || others.length > 0) {
    addMistake(field, '"aggregate" needs "at" and a "that" with one read-out, such as {target: {gte: 1}}')
    return null
  }
  const [name, operations] = first
  const target = that === null ? null : compileReadout(muteMistakes(that), name, names)
  if (target === null) return null
  const bounds: AggregateBound[] = []
  for (const [operator, value] of listOperations(operations)) {
    const sign = comparisonsByWord.get(operator)
    const number = value.tree.kind === 'scalar' ? exactFromText(value.tree.text) : null
    if (typeOf(target) === 'number' && sign !== undefined && number !== null)
      bounds.push({ comparison: sign, value: number, place: findValuePlace(value) })
    else addMistake(value, '"aggregate" compares a number with a number')
  }
  return {
    over: statedText(requiredField(field, 'over')),
    stat: wordOr(requiredField(field, 'stat'), aggregateStats, 'median'),
    target,
    name,
    bounds,
  }
}

/** Lists the recorded values after `eq` that are in the file literally. */
function compileRecorded(entry: Field, that: Field | null, names: Names): readonly RecordedValue[] {
  const flag = childField(entry, 'recorded')
  if (flag === null || !booleanOr(flag, false) || (that !== null && !isWhole(that.tree))) return []
  const values: RecordedValue[] = []
  for (const [name, operations] of that?.tree.kind === 'mapping' ? listEntries(that) : []) {
    const target = that === null ? null : compileReadout(muteMistakes(that), name, names)
    const value = listOperations(operations).find(([operator]) => operator === 'eq')?.[1]
    if (target === null || value === undefined) continue
    const { place, text, textColumn } = statedScalar(value)
    if (textColumn > 0) values.push({ target, place: { ...place, column: textColumn }, length: text.length })
  }
  if (values.length === 0) addMistake(flag, '"recorded" needs a "that" such as {target: {eq: value}}')
  return values
}

/**
 * Creates an expectation for each await. Choice: an awaited request or predicate that never comes fails the run,
 * unless the entry says that it is not required.
 */
function createAwaitExpectations(timeline: readonly TimelineEntry[]): readonly Expectation[] {
  return timeline.flatMap((entry, index): readonly Expectation[] => {
    const { id, action, place } = entry
    const label = happenedLabel(entry, index)
    if (action.kind !== 'await' || action.required === false || label === null) return []
    const name = id === null ? 'happened' : `happened[${id}]`
    const { timeoutMillis } = action
    const time = timeoutMillis === undefined ? 'in time' : `within ${formatDuration(timeoutMillis)}`
    const happened = readout('happened', '', { label })
    const expression = { kind: 'readout', readout: happened, type: 'boolean', name } as const
    return [
      {
        ...noTimes(place),
        kind: 'by',
        predicate: { parts: [{ expression, place }], text: name, wildcard: null },
        to: null,
        message: `what is awaited comes ${time}`,
        isIfReached: false,
        mayBeUnjudged: false,
        aggregate: null,
        recorded: [],
        place,
      },
    ]
  })
}

const temporal: { readonly [name: string]: Shape } = {
  at: { ...moment, description: 'Holds at that moment.' },
  by: { ...moment, description: 'Has held at some moment up to then.' },
  within: {
    title: 'a pair [moment, duration], such as [news, 2s]',
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: [moment, duration],
    description: 'Has held at some moment of that span.',
  },
  always: { ...predicate, description: 'Holds at every moment.' },
  never: { ...predicate, description: 'Holds at no moment.' },
  eventually: { ...predicate, description: 'Holds at some moment, up to `by` or the end.' },
  leadsTo: mapping(
    {
      from: withDescription(predicate, 'The predicate that demands `to`.'),
      to: withDescription(predicate, 'The predicate that must follow.'),
      within: { ...duration, description: 'How much later `to` may hold at most; until the end by default.' },
    },
    ['from', 'to'],
    'Whenever `from` holds, `to` holds then or within the span.',
  ),
  journalDigest: {
    title: 'a digest of 32 hexadecimal digits, or "?" for `run --update` to fill in',
    type: 'string',
    pattern: '^([0-9a-f]{32}|\\?)$',
    description: 'The digest with which the run must end: not a byte of it may change.',
  },
}

export const expectation: Shape = {
  ...mapping({
    ...temporal,
    that: { ...predicate, description: 'What must hold; with `at`, `by` and `within`.' },
    message: {
      type: 'string',
      maxLength: 500,
      description: 'Why the expectation matters; shown in the report.',
    },
    tol: {
      type: 'number',
      minimum: 0,
      maximum: 1e15,
      description: 'By how much numbers may differ in every comparison of `that`.',
    },
    ifReached,
    mayBeUnjudged: {
      type: 'boolean',
      description:
        'In a run in which nothing of it is ever known (its order is refused, its `from` never holds, its label never comes), it is left out, and said to be; by default it fails.',
    },
    recorded: {
      type: 'boolean',
      description: 'The values after `eq` are records of a run: `run --update` writes those of the next one.',
    },
    aggregate: mapping(
      {
        over: { const: 'seed', description: 'The runs of the matrix.' },
        stat: {
          enum: aggregateStats,
          description: 'The statistic of the values of all runs.',
        },
      },
      ['over', 'stat'],
      'Judges one number over all runs of a matrix in place of each run by itself.',
    ),
  }),
  allOf: [{ oneOf: expectationKinds() }],
}

/** Returns the choice between the kinds of expectations. Beside `eventually`, `by` is a deadline and not a kind. */
function expectationKinds(): readonly Shape[] {
  return Object.keys(temporal).map((name) =>
    name === 'by' ? { required: [name], not: { required: ['eventually'] } } : { required: [name] },
  )
}
