import type { RateCategory } from '../api/operations/operation.ts'
import type { RateLimits } from '../scenario/compile/compiled.ts'

/*
 * Requests per second, by key and category. It reads the clock that it is given, and is no part of the engine's
 * state. Spec: Limits (30 a second for market data, 10 for everything else). The length and alignment of the window,
 * and what counts, are open in the specification: readings `rate.algorithm` and `rate.clock`.
 */

export type RateAlgorithm = 'fixed' | 'sliding' | 'token-bucket'

export interface RateVerdict {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** When the window resets, or the bucket is full again, by the given clock. */
  readonly resetMillis: number
  /** When a request that was refused may pass. */
  readonly retryMillis: number
}

interface Usage {
  /** Fixed window: its first instant. Token bucket: the instant at which `count` was last right. */
  sinceMillis: number
  /** Fixed window: the requests in it. Token bucket: the tokens that are gone, fractions included. */
  count: number
  /** Sliding window: the instants of the requests in it, oldest first. */
  readonly instants: number[]
}

export class RateLimiter {
  private readonly usages = { marketData: new Map<string, Usage>(), other: new Map<string, Usage>() }
  private current: RateLimits

  constructor(limits: RateLimits) {
    this.current = limits
  }

  get limits(): RateLimits {
    return this.current
  }

  /** Changes what is allowed; what was counted stays. */
  change(limits: RateLimits): void {
    this.current = limits
  }

  start(limits: RateLimits): void {
    this.change(limits)
    this.reset()
  }

  reset(): void {
    this.usages.marketData.clear()
    this.usages.other.clear()
  }

  /** The limit of a category, for a key that has sent nothing: shown on answers that do not count. */
  untouched(category: RateCategory, nowMillis: number): RateVerdict {
    const limit = this.current[category]
    const resetMillis = this.windowEnd(nowMillis)
    return { isAllowed: true, limit, remaining: limit, resetMillis, retryMillis: resetMillis }
  }

  /** Counts a request of a key, unless it is over the limit: refused requests do not count. */
  take(apiKey: string, category: RateCategory, algorithm: RateAlgorithm, nowMillis: number): RateVerdict {
    return this.count(this.usageOf(apiKey, category), category, algorithm, nowMillis)
  }

  /** What `take` would answer, without counting. */
  peek(apiKey: string, category: RateCategory, algorithm: RateAlgorithm, nowMillis: number): RateVerdict {
    // Also called for unknown keys, which must not be kept.
    const usage = this.usages[category].get(apiKey) ?? unused
    return this.count({ ...usage, instants: [...usage.instants] }, category, algorithm, nowMillis)
  }

  /** What a key may still send, without counting. */
  standing(apiKey: string, category: RateCategory, algorithm: RateAlgorithm, nowMillis: number): RateVerdict {
    const next = this.peek(apiKey, category, algorithm, nowMillis)
    if (!this.current.isEnabled || !next.isAllowed) return next
    return { ...next, remaining: Math.min(next.remaining + 1, next.limit) }
  }

  private count(
    usage: Usage,
    category: RateCategory,
    algorithm: RateAlgorithm,
    nowMillis: number,
  ): RateVerdict {
    if (!this.current.isEnabled) return this.untouched(category, nowMillis)
    const limit = this.current[category]
    if (algorithm === 'sliding') return this.takeSliding(usage, limit, nowMillis)
    if (algorithm === 'token-bucket') return this.takeToken(usage, limit, nowMillis)
    return this.takeFixed(usage, limit, nowMillis)
  }

  private takeFixed(usage: Usage, limit: number, nowMillis: number): RateVerdict {
    const resetMillis = this.windowEnd(nowMillis)
    const start = resetMillis - this.current.windowMillis
    if (usage.sinceMillis !== start) {
      usage.sinceMillis = start
      usage.count = 0
    }
    const isAllowed = usage.count < limit
    if (isAllowed) usage.count += 1
    const remaining = Math.max(0, limit - usage.count)
    return { isAllowed, limit, remaining, resetMillis, retryMillis: resetMillis }
  }

  private takeSliding(usage: Usage, limit: number, nowMillis: number): RateVerdict {
    const { instants } = usage
    const gone = nowMillis - this.current.windowMillis
    let old = 0
    while (old < instants.length && (instants[old] ?? 0) <= gone) old += 1
    instants.splice(0, old)
    const isAllowed = instants.length < limit
    if (isAllowed) instants.push(nowMillis)
    const resetMillis = (instants[0] ?? nowMillis) + this.current.windowMillis
    const remaining = Math.max(0, limit - instants.length)
    return { isAllowed, limit, remaining, resetMillis, retryMillis: resetMillis }
  }

  private takeToken(usage: Usage, limit: number, nowMillis: number): RateVerdict {
    const millisPerToken = this.current.windowMillis / Math.max(limit, 1)
    const refilled = Math.max(0, nowMillis - usage.sinceMillis) / millisPerToken
    usage.count = Math.max(0, usage.count - refilled)
    usage.sinceMillis = nowMillis
    const isAllowed = usage.count + 1 <= limit + roundingError
    if (isAllowed) usage.count += 1
    const remaining = Math.max(0, Math.floor(limit - usage.count))
    const after = (tokens: number) => Math.ceil(nowMillis + Math.max(0, tokens) * millisPerToken)
    const retryMillis = after(usage.count + 1 - limit)
    return { isAllowed, limit, remaining, resetMillis: after(usage.count), retryMillis }
  }

  /** Windows are aligned to the clock, so the windows of all keys turn over at the same instant. */
  private windowEnd(nowMillis: number): number {
    const { windowMillis } = this.current
    return (Math.floor(nowMillis / windowMillis) + 1) * windowMillis
  }

  private usageOf(apiKey: string, category: RateCategory): Usage {
    const usages = this.usages[category]
    const known = usages.get(apiKey)
    if (known !== undefined) return known
    const usage: Usage = { ...unused, instants: [] }
    usages.set(apiKey, usage)
    return usage
  }
}

/** Of tokens, which come in fractions. */
const roundingError = 1e-9
const unused: Usage = { sinceMillis: 0, count: 0, instants: [] }
