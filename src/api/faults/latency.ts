import { exp, log } from '../../numeric/portable-math.ts'
import type { RandomStream } from '../../numeric/random.ts'
import type { FaultAttributes } from './fault-rule.ts'
import { longestMillis } from './fault-rule.ts'

/** The standard normal's 99th percentile. */
const z99 = 2.3263478740408408

/**
 * How late one request is by a rule's latency, in whole milliseconds. `fixed` takes `latencyMs`, `uniform` takes
 * `minMs` and `maxMs`, `normal` `meanMs` and `deviationMs`, `lognormal` its median `p50Ms` and its `p99Ms`; then
 * `jitterMs` in either direction. `minMs` and `maxMs` bound each of them, and 0 and a day bound all.
 */
export function latencyMillis(attributes: FaultAttributes, draws: RandomStream): number {
  const { jitterMs = 0, minMs = 0, maxMs = longestMillis } = attributes
  const jitter = jitterMs === 0 ? 0 : (2 * draws.uniform() - 1) * jitterMs
  const late = middle(attributes, draws) + jitter
  return Math.round(Math.min(Math.max(late, minMs), maxMs))
}

function middle(attributes: FaultAttributes, draws: RandomStream): number {
  const {
    latencyMs = 0,
    minMs = 0,
    maxMs = 0,
    meanMs = 0,
    deviationMs = 0,
    p50Ms = 1,
    p99Ms = 1,
  } = attributes
  switch (attributes.distribution ?? 'fixed') {
    case 'fixed':
      return latencyMs
    case 'uniform':
      return minMs + draws.uniform() * (maxMs - minMs)
    case 'normal':
      return meanMs + draws.normal() * deviationMs
    case 'lognormal':
      return p50Ms * exp((log(p99Ms / p50Ms) / z99) * draws.normal())
  }
}
