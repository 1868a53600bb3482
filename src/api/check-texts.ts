import type { AfterCheck, Assessment, CheckName } from '../engine/assessment.ts'
import { cashScale } from '../engine/tables/asset-table.ts'
import { scaledToText } from '../numeric/decimal.ts'

/** An asset in which amounts are written: its symbol, and the decimals of its atoms. */
export interface Unit {
  readonly symbol: string
  readonly scale: number
}

/**
 * One sentence per check, for the pre-trade check and for the reasons of a refusal. `funds` is the asset of the
 * balance.
 */
export function checkTexts(assessment: Assessment, funds: Unit): { readonly [Name in CheckName]: string } {
  const { orderSize, orderValue, availableBalance } = assessment.checks
  const size = `order size ${scaledToText(orderSize.value, sizeScale)}`
  const required = scaledToText(availableBalance.requiredAtoms, funds.scale)
  const available = scaledToText(availableBalance.availableAtoms, funds.scale)
  const comparison = availableBalance.passed ? 'and' : 'but only'
  return {
    orderSize: orderSize.passed
      ? `${size} is within the limits`
      : orderSize.value < orderSize.minimum
        ? `${size} is below the minimum of ${scaledToText(orderSize.minimum, sizeScale)}`
        : `${size} exceeds the limit of ${scaledToText(orderSize.limit, sizeScale)}`,
    orderValue: compared('order value', orderValue.passed, orderValue.valueAtoms, orderValue.limitAtoms),
    exposure: comparedAfter('exposure', assessment.checks.exposure),
    assetExposure: comparedAfter('exposure in the asset', assessment.checks.assetExposure),
    availableBalance: `the order needs ${required} ${funds.symbol}, ${comparison} ${available} ${funds.symbol} is available`,
    dailyVolume: comparedAfter('daily volume', assessment.checks.dailyVolume),
  }
}

/** Sizes in limits are integers of 10^-8 units. */
const sizeScale = 8

/** An order that only reduces may pass beyond an exposure limit, so `within` would not always be true. */
function comparedAfter(subject: string, check: AfterCheck): string {
  const isBeyond = check.afterAtoms > check.limitAtoms
  if (check.passed && isBeyond) return `${subject} is reduced`
  return compared(`${subject} after the order of`, check.passed, check.afterAtoms, check.limitAtoms)
}

function compared(subject: string, passed: boolean, valueAtoms: number, limitAtoms: number): string {
  const value = scaledToText(valueAtoms, cashScale)
  const limit = scaledToText(limitAtoms, cashScale)
  return `${subject} ${value} USD ${passed ? 'is within' : 'exceeds'} the limit of ${limit} USD`
}
