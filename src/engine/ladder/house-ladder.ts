import { type LadderSide, maximumLadderLevels } from '../../market/liquidity/liquidity.ts'
import { assert } from '../../numeric/assert.ts'
import { byteElement, element } from '../../numeric/columns.ts'
import { type PriceTicks, priceTicks, type QuantitySteps, quantitySteps } from '../../numeric/units.ts'
import { buy, type NoRow, none, type Side, sell } from '../codes.ts'
import type { HouseLadderState, LadderHit, LadderState, VenueLadder } from './ladder.ts'
import type { LadderRecovery } from './ladder-recovery.ts'
import { type LadderContext, type LadderVenue, MarketLadder } from './market-ladder.ts'

/**
 * The venue's own levels of one asset. They are refreshed on schedule; what is consumed in between is gone until
 * then.
 *
 * The levels are a function of the mark, the grid index and the conditions at the last refresh. So they are built
 * only when the ladder is read, and only as deep as it is read; levels from which nothing was taken are not state.
 */
export class HouseLadder implements VenueLadder {
  private readonly source: MarketLadder
  private readonly recovery: LadderRecovery
  private readonly isNone: boolean
  private midTicks = 0
  private gridIndex = 0
  /** Whether the levels that the source has begun are those of the last refresh. */
  private isBuilt = false
  private aheadIndex = Number.NaN
  private aheadMidTicks = Number.NaN
  private bestBid = 0
  private bestAsk = 0
  private isHit = false
  /** What was taken since the last refresh; made at the first hit, and reused. */
  private taken: Taken | null = null

  constructor(venue: LadderVenue, asset: number, inputs: LadderContext) {
    this.source = new MarketLadder(venue, asset, inputs)
    this.recovery = this.source.recovery
    this.isNone = this.source.isNone
  }

  /** Rebuilds the ladder around a mid. What was taken goes to the recovery, which brings it back over time. */
  refresh(midTicks: number, gridIndex: number): void {
    if (this.isHit) this.storeTaken()
    this.midTicks = midTicks
    this.gridIndex = gridIndex
    this.isBuilt = false
  }

  /** Notes that an input has changed: unless something was taken from them, the levels are rebuilt when next read. */
  invalidate(): void {
    if (!this.isHit) this.isBuilt = false
  }

  /** Settles what has come back so far; to be called before the pace of the recovery changes. */
  settle(nowMillis: number): void {
    if (this.isHit) this.storeTaken()
    this.recovery.settle(nowMillis)
    this.isBuilt = false
  }

  get isTouched(): boolean {
    return this.isHit
  }

  /** Whether nothing was taken since the last refresh, which reaches the recovery only at the next one. */
  get isForeseeable(): boolean {
    return !this.isTouched
  }

  /** Returns whether the next refresh may show another ladder although nothing else moves. */
  isRecovering(nowMillis: number): boolean {
    return this.isHit || this.recovery.isActive(nowMillis)
  }

  bestTicks(side: Side): PriceTicks | NoRow {
    if (this.isNone) return none
    this.build()
    if (this.sideOf(side).count === 0) {
      const touch = this.source.touchTicks(side)
      if (touch !== 0) return priceTicks(touch)
    }
    const best = this.bestPlace(side)
    return best < 0 ? none : priceTicks(element(this.sideOf(side).priceTicks, best))
  }

  /** Returns the best price before anything was taken since the last refresh, in ticks, or -1. */
  bestTicksAtRefresh(side: Side): number {
    const { count, priceTicks: ticks } = this.sideOf(side)
    return this.isHit && count > 0 ? element(ticks, 0) : this.bestTicks(side)
  }

  /**
   * Returns the best price after a future refresh, in ticks, or -1. Nothing may have been taken since the last
   * refresh.
   */
  bestTicksAfterRefresh(side: Side, midTicks: number, gridIndex: number): number {
    assert(!this.isHit, 'what was taken from a ladder is still to be remembered')
    if (this.aheadIndex !== gridIndex || this.aheadMidTicks !== midTicks || this.isBuilt) {
      this.source.begin(midTicks, gridIndex)
      this.isBuilt = false
      this.aheadIndex = gridIndex
      this.aheadMidTicks = midTicks
    }
    const touch = this.source.touchTicks(side)
    if (touch !== 0) return touch
    return this.sideOf(side).count > 0 || this.source.extend(side)
      ? element(this.sideOf(side).priceTicks, 0)
      : none
  }

