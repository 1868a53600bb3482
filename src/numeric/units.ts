import { assert } from './assert.ts'

/*
 * Exact numbers: integers with units, their products and quotients beyond 2^53, and decimals at the edge.
 *
 * A brand keeps ticks from being passed as steps. It does not survive arithmetic, so results are branded again by the
 * constructors below, which check nothing. Every value is a safe integer held in a double.
 */
declare const unit: unique symbol
type Unit<Name extends string> = number & { readonly [unit]: Name }

/** A price, in price steps of its trading pair. */
export type PriceTicks = Unit<'PriceTicks'>
/** A quantity, in quantity steps of its trading pair. */
export type QuantitySteps = Unit<'QuantitySteps'>
/** An amount of one asset, USD included, in the smallest unit of that asset: 10^-scale. */
export type Atoms = Unit<'Atoms'>
/** Milliseconds: an instant since 1970-01-01T00:00:00Z, or a duration. */
export type Millis = Unit<'Millis'>
/** A rate in parts per million; 10 basis points are 1000. */
export type PartsPerMillion = Unit<'PartsPerMillion'>

/* These constructors are the only place where a plain number becomes a branded one. */
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

/**
 * Computes `left * right / divisor` exactly, rounded half to even. The arguments are safe integers, the divisor positive.
 * Asserts that the result is safe.
 */
export function multiplyDivideHalfEven(left: number, right: number, divisor: number): number {
  return multiplyDivide(left, right, divisor, halfEven)
}

/**
 * Computes `left * right / divisor` exactly, rounded toward minus infinity. The arguments are safe integers, the divisor
 * positive. Asserts that the result is safe.
 */
export function multiplyDivideFloor(left: number, right: number, divisor: number): number {
  return multiplyDivide(left, right, divisor, floor)
}

/**
 * Computes `left * right / divisor` exactly, rounded toward plus infinity. The arguments are safe integers, the divisor
 * positive. Asserts that the result is safe.
 */
export function multiplyDivideCeil(left: number, right: number, divisor: number): number {
  return multiplyDivide(left, right, divisor, ceil)
}

/**
 * Computes the value of a quantity at a price in cash atoms, rounded half to even: `ticks * steps * numerator /
 * denominator`. The fraction is what one tick times one step is worth, in atoms. Asserts that the result is safe.
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
const maximumFloatDivisor = 2251799813685248 // 2^51: up to here a remainder of three divisors is still exact

function multiplyDivide(left: number, right: number, divisor: number, rounding: Rounding): number {
  const product = left * right
  if (product <= largest && product >= -largest) {
    if (divisor === 1) return product + 0
    const quotient = Math.trunc(product / divisor) // toward zero, so that quotient * divisor is safe too
    return roundQuotient(quotient, product - quotient * divisor, divisor, rounding)
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
  return roundQuotient(quotient, remainder, divisor, rounding)
}

/** Computes `left * right - product` exactly, where `product` is the rounded product (Dekker's TwoProduct). */
function productError(left: number, right: number, product: number): number {
  const leftHigh = highHalf(left)
  const rightHigh = highHalf(right)
  const leftLow = left - leftHigh
  const rightLow = right - rightHigh
  return leftLow * rightLow - (product - leftHigh * rightHigh - leftLow * rightHigh - leftHigh * rightLow)
}

/** Returns the upper 26 bits of a double. The rest fits into 26 more (Veltkamp's split). */
function highHalf(value: number): number {
  const shifted = 134217729 * value // 2^27 + 1
  return shifted - (shifted - value)
}

/** Rounds an estimated quotient, given its exact remainder, which may be off by a few divisors. */
function roundQuotient(estimate: number, rest: number, divisor: number, rounding: Rounding): number {
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
  const result = Number(divideBigInts(product, BigInt(divisor), rounding))
  assert(result <= largest && result >= -largest, 'a quotient stays below 2^53')
  return result
}

/** Divides and rounds half to even. The denominator is positive. It is meant for reports: BigInt is slow. */
export const divideBigHalfEven = (numerator: bigint, denominator: bigint): bigint =>
  divideBigInts(numerator, denominator, halfEven)

