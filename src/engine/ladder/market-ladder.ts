import {
  computeBudget,
  computeFlow,
  computeImpact,
  flowAt,
  type ImpactState,
  keptShareAt,
} from '../../market/liquidity/impact.ts'
import {
  computeWorstTicks,
  createLadderParameters,
  createLadderSide,
  createTouch,
  downward,
  LadderBuilder,
  type LadderParameters,
  type LadderSteps,
  type LadderTouch,
  roundAwayFrom,
  upward,
} from '../../market/liquidity/ladder.ts'
import {
  computeDepthFactor,
  computeFactorBounds,
  computeSpreadFactor,
  followsMid,
  type LiquidityConditions,
  type LiquidityDynamics,
  type LiquiditySpec,
} from '../../market/liquidity/liquidity.ts'
import { SizeNoise } from '../../market/liquidity/size-noise.ts'
import type { Market } from '../../market/market.ts'
import type { ModelChange } from '../../market/market-spec.ts'
import { findModelChange, type PathOverride } from '../../market/path-override.ts'
import { exp } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { buy, type Side, sell } from '../codes.ts'
import type { VenueConfig } from '../config.ts'
import type { AssetTable } from '../tables/asset-table.ts'
import { LadderRecovery, type RecoveryRule } from './ladder-recovery.ts'

/** The inputs of a ladder that commands and trades change. */
export interface LadderContext {
  /** Scripted and forced price moves, oldest first. */
  readonly overrides: readonly PathOverride[]
  readonly conditions: LiquidityConditions
  readonly impact: ImpactState
}

export interface LadderVenue {
  readonly config: VenueConfig
  readonly market: Market
  readonly assets: AssetTable
}

/** Returns how a ladder changes with the market; null for one that never does. */
export function dynamicsOf(liquidity: LiquiditySpec): LiquidityDynamics | null {
  return followsMid(liquidity) ? (liquidity.dynamics ?? null) : null
}

/** Writes an asset's ladder as it stood at its last refresh, level by level, from its specification and the market. */
export class MarketLadder {
  readonly bids = createLadderSide()
  readonly asks = createLadderSide()
  readonly tickStepUsd: number
  readonly isNone: boolean
  readonly recovery: LadderRecovery
  private readonly venue: LadderVenue
  private readonly asset: number
  private readonly inputs: LadderContext
  private readonly liquidity: LiquiditySpec
  private readonly dynamics: LiquidityDynamics | null
  private readonly builder: LadderBuilder
  /** Half of the depth within 10 basis points in a calm market, USD. */
  private readonly calmSweepUsd: number
  private readonly bounds: ReturnType<typeof computeFactorBounds>
  /** The inputs of the builder; the depth is the least that may be, until the levels are begun. */
  private readonly footing: LadderParameters = createLadderParameters(1)
  /** Whether the builder has begun the levels for the present inputs. */
  private hasBegun = false
  /** The answers of `findTouchTicks` for the present inputs, by side; -1: not asked yet. */
  private readonly touches: [bidTicks: number, askTicks: number] = [unknown, unknown]
  /** The last minute asked for; its activity and its factors on spread and depth follow. */
  private climateMinute = Number.NaN
  private climateOverrides: readonly PathOverride[] | null = null
  private climateActivity = 1
  private climateSpread = 1
  /** The factor on the depth; NaN: not worked out yet. */
  private climateDepth = Number.NaN
  private worst = {
    depthMultiplier: Number.NaN,
    spreadMultiplier: Number.NaN,
    isShown: false,
    bids: createTouch(),
    asks: createTouch(),
  }
  private knownSteps: LadderSteps = { priceStepUsd: 0, quantityStepUnits: 0, minQuantitySteps: Number.NaN }

  constructor(venue: LadderVenue, asset: number, inputs: LadderContext) {
    const { tickUsd, stepUnits, symbol } = venue.assets.tradedAsset(asset)
    const { liquidity } = venue.assets.config(asset)
    this.venue = venue
    this.asset = asset
    this.inputs = inputs
    this.liquidity = liquidity
    this.isNone = liquidity.kind === 'none'
    this.dynamics = dynamicsOf(liquidity)
    this.recovery = new LadderRecovery(createRecoveryRule(venue, asset, inputs, this.dynamics))
    this.tickStepUsd = tickUsd * stepUnits
    const { flickerSd, flickerHalfLifeMillis } = this.dynamics ?? { flickerSd: 0, flickerHalfLifeMillis: 1 }
    const names = { seed: venue.config.market.seed, symbol }
    const flicker = flickerSd > 0 ? new SizeNoise(flickerSd, flickerHalfLifeMillis, names) : null
    this.builder = new LadderBuilder(liquidity, flicker, this.bids, this.asks)
    this.bounds = computeFactorBounds(this.dynamics)
    this.calmSweepUsd = 0.5 * this.builder.depthWithinUsd(10)
  }

