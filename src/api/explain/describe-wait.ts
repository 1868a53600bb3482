import { withCommas } from '../../numeric/units.ts'

/** What is needed of an order to say what it waits for; a market order has no price. */
export interface WaitingOrder {
  readonly side: 'buy' | 'sell'
  readonly asset: string
  readonly price: number | null
}

/** The market of one asset: its book, best prices first, and whether it is halted. */
export interface SeenMarket {
  readonly bids: readonly PriceLevel[]
  readonly asks: readonly PriceLevel[]
  readonly isHalted: boolean
  /** Whether the book may have further levels, which are not shown. */
  readonly isCut: boolean
}

export interface PriceLevel {
  readonly price: number
  readonly quantity: number
}

/**
 * Describes what an order waits for, and what would be filled before it: `an ask of 90,000 or less; the best is 95,002.22,
 * with 53.1 BTC before it`. Empty for an order without a price.
 */
export function describeWait({ side, asset, price }: WaitingOrder, market: SeenMarket): string {
  if (market.isHalted) return `trading to resume: ${asset} is halted`
  if (price === null) return ''
  const isBuy = side === 'buy'
  const [own, others] = isBuy ? [market.bids, market.asks] : [market.asks, market.bids]
  const best = others[0] === undefined ? 'there is none' : `the best is ${amountText(others[0].price)}`
  const wanted = isBuy ? `an ask of ${amountText(price)} or less` : `a bid of ${amountText(price)} or more`
  const better = own.filter((level) => (isBuy ? level.price > price : level.price < price))
  const ahead = better.reduce((sum, { quantity }) => sum + quantity, 0)
  const least = market.isCut && better.length > 0 && better.length === own.length ? 'at least ' : ''
  return `${wanted}; ${best}${ahead > 0 ? `, with ${least}${amountText(ahead)} ${asset} before it` : ''}`
}

/** Formats an amount with at most eight decimals and commas between thousands. */
export function amountText(value: number): string {
  const [whole = '', fraction = ''] = value.toFixed(8).split('.')
  const digits = fraction.replace(/0+$/, '')
  return withCommas(digits === '' ? whole : `${whole}.${digits}`)
}
