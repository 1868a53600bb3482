import {
  type CompiledScenario,
  happenedLabel,
  type ScriptedMoment,
  type TimelineEntry,
} from '../compile/compiled.ts'
import type { SourceLocation } from '../file/tree.ts'
import type { NamedRows } from '../predicates/readouts.ts'

/** An entry of the timeline that had no effect in a run, with the reason. */
export interface IdleEntry {
  readonly entry: TimelineEntry
  readonly reason: string
}

/** Notes what a run does, and says afterwards which entries of its timeline had no effect. */
export class EffectRecorder {
  private readonly acted = new Set<string>()
  private readonly struck = new Set<number>()

  noteAct(place: SourceLocation): void {
    this.acted.add(toKey(place))
  }

  /** Notes that the fault of this entry, by its index in the timeline, has struck a request. */
  noteStrike(entry: number): void {
    this.struck.add(entry)
  }

  /**
   * Lists the entries without effect, in the order of the file: those that never acted, those that waited in vain, and
   * faults that struck nothing. An await that is required is left out, because it fails by itself.
   */
  listIdle(
    { timeline }: CompiledScenario,
    endMillis: number,
    rows: NamedRows,
    hasClient: boolean,
  ): IdleEntry[] {
    return timeline.flatMap((entry, index): IdleEntry[] => {
      const reason = this.findReason(entry, index, endMillis, rows, hasClient)
      return reason === null ? [] : [{ entry, reason }]
    })
  }

  private findReason(
    entry: TimelineEntry,
    index: number,
    endMillis: number,
    rows: NamedRows,
    hasClient: boolean,
  ): string | null {
    const { action, place } = entry
    if (!this.acted.has(toKey(place))) return explainWait(entry, endMillis, rows)
    if (action.kind === 'await') {
      const label = happenedLabel(entry, index)
      const isMet = label === null || rows.instants.get(label) !== undefined
      return isMet || action.required !== false ? null : 'what it awaits never came'
    }
    if (action.kind !== 'fault' || this.struck.has(index)) return null
    return hasClient ? 'it struck no request' : 'there is no client whose requests it could strike'
  }
}

function explainWait({ trigger }: TimelineEntry, endMillis: number, rows: NamedRows): string {
  if (trigger.kind === 'when') return `${trigger.predicate.text} never became true`
  const moment: ScriptedMoment = trigger.kind === 'every' ? trigger.from : trigger
  const label = moment.kind === 'after' && rows.instants.get(moment.label) === undefined ? moment.label : null
  if (label !== null) return `"${label}" never happened`
  const isLate = moment.kind === 'after' || moment.at > endMillis
  return isLate ? 'it is after the end of the run' : 'it did not act'
}

const toKey = ({ file, line, column }: SourceLocation): string => `${file}:${line}:${column}`