function divideBigInts(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
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
 * A JSON number stands for its shortest decimal text, so 0.1 + 0.2 is 0.30000000000000004 and not a multiple of 0.1. At
 * most 15 significant digits are accepted: up to there, text survives the way to a double and back.
 * Choice: zeros at either end are not significant, so 1.00 and 1 are the same as text, as they are as numbers.
 */

/** The decimal number `units * 10^-scale`. The scale is 0 or more, and as small as possible. */
export interface Decimal {
  readonly units: number
  readonly scale: number
}

/** Returns 10^exponent, exactly. Asserts an exponent from 0 to 22: beyond, no power of ten is an exact double. */
export function powerOfTen(exponent: number): number {
  const power = powersOfTen[exponent]
  assert(power !== undefined, 'powers of ten are taken from 0 to 22')
  return power
}

/**
 * Parses the text of a JSON number exactly. Returns null for other text, for more than 15 significant digits, and beyond
 * 2^53.
 */
export function parseDecimal(text: string): Decimal | null {
  const match = jsonNumber.exec(text)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = trimEndingZeros(digits)
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

/** Returns the integer `value * 10^scale`, or null if the shortest decimal text of the number has finer digits. */
export function numberToScaled(value: number, scale: number): number | null {
  const power = powerOfTen(scale)
  const scaled = Math.round(value * power)
  if (scaled < exactBelow && scaled > -exactBelow) {
    // Decimals of up to 15 digits map to distinct doubles, so the one that divides back is the shortest text.
    return scaled / power === value ? scaled + 0 : null
  }
  return Number.isFinite(value) ? decimalToScaled(parseDecimal(String(value)), scale) : null
}

/** Returns the integer `text * 10^scale`, or null if the text is not a decimal or has finer digits. */
export function textToScaled(text: string, scale: number): number | null {
  return decimalToScaled(parseDecimal(text), scale)
}

/** Returns how many steps a number or decimal text is, or null if it is not an exact multiple, or not a decimal. */
export function toStepCount(value: number | string, step: Decimal): number | null {
  const scaled =
    typeof value === 'number' ? numberToScaled(value, step.scale) : textToScaled(value, step.scale)
  if (scaled === null || step.units === 1) return scaled
  const count = Math.round(scaled / step.units)
  return count * step.units === scaled ? count + 0 : null
}

/** Returns the double nearest to `integer * 10^-scale`, never -0. */
export function decimalToNumber(integer: number, scale: number): number {
  const power = powersOfTen[scale]
  if (power !== undefined) return integer / power + 0 // both operands are exact, so only the division rounds
  return Number(`${integer}e-${scale}`) + 0
}

/**
 * Rounds a sum of decimal amounts to a hundred-millionth, or to 15 digits where it has more. That removes what doubles leave
 * of such a sum: `0.1 + 0.2` becomes 0.3. Never -0.
 */
export function roundAmount(value: number): number {
  const units = value * 1e8
  return Math.abs(units) < Number.MAX_SAFE_INTEGER
    ? Math.round(units) / 1e8 + 0
    : Number(value.toPrecision(15))
}

/** Formats `integer * 10^-scale` as plain decimal text, without an exponent and without trailing zeros. */
export function decimalToText(integer: number, scale: number): string {
  assert(Number.isSafeInteger(integer) && scale >= 0, 'decimals are written from safe integers')
  if (scale === 0 || integer === 0) return String(integer + 0)
  const sign = integer < 0 ? '-' : ''
  const digits = String(Math.abs(integer)).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = trimEndingZeros(digits.slice(digits.length - scale))
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`
}

/** Removes trailing zeros. A regular expression would take quadratic time on a million zeros in the middle. */
function trimEndingZeros(digits: string): string {
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

/** Formats a count with its noun, and with commas between thousands: `1 row`, `2,000 rows`. */
export const formatCounted = (count: number, noun: string): string =>
  `${withCommas(count)} ${noun}${count === 1 ? '' : 's'}`

/** Formats a decimal number with commas between thousands: `1,234,567.8901`. */
export function withCommas(value: number | string): string {
  const [whole = '', ...fraction] = String(value).split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}
