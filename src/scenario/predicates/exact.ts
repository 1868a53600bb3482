import { assert } from '../../numeric/assert.ts'

/** An exact decimal of any size: `units * 10^-scale`. Predicates compare these, so `==` means equal. */
export interface ExactDecimal {
  readonly units: bigint
  readonly scale: number
}

export const exact = (units: number | bigint, scale: number): ExactDecimal => ({
  units: BigInt(units),
  scale,
})

export const multiplyStep = (
  count: number,
  step: { readonly units: number; readonly scale: number },
): ExactDecimal => exact(BigInt(count) * BigInt(step.units), step.scale)

/** Parses decimal text with an optional exponent from -400 to 400. Returns null for anything else. */
export function exactFromText(text: string): ExactDecimal | null {
  const match = /^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match
  const exponent = Number(exponentText)
  if (exponent > 400 || exponent < -400) return null
  const magnitude = BigInt(whole + fraction)
  const units = sign === '-' ? -magnitude : magnitude
  const scale = fraction.length - exponent
  return scale >= 0 ? { units, scale } : { units: units * powerOfTen(-scale), scale: 0 }
}

export function compareExact(left: ExactDecimal, right: ExactDecimal): -1 | 0 | 1 {
  const [leftUnits, rightUnits] = alignScales(left, right)
  return leftUnits < rightUnits ? -1 : leftUnits > rightUnits ? 1 : 0
}

export function addExact(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const [leftUnits, rightUnits, scale] = alignScales(left, right)
  return { units: leftUnits + rightUnits, scale }
}

export const negateExact = (value: ExactDecimal): ExactDecimal => ({
  units: -value.units,
  scale: value.scale,
})

export const absoluteExact = (value: ExactDecimal): ExactDecimal =>
  value.units < 0n ? negateExact(value) : value

export const multiplyExact = (left: ExactDecimal, right: ExactDecimal): ExactDecimal => ({
  units: left.units * right.units,
  scale: left.scale + right.scale,
})

/** Formats a decimal without an exponent and without zeros at the end. */
export function exactToText(value: ExactDecimal): string {
  const digits = absoluteExact(value)
    .units.toString()
    .padStart(value.scale + 1, '0')
  const whole = digits.slice(0, digits.length - value.scale)
  const fraction = digits.slice(digits.length - value.scale).replace(/0+$/, '')
  const sign = value.units < 0n ? '-' : ''
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`
}

function alignScales(left: ExactDecimal, right: ExactDecimal): readonly [bigint, bigint, number] {
  const scale = Math.max(left.scale, right.scale)
  return [left.units * powerOfTen(scale - left.scale), right.units * powerOfTen(scale - right.scale), scale]
}

function powerOfTen(exponent: number): bigint {
  assert(exponent >= 0 && exponent <= 4000, 'exact decimals stay within 4000 places')
  return BigInt(`1${'0'.repeat(exponent)}`)
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

const holds: { readonly [Sign in Comparison]: (order: -1 | 0 | 1) => boolean } = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

export const holdsExactly = (left: ExactDecimal, comparison: Comparison, right: ExactDecimal): boolean =>
  holds[comparison](compareExact(left, right))

/**
 * The value of a read-out at an instant. Null means unknown, because the thing that it is about does not exist (yet).
 */
export type Value = ExactDecimal | string | boolean | null

export type ReadoutType = 'number' | 'text' | 'boolean'

/** The type of a read-out, without its value. */
export interface ReadoutKind {
  readonly type: ReadoutType
  /**
   * All values of a text, or whose names in the file they are. Without them, a misspelt word would make `!=` and
   * `never` hold.
   */
  readonly words?: readonly string[] | 'assets' | 'accounts'
}

export interface ReadoutField<About extends readonly unknown[]> extends ReadoutKind {
  readonly read: (...about: About) => Value
}

export type ReadoutFields<About extends readonly unknown[]> = {
  readonly [field: string]: ReadoutField<About>
}
