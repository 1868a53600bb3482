import { exp, log } from '../../numeric/portable-math.ts'
import { millisPerDay } from '../../numeric/time-text.ts'
import { ownValue, readStated, schemaOrNone } from '../../shape/in-file.ts'
import { number, type RecordOf, record, type Shape, span } from '../../shape/shape.ts'
import type { SpecProblem } from '../../shape/spec-checks.ts'
import { checkRange, checkShape } from '../check-shape.ts'
import { usualFigures } from '../usual-figures.ts'
import { LadderShape } from './ladder-shape.ts'
import { advUsd, followsMid, type LiquiditySpec, maximumDepthFactor } from './liquidity.ts'

const words = {
  y: number(0, 10, 'Coefficient of the square-root law.', { default: 0.7 }),
  permanent: number(
    0,
    1,
    'Coefficient of the permanent part; by default 0.15, or as much as lets no round trip earn.',
  ),
  halfLifeMillis: span(1000, 30 * millisPerDay, 'Half-life of the volume that is remembered.', {
    default: 1_200_000,
  }),
  dailyVol: number(0, 1, "Standard deviation of a day's return; by default from the asset's volatility."),
}

/** Schema of the impact in a scenario file, which may be `none`. */
export const impactFileSchema: Shape = schemaOrNone(
  record(words, 'What takers do to the price.', 'a mapping of impact figures'),
)

export const impactShape = record({ ...words, advUsd })

/**
 * Impact of the clients' takers on the price. The mark is the fundamental times e^I. The signed volume Q, which
 * decays, moves I by y * dailyVol * sqrt(Q / advUsd); all volume moves it for ever by permanent * y * dailyVol
 * * Q / advUsd.
 */
export type ImpactSpec = RecordOf<typeof impactShape>

/**
 * Reads the impact that a file states, with defaults from the asset's annual volatility and its ladder. By
 * default the permanent part is as large as it may be without letting round trips earn, up to 0.15.
 */
export function readImpact(
  stated: object,
  asset: { readonly symbol: string; readonly vol: number; readonly liquidity: LiquiditySpec },
  problems: SpecProblem[],
): ImpactSpec {
  const usual = {
    advUsd: usualFigures(asset.symbol).advUsd,
    dailyVol: Math.min(1, asset.vol / Math.sqrt(365)),
    permanent: 0,
  }
  const impact: ImpactSpec = Object(readStated(impactShape, stated, usual, '', problems))
  if (ownValue(stated, 'permanent') != null) return impact
  return { ...impact, permanent: Math.min(0.15, findPermanentLimit(impact, asset.liquidity)) }
}

/**
 * Returns the first problem of an impact, or null when it is sound and no round trip through the ladder earns
 * money.
 */
export function checkImpact(impact: ImpactSpec, liquidity: LiquiditySpec): SpecProblem | null {
  return (
    checkShape(impactShape, impact, '') ??
    checkRange('permanent', impact.permanent, 0, findPermanentLimit(impact, liquidity))
  )
}

/**
 * Returns the largest permanent part with which no round trip through a ladder earns. It is 1 for a ladder that
 * does not follow the mid: it cannot be moved, so nobody earns from moving it.
 */
export function findPermanentLimit(impact: ImpactSpec, liquidity: LiquiditySpec): number {
  if (!followsMid(liquidity)) return 1
  const depth10bpUsd = new LadderShape(liquidity).depthWithinUsd(10)
  return computePermanentLimit(impact, liquidity.spreadBps, depth10bpUsd)
}

