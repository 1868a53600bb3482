import { millisPerYear } from '../numeric/time-text.ts'

/** What is wrong with one field of a market's specification, such as a price model's. */
export interface SpecProblem {
  /** The field's path in the file, such as `model.halfLife`. */
  readonly field: string
  /** What the field fails to be. The text follows the field's name, as in `is not from 0 to 1`. */
  readonly message: string
}

/** The longest duration of any kind that a specification may state. */
export const hundredYearsMillis = 100 * millisPerYear

export const problem = (field: string, message: string): SpecProblem => ({ field, message })

/* The range in which the market keeps every price, in USD. */
export const leastPriceUsd = 1e-10
export const mostPriceUsd = 1e10
export const notAPrice = 'is not a price from 1e-10 to 1e10 USD'

/** Returns whether a number lies in the range of prices that the market keeps, 1e-10 to 1e10 USD. */
export function isPrice(price: number): boolean {
  return isWithin(price, leastPriceUsd, mostPriceUsd)
}

/** Returns whether a number lies in a range. It is false for NaN and for values of other types, which `>=` would convert. */
export function isWithin(value: number, least: number, most: number): boolean {
  return Number.isFinite(value) && value >= least && value <= most
}

export function isIntegerWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && isWithin(value, least, most)
}
