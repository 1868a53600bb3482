import type { RateCategory } from '../api/operations/operation.ts'
import type { RateLimits } from '../scenario/compile/compiled.ts'

/*
 * Rate limits by key and category. The caller passes the time, and none of this is part of the engine's state. Spec:
 * Limits (30 requests a second for market data, 10 for everything else). The specification leaves open how long the
 * window is, how it is aligned and what counts: see the readings `rate.algorithm` and `rate.clock`.
 *
 * The caller's clock may be set back. A count that lies ahead of it by at most one window is of requests that have
 * overtaken a delayed one, and still counts. One that lies further ahead is from before the clock was set back, and is
 * past. So no key is refused for longer than two windows, however far the clock goes back.
 */

export type RateAlgorithm = 'fixed' | 'sliding' | 'token-bucket'

/** Whether a request is within its rate limit, and how much of the limit is left. */
export interface RateVerdict {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** When the window resets, or the bucket is full again, by the caller's clock. */
  readonly resetMillis: number
  /** When a refused request may be sent again, by the caller's clock. */
  readonly retryMillis: number
}

interface Usage {
  /** The first instant of a fixed window, or the instant to which a token bucket's `count` refers. */
  sinceMillis: number
  /** The requests in a fixed window, or the tokens missing from a bucket, fractions included. */
  count: number
  /** The instants of the requests in a sliding window, oldest first. */
  readonly instants: number[]
}

/** Counts the requests of all keys of one world against its rate limits. */
export class RateLimiter {
  private readonly usages = { marketData: new Map<string, Usage>(), other: new Map<string, Usage>() }
  private current: RateLimits

  constructor(limits: RateLimits) {
    this.current = limits
  }

  get limits(): RateLimits {
    return this.current
  }

  /** Changes the limits and keeps the counts. */
  changeLimits(limits: RateLimits): void {
    this.current = limits
  }

  /** Sets the limits and forgets all counts. */
  restart(limits: RateLimits): void {
    this.changeLimits(limits)
    this.reset()
  }

  /** Forgets all counts and keeps the limits. */
  reset(): void {
    this.usages.marketData.clear()
    this.usages.other.clear()
  }

  /** Returns the verdict for a key that has sent nothing. Answers to requests that are not counted show it. */
  unusedVerdict(category: RateCategory, nowMillis: number): RateVerdict {
    const limit = this.current[category]
    const resetMillis = this.windowEndMillis(nowMillis)
    return { isAllowed: true, limit, remaining: limit, resetMillis, retryMillis: resetMillis }
  }

  /** Counts a request of a key and returns whether it is allowed. A request over the limit is not counted. */
  countRequest(
    apiKey: string,
    category: RateCategory,
    algorithm: RateAlgorithm,
    nowMillis: number,
  ): RateVerdict {
    return this.applyAlgorithm(this.findOrAddUsage(apiKey, category), category, algorithm, nowMillis)
  }

  /** Returns the verdict that `countRequest` would return, without counting the request. */
  peek(apiKey: string, category: RateCategory, algorithm: RateAlgorithm, nowMillis: number): RateVerdict {
    // Called for unknown keys too, which must not take up memory.
    const usage = this.usages[category].get(apiKey) ?? noUsage
    return this.applyAlgorithm({ ...usage, instants: [...usage.instants] }, category, algorithm, nowMillis)
  }

  /** Returns how many requests a key may still send, without counting one. */
  allowance(
    apiKey: string,
    category: RateCategory,
    algorithm: RateAlgorithm,
    nowMillis: number,
  ): RateVerdict {
    const next = this.peek(apiKey, category, algorithm, nowMillis)
    if (!this.current.isEnabled || !next.isAllowed) return next
    return { ...next, remaining: Math.min(next.remaining + 1, next.limit) }
  }

