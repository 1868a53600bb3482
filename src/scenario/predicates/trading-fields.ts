import { averagePrice } from '../../api/views/average-price.ts'
import { none, orderStatusNames, quoteStatusNames, sideNames } from '../../engine/codes.ts'
import type { PairConfig } from '../../engine/config.ts'
import { isHalted } from '../../engine/orders/matching.ts'
import { statistics24h } from '../../engine/reports/statistics.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import type { ReadoutField, ReadoutFields, ReadoutType, Value } from './exact.ts'
import { exact, exactFromText, times } from './exact.ts'

/*
 * Read-outs of markets, orders, quotes and fills. A field's value and unit are those of the wire's field of the same
 * name, unless said otherwise.
 */

type OfAsset = [state: State, asset: number]

/** `price.BTC.mid`. `mark` is the price that the venue values positions at. */
export const priceFields = {
  bid: { type: 'number', of: (state, asset) => inTicks(state, asset, topOfBook(state, asset).bidTicks) },
  ask: { type: 'number', of: (state, asset) => inTicks(state, asset, topOfBook(state, asset).askTicks) },
  mid: halfTicks((state, asset) => topOfBook(state, asset).midHalfTicks),
  last: halfTicks((state, asset) => statistics24h(state, asset).closeHalfTicks),
  mark: { type: 'number', of: (state, asset) => inTicks(state, asset, state.markTicks.get(asset)) },
  open: halfTicks((state, asset) => statistics24h(state, asset).openHalfTicks),
  high24h: halfTicks((state, asset) => statistics24h(state, asset).highHalfTicks),
  low24h: halfTicks((state, asset) => statistics24h(state, asset).lowHalfTicks),
  volume24h: {
    type: 'number',
    of: (state, asset) => inSteps(state, asset, statistics24h(state, asset).volumeSteps),
  },
  change24h: { type: 'number', of: (state, asset) => exact(statistics24h(state, asset).changePercentE4, 4) },
} satisfies ReadoutFields<OfAsset>

/** `market.BTC.halted`; `status` is active or inactive. */
export const marketFields = {
  halted: { type: 'boolean', of: (state, asset) => isHalted(stateOf(state, asset)) },
  status: { type: 'text', of: pairStatus },
} satisfies ReadoutFields<OfAsset>

/** What a label or a wildcard stands for, and the last refusal of what the label names. */
type Labelled = [state: State, row: number | null, refusal: string | null]

const exists: ReadoutField<Labelled> = { type: 'boolean', of: (_, row) => row !== null }

/** The name of the venue's last refusal of it, such as RISK_LIMIT_EXCEEDED; unknown while there was none. */
const refusal: ReadoutField<Labelled> = { type: 'text', of: (_state, _row, name) => name }

/** `order[label].status`; `exists` is false while the label has no accepted order. */
export const orderFields = {
  exists,
  status: ofRow('text', ({ orders }, row) => orderStatusNames[orders.status.get(row)] ?? null),
  side: ofRow('text', ({ orders }, row) => sideNames[orders.side.get(row)] ?? null),
  price: ofRow('number', (state, row) =>
    state.orders.priceTicks.get(row) === 0 ? null : priceOf(state, row),
  ),
  quantity: ofRow('number', (state, row) => quantityOf(state, row)),
  filledQuantity: ofRow('number', (state, row) => filledOf(state, row)),
  remainingQuantity: ofRow('number', (state, row) =>
    inSteps(state, state.orders.asset.get(row), state.orders.remainingSteps(row)),
  ),
  averagePrice: ofRow('number', (state, row) => {
    const price = averagePrice(state, row)
    return price === null ? null : exactFromText(String(price))
  }),
  refusal,
} satisfies ReadoutFields<Labelled>

/** `quote[label].status`. */
export const quoteFields = {
  exists,
  status: ofRow('text', ({ quotes }, row) => quoteStatusNames[quotes.status.get(row)] ?? null),
  bidPrice: ofRow('number', (state, row) => priceOf(state, state.quotes.bidLeg.get(row))),
  askPrice: ofRow('number', (state, row) => priceOf(state, state.quotes.askLeg.get(row))),
  bidSize: ofRow('number', (state, row) => quantityOf(state, state.quotes.bidLeg.get(row))),
  askSize: ofRow('number', (state, row) => quantityOf(state, state.quotes.askLeg.get(row))),
  bidFilled: ofRow('number', (state, row) => filledOf(state, state.quotes.bidLeg.get(row))),
  askFilled: ofRow('number', (state, row) => filledOf(state, state.quotes.askLeg.get(row))),
  refusal,
} satisfies ReadoutFields<Labelled>

