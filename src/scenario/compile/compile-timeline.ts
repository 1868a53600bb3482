import { nearestWord } from '../../api/nearest-word.ts'
import { isoToMillis, parseDuration } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import type { ActionScope, FileScope } from '../actions/action.ts'
import { actionNames, actionSchemas, compileAction, isActionName, kindOf } from '../actions/actions.ts'
import { readDuration } from '../file/amounts.ts'
import {
  addMistake,
  booleanOr,
  childField,
  type Field,
  listItems,
  readOptional,
  requiredField,
  statedText,
} from '../file/fields.ts'
import { mapping, moment, positiveDuration, predicate, refusedWord, word } from '../file/schema-words.ts'
import { entriesIn, hasBrokenPart, isWhole } from '../file/tree.ts'
import { compilePredicate } from '../predicates/compile-predicate.ts'
import type { Names } from '../predicates/readouts.ts'
import type { ScriptedMoment, TimelineEntry, Trigger } from './compiled.ts'

export interface TimelineScope extends FileScope {
  /** Returns whether a part that cannot be read may declare this name. */
  isUncertain(name: string): boolean
  readonly startMillis: Millis
  readonly endMillis: Millis | null
}

export interface CompiledTimeline {
  readonly entries: readonly TimelineEntry[]
  /** The instants of entries with ids; null for those that only the run decides. */
  readonly labels: ReadonlyMap<string, Millis | null>
  readonly names: Names
}

/** Compiles the entries of a timeline, in the order of the file. */
export function compileTimeline(timeline: Field | null, scope: TimelineScope): CompiledTimeline {
  const labels = new Map<string, Millis | null>()
  const orders = new Map<string, number>()
  const quotes = new Map<string, number>()
  const transfers = new Set<string>()
  const ids = new Set<string>()
  const items = listItems(timeline)
  for (const entry of items) noteLabels(entry, { ...scope, orders, quotes, transfers, ids })
  const names: Names = {
    assets: new Map(scope.assets.map((asset, row) => [asset.symbol, row] as const).slice(1)),
    accounts: scope.accounts,
    orders: new Set(orders.keys()),
    quotes: new Set(quotes.keys()),
    labels: ids,
    apiKeys: scope.apiKeys,
    isUncertain: scope.isUncertain,
  }
  const run: ActionScope = { ...scope, orders, quotes, transfers, names }
  const labelsIfReached = new Set<string>()
  const entries = items.map((entry): TimelineEntry => {
    const isIfReached = booleanOr(childField(entry, 'ifReached'), false)
    const before = entry.mistakes.count
    const trigger = compileTrigger(entry, { ...scope, labels, labelsIfReached, isIfReached }, names)
    const isTimeKnown = entry.mistakes.count === before && isTimeWhole(entry)
    const action = compileAction(entry, run)
    const field = childField(entry, 'id')
    const id = field === null ? null : statedText(field)
    if (field !== null && id !== null) {
      if (labels.has(id)) addMistake(field, `two actions have the id "${id}"`)
      if (id === 'start' || id === 'end') addMistake(field, `"${id}" is the clock's own`)
      if (!isTimeKnown) entry.mistakes.markUncertain([id])
      const instant = findFirstInstant(trigger)
      if (isTimeKnown) labels.set(id, action.kind === 'await' ? null : instant)
      if (isIfReached || isLate(instant, scope.endMillis)) labelsIfReached.add(id)
    }
    return { trigger, id, place: entry.tree.place, action }
  })
  return { entries, labels, names }
}

interface LabelScope extends TimelineScope {
  readonly orders: Map<string, number>
  readonly quotes: Map<string, number>
  readonly transfers: Set<string>
  readonly ids: Set<string>
}

/** The actions that give labels. */
const makers = actionNames.flatMap((name) => {
  const { makes } = kindOf(name)
  return makes === undefined ? [] : [[name, makes] as const]
})

/**
 * Collects the labels of an entry. This is done before any action is compiled, so that an amendment may stand above
 * its order.
 */
