import { decimalToNumber, parseDecimal } from '../numeric/units.ts'

/** How `toStep` rounds a value that is not a multiple of the step. */
export type StepRounding = 'nearest' | 'down' | 'up'

const roundings: ReadonlyMap<string, (steps: number) => number> = new Map([
  ['nearest', Math.round],
  ['down', Math.floor],
  ['up', Math.ceil],
])

/**
 * Rounds a value to a multiple of a pair's `priceStep` or `quantityStep`: the venue refuses anything else. Sums of decimals
 * have rounding errors (`0.1 + 0.2` is more than 0.3), so a value within a billionth of a step of a multiple, or within the
 * error of a dozen sums, becomes that multiple, whatever the rounding. From 10^15 steps on it returns the value with 15
 * significant digits, which are all that an amount may have.
 *
 * Throws a RangeError for a step that is not a positive decimal, for an unknown rounding, and for a value that is not finite.
 * Choice: the specification has nothing like it, but every strategy needs it.
 */
export function toStep(value: number, step: number, rounding: StepRounding = 'nearest'): number {
  const decimal = step > 0 ? parseDecimal(String(step)) : null
  if (decimal === null) throw new RangeError(`step must be a positive decimal, not ${step}`)
  const round = roundings.get(rounding)
  if (round === undefined) throw new RangeError(`rounding must be nearest, down or up, not ${rounding}`)
  if (!Number.isFinite(value)) throw new RangeError(`value must be a finite number, not ${value}`)
  const steps = value / step
  const nearest = Math.round(steps)
  if (Math.abs(nearest * decimal.units) >= 1e15) return Number(value.toPrecision(15))
  const tolerance = 1e-9 + Math.abs(steps) * 1.5e-14
  const count = Math.abs(steps - nearest) <= tolerance ? nearest : round(steps)
  return decimalToNumber(count * decimal.units, decimal.scale)
}
