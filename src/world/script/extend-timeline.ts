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
 * More entries for a running timeline. The scenario is compiled again with them at its end, so they have the same
 * words, checks and messages.
 */

/**
 * The entries, each with an instant: one without a time acts now, and `+5m` counts from now. They may lie after the end
 * of the clock, where runs end, but a world that is served goes on.
 */
export function timedEntries(actions: readonly unknown[], nowMillis: Millis): readonly unknown[] {
  return actions.map((action) => {
    if (!isObject(action)) return action
    const entry: { readonly [name: string]: unknown } = { ifReached: true, ...action }
    const { at, every, ...rest } = entry
    if (every !== undefined) return { ...entry, every: timedRepetition(every, nowMillis) }
    if (at === undefined && !('when' in rest)) return { at: millisToIso(nowMillis), ...rest }
    return at === undefined ? entry : { at: timed(at, nowMillis), ...rest }
  })
}

function timedRepetition(every: unknown, nowMillis: Millis): unknown {
  const now = millisToIso(nowMillis)
  if (!isObject(every)) return { each: every, from: now }
  const { from = now, to } = every
  return {
    ...every,
    from: timed(from, nowMillis),
    ...(to === undefined ? {} : { to: timed(to, nowMillis) }),
  }
}

function timed(at: unknown, nowMillis: Millis): unknown {
  const span = typeof at === 'string' && at.startsWith('+') ? parseDuration(at.slice(1)) : null
  return span === null ? at : millisToIso(nowMillis + span)
}

/**
 * The scenario with these entries at its end, which may name the world's present `accounts`. `instantOf` answers when
 * a label came. Problems name the entries as `actions[0]`.
 */
export function extendTimeline(
  scenario: CompiledScenario,
  seed: string,
  entries: readonly unknown[],
  nowMillis: Millis,
  instantOf: InstantOf,
  accounts: readonly string[],
): Result<CompiledScenario> {
  const { document, recordings, added } = scenario.source
  const before = scenario.timeline.length
  const timeline = timelineOf(document)
  const loaded = loadSource(
    {
      document: withTimeline(document, [...timeline, ...entries]),
      recordings,
      added: {
        count: (added?.count ?? 0) + entries.length,
        accounts: accounts.slice(scenario.access.length),
      },
    },
    seed,
  )
  if (!loaded.ok) return failure(loaded.problems.map((problem) => renumbered(problem, before)))
  const unknown = unknownRecording(scenario, loaded.value, before)
  if (unknown !== -1) return failure([mistakeAt(nowhere, `actions[${unknown}].path.model`, recordingReason)])
  const past = loaded.value.timeline
    .slice(before)
    .findIndex(({ trigger }) => (plannedMillis(trigger, instantOf) ?? nowMillis) < nowMillis)
  if (past === -1) return success({ ...loaded.value, file: scenario.file })
  const reason = `is past: it is ${millisToIso(nowMillis)}`
  return failure([mistakeAt(nowhere, `actions[${past}].at`, reason)])
}

/**
 * The scenario that a world goes back to when it takes on a running one: that one without what its timeline was given,
 * which may be the world's own.
 */
export function startOf(running: CompiledScenario, own: CompiledScenario | null = null): CompiledScenario {
  const { document, recordings, added } = running.source
  if (added === undefined) return running
  const timeline = timelineOf(document)
  const start = withTimeline(document, timeline.slice(0, timeline.length - added.count))
  if (own !== null) {
    const ofOwn = withTimeline(own.source.document, timelineOf(own.source.document))
    if (JSON.stringify(start) === JSON.stringify(ofOwn)) return own
  }
  const loaded = loadSource({ document: start, recordings }, running.venue.seed)
  assert(loaded.ok, 'a scenario is sound without what it was given later')
  return { ...loaded.value, file: running.file }
}

function timelineOf(document: unknown): readonly unknown[] {
  const timeline = isObject(document) ? document['timeline'] : undefined
  return Array.isArray(timeline) ? timeline : []
}

/** The timeline stands at the document's end then, so that those with equal parts have equal texts. */
function withTimeline(document: unknown, timeline: readonly unknown[]): unknown {
  const { timeline: _, ...rest } = isObject(document) ? document : {}
  return { ...rest, timeline }
}

/**
 * The state of a script that has been given entries from `before` on: their repetitions are planned, and so is what
 * counts from a label that has come already. Their predicates are watched from `fromMillis`.
 */
export function extendedState(
  state: ScriptState,
  timeline: readonly TimelineEntry[],
  before: number,
  fromMillis: Millis,
): ScriptState {
  const added = timeline.slice(before)
  const instants = new Map(state.hand.rows.instants)
  const planned = added.flatMap(({ trigger }, index) => {
    // The agenda itself finds entries at instants of their own.
    const at = trigger.kind === 'at' ? null : plannedMillis(trigger, (label) => instants.get(label) ?? null)
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
 * Choice: a recording is part of what a world is made of (its digest, journal and snapshots name it by its place), so
 * a running world can only be switched to recordings that its scenario's timeline switches to.
 */
const recordingReason =
  'is a recording that the timeline of the scenario does not switch to, so this world does not have it'

/** The first new entry that needs a recording which the running market does not have; -1: none. */
function unknownRecording(running: CompiledScenario, extended: CompiledScenario, before: number): number {
  return extended.timeline.slice(before).findIndex(({ action }) => {
    if (action.kind !== 'path' || action.switchTo?.model.kind !== 'recorded') return false
    const recordings = running.venue.market.assets[action.asset - 1]?.recordings ?? []
    return action.switchTo.model.place >= recordings.length
  })
}

/** When the timeline's entry with an id first acted; null until then. */
type InstantOf = (label: string) => number | null

/** When an entry first acts; null when only the run decides that. */
function plannedMillis(trigger: TimelineEntry['trigger'], instantOf: InstantOf): number | null {
  if (trigger.kind === 'when') return null
  const first = trigger.kind === 'every' ? trigger.from : trigger
  if (first.kind === 'at') return first.at
  const instant = instantOf(first.label)
  return instant === null ? null : instant + first.offsetMillis
}

function renumbered(problem: Mistake, before: number): Mistake {
  const path = problem.path.replace(/^timeline\[(\d+)\]/, (whole, index: string) =>
    Number(index) >= before ? `actions[${Number(index) - before}]` : whole,
  )
  return { ...problem, path }
}
