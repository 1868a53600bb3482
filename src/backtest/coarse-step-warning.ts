import { priceNumber } from '../api/amounts.ts'
import type { AssetTable } from '../engine/tables/asset-table.ts'
import type { FillRecord } from '../metrics/records.ts'

/** What the steps of pairs that state none come to at most, down to a price of 0.01 USD (see `pairDefaults`). */
const usualBps = 10

/**
 * What to doubt about trades at a price of few steps, of the asset whose steps are widest; null where prices are fine
 * enough. Choice: an eighth decimal is the finest price there is, so a run at such prices is told of, not refused.
 */
export function coarseStepWarning(
  assets: AssetTable,
  fills: readonly Pick<FillRecord, 'asset' | 'price'>[],
): string | null {
  let widestBps = usualBps
  let warning: string | null = null
  for (const { asset, price } of fills) {
    const step = priceNumber(assets.traded(assets.rowOf(asset)).pair, 1)
    const bps = (step / price) * 10_000
    // A step is a whole number of units of its last decimal, and its quotient may lie an ulp beside 10.
    if (bps <= widestBps + 1e-9) continue
    widestBps = bps
    warning = `A fill of ${asset} is at a price of ${Math.round(price / step)} steps, so that one step is ${bps.toFixed(0)} bp of it: spreads, slippage and profits in ${asset} are rounded to that.`
  }
  return warning
}