  /** Returns the price at the last refresh without the clients' transient impact, in ticks, not rounded. */
  get fairTicks(): number {
    return this.footing.fairTicks
  }

  /** Sets the fair price of restored levels: the impact may have moved since they were made. */
  setFairTicks(fairTicks: number): void {
    this.footing.fairTicks = fairTicks
  }

  stepMillis(gridIndex: number): number {
    const { startMillis, gridMillis } = this.venue.config
    return startMillis + gridIndex * gridMillis
  }

  /**
   * Returns the instant of a refresh: that of its grid index or, where a command refreshes in between, of the last
   * hit after it.
   */
  refreshMillis(gridIndex: number): number {
    const { impact } = this.inputs
    return Math.max(this.stepMillis(gridIndex), impact.atMillis, this.recovery.sinceAtMillis)
  }

  /** Prepares the ladder of a refresh, with both sides empty. */
  begin(midTicks: number, gridIndex: number): void {
    const { venue, inputs, footing, recovery } = this
    const { conditions } = inputs
    const offsetMillis = gridIndex * venue.config.gridMillis
    const atMillis = this.refreshMillis(gridIndex)
    // This comes first because it reads the market from the minute of the last trade on, and reading forwards is cheap.
    footing.consumedBids = recovery.missingAt(buy, atMillis)
    footing.consumedAsks = recovery.missingAt(sell, atMillis)
    this.readClimate(offsetMillis)
    footing.midTicks = midTicks
    footing.spreadMultiplier = conditions.spreadMultiplier * this.climateSpread
    footing.depthMultiplier = conditions.depthMultiplier * this.bounds.leastDepth
    footing.farDepthMultiplier = recovery.farDepthAt(atMillis)
    footing.sides = conditions.sides
    footing.offsetMillis = offsetMillis
    this.readImpact(midTicks, atMillis)
    this.hasBegun = false
    this.touches[buy] = unknown
    this.touches[sell] = unknown
    this.bids.count = 0
    this.asks.count = 0
    // An explicit ladder is always written whole.
    if (this.liquidity.kind === 'ladder') this.beginLevels()
  }

  /**
   * Begins the levels, if that is still to be done. It is left until a level is wanted: mostly, only best prices are
   * asked for.
   */
  private beginLevels(): void {
    if (this.hasBegun) return
    this.hasBegun = true
    this.readClimate(this.footing.offsetMillis)
    this.footing.depthMultiplier = this.inputs.conditions.depthMultiplier * this.readDepth()
    this.builder.begin(this.footing, this.steps)
  }

  /** Returns the steps of the pair as it is now: its minimum quantity may change. */
  private get steps(): LadderSteps {
    const { pair, tickUsd, stepUnits } = this.venue.assets.tradedAsset(this.asset)
    const { knownSteps: known } = this
    if (known.minQuantitySteps === pair.minQuantitySteps) return known
    this.knownSteps = {
      priceStepUsd: tickUsd,
      quantityStepUnits: stepUnits,
      minQuantitySteps: pair.minQuantitySteps,
    }
    return this.knownSteps
  }

  extend(side: Side): boolean {
    this.beginLevels()
    return side === buy ? this.builder.extendBids() : this.builder.extendAsks()
  }

  /** Declares that the levels written so far are all there are. */
  close(): void {
    this.beginLevels()
    this.builder.close()
  }

  /**
   * Returns whether the side may have a level at this price or better: false is certain, true is not. Costs little.
   */
  mayReach(side: Side, ticks: number, midTicks: number, gridIndex: number): boolean {
    const { conditions } = this.inputs
    if (this.liquidity.kind === 'none' || !showsSide(conditions, side)) return false
    if (this.liquidity.kind === 'ladder') return true
    const direction = side === buy ? downward : upward
    // The mid itself is never quoted. Most orders are beyond it, so the activity need not be read.
    if (direction * (ticks - midTicks) <= 0) return false
    const halfSpreadBps = this.halfSpreadBps(gridIndex)
    const skew = this.skewAt(this.refreshMillis(gridIndex))
    const offsetTicks = (midTicks * halfSpreadBps * (1 + direction * skew)) / 10_000
    return direction * (ticks - roundAwayFrom(midTicks, midTicks + direction * offsetTicks, direction)) >= 0
  }

