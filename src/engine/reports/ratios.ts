import { divideBigHalfEven } from '../../numeric/units.ts'

/*
 * Percentages and ratios of amounts, for reports. They are rounded half-even; a result beyond 2^53 is the nearest
 * double, so that no report stops a run.
 */

/** Returns 100 * part / whole, in 10^-4 percent; 0 when the whole is not positive. */
export function percentE4(part: number, whole: number): number {
  return whole > 0 ? scaledRatio(BigInt(part), BigInt(whole), 1_000_000n) : 0
}

/** Returns part / whole, in 10^-8; the whole is positive. */
export function ratioE8(part: number, whole: number): number {
  return scaledRatio(BigInt(part), BigInt(whole), 100_000_000n)
}

/** Returns `numerator * scale / denominator`; the denominator is positive. */
export function scaledRatio(numerator: bigint, denominator: bigint, scale: bigint): number {
  return Number(divideBigHalfEven(numerator * scale, denominator))
}
