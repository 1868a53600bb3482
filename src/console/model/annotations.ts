import type { HistoryEntry, RequestRow, WorldMoment } from './documents.ts'
import type { Note } from './notes.ts'

/** Something on the chart that is no price: what the script did, a halt, or a fault. */
export interface Annotation extends WorldMoment {
  readonly kind: 'script' | 'halt' | 'fault' | 'note'
  readonly text: string
  readonly atMillis: number
  /** Instant in milliseconds at which it was over; the same as `atMillis` for what has no length, infinity for what goes on. */
  readonly untilMillis: number
}

/** Lists the annotations of an asset in the order of their instants: script events, halts, faults set and met, and notes. */
export function listAnnotations(
  items: readonly HistoryEntry[],
  requests: readonly RequestRow[],
  asset: string,
  notes: readonly Note[] = [],
): readonly Annotation[] {
  const found: Annotation[] = notes.map((note) => {
    const atMillis = Date.parse(note.at)
    return { ...note, kind: 'note', atMillis, untilMillis: atMillis }
  })
  let halted: number | null = null
  for (const { type, at, sequence, fields, asset: about } of items) {
    const isOthers = about !== null && about !== asset
    const atMillis = Date.parse(at)
    const add = (kind: Annotation['kind'], text: string, untilMillis = atMillis) => {
      found.push({ kind, text, at, sequence, atMillis, untilMillis })
    }
    if (isOthers) continue
    if (type === 'scenario.action') add('script', describeAction(fields))
    else if (type === 'fault-added' || type === 'fault-removed') add('fault', type.replace('-', ' '))
    else if (type === 'pair.halted') {
      halted = found.length
      add('halt', `${fields['symbol'] ?? asset} halted`, Number.POSITIVE_INFINITY)
    } else if (type === 'pair.resumed' && halted !== null) {
      const begun = found[halted]
      if (begun !== undefined) found[halted] = { ...begun, untilMillis: atMillis }
      halted = null
    }
  }
  for (const { fault, at, worldSequence: sequence, requestId } of requests) {
    if (fault === null) continue
    const atMillis = Date.parse(at)
    found.push({
      kind: 'fault',
      text: `${fault} met ${requestId}`,
      at,
      sequence,
      atMillis,
      untilMillis: atMillis,
    })
  }
  return found.sort((left, right) => left.atMillis - right.atMillis)
}

function describeAction({ action, id, problem }: HistoryEntry['fields']): string {
  return [action, id, problem].filter((word) => word !== null && word !== undefined).join(' ')
}
