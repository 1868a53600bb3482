import type { OwnLine } from './ladder.ts'
import type { VenueCall } from './venue-call.ts'

/* What the ticket and the chart ask the venue for, in the words of its interface. */

type Values = Readonly<Record<string, string>>

const pathOf = ({ kind, id }: Pick<OwnLine, 'kind' | 'id'>): string =>
  `/api/sdk/${kind}s/${encodeURIComponent(id)}`

const scopeOf = ({ kind }: Pick<OwnLine, 'kind'>): VenueCall['scope'] =>
  kind === 'order' ? 'TRADE' : 'MARKET_MAKING'

/** Returns the call that amends the price of an order, or of a side of a quote. */
export function amendPrice(line: Pick<OwnLine, 'kind' | 'id' | 'side'>, price: number): VenueCall {
  const name = line.kind === 'order' ? 'price' : line.side === 'buy' ? 'bidPrice' : 'askPrice'
  return { method: 'PATCH', path: pathOf(line), body: { [name]: price }, scope: scopeOf(line) }
}

export const cancelLine = (line: Pick<OwnLine, 'kind' | 'id'>): VenueCall => ({
  ...{ method: 'DELETE', path: pathOf(line), scope: scopeOf(line) },
})

/**
 * Returns the call that places an order. Numbers are sent as they were typed; any other text is left for the venue to
 * refuse.
 */
export function placeOrder(asset: string, { price, quantity, ...rest }: Values): VenueCall {
  const isMarket = rest['orderType'] === 'market'
  const amounts = { quantity: toNumber(quantity), ...(isMarket ? {} : { price: toNumber(price) }) }
  return { method: 'POST', path: '/api/sdk/orders', body: { asset, ...rest, ...amounts }, scope: 'TRADE' }
}

/** Returns the call that amends an order. An empty field leaves its value as it is. */
export function amendOrder(id: string, values: Values): VenueCall {
  const body = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toNumber(value)]))
  return { method: 'PATCH', path: pathOf({ kind: 'order', id }), body, scope: 'TRADE' }
}

/** Returns the call that submits a quote. */
export function submitQuote(asset: string, values: Values): VenueCall {
  const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toNumber(value)]))
  return { method: 'POST', path: '/api/sdk/quotes', body: { asset, ...numbers }, scope: 'MARKET_MAKING' }
}

/**
 * Converts what was typed as a plain number, with or without commas between thousands. Any other text, such as `0,5`, stays
 * as it is, so that the venue refuses it.
 */
export function toNumber(text: string | undefined): number | string | undefined {
  const typed = text?.trim() ?? ''
  const isPlain = /^-?(?=\.?\d)(\d*|[1-9]\d{0,2}(,\d{3})+)(\.\d*)?$/.test(typed)
  return isPlain ? Number(typed.replaceAll(',', '')) : text
}
