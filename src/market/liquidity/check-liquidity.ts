import { millisPerDay } from '../../numeric/time-text.ts'
import { type FieldProblem, range, spanRange } from '../../shape/field-problem.ts'
import { largestPermanent } from './impact.ts'
import { LadderShape } from './ladder-shape.ts'
import type { ImpactSpec, LiquidityDynamics, LiquiditySpec } from './liquidity.ts'
import { maximumLadderLevels } from './liquidity.ts'

/** What `LadderBuilder` relies on, checked: null when it is sound. Fields in the order of their declaration. */
export function liquidityProblem(spec: LiquiditySpec): FieldProblem | null {
  switch (spec.kind) {
    case 'none':
      return null
    case 'power':
      return (
        range('spreadBps', spec.spreadBps, 0, 19_000) ??
        range('depth10bpUsd', spec.depth10bpUsd, 0, maximumUsd) ??
        dynamicsProblem(spec.dynamics)
      )
    case 'exponential':
      return (
        range('spreadBps', spec.spreadBps, 0, 19_000) ??
        range('maxUsd', spec.maxUsd, 0, maximumUsd) ??
        range('scaleBps', spec.scaleBps, 1e-6, 1e6) ??
        dynamicsProblem(spec.dynamics)
      )
    case 'flat':
      return (
        range('spreadBps', spec.spreadBps, 0, 19_000) ??
        range('levelUsd', spec.levelUsd, 0, maximumUsd) ??
        range('stepBps', spec.stepBps, 0, 10_000) ??
        range('levels', Number.isInteger(spec.levels) ? spec.levels : Number.NaN, 1, maximumLadderLevels) ??
        dynamicsProblem(spec.dynamics)
      )
    case 'ladder':
      return explicitProblem(spec.bids, spec.asks)
  }
}

/** What the mark relies on, checked: null when it is sound, and no round trip through the ladder earns money. */
export function impactProblem(impact: ImpactSpec, liquidity: LiquiditySpec): FieldProblem | null {
  return (
    range('y', impact.y, 0, 10) ??
    range('dailyVol', impact.dailyVol, 0, 1) ??
    range('advUsd', impact.advUsd, 1000, 1e15) ??
    spanRange('halfLifeMillis', impact.halfLifeMillis, 1000, 30 * millisPerDay) ??
    range('permanent', impact.permanent, 0, permanentMaximum(impact, liquidity))
  )
}

type Levels = readonly (readonly [price: number, quantity: number])[]

function explicitProblem(bids: Levels, asks: Levels): FieldProblem | null {
  let bestBid = 0
  let bestAsk = Number.POSITIVE_INFINITY
  for (const [name, levels] of [
    ['bids', bids],
    ['asks', asks],
  ] as const) {
    for (const [place, [price, quantity]] of levels.entries()) {
      const found =
        range(`${name}[${place}][0]`, price, 1e-10, 1e10) ?? range(`${name}[${place}][1]`, quantity, 0, 1e15)
      if (found !== null) return found
      if (name === 'bids') bestBid = Math.max(bestBid, price)
      else bestAsk = Math.min(bestAsk, price)
    }
  }
  return bestBid < bestAsk ? null : { field: 'asks', message: `are not all above the best bid ${bestBid}` }
}

function dynamicsProblem(dynamics: LiquidityDynamics | undefined): FieldProblem | null {
  if (dynamics === undefined) return null
  return (
    range('dynamics.spreadExponent', dynamics.spreadExponent, 0, 3) ??
    range('dynamics.depthExponent', dynamics.depthExponent, 0, 3) ??
    range('dynamics.flickerSd', dynamics.flickerSd, 0, 2) ??
    spanRange('dynamics.flickerHalfLifeMillis', dynamics.flickerHalfLifeMillis, 100, millisPerDay) ??
    spanRange('dynamics.refillHalfLifeMillis', dynamics.refillHalfLifeMillis, 0, millisPerDay) ??
    range('dynamics.pull', dynamics.pull, 0, 1) ??
    spanRange('dynamics.pullHalfLifeMillis', dynamics.pullHalfLifeMillis, 1000, millisPerDay) ??
    range('dynamics.skew', dynamics.skew, 0, 1) ??
    range('dynamics.inventoryUsd', dynamics.inventoryUsd, 1, 1e12)
  )
}

/** A ladder that does not follow the mid is not moved, so nobody can earn from moving it. */
export function permanentMaximum(impact: ImpactSpec, liquidity: LiquiditySpec): number {
  if (liquidity.kind === 'none' || liquidity.kind === 'ladder') return 1
  const depth10bpUsd = new LadderShape(liquidity).depthWithinUsd(10)
  return largestPermanent(impact, liquidity.spreadBps, depth10bpUsd)
}

/** A ledger in atoms of a millionth holds 9e9 USD. */
const maximumUsd = 1e9
