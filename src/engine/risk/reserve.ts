import type { Atoms } from '../../numeric/units.ts'
import { atoms } from '../../numeric/units.ts'
import { divideBigHalfEven, multiplyDivideCeil, notionalAtoms } from '../../numeric/wide.ts'
import { buy } from '../codes.ts'
import type { State } from '../state.ts'
import type { Asset } from '../tables/asset-table.ts'

const million = 1_000_000

/**
 * What a live order reserves for `steps` at `ticks`: a buy its exact value times (1 + rate), rounded up once to the USD
 * atom; a sell the quantity, in atoms of the asset. `rate` is in parts per million (see `reserveRateOfRow`).
 * Design section 5, Reserves.
 */
export function reserveAtoms(asset: Asset, side: number, ticks: number, steps: number, rate: number): Atoms {
  if (side !== buy) return atoms(steps * asset.stepAtoms)
  const value = ticks * steps * asset.notionalNumerator
  // The value is a whole number of atoms, so only the fee has to be rounded.
  if (asset.notionalDenominator === 1 && value <= Number.MAX_SAFE_INTEGER)
    return atoms(value + feeAtoms(value, rate))
  return wideReserveAtoms(asset, ticks, steps, rate)
}

/** The same for a market order, given the sum of ticks times steps of its walk. */
export function walkReserveAtoms(
  asset: Asset,
  side: number,
  tickSteps: TickSteps,
  steps: number,
  rate: number,
): Atoms {
  if (side !== buy) return atoms(steps * asset.stepAtoms)
  const { notionalNumerator, notionalDenominator } = asset
  return atoms(tickSteps.timesCeil(notionalNumerator, notionalDenominator, million + rate, million))
}

/** Fee on an amount, in its atoms, for a rate in parts per million: rounded up, a rebate (negative) toward zero. */
export function feeAtoms(amount: number, rate: number): number {
  const product = amount * rate
  // Below 2^53 no quotient by a million that is not whole rounds to a whole number.
  return product <= Number.MAX_SAFE_INTEGER && product >= -Number.MAX_SAFE_INTEGER
    ? Math.ceil(product / million) + 0
    : multiplyDivideCeil(amount, rate, million)
}

function wideReserveAtoms(asset: Asset, ticks: number, steps: number, rate: number): Atoms {
  const scaled = ticks * steps * asset.notionalNumerator
  const divisor = asset.notionalDenominator * million
  if (scaled <= Number.MAX_SAFE_INTEGER && divisor <= Number.MAX_SAFE_INTEGER)
    return atoms(multiplyDivideCeil(scaled, million + rate, divisor))
  const exact = BigInt(ticks) * BigInt(steps) * BigInt(asset.notionalNumerator) * BigInt(million + rate)
  const wide = BigInt(asset.notionalDenominator) * BigInt(million)
  return atoms(Number((exact + wide - 1n) / wide))
}

/** Rate that a new buy of an account reserves on top of its value, parts per million (see `reserveRateOfRow`). */
export function reserveRateOfAccount(state: State, account: number): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.accounts.feeSchedule.get(account)).reserveRate
}

/** Rate that a row's buy reserves on top of its value: its higher fee rate; 0 where the fee is paid in the asset. */
export function reserveRateOfRow(state: State, row: number): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.orders.feeSchedule.get(row)).reserveRate
}

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
