import { assert } from './assert.ts'

/*
 * Exact products and quotients of safe integers, in doubles.
 *
 * A product of two safe integers may need 106 bits. Below 2^53 one multiplication is exact; above it, Dekker's
 * TwoProduct gives the rounded product and its exact error (T. J. Dekker, Numer. Math. 18, 1971), from which the
 * remainder of the division follows exactly. BigInt serves only divisors beyond 2^51.
 */

/** `left * right / divisor`, ties to the even neighbour. Safe integers; `divisor` positive; asserts a safe result. */
export function multiplyDivideHalfEven(left: number, right: number, divisor: number): number {
  return multiplyDivide(left, right, divisor, halfEven)
}

/** `left * right / divisor`, toward minus infinity. Safe integers; `divisor` positive; asserts a safe result. */
export function multiplyDivideFloor(left: number, right: number, divisor: number): number {
  return multiplyDivide(left, right, divisor, floor)
}

/** `left * right / divisor`, toward plus infinity. Safe integers; `divisor` positive; asserts a safe result. */
export function multiplyDivideCeil(left: number, right: number, divisor: number): number {
  return multiplyDivide(left, right, divisor, ceil)
}

/**
 * The value of `steps` at `ticks`, in cash atoms, ties to even: `ticks * steps * numerator / denominator`, the
 * fraction being the atoms that one tick times one step is worth. Asserts a safe result.
 */
export function notionalAtoms(ticks: number, steps: number, numerator: number, denominator: number): number {
  const product = ticks * steps * numerator
  if (denominator === 1 && product <= largest && product >= -largest) return product + 0
  return wideNotionalAtoms(ticks, steps, numerator, denominator)
}

function wideNotionalAtoms(ticks: number, steps: number, numerator: number, denominator: number): number {
  if (numerator === 1) return multiplyDivide(ticks, steps, denominator, halfEven)
  const scaled = steps * numerator
  if (scaled <= largest && scaled >= -largest) {
    return multiplyDivide(ticks, scaled, denominator, halfEven)
  }
  return divideBig(BigInt(ticks) * BigInt(steps) * BigInt(numerator), denominator, halfEven)
}

type Rounding = 0 | 1 | 2
const floor: Rounding = 0
const ceil: Rounding = 1
const halfEven: Rounding = 2

const largest = Number.MAX_SAFE_INTEGER
const maximumFloatDivisor = 2251799813685248 // 2^51: then a remainder of up to three divisors is still exact

function multiplyDivide(left: number, right: number, divisor: number, rounding: Rounding): number {
  const product = left * right
  if (product <= largest && product >= -largest) {
    if (divisor === 1) return product + 0
    const quotient = Math.trunc(product / divisor) // toward zero, so that the product back is safe too
    return settle(quotient, product - quotient * divisor, divisor, rounding)
  }
  return multiplyDivideWide(left, right, divisor, rounding)
}

function multiplyDivideWide(left: number, right: number, divisor: number, rounding: Rounding): number {
  assert(
    Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(divisor),
    'wide arithmetic is on safe integers',
  )
  if (divisor > maximumFloatDivisor) return divideBig(BigInt(left) * BigInt(right), divisor, rounding)
  const product = left * right
  const quotient = Math.trunc(product / divisor) // off by less than three
  assert(quotient < largest + 4 && quotient > -largest - 4, 'a quotient stays below 2^53')
  const back = quotient * divisor
  const remainder =
    product - back + (productError(left, right, product) - productError(quotient, divisor, back))
  return settle(quotient, remainder, divisor, rounding)
}

/** The exact `left * right - product` where `product` is the rounded product. */
function productError(left: number, right: number, product: number): number {
  const leftHigh = highHalf(left)
  const rightHigh = highHalf(right)
  const leftLow = left - leftHigh
  const rightLow = right - rightHigh
  return leftLow * rightLow - (product - leftHigh * rightHigh - leftLow * rightHigh - leftHigh * rightLow)
}

/** Veltkamp's split: the upper 26 bits; what is left fits into 26 more. */
function highHalf(value: number): number {
  const shifted = 134217729 * value // 2^27 + 1
  return shifted - (shifted - value)
}

/** Brings an estimated quotient and its exact remainder to the wanted rounding. */
function settle(estimate: number, rest: number, divisor: number, rounding: Rounding): number {
  let quotient = estimate
  let remainder = rest
  while (remainder < 0) {
    quotient -= 1
    remainder += divisor
  }
  while (remainder >= divisor) {
    quotient += 1
    remainder -= divisor
  }
  if (rounding === ceil) {
    if (remainder > 0) quotient += 1
  } else if (rounding === halfEven) {
    const excess = remainder - (divisor - remainder)
    if (excess > 0 || (excess === 0 && quotient % 2 !== 0)) quotient += 1
  }
  assert(quotient <= largest && quotient >= -largest, 'a quotient stays below 2^53')
  return quotient + 0
}

function divideBig(product: bigint, divisor: number, rounding: Rounding): number {
  const wide = BigInt(divisor)
  let quotient = product / wide
  let remainder = product % wide
  if (remainder < 0n) {
    quotient -= 1n
    remainder += wide
  }
  const excess = 2n * remainder - wide
  if (rounding === ceil && remainder > 0n) quotient += 1n
  if (rounding === halfEven && (excess > 0n || (excess === 0n && quotient % 2n !== 0n))) quotient += 1n
  const result = Number(quotient)
  assert(result <= largest && result >= -largest, 'a quotient stays below 2^53')
  return result
}

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
