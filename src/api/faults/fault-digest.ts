import { Hash128 } from '../../numeric/hash.ts'
import type { FaultRule } from './fault-rule.ts'

/** A rule in force, and how far it has counted. */
export interface ActiveFault {
  readonly id: string
  readonly rule: FaultRule
  /** When it goes by itself, in the world's time; null: never. */
  readonly untilMillis: number | null
  /** Requests that it was about. */
  readonly matched: number
  /** Those of them that it struck. */
  readonly fired: number
}

/** What the rules of a scenario's script are called, before the name of what has installed them. */
export const scriptedPrefix = 'script.'

/**
 * A venue's digest with the rules in force and what they have counted. Choice: without rules it is the venue's own, so
 * that a world can be compared with runs that have no world about their engine.
 */
export function digestWithFaults(digest: string, rules: readonly ActiveFault[]): string {
  if (rules.length === 0) return digest
  const hash = new Hash128()
  hash.addText(digest)
  for (const { id, rule, untilMillis, matched, fired } of rules) {
    hash.addText(JSON.stringify([id, canonical(rule), untilMillis]))
    hash.addInteger(matched)
    hash.addInteger(fired)
  }
  return hash.digest()
}

/** A rule's fields in one order, however they were written. */
function canonical(rule: FaultRule): unknown {
  const sorted = (value: object) => Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return sorted({ ...rule, match: sorted(rule.match), attributes: sorted(rule.attributes) })
}
