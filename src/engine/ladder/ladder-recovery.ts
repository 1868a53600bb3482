import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { buy, type Side, sell } from '../codes.ts'

export interface LadderRecoverySnapshot {
  /** The instant at which `bids` and `asks` were missing. */
  readonly sinceMillis: number
  /** The USD missing by level, as deep as anything is missing. */
  readonly bids: readonly number[]
  readonly asks: readonly number[]
  /** When the last sweep was; 0: never, or long ago. */
  readonly pulledAtMillis: number
}

export interface RecoveryRule {
  readonly refillHalfLifeMillis: number
  readonly pull: number
  readonly pullHalfLifeMillis: number
  /**
   * Returns the time that would bring back as much in a calm market: the integral of pace / max(1, activity) over the
   * span. Where it is above a limit, any number above that.
   */
  calmMillisBetween(fromMillis: number, toMillis: number, limitMillis: number): number
}

const nothing: Float64Array = new Float64Array(0)
const never = Number.POSITIVE_INFINITY

/**
 * The quantity that was taken from the levels of a ladder and is not back yet (market.md section 3, resilience): at
 * level j half of it returns every `refillHalfLifeMillis` (by default 2 s) * (1 + 0.15 j) * max(1, activity). After a
 * sweep of more than half the depth within 10 basis points, the levels further away lose a share, which returns with
 * its own half-life.
 *
 * Only hits and changes of the rule are stored; what is missing at a later instant is computed. So reads leave no
 * trace, and what is missing at the end of a span does not depend on how the span is split.
 *
 * Choice: only levels beyond 10 basis points are withdrawn, so that the touch is back as fast as the resilience test
 * of market.md requires. Less than a cent counts as nothing.
 */
export class LadderRecovery {
  private readonly rule: RecoveryRule
  private sinceMillis = 0
  private bids = nothing
  private asks = nothing
  private pulledAtMillis = 0
  /** The instants from which on each side is known to be whole again. */
  private readonly wholeAtMillis: [bids: number, asks: number] = [never, never]
  /** The time of a calm market after which a side is whole again for certain, by side; NaN: not worked out yet. */
  private readonly calmLimitMillis: [bids: number, asks: number] = [Number.NaN, Number.NaN]

  constructor(rule: RecoveryRule) {
    this.rule = rule
  }

  /**
   * Returns the instant of the last hit that is remembered; where levels are whole again at once, that of the last
   * sweep.
   */
  get sinceAtMillis(): number {
    return Math.max(this.sinceMillis, this.pulledAtMillis)
  }

  /**
   * Adds the USD taken from each level of both sides, the last of it at `atMillis`. With `isSweep`, much of it was
   * taken at once.
   */
  add(atMillis: number, bids: Float64Array, asks: Float64Array, isSweep: boolean): void {
    if (this.rule.refillHalfLifeMillis > 0) {
      this.bids = this.addToMissing(buy, atMillis, bids)
      this.asks = this.addToMissing(sell, atMillis, asks)
      this.sinceMillis = atMillis
      this.resetCaches()
    }
    if (isSweep && this.rule.pull > 0) this.pulledAtMillis = atMillis
  }

  /** Stores what is still missing at an instant, because the rule changes there. */
  settle(atMillis: number): void {
    const bids = this.missingAt(buy, atMillis)
    const asks = this.missingAt(sell, atMillis)
    this.bids = bids ?? nothing
    this.asks = asks ?? nothing
    if (bids !== null || asks !== null) this.sinceMillis = atMillis
    this.resetCaches()
  }

  /** Returns the USD missing by level at an instant not before the last hit; null when the side is whole. */
  missingAt(side: Side, atMillis: number): Float64Array | null {
    const taken = side === buy ? this.bids : this.asks
    if (taken.length === 0 || atMillis >= this.wholeAtMillis[side]) return null
    const left = this.decay(side, taken, atMillis)
    if (left === null) this.wholeAtMillis[side] = atMillis
    return left
  }

