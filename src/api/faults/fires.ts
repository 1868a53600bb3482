import { createStream, type RandomStream } from '../../numeric/random.ts'
import type { FaultRule } from './fault-rule.ts'

/**
 * Whether a rule strikes at its n-th match (from 1), having struck `fired` times before. Apart from `count`, which
 * bounds the strikes, it is a pure function of seed, rule and n: other rules and other requests never shift it.
 * Design, section 16: first `skip` matches, then every `every`-th, the first of them included, at most `count` times.
 */
export function fires(seed: string, rule: FaultRule, n: number, fired: number): boolean {
  const { match, count, skip, every, toxicity } = rule
  if (count !== null && fired >= count) return false
  if (match.nth !== null && n !== match.nth) return false
  if (n <= skip || (n - skip - 1) % every !== 0) return false
  return toxicity >= 1 || drawsOf(seed, rule, n).uniform() < toxicity
}

/**
 * The draws of a rule's n-th match: the first decides whether it strikes, the others how. A rule with an id draws
 * from the stream of that id; one without draws from the stream of what it matches and does. So neither the number
 * nor the order of rules plays a part, nor how often a rule may strike.
 */
export function drawsOf(seed: string, rule: FaultRule, n: number): RandomStream {
  return createStream(seed, 'fault', rule.id ?? nameOf(rule), n)
}

function nameOf({ match, type, phase }: FaultRule): string {
  const { method, path, key, account, asset, side } = match
  return JSON.stringify([method, path, key, account, asset, side, type, phase])
}
