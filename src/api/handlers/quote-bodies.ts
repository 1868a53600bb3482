import type { QuoteUpdate } from '../../engine/command.ts'
import type { PairConfig } from '../../engine/config.ts'
import { toStepCount } from '../../numeric/decimal.ts'
import { type Millis, millis, type PriceTicks, type QuantitySteps } from '../../numeric/units.ts'
import { readSteps, readTicks } from '../amounts.ts'
import type { Problem } from '../errors.ts'

/** The numbers of a quote as sent; what is left out, or null, is null here. */
export interface QuoteNumbers {
  readonly bidPrice?: number | null
  readonly askPrice?: number | null
  readonly bidSize?: number | null
  readonly askSize?: number | null
  readonly validForSeconds?: number | null
}

export type QuoteTermsRead = Omit<QuoteUpdate, 'quote' | 'validFrom'>

/**
 * A quote's numbers in the engine's units. Errors, in the order of the fields: pair-violation, a fraction of a
 * millisecond.
 */
export function readQuoteNumbers(numbers: QuoteNumbers, pair: PairConfig): QuoteTermsRead | Problem {
  const bidPriceTicks = optionalTicks(numbers.bidPrice, 'bidPrice', pair)
  if (isProblem(bidPriceTicks)) return bidPriceTicks
  const askPriceTicks = optionalTicks(numbers.askPrice, 'askPrice', pair)
  if (isProblem(askPriceTicks)) return askPriceTicks
  const bidSteps = optionalSteps(numbers.bidSize, 'bidSize', pair)
  if (isProblem(bidSteps)) return bidSteps
  const askSteps = optionalSteps(numbers.askSize, 'askSize', pair)
  if (isProblem(askSteps)) return askSteps
  const validForMillis = optionalSeconds(numbers.validForSeconds)
  if (isProblem(validForMillis)) return validForMillis
  return { bidPriceTicks, askPriceTicks, bidSteps, askSteps, validForMillis }
}

/** Whether there is anything to change. */
export function hasNumbers(numbers: QuoteNumbers): boolean {
  const { bidPrice, askPrice, bidSize, askSize, validForSeconds } = numbers
  return [bidPrice, askPrice, bidSize, askSize, validForSeconds].some((value) => (value ?? null) !== null)
}

export const nothingToChange: Problem = {
  code: 'invalid-parameter',
  field: 'bidPrice',
  reason: 'or another field must be given',
}

function optionalTicks(
  value: number | null | undefined,
  field: string,
  pair: PairConfig,
): PriceTicks | null | Problem {
  if (value === null || value === undefined) return null
  const ticks = readTicks(value, field, pair)
  return ticks.ok ? ticks.value : ticks.problem
}

function optionalSteps(
  value: number | null | undefined,
  field: string,
  pair: PairConfig,
): QuantitySteps | null | Problem {
  if (value === null || value === undefined) return null
  const steps = readSteps(value, field, pair)
  return steps.ok ? steps.value : steps.problem
}

function optionalSeconds(value: number | null | undefined): Millis | null | Problem {
  if (value === null || value === undefined) return null
  const count = toStepCount(value, { units: 1, scale: 3 })
  if (count !== null) return millis(count)
  return { code: 'invalid-parameter', field: 'validForSeconds', reason: 'must be a multiple of 0.001' }
}

function isProblem(value: number | null | Problem): value is Problem {
  return typeof value === 'object' && value !== null
}
