/* Exact integer arithmetic for the twins: BigInt only; the name of each function states its rounding. */

export const partsInOne = 1_000_000n

export function divideFloor(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator % denominator < 0n ? quotient - 1n : quotient
}

export function divideCeil(numerator: bigint, denominator: bigint): bigint {
  return -divideFloor(-numerator, denominator)
}

/** Divides to the nearest integer, ties to the even one. The denominator is positive. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const floor = divideFloor(numerator, denominator)
  const twiceRest = 2n * (numerator - floor * denominator)
  if (twiceRest < denominator) return floor
  if (twiceRest > denominator) return floor + 1n
  return floor % 2n === 0n ? floor : floor + 1n
}

export function power10(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

export function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}

export function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}