  /** Returns what is left at the best price, in steps. There must be a best price. */
  bestSteps(side: Side): QuantitySteps {
    const best = this.bestPlace(side)
    assert(best >= 0, 'there is a best price when its quantity is asked for')
    return quantitySteps(element(this.sideOf(side).quantitySteps, best))
  }

  /**
   * Returns half of the ladder's spread at its last refresh, basis points; 0 for a ladder that does not follow the
   * mid.
   */
  get halfSpreadBps(): number {
    return this.source.halfSpreadBps(this.gridIndex)
  }

  /** Returns the fair price of the levels last built, in ticks, not rounded. */
  get fairTicks(): number {
    return this.source.fairTicks
  }

  /** Returns whether the side may have a level at this price or better: false is certain, true is not. */
  mayReach(side: Side, ticks: number): boolean {
    return this.isBuilt ? reachesTicks(side, this.bestTicks(side), ticks) : this.mayEverReach(side, ticks)
  }

  /**
   * Returns whether the side may have a level at a price or better, whatever the sizes of the levels: now, or after a
   * later refresh around the same mid.
   */
  mayEverReach(side: Side, ticks: number): boolean {
    return this.source.mayReach(side, ticks, this.midTicks, this.gridIndex)
  }

  /** Returns whether the side surely has a better price than this: true is certain, false is not. Costs little. */
  isSurelyBetter(side: Side, ticks: number): boolean {
    if (this.isHit || this.isBuilt) return false
    return this.source.isSurelyBetter(side, ticks, this.midTicks, this.gridIndex)
  }

  consume(side: Side, steps: number, nowMillis: number): void {
    const best = this.bestPlace(side)
    const levels = this.sideOf(side)
    const left = element(levels.quantitySteps, best) - steps
    levels.quantitySteps[best] = left
    const usd = steps * element(levels.priceTicks, best) * this.source.tickStepUsd
    this.recordHit(side, byteElement(levels.firstLevels, best), usd, nowMillis)
    if (left > 0) return
    if (side === buy) this.bestBid += 1
    else this.bestAsk += 1
  }

  /** Calls back with each level that is left, best first, until it answers false. */
  visit(side: Side, visitor: (priceTicks: number, quantitySteps: number) => boolean): void {
    const best = this.bestPlace(side)
    if (best < 0) return
    const levels = this.sideOf(side)
    for (let place = best; place < levels.count || this.source.extend(side); place += 1) {
      if (!visitor(element(levels.priceTicks, place), element(levels.quantitySteps, place))) return
    }
  }

  /** Returns the instant of the market's step that the ladder was last refreshed at or after. */
  get stepAtMillis(): number {
    return this.source.stepMillis(this.gridIndex)
  }

  /**
   * Returns the instant of the inputs of the present levels: until the market's next step, also those of other
   * refreshes.
   */
  get inputsAtMillis(): number {
    return this.source.refreshMillis(this.gridIndex)
  }

  /**
   * Captures the mark and the grid index at the last refresh, and what was taken since, which is null when nothing
   * was.
   */
  capture(): HouseLadderState {
    const { midTicks, gridIndex, recovery } = this
    const kept = recovery.capture(this.inputsAtMillis, this.stepAtMillis)
    return { midTicks, gridIndex, hit: this.captureHit(), recovery: kept }
  }

  restore(from: LadderState): void {
    assert('recovery' in from, 'a snapshot of a ladder made from the mark is restored')
    this.isHit = false
    this.taken = null
    this.recovery.restore(from.recovery)
    this.refresh(from.midTicks, from.gridIndex)
    if (from.hit === null) return
    const { atMillis, isSweep, takenNowUsd, takenBidsUsd, takenAsksUsd } = from.hit
    this.isHit = true
    this.taken = {
      atMillis,
      isSweep,
      nowUsd: [...takenNowUsd],
      usd: [Float64Array.from(takenBidsUsd), Float64Array.from(takenAsksUsd)],
    }
    this.source.begin(from.midTicks, from.gridIndex)
    this.source.close()
    this.source.setFairTicks(from.hit.fairTicks ?? from.midTicks)
    loadSide(this.source.bids, from.hit.bids)
    loadSide(this.source.asks, from.hit.asks)
    this.bestBid = 0
    this.bestAsk = 0
    this.isBuilt = true
  }

