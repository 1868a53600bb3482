import type { QueueLawName } from '../../market/liquidity/liquidity.ts'
import { exp, log } from '../../numeric/portable-math.ts'

/** A law of the queue by its name, with the exponent of the power laws. */
export interface LawSpec {
  readonly law: QueueLawName
  readonly exponent: number
}

/**
 * Returns the share of what leaves a level that leaves behind an order, by a law: from what stands ahead of it and
 * behind it, in steps. An infinite share counts as 1; NaN where there is none. Source: queue models of hftbacktest,
 * after rigtorp.se (2013).
 */
export function computeShareBehind(
  { exponent, law }: LawSpec,
  ahead: number,
  behind: number,
  stepUnits: number,
): number {
  const share = computeShare(law, exponent, ahead, behind, stepUnits)
  return share === Number.POSITIVE_INFINITY || share === Number.NEGATIVE_INFINITY ? 1 : share
}

function computeShare(
  law: LawSpec['law'],
  exponent: number,
  ahead: number,
  behind: number,
  stepUnits: number,
): number {
  switch (law) {
    case 'power': {
      const back = raise(behind, exponent)
      return back / (back + raise(ahead, exponent))
    }
    case 'power2':
      return raise(behind, exponent) / raise(behind + ahead, exponent)
    case 'power3':
      return 1 - raise(ahead / (ahead + behind), exponent)
    case 'log': {
      const back = log(1 + behind * stepUnits)
      return back / (back + log(1 + ahead * stepUnits))
    }
    case 'log2':
      return log(1 + behind * stepUnits) / log(1 + behind * stepUnits + ahead * stepUnits)
    default:
      return Number.NaN
  }
}

/** Raises a number to a power: a whole one by multiplying; another one is NaN for a number below 0. */
function raise(base: number, exponent: number): number {
  if (Number.isInteger(exponent)) {
    let product = 1
    for (let count = 0; count < exponent; count += 1) product *= base
    return product
  }
  return base === 0 ? 0 : exp(exponent * log(base))
}
