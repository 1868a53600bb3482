import { none } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import { powerOfTen, scaledToNumber } from '../../numeric/decimal.ts'
import { divideBigHalfEven } from '../../numeric/wide.ts'
import { priceNumber } from '../amounts.ts'

/** Mean price of an order's fills by quantity, 8 decimals half-even; null when nothing has been filled. */
export function averagePrice(state: State, order: number): number | null {
  const { fills, orders, assets } = state
  const last = orders.lastFill.get(order)
  if (last === none) return null
  const { pair } = assets.traded(orders.asset.get(order))
  if (fills.previousOfOrder.get(last) === none) return priceNumber(pair, fills.priceTicks.get(last))
  let tickSteps = 0n
  let steps = 0n
  for (let row = last; row !== none; row = fills.previousOfOrder.get(row)) {
    const filled = BigInt(fills.quantitySteps.get(row))
    tickSteps += BigInt(fills.priceTicks.get(row)) * filled
    steps += filled
  }
  const { units, scale } = pair.priceStep
  const mean = divideBigHalfEven(
    tickSteps * BigInt(units) * BigInt(powerOfTen(averageScale)),
    steps * BigInt(powerOfTen(scale)),
  )
  return scaledToNumber(Number(mean), averageScale)
}

const averageScale = 8
