import type { Attribution } from './metrics.ts'
import { type EquityGrid, type FillRecord, inOrder, receivedOf, type TransferRecord } from './records.ts'

/**
 * Profit by where it came from. Each part is added up by itself: spread from the fills against the mid at their
 * instant, inventory from what was held while the mid moved, fees as paid. What the three leave of the profit is
 * stated as `remainder`: the rounding of values to the USD atom, at most one for each fill, each transfer and each look
 * at the mark.
 */
export function attributionOf(
  grid: EquityGrid,
  fills: readonly FillRecord[],
  transfers: readonly TransferRecord[],
  profit: number,
): Attribution {
  let spread = 0
  let fees = 0
  const held = new Map(
    grid.assets.map(({ asset, position, price }) => [
      asset,
      { quantity: Number(position[0]), mid: Number(price[0]), gained: 0 },
    ]),
  )
  for (const change of inOrder(fills, transfers)) {
    const holding = held.get(change.asset)
    if (holding === undefined) continue
    const mid = 'side' in change ? (change.mid ?? change.price) : change.value / change.quantity
    holding.gained += holding.quantity * (mid - holding.mid)
    holding.mid = mid
    const received = receivedOf(change)
    holding.quantity += received
    if (!('side' in change)) continue
    // A fee in the asset itself, stated at the fill's price, has paid its part of the spread.
    spread += (mid - change.price) * received
    fees -= change.feeUsd
  }
  let inventory = 0
  for (const { asset, price } of grid.assets) {
    const holding = held.get(asset)
    if (holding === undefined) continue
    inventory += holding.gained + holding.quantity * ((price.at(-1) ?? holding.mid) - holding.mid)
  }
  return { spread, inventory, fees, profit, remainder: profit - (spread + inventory + fees) }
}
