import type { LadderSide } from '../market/liquidity.ts'
import type { Side } from './codes.ts'
import { buy, none } from './codes.ts'

/** Writes the ladder as it should stand now. */
export type LadderBuilder = (bids: LadderSide, asks: LadderSide) => void

/*
 * The venue's own levels of one asset. A refresh is scheduled; between two of them what is consumed is gone.
 *
 * The levels are a pure function of the mark and the conditions at the last refresh, so they are built only when
 * somebody looks, and a ladder that nobody has hit is no state at all.
 */
export class HouseLadder {
  private readonly build: LadderBuilder
  private readonly bids: LadderSide
  private readonly asks: LadderSide
  private isBuilt = false
  private bestBid = 0
  private bestAsk = 0
  private isHit = false

  constructor(build: LadderBuilder, bids: LadderSide, asks: LadderSide) {
    this.build = build
    this.bids = bids
    this.asks = asks
  }

  /** Whether anything was taken since the last refresh. */
  get isConsumed(): boolean {
    return this.isHit
  }

  /** Forgets what was taken; the levels are made anew when next looked at. */
  refresh(): void {
    this.isBuilt = false
    this.isHit = false
  }

  /** Best price of a side in ticks, or -1. */
  bestTicks(side: Side): number {
    const ladder = this.sideOf(side)
    const best = side === buy ? this.bestBid : this.bestAsk
    return best < ladder.count ? (ladder.priceTicks[best] ?? none) : none
  }

  /** What is left at the best price, in steps. */
  bestSteps(side: Side): number {
    const ladder = this.sideOf(side)
    return ladder.quantitySteps[side === buy ? this.bestBid : this.bestAsk] ?? 0
  }

  /** Takes from the best level at most what it holds. */
  consume(side: Side, steps: number): void {
    const ladder = this.sideOf(side)
    const best = side === buy ? this.bestBid : this.bestAsk
    const left = (ladder.quantitySteps[best] ?? 0) - steps
    ladder.quantitySteps[best] = left
    this.isHit = true
    if (left > 0) return
    if (side === buy) this.bestBid += 1
    else this.bestAsk += 1
  }

  /** Calls back with each level that is left, best first, until it answers false. */
  visit(side: Side, visitor: (priceTicks: number, quantitySteps: number) => boolean): void {
    const ladder = this.sideOf(side)
    for (let place = side === buy ? this.bestBid : this.bestAsk; place < ladder.count; place += 1) {
      if (!visitor(ladder.priceTicks[place] ?? 0, ladder.quantitySteps[place] ?? 0)) return
    }
  }

  /** What is left of a consumed ladder as [bids, asks], each ticks and steps in turn; null when it is untouched. */
  remains(): readonly [number[], number[]] | null {
    if (!this.isHit) return null
    return [this.list(0), this.list(1)]
  }

  /** Puts back what `remains` told. */
  restore(remains: readonly [readonly number[], readonly number[]] | null): void {
    this.refresh()
    if (remains === null) return
    fill(this.bids, remains[0])
    fill(this.asks, remains[1])
    this.bestBid = 0
    this.bestAsk = 0
    this.isBuilt = true
    this.isHit = true
  }

  private list(side: Side): number[] {
    const levels: number[] = []
    this.visit(side, (priceTicks, quantitySteps) => {
      levels.push(priceTicks, quantitySteps)
      return true
    })
    return levels
  }

  private sideOf(side: Side): LadderSide {
    if (!this.isBuilt) {
      this.build(this.bids, this.asks)
      this.isBuilt = true
      this.bestBid = 0
      this.bestAsk = 0
    }
    return side === buy ? this.bids : this.asks
  }
}

function fill(side: LadderSide, levels: readonly number[]): void {
  side.count = levels.length / 2
  for (let place = 0; place < side.count; place += 1) {
    side.priceTicks[place] = levels[2 * place] ?? 0
    side.quantitySteps[place] = levels[2 * place + 1] ?? 0
  }
}
