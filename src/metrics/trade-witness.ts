import { none } from '../engine/codes.ts'
import { type EventSink, eventType } from '../engine/events.ts'
import type { State } from '../engine/state.ts'
import { Float64Column, Int32Column, Uint8Column } from '../numeric/columns.ts'

/** Who was on the other side of a fill. */
const causeNames = ['level', 'order', 'flow', 'informed', 'sniper', 'ladder', 'forced'] as const
export type CauseName = (typeof causeNames)[number]

/**
 * Listens to a venue's events and keeps of every fill what no table has: the mark just before it, who was on the other
 * side, and the number of the command during which it happened. Rows are those of the fill table.
 */
export class TradeWitness implements EventSink {
  private readonly state: State
  private readonly sequence: () => number
  private readonly marks = new Float64Column()
  private readonly others = new Int32Column()
  private readonly causes = new Uint8Column()
  private readonly sequences = new Float64Column()
  private firstFill: number

  /** `sequence` tells the number of the command under way. */
  constructor(state: State, sequence: () => number) {
    this.state = state
    this.sequence = sequence
    this.firstFill = state.fills.count
  }

  emit(type: number, maker: number, taker: number, asset: number): void {
    if (type !== eventType.trade) return
    // The fills of a trade are booked after it is told: the maker's, then the taker's.
    let fill = this.state.fills.count
    if (maker !== none) {
      this.note(fill, asset, taker, taker === none ? causeNames.indexOf(this.state.venueTaker) : order)
      fill += 1
    }
    if (taker !== none) this.note(fill, asset, maker, maker === none ? level : order)
  }

  /** The mark just before a fill, ticks; null for one before the witness came. */
  markTicks(fill: number): number | null {
    return fill < this.firstFill ? null : this.marks.get(fill)
  }

  /** The other side's order row, -1 for the venue's. */
  other(fill: number): number {
    return fill < this.firstFill ? none : this.others.get(fill)
  }

  cause(fill: number): CauseName {
    return causeNames[this.causes.get(fill)] ?? 'flow'
  }

  sequenceOf(fill: number): number {
    return fill < this.firstFill ? 0 : this.sequences.get(fill)
  }

  /** All that it knows, as plain data: of each fill the mark, the other side, the cause and the sequence. */
  capture(): TradeWitnessState {
    const { count } = this.state.fills
    const columns = [this.marks, this.others, this.causes, this.sequences]
    return { firstFill: this.firstFill, count, columns: columns.map((column) => [...column.slice(count)]) }
  }

  /** Back to what was captured, in this venue or in one that is as it was. */
  restore({ columns, firstFill }: TradeWitnessState): void {
    this.firstFill = firstFill
    for (const [place, column] of [this.marks, this.others, this.causes, this.sequences].entries())
      column.load(columns[place] ?? [])
  }

  private note(fill: number, asset: number, other: number, cause: number): void {
    const rows = fill + 1
    for (const column of [this.marks, this.others, this.causes, this.sequences]) column.reserve(rows)
    this.marks.set(fill, this.state.markTicks.get(asset))
    this.others.set(fill, other)
    this.causes.set(fill, cause)
    this.sequences.set(fill, this.sequence())
  }
}

export interface TradeWitnessState {
  readonly firstFill: number
  readonly count: number
  readonly columns: readonly (readonly number[])[]
}

const level = causeNames.indexOf('level')
const order = causeNames.indexOf('order')