  /** Returns the factor on the depth beyond 10 basis points. */
  farDepthAt(atMillis: number): number {
    const { pull, pullHalfLifeMillis } = this.rule
    if (this.pulledAtMillis === 0) return 1
    const halves = (atMillis - this.pulledAtMillis) / pullHalfLifeMillis
    return 1 - pull * exp(-ln2 * halves)
  }

  isActive(atMillis: number): boolean {
    return (
      this.farDepthAt(atMillis) !== 1 ||
      this.missingAt(buy, atMillis) !== null ||
      this.missingAt(sell, atMillis) !== null
    )
  }

  /**
   * Captures what is missing; null when all is back at an instant, the earliest that will be asked about again. A hit
   * after the market's last step is always kept, because refreshes until the next one are of its instant.
   */
  capture(atMillis: number, stepAtMillis: number): LadderRecoverySnapshot | null {
    if (this.sinceAtMillis <= stepAtMillis && !this.isActive(atMillis)) return null
    return {
      sinceMillis: this.sinceMillis,
      bids: Array.from(this.bids),
      asks: Array.from(this.asks),
      // A withdrawal that has come back is left out, so that venues with equal futures have equal snapshots.
      pulledAtMillis: this.farDepthAt(atMillis) === 1 ? 0 : this.pulledAtMillis,
    }
  }

  restore(from: LadderRecoverySnapshot | null): void {
    this.sinceMillis = from?.sinceMillis ?? 0
    this.bids = Float64Array.from(from?.bids ?? [])
    this.asks = Float64Array.from(from?.asks ?? [])
    this.pulledAtMillis = from?.pulledAtMillis ?? 0
    this.resetCaches()
  }

  private resetCaches(): void {
    const { calmLimitMillis, wholeAtMillis } = this
    wholeAtMillis[buy] = never
    wholeAtMillis[sell] = never
    calmLimitMillis[buy] = Number.NaN
    calmLimitMillis[sell] = Number.NaN
  }

  private addToMissing(side: Side, atMillis: number, added: Float64Array): Float64Array {
    const left = this.missingAt(side, atMillis)
    const depth = Math.max(countLevels(added), left?.length ?? 0)
    if (depth === 0) return nothing
    const sum = new Float64Array(depth)
    for (let level = 0; level < depth; level += 1) sum[level] = (left?.[level] ?? 0) + (added[level] ?? 0)
    return sum
  }

  private decay(side: Side, taken: Float64Array, atMillis: number): Float64Array | null {
    const { calmLimitMillis } = this
    const { refillHalfLifeMillis } = this.rule
    if (Number.isNaN(calmLimitMillis[side]))
      calmLimitMillis[side] = refillHalfLifeMillis * halvesUntilWhole(taken)
    const limitMillis = calmLimitMillis[side]
    const calmMillis = this.rule.calmMillisBetween(this.sinceMillis, atMillis, limitMillis)
    if (calmMillis === 0) return taken
    if (calmMillis > limitMillis) return null
    const halves = calmMillis / refillHalfLifeMillis
    const left = new Float64Array(taken.length)
    let isMissing = false
    for (let level = 0; level < taken.length; level += 1) {
      const usd = element(taken, level) * exp((-ln2 * halves) / slowness(level))
      if (usd < leastUsd) continue
      left[level] = usd
      isMissing = true
    }
    return isMissing ? left : null
  }
}

const ln2 = Math.LN2
const leastUsd = 0.01

/** Returns how many times as long as the best level another level takes to refill. */
const slowness = (level: number): number => 1 + 0.15 * level

/**
 * Returns the half-lives of the best level after which nothing counts as missing; one more than it takes, for the
 * rounding.
 */
function halvesUntilWhole(taken: Float64Array): number {
  let most = leastUsd
  let deepest = 0
  for (let level = 0; level < taken.length; level += 1) {
    const usd = element(taken, level)
    if (usd < leastUsd) continue
    deepest = level
    if (usd > most) most = usd
  }
  return (log(most / leastUsd) / ln2 + 1) * slowness(deepest)
}

function countLevels(taken: Float64Array): number {
  let depth = taken.length
  while (depth > 0 && element(taken, depth - 1) === 0) depth -= 1
  return depth
}
