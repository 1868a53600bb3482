import { multiplyDivideCeil, notionalAtoms } from '../../numeric/wide.ts'
import { divideBigHalfEven } from '../big-division.ts'

/**
 * A sum of ticks times steps, exact however large: a number as long as that is safe, a BigInt beyond. With fine steps
 * that is soon: 18 units in steps of 10^-8 at 50,000.00 come to 9 * 10^15.
 */
export class TickSteps {
  private small = 0
  private large = 0n

  add(ticks: number, steps: number): void {
    const sum = this.small + ticks * steps
    if (sum <= Number.MAX_SAFE_INTEGER) {
      this.small = sum
      return
    }
    this.large += BigInt(this.small) + BigInt(ticks) * BigInt(steps)
    this.small = 0
  }

  /** The sum times a fraction, off by a few last places of a double: good enough to compare with bounds. */
  approximately(numerator: number, denominator: number): number {
    return ((Number(this.large) + this.small) * numerator) / denominator
  }

  /** The sum times a fraction, half-even. The result must be safe. */
  timesHalfEven(numerator: number, denominator: number): number {
    if (this.large === 0n) return notionalAtoms(this.small, 1, numerator, denominator)
    return Number(divideBigHalfEven(this.exact() * BigInt(numerator), BigInt(denominator)))
  }

  /** The sum times a fraction and `factor / divisor`, rounded up once. Safe integers; the result must be safe. */
  timesCeil(numerator: number, denominator: number, factor: number, divisor: number): number {
    const over = numerator * factor
    const under = denominator * divisor
    if (this.large === 0n && Number.isSafeInteger(over) && Number.isSafeInteger(under))
      return multiplyDivideCeil(this.small, over, under)
    const wideUnder = BigInt(denominator) * BigInt(divisor)
    const product = this.exact() * BigInt(numerator) * BigInt(factor)
    return Number((product + wideUnder - 1n) / wideUnder)
  }

  private exact(): bigint {
    return this.large + BigInt(this.small)
  }
}