  private recordHit(side: Side, level: number, usd: number, nowMillis: number): void {
    this.taken ??= {
      atMillis: nowMillis,
      isSweep: false,
      nowUsd: [0, 0],
      usd: [new Float64Array(levelsAtFirst), new Float64Array(levelsAtFirst)],
    }
    const { taken } = this
    if (!this.isHit || taken.atMillis !== nowMillis) {
      taken.atMillis = nowMillis
      taken.nowUsd[buy] = 0
      taken.nowUsd[sell] = 0
    }
    this.isHit = true
    if (level >= taken.usd[side].length) taken.usd[side] = toWholeSide(taken.usd[side])
    const levels = taken.usd[side]
    levels[level] = element(levels, level) + usd
    taken.nowUsd[side] += usd
    if (!taken.isSweep && taken.nowUsd[side] > this.source.sweepUsd(this.gridIndex)) taken.isSweep = true
  }

  private storeTaken(): void {
    const { taken } = this
    this.isHit = false
    assert(taken !== null, 'a ladder that was hit knows what was taken')
    this.recovery.add(taken.atMillis, taken.usd[buy], taken.usd[sell], taken.isSweep)
    taken.isSweep = false
    taken.usd[buy].fill(0)
    taken.usd[sell].fill(0)
  }

  private captureHit(): LadderHit | null {
    if (!this.isHit || this.taken === null) return null
    const { atMillis, isSweep, nowUsd, usd } = this.taken
    const { fairTicks } = this.source
    return {
      atMillis,
      isSweep,
      takenNowUsd: [...nowUsd] as const,
      bids: this.listLevels(buy),
      asks: this.listLevels(sell),
      takenBidsUsd: Array.from(toWholeSide(usd[buy])),
      takenAsksUsd: Array.from(toWholeSide(usd[sell])),
      ...(fairTicks === this.midTicks ? {} : { fairTicks }),
    }
  }

  private listLevels(side: Side): number[] {
    const listed: number[] = []
    const levels = this.sideOf(side)
    let place = this.bestPlace(side)
    this.visit(side, (priceTicks, quantitySteps) => {
      listed.push(priceTicks, quantitySteps, byteElement(levels.firstLevels, place))
      place += 1
      return true
    })
    return listed
  }

  private build(): void {
    if (this.isBuilt) return
    this.source.begin(this.midTicks, this.gridIndex)
    this.source.readDepth()
    this.isBuilt = true
    this.aheadIndex = Number.NaN
    this.bestBid = 0
    this.bestAsk = 0
  }

  private bestPlace(side: Side): number {
    if (this.isNone) return none
    this.build()
    const best = side === buy ? this.bestBid : this.bestAsk
    return best < this.sideOf(side).count || this.source.extend(side) ? best : none
  }

  private sideOf(side: Side): LadderSide {
    return side === buy ? this.source.bids : this.source.asks
  }
}

interface Taken {
  atMillis: number
  isSweep: boolean
  /** The USD taken at the instant `atMillis`, by side. */
  readonly nowUsd: [bids: number, asks: number]
  /** The USD taken since the last refresh, by side and level; mostly only from the best levels. */
  readonly usd: [bids: Float64Array, asks: Float64Array]
}

const levelsAtFirst = 4

function reachesTicks(side: Side, bestTicks: number, ticks: number): boolean {
  if (bestTicks === none) return false
  return side === buy ? bestTicks >= ticks : bestTicks <= ticks
}

/** Returns what was taken from a side, with a place for every level. */
function toWholeSide(taken: Float64Array): Float64Array {
  const whole = new Float64Array(maximumLadderLevels)
  whole.set(taken)
  return whole
}

const fields = 3

function loadSide(side: LadderSide, listed: readonly number[]): void {
  side.count = listed.length / fields
  for (let place = 0; place < side.count; place += 1) {
    const [priceTicks = 0, quantitySteps = 0, firstLevel = 0] = listed.slice(
      fields * place,
      fields * (place + 1),
    )
    side.priceTicks[place] = priceTicks
    side.quantitySteps[place] = quantitySteps
    side.firstLevels[place] = firstLevel
  }
}