/**
 * What the clients' takers have done to a price (market.md section 3, impact), as plain data in the engine's
 * state. All figures are those of the instant of the last trade; what is left of them later is computed, never
 * stored.
 *
 * The transient part is I(Q) = y * dailyVol * sign(Q) * sqrt(|Q| / adv) of the signed volume Q, which halves
 * every `halfLifeMillis`. An order in pieces therefore moves the price as much as the whole. The permanent part
 * is linear in the volume, as it must be if no round trip is to earn (Huberman and Stanzl 2004).
 *
 * A square root that fades is not safe by itself: what was bought cheaply could be sold back at the price that
 * the buying made. So the state keeps, beside Q, what the clients paid for it beyond the fair price, and the
 * venue pays no more than that beyond the fair price when it buys back. What was paid fades like Q. A trade
 * also moves the permanent part, which makes the trader's holdings worth more; that gain is deducted from what
 * was paid. `computePermanentLimit` keeps it below the cost of a spread and a walk.
 */
export interface ImpactState {
  readonly atMillis: number
  /**
   * Value that the clients' takers bought from the venue's ladder less what they sold to it, as far as it has
   * not faded, USD.
   */
  readonly flowUsd: number
  /** What the clients paid for that volume beyond the fair price, USD; never below 0. */
  readonly paidUsd: number
  /** Permanent part: the logarithm of its factor on the price. */
  readonly permanent: number
}

/** State of a price that no client has moved. */
export const noImpact: ImpactState = { atMillis: 0, flowUsd: 0, paidUsd: 0, permanent: 0 }

/** Returns the impact at an instant: the logarithm of the factor between the fundamental and the mark. */
export function impactAt(spec: ImpactSpec, state: ImpactState, atMillis: number): number {
  if (state.flowUsd === 0) return state.permanent
  return computeImpact(spec, state, flowAt(spec, state, atMillis))
}

/**
 * Returns the impact for a remaining volume that is already known from `flowAt`: the logarithm of the factor
 * between the fundamental and the mark.
 */
export function computeImpact(spec: ImpactSpec, state: ImpactState, flowUsd: number): number {
  return clampImpact(state.permanent + computeTransient(spec, flowUsd))
}

/** Returns the share of the volume that has not faded at an instant; 0 when no volume can be left. */
export function keptShareAt(spec: ImpactSpec, state: ImpactState, atMillis: number): number {
  const elapsed = atMillis - state.atMillis
  if (elapsed > halfLivesKept * spec.halfLifeMillis) return 0
  return elapsed === 0 ? 1 : exp((-Math.LN2 * elapsed) / spec.halfLifeMillis)
}

/**
 * Returns the signed volume in USD that has not faded at an instant; below a tenth of a cent it counts as 0.
 */
export function flowAt(spec: ImpactSpec, state: ImpactState, atMillis: number): number {
  return computeFlow(state, keptShareAt(spec, state, atMillis))
}

/**
 * Returns the signed volume in USD that is left of a state for a share that is already known from
 * `keptShareAt`.
 */
export function computeFlow(state: ImpactState, kept: number): number {
  const flowUsd = state.flowUsd * kept
  return Math.abs(flowUsd) < leastUsd ? 0 : flowUsd
}

/**
 * Returns the most in USD that the venue pays beyond the fair price to buy back, for the share of the volume
 * that has not faded: above 0 or +0 for bids, below 0 for asks.
 */
export function computeBudget(spec: ImpactSpec, state: ImpactState, kept: number): number {
  const flowUsd = state.flowUsd * kept
  const budgetUsd = Math.max(0, state.paidUsd * kept - computePermanentPerUsd(spec) * flowUsd * flowUsd)
  return flowUsd < 0 ? -budgetUsd : budgetUsd
}

/**
 * Returns the state after a client has taken `valueUsd` (above 0 when the client bought) at a price that is
 * `beyond` the fair one (0.001 is ten basis points above it).
 */
