import {
  type EquityGrid,
  type FillRecord,
  markoutMillis,
  type OrderRecord,
} from '../../src/metrics/records.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 5)

/** An equity grid of hours with one asset. */
export function gridOf(
  equity: readonly number[],
  more: {
    readonly flow?: readonly number[]
    readonly price?: readonly number[]
    readonly position?: readonly number[]
    readonly stepMillis?: number
  } = {},
): EquityGrid {
  const { stepMillis = hour } = more
  const zeros = equity.map(() => 0)
  return {
    stepMillis,
    atMillis: equity.map((_, place) => start + place * stepMillis),
    equity,
    flow: more.flow ?? zeros,
    cash: equity,
    assets: [{ asset: 'BTC', price: more.price ?? equity.map(() => 100), position: more.position ?? zeros }],
  }
}

export function fillOf(given: Partial<FillRecord> = {}): FillRecord {
  const price = given.price ?? 100
  const quantity = given.quantity ?? 1
  const mid = given.mid ?? price
  return {
    fillId: 'fill_1',
    orderId: 'ord_1',
    quoteId: null,
    atMillis: start,
    asset: 'BTC',
    side: 'buy',
    price,
    quantity,
    value: price * quantity,
    fee: 0,
    feeCurrency: 'USD',
    feeUsd: given.fee ?? 0,
    realized: 0,
    isMaker: false,
    arrivalMid: mid,
    mid,
    midAfter: markoutMillis.map(() => mid),
    tradedBefore: null,
    cause: null,
    ...given,
  }
}

export function orderOf(given: Partial<OrderRecord> = {}): OrderRecord {
  return {
    orderId: 'ord_1',
    clientOrderId: null,
    asset: 'BTC',
    side: 'buy',
    type: 'market',
    timeInForce: 'GTC',
    price: null,
    quantity: 1,
    filledQuantity: 1,
    averagePrice: 100,
    status: 'filled',
    decidedAtMillis: start,
    decisionMid: 100,
    createdAtMillis: start,
    arrivalMid: 100,
    updatedAtMillis: start,
    ...given,
  }
}
