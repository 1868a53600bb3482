import { divideCeil, divideHalfEven, larger, partsInOne } from './exact.ts'
import type { NaiveAsset, NaiveOrder, NaiveWorld } from './naive-world.ts'
import { at, remainingOf } from './naive-world.ts'

/** Returns the cash atoms of a number of (ticks times steps), to the nearest atom, ties to even. */
export function computeCashValue(asset: NaiveAsset, tickSteps: bigint): bigint {
  return divideHalfEven(tickSteps * asset.valueNumerator, asset.valueDenominator)
}

/** Returns the cash atoms of a signed amount of the asset at the mark. */
export function computeMarkValue(asset: NaiveAsset, atoms: bigint): bigint {
  return divideHalfEven(
    asset.markTicks * atoms * asset.valueNumerator,
    asset.atomsPerStep * asset.valueDenominator,
  )
}

/** Returns the cash atoms that a buy of this value reserves: with the higher of its fees, rounded up once. */
export function computeBuyReserve(
  world: Pick<NaiveWorld, 'feeCurrency'>,
  asset: NaiveAsset,
  tickSteps: bigint,
  rates: { readonly makerRate: bigint; readonly takerRate: bigint },
): bigint {
  const worst = larger(larger(rates.makerRate, rates.takerRate), 0n)
  const rate = world.feeCurrency === 'quote' ? worst : 0n
  return divideCeil(
    tickSteps * asset.valueNumerator * (partsInOne + rate),
    asset.valueDenominator * partsInOne,
  )
}

/** Returns what a limit order reserves for its remaining quantity. */
export function computeReserve(world: NaiveWorld, order: NaiveOrder): bigint {
  const asset = at(world.assets, order.asset)
  const remaining = remainingOf(order)
  if (order.side === 1) return remaining * asset.atomsPerStep
  return computeBuyReserve(world, asset, order.priceTicks * remaining, order)
}

/** Returns a fee, rounded up; a rebate is negative and rounded toward zero. */
export function computeFee(amount: bigint, rate: bigint): bigint {
  return divideCeil(amount * rate, partsInOne)
}
