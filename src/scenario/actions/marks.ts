import { buy, type Side } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import { type PriceTicks, priceTicks } from '../../numeric/units.ts'
import { multiplyDivideCeil, multiplyDivideFloor, multiplyDivideHalfEven } from '../../numeric/wide.ts'
import type { PriceTerm } from '../file/amounts.ts'

/* Prices of a file at the moment of an action. */

/** Choice: a limit relative to the mark is rounded away from the market, so it is never better than asked for. */
export function limitTicks(price: PriceTerm, asset: number, side: Side, state: State): PriceTicks {
  return ticksAt(price, asset, state, side === buy ? multiplyDivideFloor : multiplyDivideCeil)
}

export const nearestTicks = (price: PriceTerm, asset: number, state: State): PriceTicks =>
  ticksAt(price, asset, state, multiplyDivideHalfEven)

function ticksAt(
  price: PriceTerm,
  asset: number,
  state: State,
  round: (left: number, right: number, divisor: number) => number,
): PriceTicks {
  if (price.kind === 'ticks') return price.priceTicks
  const ticks = round(state.markTicks.get(asset), million + price.change, million)
  return priceTicks(Math.max(1, ticks))
}

const million = 1_000_000
