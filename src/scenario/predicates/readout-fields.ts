/* The fields of all read-outs: one table of families. A field's value and unit are those of the wire's field of the same
 * name, unless said otherwise. */

export type ReadoutType = 'number' | 'text' | 'boolean'

type Fields = { readonly [field: string]: ReadoutType }

/** `price.BTC.mid`. `mark` is the price that the venue values positions at. */
export const priceFields = {
  bid: 'number',
  ask: 'number',
  mid: 'number',
  last: 'number',
  mark: 'number',
  open: 'number',
  high24h: 'number',
  low24h: 'number',
  volume24h: 'number',
  change24h: 'number',
} as const satisfies Fields

/** `market.BTC.halted`; `status` is active or inactive. */
export const marketFields = { halted: 'boolean', status: 'text' } as const satisfies Fields

/** `order[label].status`; `exists` is false while the label has no accepted order. */
export const orderFields = {
  exists: 'boolean',
  status: 'text',
  side: 'text',
  price: 'number',
  quantity: 'number',
  filledQuantity: 'number',
  remainingQuantity: 'number',
  averagePrice: 'number',
  /** The name of the venue's last refusal of it, such as RISK_LIMIT_EXCEEDED; unknown while there was none. */
  refusal: 'text',
} as const satisfies Fields

/** `quote[label].status`. */
export const quoteFields = {
  exists: 'boolean',
  status: 'text',
  bidPrice: 'number',
  askPrice: 'number',
  bidSize: 'number',
  askSize: 'number',
  bidFilled: 'number',
  askFilled: 'number',
  refusal: 'text',
} as const satisfies Fields

/** `account[id].balance.USD.available`. */
export const balanceFields = {
  total: 'number',
  available: 'number',
  locked: 'number',
  pendingDeposit: 'number',
  pendingWithdrawal: 'number',
} as const satisfies Fields

/** `account[id].position.BTC.quantity` is absolute; `side` (long, short, flat) says the direction. */
export const positionFields = {
  quantity: 'number',
  side: 'text',
  averageEntryPrice: 'number',
  realizedPnl: 'number',
  unrealizedPnl: 'number',
} as const satisfies Fields

/**
 * `account[id].openOrders`. Money in USD at the mark; `totalPnl` and `dayPnl` after fees. The fields of the summary and the
 * exposure have the meaning that the wire gives them.
 */
export const accountFields = {
  openOrders: 'number',
  openPositions: 'number',
  equity: 'number',
  cashBalance: 'number',
  positionsValue: 'number',
  totalPnl: 'number',
  dayPnl: 'number',
  realizedPnl: 'number',
  unrealizedPnl: 'number',
  buyingPower: 'number',
  grossExposureUsd: 'number',
  netExposureUsd: 'number',
  leverage: 'number',
  fills: 'number',
} as const satisfies Fields

/** `account[id].lockedByLiveQuotes.SOL`: what live quotes, or live orders, hold of an asset. */
export const lockedFields = {
  lockedByLiveQuotes: 'number',
  lockedByLiveOrders: 'number',
} as const satisfies Fields

/** `fill.asset`: each fill since the last look at the predicate. */
export const fillFields = {
  asset: 'text',
  account: 'text',
  side: 'text',
  price: 'number',
  quantity: 'number',
  fee: 'number',
  isMaker: 'boolean',
} as const satisfies Fields

/** `requests[POST /api/sdk/orders].count`, `requests[key-or-account].burst1s`; ratios are 0 to 1. */
export const requestFields = {
  count: 'number',
  status2xx: 'number',
  status4xx: 'number',
  status429: 'number',
  status5xx: 'number',
  errorRatio: 'number',
  status429Ratio: 'number',
  burst1s: 'number',
} as const satisfies Fields

/** Of the whole venue; `duplicates` are orders whose client id their account had used before. */
export const counterFields = {
  'orders.count': 'number',
  'orders.open.count': 'number',
  'orders.byClientId.duplicates': 'number',
  'quotes.count': 'number',
  'quotes.live.count': 'number',
  'fills.count': 'number',
} as const satisfies Fields
