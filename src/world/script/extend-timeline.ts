import { isObject } from '../../api/json.ts'
import { assert } from '../../numeric/assert.ts'
import { millisToIso, parseDuration } from '../../numeric/time-text.ts'
import type { Millis } from '../../numeric/units.ts'
import type { CompiledScenario, TimelineEntry } from '../../scenario/compile/compiled.ts'
import { failure, type Mistake, mistakeAt, type Result, success } from '../../scenario/file/mistake.ts'
import { nowhere } from '../../scenario/file/tree.ts'
import { loadSource } from '../../scenario/load-tree.ts'
import type { ScriptState } from '../../scenario/run/script-state.ts'

/*
 * Adds entries to a running timeline. The scenario is compiled again with the new entries at the end of its timeline, so
 * they are written, checked and refused as all others are.
 */

/**
 * Resolves the times of entries to instants: an entry without a time acts now, and `+5m` counts from now. Entries may
 * lie after the end of the scenario's clock, because a served world goes on where a run would end.
 */
export function resolveEntryTimes(actions: readonly unknown[], nowMillis: Millis): readonly unknown[] {
  return actions.map((action) => {
    if (!isObject(action)) return action
    const entry: { readonly [name: string]: unknown } = { ifReached: true, ...action }
    const { at, every, ...rest } = entry
    if (every !== undefined) return { ...entry, every: resolveRepetition(every, nowMillis) }
    if (at === undefined && !('when' in rest)) return { at: millisToIso(nowMillis), ...rest }
    return at === undefined ? entry : { at: resolveTime(at, nowMillis), ...rest }
  })
}

function resolveRepetition(every: unknown, nowMillis: Millis): unknown {
  const now = millisToIso(nowMillis)
  if (!isObject(every)) {
    const span = typeof every === 'string' ? parseDuration(every) : null
    // What is no span stays as it was written, and is refused under the name that the caller knows.
    return span === null || span === 0 ? every : { each: every, from: now }
  }
  const { from = now, to } = every
  return {
    ...every,
    from: resolveTime(from, nowMillis),
    ...(to === undefined ? {} : { to: resolveTime(to, nowMillis) }),
  }
}

function resolveTime(at: unknown, nowMillis: Millis): unknown {
  const span = typeof at === 'string' && at.startsWith('+') ? parseDuration(at.slice(1)) : null
  return span === null ? at : millisToIso(nowMillis + span)
}

/**
 * Compiles a scenario again with more entries at the end of its timeline. The entries may name the world's present
 * `accounts`. `instantOf` returns the instant of a label that has been reached. Mistakes name entries as `actions[0]`.
 */
export function extendTimeline(
  scenario: CompiledScenario,
  seed: string,
  entries: readonly unknown[],
  nowMillis: Millis,
  instantOf: InstantOf,
  accounts: readonly string[],
): Result<CompiledScenario> {
  const { document, added: earlier, ...read } = scenario.source
  const before = scenario.timeline.length
  const timeline = timelineOf(document)
  const loaded = loadSource(
    {
      document: withTimeline(document, [...timeline, ...entries]),
      ...read,
      added: {
        count: (earlier?.count ?? 0) + entries.length,
        accounts: accounts.slice(scenario.access.length),
      },
    },
    seed,
  )
  if (!loaded.ok) return failure(loaded.problems.map((problem) => renumberMistake(problem, before)))
  const unknown = findUnknownRecording(scenario, loaded.value, before)
  if (unknown !== -1)
    return failure([mistakeAt(nowhere, `actions[${unknown}].path.model`, unknownRecordingReason)])
  const added = loaded.value.timeline.slice(before)
  const past = added.findIndex(
    ({ trigger }) => (findFirstMillis(trigger, instantOf) ?? nowMillis) < nowMillis,
  )
  if (past === -1) return success({ ...loaded.value, file: scenario.file })
  const key = added[past]?.trigger.kind === 'every' ? 'every.from' : 'at'
  const reason = `is past: it is ${millisToIso(nowMillis)}`
  return failure([mistakeAt(nowhere, `actions[${past}].${key}`, reason)])
}

/**
 * Returns a running scenario without the additions to its timeline: the one to which a reset returns. When that equals
 * the world's `own` start scenario, the function returns `own` rather than a copy.
 */
