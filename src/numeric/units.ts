import { assert } from './assert.ts'

/*
 * Exact numbers: integers with units, their products and quotients beyond 2^53, and decimals at the edge.
 *
 * A brand stops ticks from being passed as steps. It does not survive arithmetic, so results are
 * branded again by the constructors below, which check nothing. Every value is a safe integer held in a double.
 */
declare const unit: unique symbol
type Unit<Name extends string> = number & { readonly [unit]: Name }

/** A price, in price steps of its pair. */
export type PriceTicks = Unit<'PriceTicks'>
/** A quantity, in quantity steps of its pair. */
export type QuantitySteps = Unit<'QuantitySteps'>
/** An amount of one asset (USD too) in its smallest unit, 10^-scale of it. */
export type Atoms = Unit<'Atoms'>
/** Milliseconds: an instant since 1970-01-01T00:00:00Z, or a span. */
export type Millis = Unit<'Millis'>
/** A rate in parts per million; 10 basis points are 1000. */
export type PartsPerMillion = Unit<'PartsPerMillion'>

/* The one place where a plain number becomes a branded one. */
export const priceTicks = (value: number): PriceTicks => value as PriceTicks
export const quantitySteps = (value: number): QuantitySteps => value as QuantitySteps
export const atoms = (value: number): Atoms => value as Atoms
export const millis = (value: number): Millis => value as Millis
export const partsPerMillion = (value: number): PartsPerMillion => value as PartsPerMillion

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
  const result = Number(dividedBig(product, BigInt(divisor), rounding))
  assert(result <= largest && result >= -largest, 'a quotient stays below 2^53')
  return result
}

/** `numerator / denominator`, half-even; the denominator is positive. For reports: BigInt is slow. */
export const divideBigHalfEven = (numerator: bigint, denominator: bigint): bigint =>
  dividedBig(numerator, denominator, halfEven)

function dividedBig(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  let quotient = numerator / denominator
  let remainder = numerator % denominator
  if (remainder < 0n) {
    quotient -= 1n
    remainder += denominator
  }
  const excess = 2n * remainder - denominator
  if (rounding === ceil && remainder > 0n) quotient += 1n
  if (rounding === halfEven && (excess > 0n || (excess === 0n && quotient % 2n !== 0n))) quotient += 1n
  return quotient
}

/*
 * Exact decimals at the edge: JSON numbers and decimal text to scaled integers, and back.
 *
 * A JSON number stands for its shortest decimal text, so 0.1 + 0.2 is 0.30000000000000004 and no multiple of 0.1.
 * At most 15 significant digits are taken: up to there text, double and text again are the same number.
 * Choice: zeros at either end are not significant, so 1.00 and 1 are the same as text, as they are as numbers.
 */

/** `units * 10^-scale`; `scale` is 0 or more, and as small as it can be. */
export interface Decimal {
  readonly units: number
  readonly scale: number
}

/** Powers of ten up to 10^22 are exact doubles; beyond, none is. */
export function powerOfTen(exponent: number): number {
  const power = powersOfTen[exponent]
  assert(power !== undefined, 'powers of ten are taken from 0 to 22')
  return power
}

/** A JSON number's text, exactly. Null for other text, for more than 15 significant digits, and beyond 2^53. */
export function parseDecimal(text: string): Decimal | null {
  const match = jsonNumber.exec(text)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutEndingZeros(digits)
  if (significant === '') return { units: 0, scale: 0 }
  const exponent = Number(exponentText)
  if (significant.length > maximumDigits || Math.abs(exponent) > maximumExponent) return null
  const magnitude = Number(significant)
  const units = sign === '-' ? -magnitude : magnitude
  const scale = fraction.length - exponent - (digits.length - significant.length)
  if (scale >= 0) return { units, scale }
  if (scale < -maximumDigits) return null
  const shifted = units * powerOfTen(-scale)
  return Number.isSafeInteger(shifted) ? { units: shifted, scale: 0 } : null
}

/** The integer `value * 10^scale` when the number's decimal text has no finer digit and is exact; null otherwise. */
export function numberToScaled(value: number, scale: number): number | null {
  const power = powerOfTen(scale)
  const scaled = Math.round(value * power)
  if (scaled < exactBelow && scaled > -exactBelow) {
    // Decimals of up to 15 digits map to distinct doubles, so the one that divides back is the shortest text.
    return scaled / power === value ? scaled + 0 : null
  }
  return Number.isFinite(value) ? decimalToScaled(parseDecimal(String(value)), scale) : null
}

/** The integer `text * 10^scale`; null when the text is no decimal, or not exact at that scale. */
export function textToScaled(text: string, scale: number): number | null {
  return decimalToScaled(parseDecimal(text), scale)
}

/** How many steps a number or decimal text is; null when it is not an exact multiple, or not a decimal. */
export function toStepCount(value: number | string, step: Decimal): number | null {
  const scaled =
    typeof value === 'number' ? numberToScaled(value, step.scale) : textToScaled(value, step.scale)
  if (scaled === null || step.units === 1) return scaled
  const count = Math.round(scaled / step.units)
  return count * step.units === scaled ? count + 0 : null
}

/** The double nearest to `integer * 10^-scale`; never -0. */
export function scaledToNumber(integer: number, scale: number): number {
  const power = powersOfTen[scale]
  if (power !== undefined) return integer / power + 0 // both exact, so the division rounds once
  return Number(`${integer}e-${scale}`) + 0
}

/** `integer * 10^-scale` as plain decimal text, without exponent and without zeros at the end. */
export function scaledToText(integer: number, scale: number): string {
  assert(Number.isSafeInteger(integer) && scale >= 0, 'decimals are written from safe integers')
  if (scale === 0 || integer === 0) return String(integer + 0)
  const sign = integer < 0 ? '-' : ''
  const digits = String(Math.abs(integer)).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = withoutEndingZeros(digits.slice(digits.length - scale))
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`
}

/** By hand: a pattern would look for the end anew from each of a million zeros in the middle. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1
  return digits.slice(0, end)
}

const maximumDigits = 15
const exactBelow = 1e15
const maximumExponent = 400
const jsonNumber = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?$/

const powersOfTen: readonly number[] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
  1e20, 1e21, 1e22,
]

function decimalToScaled(decimal: Decimal | null, scale: number): number | null {
  if (decimal === null || decimal.scale > scale) return null
  if (decimal.units === 0) return 0
  const scaled = decimal.units * powerOfTen(scale - decimal.scale)
  return Number.isSafeInteger(scaled) ? scaled : null
}

/** A decimal number with commas between its thousands: `1,234,567.8901`. */
export function withCommas(value: number | string): string {
  const [whole = '', ...fraction] = String(value).split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}
