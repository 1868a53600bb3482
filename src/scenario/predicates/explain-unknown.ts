import { listReadouts, type Predicate, type ReadoutPart } from './predicate.ts'
import { findWildcard, type NamedRows, type ReadoutSource } from './readouts.ts'

/**
 * Explains why a predicate is unknown, as far as more can be said than that a read-out has no value: what it is about
 * was refused or never placed, or there is no row for its wildcard. Returns '' where there is nothing to add.
 */
export function explainUnknown(predicate: Predicate, source: ReadoutSource, rows: NamedRows): string {
  const reasons = new Set<string>()
  for (const { expression } of predicate.parts)
    for (const part of listReadouts(expression)) {
      const reason = explainPart(part, source, rows)
      if (reason !== null) reasons.add(reason)
    }
  return [...reasons].join(', ')
}

function explainPart({ readout }: ReadoutPart, source: ReadoutSource, rows: NamedRows): string | null {
  const { family, label } = readout
  const wildcard = findWildcard(readout)
  if (wildcard !== null) return source.listRows(wildcard).length === 0 ? `there was no ${wildcard}` : null
  if ((family !== 'order' && family !== 'quote') || source.read(readout, null) !== null) return null
  const name = `${family}[${label}]`
  if (source.read({ ...readout, field: 'exists' }, null) === true)
    return readout.field === 'refusal' ? `${name} was accepted and never refused` : null
  const refusals = family === 'order' ? rows.orderRefusals : rows.quoteRefusals
  const refusal = refusals.get(label)
  return refusal === undefined ? `${name} was never placed` : `${name} was refused (${refusal})`
}
