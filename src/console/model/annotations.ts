import type { Note } from '../../api/noted-moments.ts'
import type { HistoryEntry, RequestRow, WorldMoment } from './documents.ts'

/** Something on the chart that is no price: what the script did, a halt, or a fault. */
export interface ChartLabel extends WorldMoment {
  readonly kind: 'script' | 'halt' | 'fault' | 'note'
  readonly text: string
  readonly atMillis: number
  /**
   * Instant in milliseconds at which it was over; the same as `atMillis` for what has no length, infinity for what goes
   * on.
   */
  readonly untilMillis: number
}

/** Lists the annotations of an asset in the order of their instants: script events, halts, faults set and met, and notes. */
export function listAnnotations(
  items: readonly HistoryEntry[],
  requests: readonly RequestRow[],
  asset: string,
  notes: readonly Note[] = [],
): readonly ChartLabel[] {
  const found: ChartLabel[] = notes.map((note) => {
    const atMillis = Date.parse(note.at)
    return { ...note, kind: 'note', atMillis, untilMillis: atMillis }
  })
  let halted: number | null = null
  const add = (
    { at, sequence }: WorldMoment,
    kind: ChartLabel['kind'],
    text: string,
    untilMillis = Date.parse(at),
  ) => {
    found.push({ kind, text, at, sequence, atMillis: Date.parse(at), untilMillis })
  }
  for (const item of items) {
    const { type, fields } = item
    if (item.asset !== null && item.asset !== asset) continue
    if (type === 'scenario.action') add(item, 'script', describeAction(fields))
    else if (type === 'fault-added' || type === 'fault-removed') add(item, 'fault', type.replace('-', ' '))
    else if (type === 'pair.halted') {
      halted = found.length
      add(item, 'halt', `${fields['symbol'] ?? asset} halted`, Number.POSITIVE_INFINITY)
    } else if (type === 'pair.resumed' && halted !== null) {
      const begun = found[halted]
      if (begun !== undefined) found[halted] = { ...begun, untilMillis: Date.parse(item.at) }
      halted = null
    }
  }
  for (const { fault, at, worldSequence: sequence, requestId } of requests)
    if (fault !== null) add({ at, sequence }, 'fault', `${fault} met ${requestId}`)
  return found.sort((left, right) => left.atMillis - right.atMillis)
}

function describeAction({ action, id, problem }: HistoryEntry['fields']): string {
  return [action, id, problem].filter((word) => word !== null && word !== undefined).join(' ')
}
