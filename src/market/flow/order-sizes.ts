import { exp, inverseNormal, log } from '../../numeric/portable-math.ts'
import type { HawkesFlowSpec } from './flow-spec.ts'

/**
 * Order values: log-normal, except for the largest twentieth, which has a Pareto tail of index 1.5, cut at the
 * maximum.
 */
export class OrderSizes {
  private readonly spec: HawkesFlowSpec
  private readonly tailFromUsd: number

  constructor(spec: HawkesFlowSpec) {
    this.spec = spec
    this.tailFromUsd = spec.medianUsd * exp(spec.sizeSd * inverseNormal(1 - tailShare))
  }

  /** Returns the value in USD below which a share of the orders lies, 0 to 1. */
  valueAt(share: number): number {
    const { maximumUsd, medianUsd, sizeSd } = this.spec
    const within = Math.min(Math.max(share, leastShare), 1 - leastShare)
    const isTail = within > 1 - tailShare
    const power = isTail ? log((1 - within) / tailShare) / -tailIndex : sizeSd * inverseNormal(within)
    return Math.min((isTail ? this.tailFromUsd : medianUsd) * exp(power), maximumUsd)
  }
}

const tailShare = 0.05
const tailIndex = 1.5
/** Keeps a share off 0 and 1, where no value is. */
const leastShare = 1e-15
