/** `numerator / denominator`, half-even; the denominator is positive. For reports: BigInt is slow. */
export function divideBigHalfEven(numerator: bigint, denominator: bigint): bigint {
  let quotient = numerator / denominator
  let remainder = numerator % denominator
  if (remainder < 0n) {
    quotient -= 1n
    remainder += denominator
  }
  const excess = 2n * remainder - denominator
  return excess > 0n || (excess === 0n && quotient % 2n !== 0n) ? quotient + 1n : quotient
}
