import { quoteStatusNames } from '../../engine/codes.ts'
import { scaledToNumber } from '../../numeric/decimal.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { priceNumber, quantityNumber } from '../amounts.ts'
import { type ApiContext, idsOf } from '../context.ts'
import { idOf } from '../ids.ts'
import type * as schemas from '../operations/quotes.ts'
import { nameOf } from './name-of.ts'
import { fillView } from './order-view.ts'

export type QuoteJson = RecordOf<typeof schemas.quote>
export type ListedQuoteJson = RecordOf<typeof schemas.quoteList>['quotes'][number]
export type QuoteFillJson = RecordOf<typeof schemas.quoteFill>
export type CancelledQuoteJson = RecordOf<typeof schemas.cancelledQuote>

/** Spec: Quote, in its present state. */
export function quoteView(context: ApiContext, row: number): QuoteJson {
  const { assets, orders, quotes } = context.state
  const { pair } = assets.traded(quotes.asset.get(row))
  return {
    quoteId: quoteId(context, row),
    clientQuoteId: quotes.clientId(row),
    asset: assets.symbol(quotes.asset.get(row)),
    ...sidesOf(context, row),
    bidFilled: quantityNumber(pair, orders.filledSteps.get(quotes.bidLeg.get(row))),
    askFilled: quantityNumber(pair, orders.filledSteps.get(quotes.askLeg.get(row))),
    status: quoteStatus(context, row),
    validForSeconds: scaledToNumber(quotes.validForMillis.get(row), 3),
    expiresAt: millisToIso(quotes.expiresAtMillis.get(row)),
    metadata: quotes.metadata.get(row) ?? {},
    createdAt: millisToIso(quotes.createdAtMillis.get(row)),
    updatedAt: millisToIso(quotes.updatedAtMillis.get(row)),
  }
}

/** Spec: Submit quote, the response: active, nothing filled, whatever it met at once. */
export function acceptedQuoteView(context: ApiContext, row: number): QuoteJson {
  const quote = quoteView(context, row)
  return { ...quote, status: 'active', bidFilled: 0, askFilled: 0, updatedAt: quote.createdAt }
}

/** Spec: Quote, the fields in a list. */
export function listedQuoteView(context: ApiContext, row: number): ListedQuoteJson {
  const { assets, quotes } = context.state
  return {
    quoteId: quoteId(context, row),
    asset: assets.symbol(quotes.asset.get(row)),
    ...sidesOf(context, row),
    status: quoteStatus(context, row),
    expiresAt: millisToIso(quotes.expiresAtMillis.get(row)),
    createdAt: millisToIso(quotes.createdAtMillis.get(row)),
  }
}

export function cancelledQuoteView(context: ApiContext, row: number): CancelledQuoteJson {
  return {
    quoteId: quoteId(context, row),
    status: quoteStatus(context, row),
    cancelledAt: millisToIso(context.state.quotes.updatedAtMillis.get(row)),
  }
}

/** A fill of an order, with the quote in place of the order that is one of its sides. */
export function quoteFillView(context: ApiContext, quote: number, fill: number): QuoteFillJson {
  const { orderId: _, fillId, ...rest } = fillView(context, fill)
  return { fillId, quoteId: quoteId(context, quote), ...rest }
}

export function quoteId(context: ApiContext, row: number): string {
  return idOf(idsOf(context), 'quote', row)
}

export function quoteStatus(context: ApiContext, row: number): QuoteJson['status'] {
  return nameOf(quoteStatusNames, context.state.quotes.status.get(row))
}

function sidesOf(context: ApiContext, row: number) {
  const { assets, orders, quotes } = context.state
  const { pair } = assets.traded(quotes.asset.get(row))
  const bidLeg = quotes.bidLeg.get(row)
  const askLeg = quotes.askLeg.get(row)
  return {
    bidPrice: priceNumber(pair, orders.priceTicks.get(bidLeg)),
    askPrice: priceNumber(pair, orders.priceTicks.get(askLeg)),
    bidSize: quantityNumber(pair, orders.quantitySteps.get(bidLeg)),
    askSize: quantityNumber(pair, orders.quantitySteps.get(askLeg)),
  }
}
