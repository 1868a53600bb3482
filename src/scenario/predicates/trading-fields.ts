import { averagePrice } from '../../api/handlers/orders.ts'
import {
  buy,
  cash,
  firstClientAccount,
  isLiveQuote,
  none,
  orderStatusNames,
  quoteStatusNames,
  sideNames,
} from '../../engine/codes.ts'
import type { PairConfig } from '../../engine/config.ts'
import { isHalted } from '../../engine/orders/matching.ts'
import { isFill } from '../../engine/reports/activity.ts'
import { type BalanceFigures, balanceOf } from '../../engine/reports/balances.ts'
import { portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import { type PortfolioSummaryFigures, portfolioSummary } from '../../engine/reports/portfolio-summary.ts'
import { positionOf } from '../../engine/reports/position-figures.ts'
import { statistics24h } from '../../engine/reports/statistics.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { activityOf, liveOrdersOf, liveQuotesOf, ordersOf } from '../../engine/tables/account-table.ts'
import { exact, exactFromText, type ReadoutField, type ReadoutFields, times, type Value } from './exact.ts'

/*
 * Read-outs of accounts and of the whole venue. A field's value and unit are those of the wire's field of the same
 * name, unless said otherwise.
 */

type OfAccount = [state: State, account: number]
type OfHolding = [state: State, account: number, asset: number]

/** `account[id].balance.USD.available`. */
export const balanceFields: ReadoutFields<OfHolding> = {
  total: ofBalance(({ totalAtoms }) => totalAtoms),
  available: ofBalance(({ availableAtoms }) => availableAtoms),
  locked: ofBalance(({ lockedAtoms }) => lockedAtoms),
  pendingDeposit: ofBalance(({ pendingDepositAtoms }) => pendingDepositAtoms),
  pendingWithdrawal: ofBalance(({ pendingWithdrawalAtoms }) => pendingWithdrawalAtoms),
}

/**
 * `account[id].position.BTC.quantity` is absolute; `side` (long, short, flat) says the direction. Choice: a flat
 * position reads as quantity 0, side flat and no average, so that predicates can say "nothing held".
 */
export const positionFields: ReadoutFields<OfHolding> = {
  quantity: number((state, account, asset) =>
    inAtoms(state, asset, Math.abs(positionOf(state, account, asset)?.quantityAtoms ?? 0)),
  ),
  side: {
    type: 'text',
    words: ['long', 'short', 'flat'],
    of: (...holding) => positionOf(...holding)?.side ?? 'flat',
  },
  averageEntryPrice: number((...holding) => {
    const position = positionOf(...holding)
    return position === null ? null : exact(position.averageEntryPriceE8, 8)
  }),
  realizedPnl: number(({ holdings }, account, asset) =>
    usd(holdings.realizedAtoms.get(holdings.rowOf(account, asset))),
  ),
  unrealizedPnl: number((...holding) => usd(positionOf(...holding)?.unrealizedPnlAtoms ?? 0)),
}

/**
 * `account[id].openOrders`. Money in USD at the mark; `totalPnl` and `dayPnl` after fees. The fields of the summary
 * and the exposure have the meaning that the wire gives them.
 */
export const accountFields: ReadoutFields<OfAccount> = {
  openOrders: number((state, account) => count(state.accounts.openOrders.get(account))),
  openPositions: number((...owner) => count(portfolioSummary(...owner).openPositions)),
  equity: ofSummary(({ totalValueAtoms }) => totalValueAtoms),
  cashBalance: ofSummary(({ cashBalanceAtoms }) => cashBalanceAtoms),
  positionsValue: ofSummary(({ positionsValueAtoms }) => positionsValueAtoms),
  totalPnl: ofSummary(({ totalPnlAtoms }) => totalPnlAtoms),
  dayPnl: ofSummary(({ dayPnlAtoms }) => dayPnlAtoms),
  realizedPnl: ofSummary(({ realizedPnlAtoms }) => realizedPnlAtoms),
  unrealizedPnl: ofSummary(({ unrealizedPnlAtoms }) => unrealizedPnlAtoms),
  buyingPower: ofSummary(({ buyingPowerAtoms }) => buyingPowerAtoms),
  grossExposureUsd: number((...owner) => usd(portfolioExposure(...owner).totalExposureAtoms)),
  netExposureUsd: number((...owner) => usd(portfolioExposure(...owner).netExposureAtoms)),
  leverage: number((...owner) => exact(portfolioExposure(...owner).leverageE8, 8)),
  fills: number(countFills),
}

/** `account[id].lockedByLiveQuotes.SOL`: what live quotes, or live orders, hold of an asset. */
export const lockedFields: ReadoutFields<OfHolding> = {
  lockedByLiveQuotes: number((state, account, asset) => {
    const { bidLeg, askLeg } = state.quotes
    const legs = liveQuotesOf(state, account).flatMap((quote) => [bidLeg.get(quote), askLeg.get(quote)])
    return reservedBy(legs, state, asset)
  }),
  lockedByLiveOrders: number((state, account, asset) =>
    reservedBy(liveOrdersOf(state, account), state, asset),
  ),
}

/** Of the whole venue; `duplicates` are orders whose client id their account had used before. */
export const counterFields: ReadoutFields<[state: State]> = {
  'orders.count': ofAllAccounts((state, account) => ordersOf(state, account).count),
  'orders.open.count': ofAllAccounts((state, account) => liveOrdersOf(state, account).length),
  'orders.byClientId.duplicates': number((state) => {
    const names = sumOf(state, (account) => state.accounts.listsOf(account).clientOrderIds.size)
    return count(state.orders.clientIds.size - names)
  }),
  'quotes.count': number(({ quotes }) => count(quotes.count)),
  'quotes.live.count': number(({ quotes }) => {
    let live = 0
    for (let row = 0; row < quotes.count; row += 1) if (isLiveQuote(quotes.status.get(row))) live += 1
    return count(live)
  }),
  'fills.count': number(({ fills }) => count(fills.count)),
}

const usd = (atoms: number): Value => exact(atoms, 6)
const count = (things: number): Value => exact(things, 0)
const inAtoms = (state: State, asset: number, atoms: number): Value =>
  exact(atoms, state.assets.config(asset).scale)

function number<About extends readonly unknown[]>(of: (...about: About) => Value): ReadoutField<About> {
  return { type: 'number', of }
}

function ofBalance(atomsOf: (balance: BalanceFigures) => number): ReadoutField<OfHolding> {
  return number((state, account, asset) => inAtoms(state, asset, atomsOf(balanceOf(state, account, asset))))
}

function ofSummary(atomsOf: (summary: PortfolioSummaryFigures) => number): ReadoutField<OfAccount> {
  return number((...owner) => usd(atomsOf(portfolioSummary(...owner))))
}

function countFills(state: State, account: number): Value {
  const activity = activityOf(state, account)
  let fills = 0
  for (let place = 0; place < activity.count; place += 1) if (isFill(activity.at(place))) fills += 1
  return count(fills)
}

/** USD for what these orders buy, the asset for what they sell. */
function reservedBy(rows: readonly number[], state: State, asset: number): Value {
  const { orders } = state
  let atoms = 0
  for (const row of rows) {
    const held = orders.side.get(row) === buy ? cash : orders.asset.get(row)
    if (held === asset) atoms += orders.reservedAtoms.get(row)
  }
  return inAtoms(state, asset, atoms)
}

function ofAllAccounts(of: (state: State, account: number) => number): ReadoutField<[state: State]> {
  return number((state) => count(sumOf(state, (account) => of(state, account))))
}

function sumOf(state: State, of: (account: number) => number): number {
  let sum = 0
  for (let account = firstClientAccount; account < state.accounts.count; account += 1) sum += of(account)
  return sum
}

/*
 * Read-outs of markets, orders, quotes and fills. A field's value and unit are those of the wire's field of the same
 * name, unless said otherwise.
 */

type OfAsset = [state: State, asset: number]

/** `price.BTC.mid`. `mark` is the price that the venue values positions at. */
export const priceFields: ReadoutFields<OfAsset> = {
  bid: number((state, asset) => inTicks(state, asset, topOfBook(state, asset).bidTicks)),
  ask: number((state, asset) => inTicks(state, asset, topOfBook(state, asset).askTicks)),
  mid: halfTicks((state, asset) => topOfBook(state, asset).midHalfTicks),
  last: halfTicks((state, asset) => statistics24h(state, asset).closeHalfTicks),
  mark: number((state, asset) => inTicks(state, asset, state.markTicks.get(asset))),
  open: halfTicks((state, asset) => statistics24h(state, asset).openHalfTicks),
  high24h: halfTicks((state, asset) => statistics24h(state, asset).highHalfTicks),
  low24h: halfTicks((state, asset) => statistics24h(state, asset).lowHalfTicks),
  volume24h: number((state, asset) => inSteps(state, asset, statistics24h(state, asset).volumeSteps)),
  change24h: number((state, asset) => exact(statistics24h(state, asset).changePercentE4, 4)),
}

/** `market.BTC.halted`; `status` is active or inactive. */
export const marketFields: ReadoutFields<OfAsset> = {
  halted: { type: 'boolean', of: (state, asset) => isHalted(stateOf(state, asset)) },
  status: { type: 'text', words: ['active', 'inactive'], of: pairStatus },
}

/** What a label or a wildcard stands for, and the last refusal of what the label names. */
type Labelled = [state: State, row: number | null, refusal: string | null]

const exists: ReadoutField<Labelled> = { type: 'boolean', of: (_, row) => row !== null }

/** The name of the venue's last refusal of it, such as RISK_LIMIT_EXCEEDED; unknown while there was none. */
const refusal = (words: readonly string[]): ReadoutField<Labelled> => ({
  type: 'text',
  words,
  of: (_state, _row, name) => name,
})

/** As the script's `ActionRunner` names them: the interface's type or, where it has none, its reason. */
const refusals = [
  'RISK_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'pair-inactive',
  'pair-violation',
  'invalid-parameter',
  'duplicate-client-id',
] as const
export const orderRefusals: readonly string[] = [...refusals, 'order-terminal']
export const quoteRefusals: readonly string[] = [...refusals, 'quote-terminal']

/** `order[label].status`; `exists` is false while the label has no accepted order. */
export const orderFields: ReadoutFields<Labelled> = {
  exists,
  status: wordOfRow(orderStatusNames, ({ orders }, row) => orders.status.get(row)),
  side: wordOfRow(sideNames, ({ orders }, row) => orders.side.get(row)),
  price: ofRow((state, row) => (state.orders.priceTicks.get(row) === 0 ? null : priceOf(state, row))),
  quantity: ofRow((state, row) => quantityOf(state, row)),
  filledQuantity: ofRow((state, row) => filledOf(state, row)),
  remainingQuantity: ofRow((state, row) =>
    inSteps(state, state.orders.asset.get(row), state.orders.remainingSteps(row)),
  ),
  averagePrice: ofRow((state, row) => {
    const price = averagePrice(state, row)
    return price === null ? null : exactFromText(String(price))
  }),
  refusal: refusal(orderRefusals),
}

/** `quote[label].status`. */
export const quoteFields: ReadoutFields<Labelled> = {
  exists,
  status: wordOfRow(quoteStatusNames, ({ quotes }, row) => quotes.status.get(row)),
  bidPrice: ofRow((state, row) => priceOf(state, state.quotes.bidLeg.get(row))),
  askPrice: ofRow((state, row) => priceOf(state, state.quotes.askLeg.get(row))),
  bidSize: ofRow((state, row) => quantityOf(state, state.quotes.bidLeg.get(row))),
  askSize: ofRow((state, row) => quantityOf(state, state.quotes.askLeg.get(row))),
  bidFilled: ofRow((state, row) => filledOf(state, state.quotes.bidLeg.get(row))),
  askFilled: ofRow((state, row) => filledOf(state, state.quotes.askLeg.get(row))),
  refusal: refusal(quoteRefusals),
}

/** `fill.asset`: each fill since the last look at the predicate. */
export const fillFields: ReadoutFields<[state: State, row: number]> = {
  asset: {
    type: 'text',
    words: 'assets',
    of: ({ assets, fills }, row) => assets.symbol(fills.asset.get(row)),
  },
  account: {
    type: 'text',
    words: 'accounts',
    of: ({ accounts, fills }, row) => accounts.id(fills.account.get(row)),
  },
  side: { type: 'text', words: sideNames, of: ({ fills }, row) => sideNames[fills.side.get(row)] ?? null },
  price: number((state, row) => inTicks(state, state.fills.asset.get(row), state.fills.priceTicks.get(row))),
  quantity: number((state, row) =>
    inSteps(state, state.fills.asset.get(row), state.fills.quantitySteps.get(row)),
  ),
  fee: number(({ assets, fills }, row) =>
    exact(fills.feeAtoms.get(row), assets.config(fills.feeAsset.get(row)).scale),
  ),
  isMaker: { type: 'boolean', of: ({ fills }, row) => fills.isMaker.get(row) === 1 },
}

/** As the trading pairs show it: a halt in which orders may rest leaves the pair active. */
function pairStatus(state: State, asset: number): Value {
  const { halt, isHaltedByRecording } = stateOf(state, asset)
  return pairOf(state, asset).isActive && halt !== 'reject' && !isHaltedByRecording ? 'active' : 'inactive'
}

/** A field that is unknown while there is no such row. */
function ofRow(read: (state: State, row: number) => Value): ReadoutField<Labelled> {
  return number((state, row) => (row === null ? null : read(state, row)))
}

/** The same of one of some words, by its place among them. */
function wordOfRow(
  words: readonly string[],
  placeOf: (state: State, row: number) => number,
): ReadoutField<Labelled> {
  return { ...ofRow((state, row) => words[placeOf(state, row)] ?? null), type: 'text', words }
}

/** A price in half ticks: a mid lies between two ticks. */
function halfTicks(read: (state: State, asset: number) => number): ReadoutField<OfAsset> {
  return number((state, asset) => {
    const { units, scale } = pairOf(state, asset).priceStep
    return exact(BigInt(read(state, asset)) * BigInt(units) * 5n, scale + 1)
  })
}

const pairOf = (state: State, asset: number): PairConfig => state.assets.traded(asset).pair

const inTicks = (state: State, asset: number, ticks: number): Value =>
  ticks === none ? null : times(ticks, pairOf(state, asset).priceStep)

const inSteps = (state: State, asset: number, steps: number): Value =>
  times(steps, pairOf(state, asset).quantityStep)

const priceOf = (state: State, row: number): Value =>
  inTicks(state, state.orders.asset.get(row), state.orders.priceTicks.get(row))

const quantityOf = (state: State, row: number): Value =>
  inSteps(state, state.orders.asset.get(row), state.orders.quantitySteps.get(row))

const filledOf = (state: State, row: number): Value =>
  inSteps(state, state.orders.asset.get(row), state.orders.filledSteps.get(row))

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

/** `requests[POST /api/sdk/orders].count`, `requests[key-or-account].burst1s`; ratios are 0 to 1. */
export const requestFields: ReadoutFields<[tally: Tally]> = {
  count: number((tally) => count(tally.count)),
  status2xx: number((tally) => count(tally.accepted)),
  status4xx: number((tally) => count(tally.clientErrors)),
  status429: number((tally) => count(tally.limited)),
  status5xx: number((tally) => count(tally.serverErrors)),
  errorRatio: number((tally) => share(tally.clientErrors + tally.serverErrors, tally)),
  status429Ratio: number((tally) => share(tally.limited, tally)),
  burst1s: number((tally) => count(tally.burst)),
}

/** To six decimals; of no requests it is 0. */
const share = (requests: number, { count }: Tally): Value =>
  exactFromText((count === 0 ? 0 : requests / count).toFixed(6))
