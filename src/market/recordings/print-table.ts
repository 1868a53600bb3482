import { Float64Column } from '../../numeric/columns.ts'

/**
 * Prints by column, oldest first, of which the first `count` rows are in use: instants since 1970, prices in USD and
 * quantities in units of the asset. Whoever asks for prints writes them over those before, as a backtest asks for
 * millions.
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
