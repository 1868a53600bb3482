import { Float64Column, Int32Column, Uint8Column } from '../numeric/columns.ts'
import { none } from './codes.ts'
import type { Metadata } from './commands.ts'
import type { Column } from './table.ts'
import { Table } from './table.ts'

/*
 * Every order that was ever accepted, and both legs of every quote, one row each, for ever: a row number is the
 * order's identity, and ids on the wire are made from it. Closed orders stay as rows.
 *
 * Ordering invariants: rows are in order of acceptance; `nextLive` threads an account's live orders (not legs) in
 * that order; `nextInLevel` threads a price level in time priority.
 */
export class OrderTable extends Table {
  readonly kind = new Uint8Column()
  readonly account = new Int32Column()
  readonly asset = new Int32Column()
  readonly side = new Uint8Column()
  readonly type = new Uint8Column()
  readonly timeInForce = new Uint8Column()
  readonly status = new Uint8Column()
  readonly priceTicks = new Float64Column()
  readonly quantitySteps = new Float64Column()
  readonly filledSteps = new Float64Column()
  /** What is held for the rest: USD atoms of a buy, atoms of the asset of a sell. */
  readonly reservedAtoms = new Float64Column()
  /** Row of the fee schedule at acceptance: later changes of fees do not touch a live order. */
  readonly feeSchedule = new Int32Column()
  readonly createdAtMillis = new Float64Column()
  readonly updatedAtMillis = new Float64Column()
  /** The quote of a leg, else -1. */
  readonly quote = new Int32Column()
  /** Newest row of the fill table, else -1. */
  readonly lastFill = new Int32Column()
  /** The book's level it rests in, else -1. */
  readonly level = new Int32Column()
  readonly previousInLevel = new Int32Column()
  readonly nextInLevel = new Int32Column()
  /** Position in the queue among all that ever rested; larger is later. */
  readonly priority = new Float64Column()
  readonly previousLive = new Int32Column()
  readonly nextLive = new Int32Column()
  /** Only of the orders that were given one. */
  readonly clientIds = new Map<number, string>()
  readonly metadata = new Map<number, Metadata>()

  /** A new row with nothing filled, in no level and no list. */
  append(): number {
    const row = this.appendRow()
    this.quote.set(row, none)
    this.lastFill.set(row, none)
    this.level.set(row, none)
    return row
  }

  remainingSteps(row: number): number {
    return this.quantitySteps.get(row) - this.filledSteps.get(row)
  }

  clientId(row: number): string | null {
    return this.clientIds.get(row) ?? null
  }

  override stateColumns(): readonly Column[] {
    return [
      this.kind,
      this.account,
      this.asset,
      this.side,
      this.type,
      this.timeInForce,
      this.status,
      this.priceTicks,
      this.quantitySteps,
      this.filledSteps,
      this.reservedAtoms,
      this.feeSchedule,
      this.createdAtMillis,
      this.updatedAtMillis,
      this.quote,
      this.lastFill,
      this.priority,
    ]
  }

  override derivedColumns(): readonly Column[] {
    return [this.level, this.previousInLevel, this.nextInLevel, this.previousLive, this.nextLive]
  }
}
