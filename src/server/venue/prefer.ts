import type { Problem } from '../../api/errors.ts'
import type { FaultRule } from '../../api/faults/fault-rule.ts'
import { type Readings, readingEntries, resolveReadings } from '../../api/readings/readings.ts'
import { pairOf, preferredFault } from './preferred-fault.ts'

/** What a request's Prefer header asks for, and what the answer says of that. */
export interface Preference {
  readonly readings: Readings
  /** The fault that is asked for; null: none. */
  readonly fault: FaultRule | null
  /** For the Preference-Applied header; null when nothing was asked for. */
  readonly applied: string | null
  readonly problem: Problem | null
}

/**
 * Reads `Prefer: reading.envelope=wrapped, reading.nulls=omitted` and `Prefer: fault=reset_peer;phase=after` (RFC 7240).
 * Other preferences are ignored, as the RFC asks; a reading or fault that does not exist is refused, because silence
 * would hide the mistake.
 */
export function readPreference(header: string | undefined, base: Readings): Preference {
  if (header === undefined || !/reading\.|fault|code|delay/i.test(header)) {
    return { readings: base, fault: null, applied: null, problem: null }
  }
  const fault = preferredFault(header)
  if (fault !== null && !fault.ok) return refused(base, fault.flaw)
  const wanted = new Map<string, string>()
  for (const part of header.split(/[,;]/)) {
    const [name, value] = pairOf(part)
    const key = /^reading\./i.test(name) ? name.slice('reading.'.length) : ''
    if (key === '') continue
    if (processWide.has(key)) return refused(base, { field: key, reason: 'cannot be set for one request' })
    // If a preference is given twice, the first counts, as the RFC says.
    if (!wanted.has(key)) wanted.set(key, value)
  }
  const resolved = resolveReadings(Object.fromEntries(wanted), base)
  if (!resolved.ok) return refused(base, resolved.flaw)
  const applied = [...wanted].map(([key, value]) => `reading.${key}=${value}`)
  if (fault !== null) applied.push(fault.value.applied)
  return {
    readings: resolved.value,
    fault: fault === null ? null : fault.value.rule,
    applied: applied.length === 0 ? null : applied.join(', '),
    problem: null,
  }
}

const processWide = new Set<string>(
  readingEntries.filter((entry) => !entry.perRequest).map((entry) => entry.key),
)

function refused(base: Readings, flaw: { field: string; reason: string; hint?: string }): Preference {
  const { field, reason, hint } = flaw
  const problem: Problem = { code: 'invalid-parameter', field: 'Prefer', reason: `${field} ${reason}` }
  return {
    readings: base,
    fault: null,
    applied: null,
    problem: hint === undefined ? problem : { ...problem, hint },
  }
}
