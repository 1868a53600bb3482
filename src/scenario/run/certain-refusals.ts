import { Venue } from '../../engine/venue.ts'
import type { ActionLabel, RefusalContext } from '../actions/action.ts'
import { findActionLabel, kindOf, type ScriptedAction } from '../actions/actions.ts'
import type { CompiledScenario, TimelineEntry, Trigger } from '../compile/compiled.ts'
import type { SourceLocation } from '../file/tree.ts'
import { listScenarioReadouts } from './action-runner.ts'

export interface CertainRefusal {
  readonly place: SourceLocation
  readonly reason: string
}

/**
 * Finds actions that are certain to be refused and whose refusal no predicate asks about, in the order of the
 * timeline: orders and quotes beyond bounds that nothing in the file changes, client ids used twice, and changes of
 * what does not exist yet or has always ended. What depends on prices, balances or clients is left to the run.
 */
export function findCertainRefusals(scenario: CompiledScenario): readonly CertainRefusal[] {
  const { state } = Venue.open(scenario.venue, { emit: () => {} })
  const { timeline } = scenario
  const asked = listAskedTargets(scenario)
  const story = summarizeTimeline(timeline)
  const clientIds = new Set<string>()
  return timeline.flatMap((entry, line): CertainRefusal[] => {
    const { action, place } = entry
    const subject = findActionLabel(action)
    const target = subject === null ? null : formatTarget(subject)
    if (target !== null && asked.has(target)) return []
    const reason =
      target !== null && subject?.isMade === false
        ? findWrongTiming(target, entry, line, story)
        : (kindOf(action.kind).findCertainRefusal?.(action, { state, ...story }) ??
          findReusedClientId(action, entry.trigger, clientIds, scenario.readings))
    return reason === null ? [] : [{ place, reason }]
  })
}

/** What a timeline changes and makes, gathered once because it may have many thousand entries. */
interface TimelineSummary extends Omit<RefusalContext, 'state'> {
  /**
   * The entries that make an order or a quote, by `order LABEL` and `quote LABEL`, with their indices in the
   * timeline.
   */
  readonly makers: ReadonlyMap<string, readonly Maker[]>
}

interface Maker {
  readonly entry: TimelineEntry
  readonly line: number
}

function summarizeTimeline(timeline: readonly TimelineEntry[]): TimelineSummary {
  const changedPairs = new Set<number>()
  const changedLimits = new Set<number>()
  const makers = new Map<string, Maker[]>()
  for (const [line, entry] of timeline.entries()) {
    const { action } = entry
    const { pairs = [], limits } = kindOf(action.kind).changes?.(action) ?? {}
    for (const asset of pairs) changedPairs.add(asset)
    if (limits !== undefined) changedLimits.add(limits)
    for (const made of listMade(action)) makers.set(made, [...(makers.get(made) ?? []), { entry, line }])
  }
  return { changedPairs, changedLimits, makers }
}

const formatTarget = ({ kind, label }: ActionLabel): string => `${kind} ${label}`

function listMade(action: ScriptedAction): readonly string[] {
  if (action.kind === 'await')
    return action.bind === undefined ? [] : [`order ${action.bind}`, `quote ${action.bind}`]
  const subject = findActionLabel(action)
  return subject?.isMade === true ? [formatTarget(subject)] : []
}

/** Lists `order LABEL` and `quote LABEL` for every label whose refusal or existence a predicate reads. */
function listAskedTargets(scenario: CompiledScenario): ReadonlySet<string> {
  const asked = new Set<string>()
  for (const readout of listScenarioReadouts(scenario)) {
    if (readout.family !== 'order' && readout.family !== 'quote') continue
    const isAbout = readout.field === 'refusal' || readout.field === 'exists'
    if (isAbout) asked.add(`${readout.family} ${readout.label}`)
  }
  return asked
}

function findReusedClientId(
  action: ScriptedAction,
  trigger: Trigger,
  used: Set<string>,
  readings: ReadonlyMap<string, string>,
): string | null {
  const id = kindOf(action.kind).clientId?.(action)
  if (id === undefined || (readings.get('clientId.duplicate') ?? '409') !== '409') return null
  const key = `${action.kind} ${'account' in action ? action.account : ''} ${id}`
  const isSecond = used.has(key)
  used.add(key)
  if (isSecond) return `the account has used the client id "${id}" before`
  return trigger.kind === 'every' ? `the client id "${id}" is used again at each repetition` : null
}

/**
 * Returns why the target does not exist when the entry acts; null also for labels that several entries or a client's
 * request give.
 */
function findWrongTiming(
  target: string,
  { trigger }: TimelineEntry,
  line: number,
  { makers }: TimelineSummary,
): string | null {
  const [first, second] = makers.get(target) ?? []
  if (first === undefined || second !== undefined) return null
  const maker = first.entry
  const [made, used] = [instantOf(maker.trigger), instantOf(trigger)]
  const isEarlier = made !== null && used !== null && (used < made || (used === made && line < first.line))
  if (isEarlier)
    return `there is no ${target.replace(' ', ' "')}" yet: it comes later (line ${maker.place.line})`
  const isMarket = maker.action.kind === 'order' && maker.action.orderType === 'market'
  return isMarket ? `"${target.slice('order '.length)}" is a market order, which never rests` : null
}

const instantOf = (trigger: Trigger): number | null => (trigger.kind === 'at' ? trigger.at : null)
