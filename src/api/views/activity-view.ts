import { none, sideNames } from '../../engine/codes.ts'
import type { Transaction } from '../../engine/reports/activity-listings.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { amountNumber, priceNumber, quantityNumber, usdNumber } from '../amounts.ts'
import { type ApiContext, idsOf } from '../context.ts'
import { idOf } from '../ids.ts'
import type * as schemas from '../operations/portfolio.ts'
import { nameOf } from './name-of.ts'

export type TransactionJson = RecordOf<typeof schemas.transaction>
export type TradeJson = RecordOf<typeof schemas.trade>

/**
 * Spec: Transaction. Price, side, order and the fee's currency belong to trades only; for all others they are null
 * (reading `transactions.nonTrade`) and the fee is 0.
 */
export function transactionView(context: ApiContext, line: Transaction): TransactionJson {
  const { assets } = context.state
  const trade = line.type === 'trade' ? tradeView(context, line.row) : null
  return {
    transactionId: transactionId(context, line),
    type: line.type,
    asset: assets.symbol(line.asset),
    quantity: amountNumber(assets, line.asset, line.quantityAtoms),
    price: trade?.price ?? null,
    value: usdNumber(line.valueAtoms),
    fee: trade?.fee ?? 0,
    feeCurrency: trade?.feeCurrency ?? null,
    side: trade?.side ?? null,
    orderId: trade?.orderId ?? null,
    timestamp: millisToIso(line.atMillis),
  }
}

/** Spec: Trade (portfolio history); one fill. */
export function tradeView(context: ApiContext, fill: number): TradeJson {
  const { assets, fills } = context.state
  const asset = fills.asset.get(fill)
  const { pair } = assets.traded(asset)
  const feeAsset = fills.feeAsset.get(fill)
  return {
    tradeId: idOf(idsOf(context), 'trade', fill),
    orderId: sourceId(context, fills.order.get(fill)),
    asset: assets.symbol(asset),
    side: nameOf(sideNames, fills.side.get(fill)),
    quantity: quantityNumber(pair, fills.quantitySteps.get(fill)),
    price: priceNumber(pair, fills.priceTicks.get(fill)),
    value: usdNumber(fills.notionalAtoms.get(fill)),
    fee: amountNumber(assets, feeAsset, fills.feeAtoms.get(fill)),
    feeCurrency: assets.symbol(feeAsset),
    timestamp: millisToIso(fills.atMillis.get(fill)),
  }
}

/** Choice: a trade of a quote's side has the quote's id, because clients cannot read the orders that are its legs. */
function sourceId(context: ApiContext, order: number): string {
  const quote = context.state.orders.quote.get(order)
  return quote === none ? idOf(idsOf(context), 'order', order) : idOf(idsOf(context), 'quote', quote)
}

/** A fill gives up to two lines and a transfer one, so three numbers are reserved for every row. */
function transactionId(context: ApiContext, line: Transaction): string {
  const place = line.type === 'trade' ? 0 : line.type === 'fee' ? 1 : 2
  return idOf(idsOf(context), 'transaction', 3 * line.row + place)
}
