import { none } from '../engine/codes.ts'
import { type EventSink, eventType } from '../engine/events.ts'
import type { State } from '../engine/state.ts'
import { Float64Column, Int32Column, Uint8Column } from '../numeric/columns.ts'

/** The names of who was on the other side of a fill. Their indices are the codes in the recorder's column. */
const causeNames = ['level', 'order', 'flow', 'informed', 'sniper', 'ladder', 'forced'] as const
export type CauseName = (typeof causeNames)[number]

/**
 * Listens to a venue's events and keeps for every fill what no table of the engine has: the mark just before it, what had
 * been traded of its asset until then, who was on the other side, and the number of the command during which it happened.
 * Fills are identified by their rows of the fill table.
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
  /** The quantity of all trades and prints since the recorder began to listen, in steps, by asset row. */
  private readonly steps: Float64Column
  /** The value of all trades and prints since the recorder began to listen, in steps times ticks, by asset row. */
  private readonly tickSteps: Float64Column
  private readonly firstFill: number
  private follower: MarkFollower | null = null

  /** Begins to listen now. `sequence` returns the number of the command that is being executed. */
  constructor(state: State, sequence: () => number) {
    this.state = state
    this.sequence = sequence
    this.firstFill = state.fills.count
    this.steps = new Float64Column(state.assets.count)
    this.tickSteps = new Float64Column(state.assets.count)
  }

  /** Calls a follower after every move of a mark from now on; null ends that. */
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

  /** Returns the mark in ticks just before a fill; null for a fill before the recorder began to listen. */
  markTicks(fill: number): number | null {
    return fill < this.firstFill ? null : this.marks.get(fill)
  }

  /** Returns the row of the order on the other side of a fill, or `none`. */
  other(fill: number): number {
    return fill < this.firstFill ? none : this.others.get(fill)
  }

  /** Returns who was on the other side of a fill. */
  cause(fill: number): CauseName {
    return causeNames[this.causes.get(fill)] ?? 'flow'
  }

  /** Returns the number of the command during which a fill happened; 0 for a fill before the recorder began to listen. */
  sequenceOf(fill: number): number {
    return fill < this.firstFill ? 0 : this.sequences.get(fill)
  }

  /**
   * Returns what the whole market had traded of a fill's asset before it, since the recorder began to listen; null for a fill
   * before that.
   */
  volumeBefore(fill: number): { readonly steps: number; readonly tickSteps: number } | null {
    if (fill < this.firstFill) return null
    return { steps: this.tradedSteps.get(fill), tickSteps: this.tradedTickSteps.get(fill) }
  }

  /** Records the fills of a trade, which are booked after it is reported: the maker's, then the taker's. */
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

const level = causeNames.indexOf('level')
const order = causeNames.indexOf('order')