export function recordTake(
  spec: ImpactSpec,
  state: ImpactState,
  atMillis: number,
  valueUsd: number,
  beyond: number,
): ImpactState {
  const before = flowAt(spec, state, atMillis)
  const paidBefore = before === 0 ? 0 : state.paidUsd * keptShareAt(spec, state, atMillis)
  const after = before + valueUsd
  const unwound = before * valueUsd < 0 ? Math.min(Math.abs(before), Math.abs(valueUsd)) : 0
  const opened = Math.abs(valueUsd) - unwound
  const perUsd = computePermanentPerUsd(spec)
  const paid = valueUsd < 0 ? -beyond : beyond
  const left =
    unwound >= Math.abs(before) ? 0 : Math.max(0, paidBefore + unwound * (paid - perUsd * Math.abs(before)))
  const flowUsd = Math.abs(after) < leastUsd ? 0 : after
  return {
    atMillis,
    flowUsd,
    paidUsd: flowUsd === 0 ? 0 : Math.max(0, left + opened * (paid - perUsd * Math.abs(after))),
    permanent: clampImpact(state.permanent + perUsd * valueUsd),
  }
}

/**
 * Returns the state after the venue's ladder has taken a client's resting order of `valueUsd` (above 0 when the
 * client bought). It moves no price, because the client was passive; but the volume that the ladder gave back
 * is gone.
 */
export function recordGiveBack(
  spec: ImpactSpec,
  state: ImpactState,
  atMillis: number,
  valueUsd: number,
  beyond: number,
): ImpactState {
  const before = flowAt(spec, state, atMillis)
  if (before * valueUsd >= 0) return state
  const unwound = Math.min(Math.abs(before), Math.abs(valueUsd)) * (valueUsd < 0 ? -1 : 1)
  const { permanent } = state
  return { ...recordTake(spec, state, atMillis, unwound, beyond), permanent }
}

/**
 * Returns the state as snapshots keep it: what has faded away is left out, unless there was a trade since the
 * market's last step, because the ladder's refreshes count from the instant of that trade.
 */
export function canonicalizeImpact(
  spec: ImpactSpec,
  state: ImpactState,
  atMillis: number,
  stepAtMillis: number,
): ImpactState {
  if (state.atMillis > stepAtMillis || flowAt(spec, state, atMillis) !== 0) return state
  return { ...noImpact, permanent: state.permanent }
}

/** Returns how far each USD moves the logarithm of the price permanently. */
function computePermanentPerUsd({ permanent, y, dailyVol, advUsd }: ImpactSpec): number {
  return (permanent * y * dailyVol) / advUsd
}

/**
 * Returns the largest `permanent` with which a round trip through a ladder costs more than the permanent part
 * gives back, at any size and in the deepest ladder that a calm market shows. With a half-spread of h basis
 * points and depth D within 10, a trade of V costs h + 4 (V / D)^1.5 on average, which is at least 3 (4
 * h)^(1/3) V / D.
 */
export function computePermanentLimit(spec: ImpactSpec, spreadBps: number, depth10bpUsd: number): number {
  const halfSpreadBps = 0.7 * (spreadBps / 2)
  if (halfSpreadBps === 0 || depth10bpUsd === 0) return 0
  const perDepthBps = 3 * exp(log(4 * halfSpreadBps) / 3)
  const perUsd = perDepthBps / 10_000 / (maximumDepthFactor * depth10bpUsd)
  const whole = computePermanentPerUsd({ ...spec, permanent: 1 })
  return whole === 0 ? 1 : Math.min(1, perUsd / whole)
}

/** Returns the transient part of the impact of a signed volume, as a logarithm. */
function computeTransient({ y, dailyVol, advUsd }: ImpactSpec, flowUsd: number): number {
  const size = y * dailyVol * Math.sqrt(Math.abs(flowUsd) / advUsd)
  return flowUsd < 0 ? -size : size
}

/** Bounds an impact. Choice: clients move a price by a factor of e^3 at most, so that it remains a valid price. */
function clampImpact(impact: number): number {
  return Math.min(Math.max(impact, -3), 3)
}

const leastUsd = 0.001
/** Half-lives after which volume is gone: 1e15 USD are then below `leastUsd`, and no ledger holds more. */
const halfLivesKept = 60
