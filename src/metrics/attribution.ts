import type { Attribution } from './metrics.ts'
import type { EquityGrid, FillRecord } from './records.ts'

/**
 * Profit by where it came from. Each part is added up by itself: spread from the fills against the mid at their
 * instant, inventory from what was held while the mid moved, fees as paid. What the three leave of the profit is
 * stated as `remainder`: the rounding of values to the USD atom, at most one for each fill and each look at the mark,
 * and what deposits of an asset during the run moved between two fills.
 */
export function attributionOf(grid: EquityGrid, fills: readonly FillRecord[], profit: number): Attribution {
  let spread = 0
  let fees = 0
  const held = new Map(
    grid.assets.map(({ asset, position, price }) => [
      asset,
      { quantity: Number(position[0]), mid: Number(price[0]), gained: 0 },
    ]),
  )
  for (const fill of fills) {
    const holding = held.get(fill.asset)
    if (holding === undefined) continue
    const mid = fill.mid ?? fill.price
    const sign = fill.side === 'buy' ? 1 : -1
    holding.gained += holding.quantity * (mid - holding.mid)
    holding.mid = mid
    holding.quantity += sign * fill.quantity - (fill.feeCurrency === fill.asset ? fill.fee : 0)
    spread += sign * (mid - fill.price) * fill.quantity
    fees -= fill.feeUsd
  }
  let inventory = 0
  for (const { asset, price } of grid.assets) {
    const holding = held.get(asset)
    if (holding === undefined) continue
    inventory += holding.gained + holding.quantity * ((price.at(-1) ?? holding.mid) - holding.mid)
  }
  return { spread, inventory, fees, profit, remainder: profit - (spread + inventory + fees) }
}