  private applyAlgorithm(
    usage: Usage,
    category: RateCategory,
    algorithm: RateAlgorithm,
    nowMillis: number,
  ): RateVerdict {
    if (!this.current.isEnabled) return this.unusedVerdict(category, nowMillis)
    const limit = this.current[category]
    if (algorithm === 'sliding') return this.countInSlidingWindow(usage, limit, nowMillis)
    if (algorithm === 'token-bucket') return this.takeToken(usage, limit, nowMillis)
    return this.countInFixedWindow(usage, limit, nowMillis)
  }

  private countInFixedWindow(usage: Usage, limit: number, nowMillis: number): RateVerdict {
    const { windowMillis } = this.current
    const start = this.windowEndMillis(nowMillis) - windowMillis
    const isOvertaken = usage.sinceMillis > start && usage.sinceMillis <= start + windowMillis
    if (usage.sinceMillis !== start && !isOvertaken) {
      usage.sinceMillis = start
      usage.count = 0
    }
    const resetMillis = usage.sinceMillis + windowMillis
    const isAllowed = usage.count < limit
    if (isAllowed) usage.count += 1
    const remaining = Math.max(0, limit - usage.count)
    return { isAllowed, limit, remaining, resetMillis, retryMillis: resetMillis }
  }

  private countInSlidingWindow(usage: Usage, limit: number, nowMillis: number): RateVerdict {
    const { instants } = usage
    const { windowMillis } = this.current
    const gone = nowMillis - windowMillis
    let old = 0
    while (old < instants.length && (instants[old] ?? 0) <= gone) old += 1
    instants.splice(0, old)
    while ((instants.at(-1) ?? nowMillis) > nowMillis + windowMillis) instants.pop()
    const isAllowed = instants.length < limit
    // A request that was overtaken has its place before the later ones.
    if (isAllowed) instants.splice(instants.findLastIndex((at) => at <= nowMillis) + 1, 0, nowMillis)
    const resetMillis = (instants[0] ?? nowMillis) + this.current.windowMillis
    const remaining = Math.max(0, limit - instants.length)
    return { isAllowed, limit, remaining, resetMillis, retryMillis: resetMillis }
  }

  private takeToken(usage: Usage, limit: number, nowMillis: number): RateVerdict {
    const { windowMillis } = this.current
    const millisPerToken = windowMillis / Math.max(limit, 1)
    const isSetBack = usage.sinceMillis > nowMillis + windowMillis
    const atMillis = isSetBack ? nowMillis : Math.max(nowMillis, usage.sinceMillis)
    const refilled = (atMillis - usage.sinceMillis) / millisPerToken
    usage.count = isSetBack ? 0 : Math.max(0, usage.count - refilled)
    usage.sinceMillis = atMillis
    const isAllowed = usage.count + 1 <= limit + tokenTolerance
    if (isAllowed) usage.count += 1
    const remaining = Math.max(0, Math.floor(limit - usage.count))
    const after = (tokens: number) => Math.ceil(atMillis + Math.max(0, tokens) * millisPerToken)
    const retryMillis = after(usage.count + 1 - limit)
    return { isAllowed, limit, remaining, resetMillis: after(usage.count), retryMillis }
  }

  /** Returns the end of the fixed window around an instant. Windows are aligned to the clock, alike for all keys. */
  private windowEndMillis(nowMillis: number): number {
    const { windowMillis } = this.current
    return (Math.floor(nowMillis / windowMillis) + 1) * windowMillis
  }

  private findOrAddUsage(apiKey: string, category: RateCategory): Usage {
    const usages = this.usages[category]
    const known = usages.get(apiKey)
    if (known !== undefined) return known
    const usage: Usage = { ...noUsage, instants: [] }
    usages.set(apiKey, usage)
    return usage
  }
}

/** How much of a token may be missing, because fractions of tokens are rounded. */
const tokenTolerance = 1e-9
const noUsage: Usage = { sinceMillis: 0, count: 0, instants: [] }
