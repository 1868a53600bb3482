import type { Expectation } from '../compile/compiled.ts'
import { evaluateNumber, type ReadoutSource, valueText } from '../predicates/evaluate-predicate.ts'
import type { NamedRows } from '../predicates/named-rows.ts'
import type { Expression } from '../predicates/predicate.ts'
import type { Place } from '../read/tree.ts'

/** A recorded value as it is in this run, and the text in the file that it replaces. */
export interface RecordedNow {
  readonly place: Place
  readonly length: number
  readonly text: string
}

/** The recorded values of those expectations that are judged at this very instant. */
export function recordedNow(
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