export function removeAdditions(
  running: CompiledScenario,
  own: CompiledScenario | null = null,
): CompiledScenario {
  const { document, added, ...read } = running.source
  if (added === undefined) return running
  const timeline = timelineOf(document)
  const start = withTimeline(document, timeline.slice(0, timeline.length - added.count))
  if (own !== null) {
    const ofOwn = withTimeline(own.source.document, timelineOf(own.source.document))
    if (JSON.stringify(start) === JSON.stringify(ofOwn)) return own
  }
  const loaded = loadSource({ document: start, ...read }, running.venue.seed)
  assert(loaded.ok, 'a scenario is valid without later additions')
  return { ...loaded.value, file: running.file }
}

function timelineOf(document: unknown): readonly unknown[] {
  const timeline = isObject(document) ? document['timeline'] : undefined
  return Array.isArray(timeline) ? timeline : []
}

/** Returns a document with another timeline, at its end, so that documents with equal parts have equal texts. */
function withTimeline(document: unknown, timeline: readonly unknown[]): unknown {
  const { timeline: _, ...rest } = isObject(document) ? document : {}
  return { ...rest, timeline }
}

/**
 * Extends the state of a script by the timeline's entries from index `before` on: repetitions are scheduled, and so are
 * entries that count from a label already reached. Predicates are watched from `fromMillis`.
 */
export function extendScriptState(
  state: ScriptState,
  timeline: readonly TimelineEntry[],
  before: number,
  fromMillis: Millis,
): ScriptState {
  const added = timeline.slice(before)
  const instants = new Map(state.hand.rows.instants)
  const planned = added.flatMap(({ trigger }, index) => {
    // The script finds entries with instants of their own by itself.
    const at = trigger.kind === 'at' ? null : findFirstMillis(trigger, (label) => instants.get(label) ?? null)
    return at === null ? [] : [{ at, kind: 'act' as const, entry: before + index, turn: 0, count: 0 }]
  })
  const queue = [...state.agenda.queue, ...planned].sort((left, right) => left.at - right.at)
  const watched = added.filter(({ trigger }) => trigger.kind === 'when')
  if (watched.length === 0) return { ...state, agenda: { ...state.agenda, queue } }
  return {
    ...state,
    agenda: { ...state.agenda, queue },
    watches: [...state.watches, ...watched.map(() => [false, false, 0, fromMillis] as const)],
    watchAtMillis: Math.min(state.watchAtMillis ?? fromMillis, fromMillis),
  }
}

/**
 * Why an entry cannot switch to a recording. Choice: a world's digest, journal and snapshots name a recording by its
 * place in the scenario, so a running world can only be switched to recordings that its scenario's timeline names.
 */
const unknownRecordingReason =
  'is a recording that the timeline of the scenario does not switch to, so this world does not have it'

/** Finds the index of the first new entry that needs a recording which the running market lacks; -1 when none does. */
function findUnknownRecording(running: CompiledScenario, extended: CompiledScenario, before: number): number {
  return extended.timeline.slice(before).findIndex(({ action }) => {
    if (action.kind !== 'path' || action.switchTo?.model.kind !== 'recorded') return false
    const recordings = running.venue.market.assets[action.asset - 1]?.recordings ?? []
    return action.switchTo.model.place >= recordings.length
  })
}

/** Returns when the timeline's entry with an id first acted; null if it has not yet. */
type InstantOf = (label: string) => number | null

/** Returns when an entry first acts, in milliseconds; null when only the run decides that. */
function findFirstMillis(trigger: TimelineEntry['trigger'], instantOf: InstantOf): number | null {
  if (trigger.kind === 'when') return null
  const first = trigger.kind === 'every' ? trigger.from : trigger
  if (first.kind === 'at') return first.at
  const instant = instantOf(first.label)
  return instant === null ? null : instant + first.offsetMillis
}

function renumberMistake(problem: Mistake, before: number): Mistake {
  const path = problem.path.replace(/^timeline\[(\d+)\]/, (whole, index: string) =>
    Number(index) >= before ? `actions[${Number(index) - before}]` : whole,
  )
  return { ...problem, path }
}