function noteLabels(entry: Field, run: LabelScope): void {
  const id = childField(entry, 'id')
  if (id !== null) run.ids.add(statedText(id))
  if (id !== null && childField(entry, 'fault') !== null) run.orders.set(`${statedText(id)}.clientOrderId`, 1)
  for (const [name, makes] of makers) {
    const action = childField(entry, name)
    const label = childField(action, makes.word)
    if (action === null || label === null) continue
    if (makes.kind === 'transfer') run.transfers.add(statedText(label))
    else if (makes.kind === 'either') {
      for (const labels of [run.orders, run.quotes]) noteLabel(label, labels, 'label', 1)
    } else {
      const symbol = statedText(requiredField(action, 'asset'))
      const row = run.assets.findIndex((asset) => asset.symbol === symbol)
      noteLabel(label, makes.kind === 'order' ? run.orders : run.quotes, makes.kind, row)
    }
  }
}

function noteLabel(field: Field, labels: Map<string, number>, kind: string, row: number): void {
  const name = statedText(field)
  if (labels.has(name)) addMistake(field, `two ${kind}s are called "${name}"`)
  labels.set(name, row)
}

function compileTrigger(entry: Field, moments: MomentScope, names: Names): Trigger {
  const at = childField(entry, 'at')
  const every = childField(entry, 'every')
  const when = childField(entry, 'when')
  const once = childField(entry, 'once')
  if (once !== null && when === null && !hasBrokenPart(entry.tree))
    addMistake(once, '"once" goes with "when"')
  if (every !== null) return compileEvery(every, moments)
  if (when !== null) {
    const predicate = compilePredicate(when, names, null)
    if (predicate !== null) return { kind: 'when', predicate, isOnce: booleanOr(once, true) }
    return { kind: 'at', at: moments.startMillis }
  }
  // An entry without any of these has been reported by the schema check.
  return at === null ? { kind: 'at', at: moments.startMillis } : readMoment(at, moments)
}

/**
 * Returns whether every key that says when an entry acts can be read. An unknown key may have been meant for one of these.
 */
const isTimeWhole = ({ tree }: Field): boolean =>
  [...entriesIn(tree)].every(([key, { value }]) => isActionName(key) || isWhole(value))

function compileEvery(field: Field, moments: MomentScope): Trigger {
  const { startMillis, endMillis } = moments
  const to = childField(field, 'to')
  const first = readOptional(field, 'from', (from) => readMoment(from, moments)) ?? {
    kind: 'at',
    at: startMillis,
  }
  const last = to === null ? null : readMoment(to, moments)
  if (to !== null && last?.kind === 'at' && first.kind === 'at' && last.at < first.at)
    addMistake(to, 'the last one is before the first')
  // A repetition that begins after the end only acts in a world that goes on.
  const hasEnd = endMillis !== null && !(first.kind === 'at' && isLate(first.at, endMillis))
  return {
    kind: 'every',
    from: first,
    eachMillis: readDuration(field.tree.kind === 'mapping' ? requiredField(field, 'each') : field),
    to: last ?? (hasEnd ? { kind: 'at', at: endMillis } : null),
  }
}

/** Returns whether an instant is after the end of the run, as that of an `ifReached` entry may be. */
export const isLate = (instant: Millis | null, endMillis: Millis | null): boolean =>
  instant !== null && endMillis !== null && instant > endMillis

/** Returns the instant at which an entry first acts; null when only the run decides that. */
function findFirstInstant(trigger: Trigger): Millis | null {
  if (trigger.kind === 'at') return trigger.at
  return trigger.kind === 'every' && trigger.from.kind === 'at' ? trigger.from.at : null
}

export interface MomentScope {
  readonly startMillis: Millis
  /** The end of the run; null when none is stated. */
  readonly endMillis: Millis | null
  /** The instants of the labels above this entry; null for those that only the run decides. */
  readonly labels: ReadonlyMap<string, Millis | null>
  /** The labels of entries that may be after the end (`ifReached`). Moments counted from them may be, too. */
  readonly labelsIfReached?: ReadonlySet<string>
  /** Whether the moment that is read may be after the end. */
  readonly isIfReached?: boolean
}

/**
 * Reads a moment: `+5m` after the start, an ISO instant, or a label with an optional span, such as `news`, `news+10s`
 * or `end-1s`. The label `start` always exists, `end` only when the clock has an end. Choice: a label must be
 * declared above its use, so that labels cannot form a circle. From a label that only the run decides, spans can only
 * go forward.
 */