  /** Returns whether the side surely has a better price than this: true is certain, false is not. Costs little. */
  isSurelyBetter(side: Side, ticks: number, midTicks: number, gridIndex: number): boolean {
    const { asset, recovery, venue, inputs, steps } = this
    const { impact: spec } = venue.assets.config(asset)
    const { conditions, impact } = inputs
    const atMillis = this.refreshMillis(gridIndex)
    if (!showsSide(conditions, side) || recovery.isActive(atMillis)) return false
    if (spec !== undefined && impact.flowUsd !== 0 && flowAt(spec, impact, atMillis) !== 0) return false
    const touch = this.worstTouch(side, conditions)
    const worstTicks = touch === null ? 0 : computeWorstTicks(touch, midTicks, steps)
    return worstTicks !== 0 && (side === buy ? ticks < worstTicks : ticks > worstTicks)
  }

  /**
   * Returns the worst best price that a side can show under the present conditions; null when it may show none. It is
   * worked out again only under other conditions.
   */
  private worstTouch(
    side: Side,
    { depthMultiplier, spreadMultiplier }: LiquidityConditions,
  ): LadderTouch | null {
    const { bounds, builder, worst } = this
    if (worst.depthMultiplier !== depthMultiplier || worst.spreadMultiplier !== spreadMultiplier) {
      const conditions = { depthMultiplier, spreadMultiplier }
      const isShown =
        builder.setWorstTouch(downward, conditions, bounds, worst.bids) &&
        builder.setWorstTouch(upward, conditions, bounds, worst.asks)
      this.worst = { ...worst, ...conditions, isShown }
    }
    return this.worst.isShown ? (side === buy ? worst.bids : worst.asks) : null
  }

  /** Returns the best price of a side without written levels, in ticks; 0 when it depends on the levels. */
  touchTicks(side: Side): number {
    const known = this.touches[side]
    if (known !== unknown) return known
    const { builder, footing } = this
    const direction = side === buy ? downward : upward
    let ticks =
      !this.hasBegun && isPlain(footing) ? builder.findCertainTouchTicks(direction, footing, this.steps) : 0
    if (ticks === 0) {
      this.beginLevels()
      ticks = builder.findTouchTicks(direction)
    }
    this.touches[side] = ticks
    return ticks
  }

  /** Returns half of the spread of a refresh, basis points; 0 for a ladder that does not follow the mid. */
  halfSpreadBps(gridIndex: number): number {
    const { conditions } = this.inputs
    this.readClimate(gridIndex * this.venue.config.gridMillis)
    return this.builder.halfSpreadBps(conditions.spreadMultiplier * this.climateSpread)
  }

  /**
   * Returns the USD above which taking from one side at one instant is a sweep; infinity where sweeps have no effect.
   */
  sweepUsd(gridIndex: number): number {
    if (this.dynamics === null) return Number.POSITIVE_INFINITY
    this.readClimate(gridIndex * this.venue.config.gridMillis)
    const { conditions } = this.inputs
    return this.calmSweepUsd * conditions.depthMultiplier * this.readDepth()
  }

  private readClimate(offsetMillis: number): void {
    const { dynamics, venue, inputs, asset } = this
    if (dynamics === null) return
    const minute = Math.floor(offsetMillis / millisPerMinute)
    const { overrides } = inputs
    if (minute === this.climateMinute && overrides === this.climateOverrides) return
    const activity = venue.market.activityAt(asset - 1, minute, findModelChange(overrides))
    const atMillis = venue.config.startMillis + minute * millisPerMinute
    this.climateMinute = minute
    this.climateOverrides = overrides
    this.climateActivity = activity
    this.climateSpread = computeSpreadFactor(dynamics, activity, atMillis)
    this.climateDepth = Number.NaN
  }

  /**
   * Returns the factor on the depth in the last minute asked for. It is worked out late: only trades with the levels
   * need it, and looking ahead at best prices hardly ever does.
   */
  readDepth(): number {
    const { climateActivity, climateMinute, dynamics, venue } = this
    if (dynamics === null) return 1
    if (Number.isNaN(this.climateDepth)) {
      const atMillis = venue.config.startMillis + climateMinute * millisPerMinute
      this.climateDepth = computeDepthFactor(dynamics, climateActivity, atMillis)
    }
    return this.climateDepth
  }