/** `fill.asset`: each fill since the last look at the predicate. */
export const fillFields = {
  asset: { type: 'text', of: ({ assets, fills }, row) => assets.symbol(fills.asset.get(row)) },
  account: { type: 'text', of: ({ accounts, fills }, row) => accounts.id(fills.account.get(row)) },
  side: { type: 'text', of: ({ fills }, row) => sideNames[fills.side.get(row)] ?? null },
  price: {
    type: 'number',
    of: (state, row) => inTicks(state, state.fills.asset.get(row), state.fills.priceTicks.get(row)),
  },
  quantity: {
    type: 'number',
    of: (state, row) => inSteps(state, state.fills.asset.get(row), state.fills.quantitySteps.get(row)),
  },
  fee: {
    type: 'number',
    of: ({ assets, fills }, row) =>
      exact(fills.feeAtoms.get(row), assets.config(fills.feeAsset.get(row)).scale),
  },
  isMaker: { type: 'boolean', of: ({ fills }, row) => fills.isMaker.get(row) === 1 },
} satisfies ReadoutFields<[state: State, row: number]>

/** As the trading pairs show it: a halt in which orders may rest leaves the pair active. */
function pairStatus(state: State, asset: number): Value {
  const { halt, isHaltedByRecording } = stateOf(state, asset)
  return pairOf(state, asset).isActive && halt !== 'reject' && !isHaltedByRecording ? 'active' : 'inactive'
}

/** A field that is unknown while there is no such row. */
function ofRow(type: ReadoutType, read: (state: State, row: number) => Value): ReadoutField<Labelled> {
  return { type, of: (state, row) => (row === null ? null : read(state, row)) }
}

/** A price in half ticks: a mid lies between two ticks. */
function halfTicks(read: (state: State, asset: number) => number): ReadoutField<OfAsset> {
  const value = (state: State, asset: number): Value => {
    const { units, scale } = pairOf(state, asset).priceStep
    return exact(BigInt(read(state, asset)) * BigInt(units) * 5n, scale + 1)
  }
  return { type: 'number', of: value }
}

const pairOf = (state: State, asset: number): PairConfig => state.assets.traded(asset).pair

const inTicks = (state: State, asset: number, ticks: number): Value =>
  ticks === none ? null : times(ticks, pairOf(state, asset).priceStep)

const inSteps = (state: State, asset: number, steps: number): Value =>
  times(steps, pairOf(state, asset).quantityStep)

/* Of an order, or of the leg of a quote. */

const priceOf = (state: State, row: number): Value =>
  inTicks(state, state.orders.asset.get(row), state.orders.priceTicks.get(row))

const quantityOf = (state: State, row: number): Value =>
  inSteps(state, state.orders.asset.get(row), state.orders.quantitySteps.get(row))

const filledOf = (state: State, row: number): Value =>
  inSteps(state, state.orders.asset.get(row), state.orders.filledSteps.get(row))

/** What is known of the requests that one selector matches. */
export interface Tally {
  count: number
  accepted: number
  clientErrors: number
  serverErrors: number
  limited: number
  /** The most requests within any one second so far. */
  burst: number
  /** The instants of those in the last second, oldest first. */
  recent: readonly number[]
}

type OfTally = [tally: Tally]

/** `requests[POST /api/sdk/orders].count`, `requests[key-or-account].burst1s`; ratios are 0 to 1. */
export const requestFields = {
  count: counted((tally) => tally.count),
  status2xx: counted((tally) => tally.accepted),
  status4xx: counted((tally) => tally.clientErrors),
  status429: counted((tally) => tally.limited),
  status5xx: counted((tally) => tally.serverErrors),
  errorRatio: share((tally) => tally.clientErrors + tally.serverErrors),
  status429Ratio: share((tally) => tally.limited),
  burst1s: counted((tally) => tally.burst),
} satisfies ReadoutFields<OfTally>

function counted(of: (tally: Tally) => number): ReadoutField<OfTally> {
  return { type: 'number', of: (tally) => exact(of(tally), 0) }
}

/** To six decimals; of no requests it is 0. */
function share(of: (tally: Tally) => number): ReadoutField<OfTally> {
  const value = (tally: Tally): Value =>
    exactFromText((tally.count === 0 ? 0 : of(tally) / tally.count).toFixed(6))
  return { type: 'number', of: value }
}
