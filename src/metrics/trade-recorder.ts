import { none } from '../engine/codes.ts'
import { type EventSink, eventType } from '../engine/events.ts'
import type { State } from '../engine/state.ts'
import { Float64Column, Int32Column, Uint8Column } from '../numeric/columns.ts'

/** Who was on the other side of a fill. */
const causeNames = ['level', 'order', 'flow', 'informed', 'sniper', 'ladder', 'forced'] as const
export type CauseName = (typeof causeNames)[number]

/**
 * Listens to a venue's events, and keeps for every fill what no table has: the mark just before it, what its asset
 * had traded until then, who was on the other side, and the number of the command during which it happened. Rows are
 * those of the fill table.
 */
export class TradeRecorder implements EventSink {
  private readonly state: State
  private readonly sequence: () => number
  private readonly marks = new Float64Column()
  private readonly others = new Int32Column()
  private readonly causes = new Uint8Column()
  private readonly sequences = new Float64Column()
  private readonly tradedSteps = new Float64Column()
  private readonly tradedTickSteps = new Float64Column()
  private readonly columns = [
    this.marks,
    this.others,
    this.causes,
    this.sequences,
    this.tradedSteps,
    this.tradedTickSteps,
  ] as const
  /**
   * By asset row, since the recorder began to listen: everybody's trades and prints in steps, and in steps times
   * ticks.
   */
  private readonly steps: Float64Column
  private readonly tickSteps: Float64Column
  private firstFill: number
  private follower: MarkFollower | null = null

  /** `sequence` answers the number of the command under way. */
  constructor(state: State, sequence: () => number) {
    this.state = state
    this.sequence = sequence
    this.firstFill = state.fills.count
    this.steps = new Float64Column(state.assets.count)
    this.tickSteps = new Float64Column(state.assets.count)
  }

  /** Tells a follower of every mark that moves, after it has moved; null for none. */
  follow(follower: MarkFollower | null): void {
    this.follower = follower
  }

  emit(type: number, maker: number, taker: number, asset: number, ticks: number, steps: number): void {
    if (type === eventType.price) this.follower?.(asset, ticks)
    if (type === eventType.trade) this.recordTrade(maker, taker, asset)
    else if (type !== eventType.print) return
    this.steps.add(asset, steps)
    this.tickSteps.add(asset, ticks * steps)
  }

  /** The mark in ticks just before a fill; null for one before the recorder began to listen. */
  markTicks(fill: number): number | null {
    return fill < this.firstFill ? null : this.marks.get(fill)
  }

  other(fill: number): number {
    return fill < this.firstFill ? none : this.others.get(fill)
  }

  cause(fill: number): CauseName {
    return causeNames[this.causes.get(fill)] ?? 'flow'
  }

  sequenceOf(fill: number): number {
    return fill < this.firstFill ? 0 : this.sequences.get(fill)
  }

  /**
   * What everybody had traded of the fill's asset before it, since the recorder began to listen; null for an earlier
   * fill.
   */
  tradedBefore(fill: number): { readonly steps: number; readonly tickSteps: number } | null {
    if (fill < this.firstFill) return null
    return { steps: this.tradedSteps.get(fill), tickSteps: this.tradedTickSteps.get(fill) }
  }

  capture(): TradeRecorderState {
    const { fills, assets } = this.state
    const { count } = fills
    const { firstFill, steps, tickSteps } = this
    const columns = this.columns.map((column) => [...column.slice(count)])
    return {
      firstFill,
      count,
      columns,
      steps: [...steps.slice(assets.count)],
      tickSteps: [...tickSteps.slice(assets.count)],
    }
  }

  /** Goes back to a captured state, for this venue or one with the same state. */
  restore({ columns, firstFill, steps, tickSteps }: TradeRecorderState): void {
    this.firstFill = firstFill
    for (const [place, column] of this.columns.entries()) column.load(columns[place] ?? [])
    this.steps.load(steps)
    this.tickSteps.load(tickSteps)
  }

  /** The fills of a trade are booked after the trade is reported: the maker's, then the taker's. */
  private recordTrade(maker: number, taker: number, asset: number): void {
    let fill = this.state.fills.count
    if (maker !== none) {
      this.recordFill(fill, asset, taker, taker === none ? causeNames.indexOf(this.state.venueTaker) : order)
      fill += 1
    }
    if (taker !== none) this.recordFill(fill, asset, maker, maker === none ? level : order)
  }

  private recordFill(fill: number, asset: number, other: number, cause: number): void {
    const rows = fill + 1
    for (const column of this.columns) column.reserve(rows)
    this.marks.set(fill, this.state.markTicks.get(asset))
    this.others.set(fill, other)
    this.causes.set(fill, cause)
    this.sequences.set(fill, this.sequence())
    this.tradedSteps.set(fill, this.steps.get(asset))
    this.tradedTickSteps.set(fill, this.tickSteps.get(asset))
  }
}

type MarkFollower = (asset: number, markTicks: number) => void

export interface TradeRecorderState {
  readonly firstFill: number
  readonly count: number
  readonly columns: readonly (readonly number[])[]
  readonly steps: readonly number[]
  readonly tickSteps: readonly number[]
}

const level = causeNames.indexOf('level')
const order = causeNames.indexOf('order')
