import { Hash128 } from '../../numeric/hash.ts'
import type { FaultRule } from './fault-types.ts'

/** A rule in force, and its counts. */
export interface ActiveFault {
  readonly id: string
  readonly rule: FaultRule
  /** When it ends by itself, in the world's time; null: never. */
  readonly untilMillis: number | null
  /** How many requests it has matched. */
  readonly matched: number
  /** How many of them it has struck. */
  readonly fired: number
}

/** How the ids of rules begin that a scenario's script installs; the token of the action follows. */
export const scriptedPrefix = 'script.'

/**
 * A venue's digest, with the rules in force and their counts. Choice: without rules it is the venue's own, so that a
 * world can be compared with runs that have no world around their engine.
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

/** A rule's fields in a fixed order, however they were written. */
function canonical(rule: FaultRule): unknown {
  const sorted = (value: object) => Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return sorted({ ...rule, match: sorted(rule.match), attributes: sorted(rule.attributes) })
}
