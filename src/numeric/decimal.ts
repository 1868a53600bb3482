import { assert } from './assert.ts'

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
