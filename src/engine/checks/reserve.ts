import type { Atoms } from '../../numeric/units.ts'
import { atoms } from '../../numeric/units.ts'
import { multiplyDivideCeil } from '../../numeric/wide.ts'
import { buy } from '../codes.ts'
import type { Asset } from '../tables/asset-table.ts'
import type { TickSteps } from './tick-steps.ts'

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
