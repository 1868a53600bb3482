import { Float64Column } from '../../numeric/columns.ts'

/**
 * Prints (recorded trades) by column, oldest first: instants in milliseconds since 1970, prices in USD,
 * quantities in units of the asset. The first `count` rows are in use. The table is overwritten by each call
 * that fills it, because a backtest reads millions of prints.
 */
export class PrintTable {
  count = 0
  readonly atMillis = new Float64Column()
  readonly price = new Float64Column()
  readonly quantity = new Float64Column()

  clear(): void {
    this.count = 0
  }

  add(atMillis: number, price: number, quantity: number): void {
    const row = this.count
    this.count += 1
    this.atMillis.reserve(this.count)
    this.price.reserve(this.count)
    this.quantity.reserve(this.count)
    this.atMillis.set(row, atMillis)
    this.price.set(row, price)
    this.quantity.set(row, quantity)
  }
}
