import { limitUse, limitUtilization } from '../../engine/reports/limit-utilization.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { liveOrdersOf, liveQuotesOf } from '../../engine/tables/live-lists.ts'
import { scaledToNumber } from '../../numeric/decimal.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { percentNumber } from '../amounts.ts'
import type { ApiContext } from '../context.ts'
import type { limitEntry } from '../operations/client-fields.ts'

export type LimitEntryJson = RecordOf<typeof limitEntry>

/**
 * Reading `limits.form`: the limits of the account, then those of each traded asset. Choice: of a limit for single
 * orders, the largest live one counts as what is used, quotes included.
 */
export function limitListView(context: ApiContext): readonly LimitEntryJson[] {
  const { state, account } = context
  const { config, maxOrderSize } = state.accounts.limitsOf(account)
  const uses = limitUtilization(state, account)
  const largest = largestLive(context)
  const value = Math.max(0, ...largest.map(({ valueAtoms }) => valueAtoms))
  const entry = (
    limitType: LimitEntryJson['limitType'],
    row: number | null,
    use: { readonly used: number; readonly limit: number },
    scale: number,
  ): LimitEntryJson => ({
    limitType,
    asset: row === null ? null : state.assets.symbol(row),
    limitValue: scaledToNumber(use.limit, scale),
    currentValue: scaledToNumber(use.used, scale),
    utilizationPercentage: percentNumber(limitUse(use.used, use.limit).percentE4),
    isBreached: use.used > use.limit,
    updatedAt: millisToIso(context.now),
  })
  return [
    entry('max_notional_value', null, { used: value, limit: config.maxOrderValue }, cashScale),
    entry('max_daily_volume', null, uses.dailyVolume, cashScale),
    entry('max_exposure', null, uses.exposure, cashScale),
    entry('max_open_orders', null, uses.openOrders, 0),
    ...uses.byAsset.flatMap(({ asset, exposure, openOrders }) => [
      entry(
        'max_order_size',
        asset,
        { used: largest[asset]?.sizeE8 ?? 0, limit: Number(maxOrderSize[asset]) },
        8,
      ),
      entry('max_exposure', asset, exposure, cashScale),
      entry('max_open_orders', asset, openOrders, 0),
    ]),
  ]
}

/** By asset: the largest size, in 10^-8 units, and the highest value of what is live. */
function largestLive({ state, account }: ApiContext): { sizeE8: number; valueAtoms: number }[] {
  const { assets, orders, quotes } = state
  const legs = liveQuotesOf(state, account).flatMap((row) => [quotes.bidLeg.get(row), quotes.askLeg.get(row)])
  const largest = Array.from({ length: assets.count }, () => ({ sizeE8: 0, valueAtoms: 0 }))
  for (const row of [...liveOrdersOf(state, account), ...legs]) {
    const asset = orders.asset.get(row)
    const steps = orders.quantitySteps.get(row)
    const found = largest[asset]
    if (found === undefined) continue
    found.sizeE8 = Math.max(found.sizeE8, steps * assets.traded(asset).stepSize)
    const valueAtoms = assets.notional(asset, orders.priceTicks.get(row), steps)
    found.valueAtoms = Math.max(found.valueAtoms, valueAtoms)
  }
  return largest
}