export function readMoment(field: Field, scope: MomentScope): ScriptedMoment {
  const text = statedText(field)
  const fail = (reason: string, nearest: string | null = null): ScriptedMoment => {
    addMistake(field, reason, nearest)
    return momentAt(scope.startMillis)
  }
  const within = (at: number, label = ''): ScriptedMoment => {
    if (at < scope.startMillis) return fail('before the start of the clock')
    const isLate = scope.endMillis !== null && at > scope.endMillis
    const mayBeLate = scope.isIfReached === true || scope.labelsIfReached?.has(label) === true
    return isLate && !mayBeLate ? fail('after the end of the clock') : momentAt(millis(at))
  }
  const instant = isoToMillis(text)
  if (instant !== null) return within(instant)
  const match = /^([A-Za-z][A-Za-z0-9_-]*?)?(?:([+-])([0-9.a-z]+))?$/.exec(text)
  if (match === null || text === '') {
    const meant = parseDuration(text) === null ? null : `+${text}`
    return fail(`"${text}" is not a moment; write +5m, an instant, or label+10s`, meant)
  }
  const [, label, sign, spanText] = match
  const whole = scope.labels.get(text)
  if (whole !== undefined) return whole === null ? momentAfter(text, 0) : within(whole, text)
  const base = label === undefined ? scope.startMillis : findBaseMillis(label, scope)
  if (base === undefined) {
    if (field.mistakes.isUncertain(label ?? '')) return momentAt(scope.startMillis)
    return fail(formatUnknownLabel(label ?? '', scope), nearestWord(label ?? '', scope.labels.keys()))
  }
  const span = spanText === undefined ? 0 : parseDuration(spanText)
  if (span === null) return fail(`"${spanText}" is not a duration, such as 250ms, 5s, 2m, 1h or 3d`)
  if (base === null) {
    const reason = `only the run can tell when "${label}" is, so it cannot be counted back from`
    return sign === '-' && span > 0 ? fail(reason) : momentAfter(label ?? '', span)
  }
  return within(sign === '-' ? base - span : base + span, label)
}

const momentAt = (at: Millis): ScriptedMoment => ({ kind: 'at', at })

const momentAfter = (label: string, offset: number): ScriptedMoment => ({
  kind: 'after',
  label,
  offsetMillis: millis(offset),
})

function findBaseMillis(label: string, scope: MomentScope): Millis | null | undefined {
  if (label === 'start') return scope.startMillis
  if (label === 'end') return scope.endMillis ?? undefined
  return scope.labels.get(label)
}

function formatUnknownLabel(label: string, scope: MomentScope): string {
  if (label === 'end' && scope.endMillis === null) return '"end" needs clock.end'
  return `no action above has the id "${label}"`
}

export const triggerNames = ['at', 'every', 'when']

export const ifReached: Shape = {
  type: 'boolean',
  description:
    'An entry after the end of the clock is left out instead of being a mistake. All entries of included files are treated in this way.',
}

const inEvery = refusedWord('belongs in "every", as in {each: 1m, from: news, to: news+5m}')

export const timelineEntry: Shape = {
  ...mapping({
    at: { ...moment, description: 'When it happens.' },
    every: {
      title: 'a duration, or a mapping {each, from, to}',
      description: 'How often the action repeats.',
      oneOf: [
        positiveDuration,
        mapping(
          {
            each: { ...positiveDuration, description: 'Time between two repetitions.' },
            from: { ...moment, description: 'The first instant; by default the start.' },
            to: { ...moment, description: 'The last instant at which it may act; the end by default.' },
          },
          ['each'],
        ),
      ],
    },
    when: {
      ...predicate,
      description:
        'When this predicate becomes true. It is evaluated at every grid instant and whenever the timeline acts.',
    },
    once: {
      type: 'boolean',
      description: 'With `when`: act only the first time that it becomes true (the default), or every time.',
    },
    id: {
      ...word,
      description:
        'A label for the instant at which the entry first acts; other entries may say `at: id+10s`.',
    },
    from: inEvery,
    to: inEvery,
    until: inEvery,
    batch: refusedWord('is not needed: entries of one instant act in the order of the file'),
    ifReached,
    ...actionSchemas,
  }),
  allOf: [oneOfKeys(triggerNames), oneOfKeys(actionNames)],
}

/** Returns the schema that exactly one of these keys is there. */
function oneOfKeys(names: readonly string[]): Shape {
  return {
    oneOf: names.map((name) => ({ required: [name] })),
  }
}