  /**
   * Returns how far the ladder is skewed at an instant, as a share of the half-spread. Choice: a dealer unwinds at
   * the pace at which the market forgets, so its inventory is taken to be what takers have bought and the transient
   * impact still remembers.
   */
  private skewAt(atMillis: number): number {
    const { impact: spec } = this.venue.assets.config(this.asset)
    const { impact } = this.inputs
    if (spec === undefined || this.dynamics === null || impact.flowUsd === 0) return 0
    return this.skewForFlow(flowAt(spec, impact, atMillis))
  }

  private skewForFlow(flowUsd: number): number {
    if (this.dynamics === null) return 0
    return this.dynamics.skew * Math.min(Math.max(flowUsd / this.dynamics.inventoryUsd, -1), 1)
  }

  private readImpact(midTicks: number, atMillis: number): void {
    const { footing, venue, inputs, asset } = this
    const { impact: spec } = venue.assets.config(asset)
    const { impact } = inputs
    footing.fairTicks = midTicks
    footing.budgetUsd = null
    footing.skew = 0
    if (spec === undefined || impact.flowUsd === 0) return
    const kept = keptShareAt(spec, impact, atMillis)
    const flowUsd = computeFlow(impact, kept)
    footing.skew = this.skewForFlow(flowUsd)
    if (flowUsd === 0) return
    footing.fairTicks = midTicks * exp(impact.permanent - computeImpact(spec, impact, flowUsd))
    footing.budgetUsd = computeBudget(spec, impact, kept)
  }
}

const unknown = -1

function showsSide({ sides }: LiquidityConditions, side: Side): boolean {
  return sides === 'both' || sides === (side === buy ? 'bids' : 'asks')
}

/** Returns whether nothing is missing from the levels, and no transient impact is left. */
function isPlain({ budgetUsd, consumedAsks, consumedBids }: LadderParameters): boolean {
  return budgetUsd === null && consumedAsks === null && consumedBids === null
}

function createRecoveryRule(
  venue: LadderVenue,
  asset: number,
  inputs: LadderContext,
  dynamics: LiquidityDynamics | null,
): RecoveryRule {
  const refillHalfLifeMillis = dynamics?.refillHalfLifeMillis ?? 0
  return {
    refillHalfLifeMillis,
    pull: dynamics?.pull ?? 0,
    pullHalfLifeMillis: dynamics?.pullHalfLifeMillis ?? 1,
    calmMillisBetween: createCalmTime(venue, asset, inputs),
  }
}

/**
 * Creates the function that integrates pace / max(1, activity) minute by minute, until the integral passes a limit.
 * Choice: scripts set the pace at which levels refill; what the house withdraws after a sweep comes back at its own
 * pace.
 *
 * Every step after a trade asks for the same span and a little more, for months in a backtest of days, so the sum up
 * to the last whole minute is remembered: added up in the same order, it is the same.
 */
function createCalmTime(
  venue: LadderVenue,
  asset: number,
  inputs: LadderContext,
): RecoveryRule['calmMillisBetween'] {
  let known: CalmSum | null = null
  return (fromMillis, toMillis, limitMillis) => {
    const { startMillis } = venue.config
    const { conditions, overrides } = inputs
    const to = findModelChange(overrides)
    const pace = conditions.refreshMultiplier ?? 1
    if (pace === 0) return 0
    const end = toMillis - startMillis
    if (known?.fromMillis !== fromMillis || known.to !== to || known.pace !== pace || known.at > end)
      known = { fromMillis, to, pace, at: fromMillis - startMillis, sum: 0 }
    let { at, sum } = known
    while (at < end && sum <= limitMillis) {
      const minute = Math.floor(at / millisPerMinute)
      const minuteEnd = (minute + 1) * millisPerMinute
      const until = Math.min(end, minuteEnd)
      sum += (pace * (until - at)) / Math.max(1, venue.market.activityAt(asset - 1, minute, to))
      at = until
      if (until !== minuteEnd) continue
      known.at = at
      known.sum = sum
    }
    return sum
  }
}

/** A sum of calm time up to the end of a whole minute, with what it was computed for. */
interface CalmSum {
  readonly fromMillis: number
  readonly to: ModelChange | null
  readonly pace: number
  at: number
  sum: number
}
