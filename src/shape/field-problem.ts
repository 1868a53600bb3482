import { millisPerYear } from '../numeric/time-text.ts'

/* What the checks of a market's specification share: a problem names a field, and what the field fails to be. */

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** The longest time of any kind that a specification can state. */
export const hundredYearsMillis = 100 * millisPerYear

export const problem = (field: string, message: string): FieldProblem => ({ field, message })

/* The range in which the market keeps every price, USD. */
export const leastPriceUsd = 1e-10
export const mostPriceUsd = 1e10
export const noPrice = 'is not a price from 1e-10 to 1e10 USD'

export function isPrice(price: number): boolean {
  return isWithin(price, leastPriceUsd, mostPriceUsd)
}

/** False for NaN, and for anything that a comparison would convert to a number. */
export function isWithin(value: number, least: number, most: number): boolean {
  return Number.isFinite(value) && value >= least && value <= most
}

export function isIntegerWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && isWithin(value, least, most)
}
