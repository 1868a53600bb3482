import { computeAveragePrice } from '../../api/handlers/orders.ts'
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
import { type BalanceFigures, computeBalance } from '../../engine/reports/balances.ts'
import { portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import { type PortfolioSummaryFigures, portfolioSummary } from '../../engine/reports/portfolio-summary.ts'
import { computePosition } from '../../engine/reports/position-figures.ts'
import { statistics24h } from '../../engine/reports/statistics.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import {
  listAccountOrders,
  listActivity,
  listLiveOrders,
  listLiveQuotes,
} from '../../engine/tables/account-table.ts'
import {
  exact,
  exactFromText,
  multiplyStep,
  type ReadoutField,
  type ReadoutFields,
  type Value,
} from './exact.ts'

/*
 * Read-outs of accounts and of the whole venue. Unless said otherwise, value and unit are those of the field of the
 * same name on the wire.
 */

type OfAccount = [state: State, account: number]
type OfHolding = [state: State, account: number, asset: number]

/** The fields of `account[id].balance.SYMBOL`. */
export const balanceFields: ReadoutFields<OfHolding> = {
  total: balanceField(({ totalAtoms }) => totalAtoms),
  available: balanceField(({ availableAtoms }) => availableAtoms),
  locked: balanceField(({ lockedAtoms }) => lockedAtoms),
  pendingDeposit: balanceField(({ pendingDepositAtoms }) => pendingDepositAtoms),
  pendingWithdrawal: balanceField(({ pendingWithdrawalAtoms }) => pendingWithdrawalAtoms),
}

/**
 * The fields of `account[id].position.SYMBOL`. `quantity` is absolute, and `side` (long, short, flat) is the
 * direction. Choice: a flat position has quantity 0, side flat and no average price, so that predicates can say
 * "nothing held".
 */
export const positionFields: ReadoutFields<OfHolding> = {
  quantity: numberField((state, account, asset) =>
    atomsToValue(state, asset, Math.abs(computePosition(state, account, asset)?.quantityAtoms ?? 0)),
  ),
  side: {
    type: 'text',
    words: ['long', 'short', 'flat'],
    read: (...holding) => computePosition(...holding)?.side ?? 'flat',
  },
  averageEntryPrice: numberField((...holding) => {
    const position = computePosition(...holding)
    return position === null ? null : exact(position.averageEntryPriceE8, 8)
  }),
  realizedPnl: numberField(({ holdings }, account, asset) =>
    usdToValue(holdings.realizedAtoms.get(holdings.rowOf(account, asset))),
  ),
  unrealizedPnl: numberField((...holding) =>
    usdToValue(computePosition(...holding)?.unrealizedPnlAtoms ?? 0),
  ),
}

/**
 * The fields of `account[id]`. Money is in USD at the mark; `totalPnl` and `dayPnl` are after fees. The fields of
 * summary and exposure have the meaning that the wire gives them.
 */
export const accountFields: ReadoutFields<OfAccount> = {
  openOrders: numberField((state, account) => count(state.accounts.openOrders.get(account))),
  openPositions: numberField((...owner) => count(portfolioSummary(...owner).openPositions)),
  equity: summaryField(({ totalValueAtoms }) => totalValueAtoms),
  cashBalance: summaryField(({ cashBalanceAtoms }) => cashBalanceAtoms),
  positionsValue: summaryField(({ positionsValueAtoms }) => positionsValueAtoms),
  totalPnl: summaryField(({ totalPnlAtoms }) => totalPnlAtoms),
  dayPnl: summaryField(({ dayPnlAtoms }) => dayPnlAtoms),
  realizedPnl: summaryField(({ realizedPnlAtoms }) => realizedPnlAtoms),
  unrealizedPnl: summaryField(({ unrealizedPnlAtoms }) => unrealizedPnlAtoms),
  buyingPower: summaryField(({ buyingPowerAtoms }) => buyingPowerAtoms),
  grossExposureUsd: numberField((...owner) => usdToValue(portfolioExposure(...owner).totalExposureAtoms)),
  netExposureUsd: numberField((...owner) => usdToValue(portfolioExposure(...owner).netExposureAtoms)),
  leverage: numberField((...owner) => exact(portfolioExposure(...owner).leverageE8, 8)),
  fills: numberField(countFills),
}

/** The amounts of an asset that live quotes or live orders hold, as in `account[id].lockedByLiveQuotes.SOL`. */
export const lockedFields: ReadoutFields<OfHolding> = {
  lockedByLiveQuotes: numberField((state, account, asset) => {
    const { bidLeg, askLeg } = state.quotes
    const legs = listLiveQuotes(state, account).flatMap((quote) => [bidLeg.get(quote), askLeg.get(quote)])
    return sumReserved(legs, state, asset)
  }),
  lockedByLiveOrders: numberField((state, account, asset) =>
    sumReserved(listLiveOrders(state, account), state, asset),
  ),
}

/** Counts over the whole venue. `duplicates` are orders whose client id their account had used before. */
export const counterFields: ReadoutFields<[state: State]> = {
  'orders.count': accountSumField((state, account) => listAccountOrders(state, account).count),
  'orders.open.count': accountSumField((state, account) => listLiveOrders(state, account).length),
  'orders.byClientId.duplicates': numberField((state) => {
    const names = sumOverAccounts(
      state,
      (account) => state.accounts.findOrAddLists(account).clientOrderIds.size,
    )
    return count(state.orders.clientIds.size - names)
  }),
  'quotes.count': numberField(({ quotes }) => count(quotes.count)),
  'quotes.live.count': numberField(({ quotes }) => {
    let live = 0
    for (let row = 0; row < quotes.count; row += 1) if (isLiveQuote(quotes.status.get(row))) live += 1
    return count(live)
  }),
  'fills.count': numberField(({ fills }) => count(fills.count)),
}

const usdToValue = (atoms: number): Value => exact(atoms, 6)
const count = (things: number): Value => exact(things, 0)
const atomsToValue = (state: State, asset: number, atoms: number): Value =>
  exact(atoms, state.assets.config(asset).scale)

function numberField<About extends readonly unknown[]>(of: (...about: About) => Value): ReadoutField<About> {
  return { type: 'number', read: of }
}

function balanceField(atomsOf: (balance: BalanceFigures) => number): ReadoutField<OfHolding> {
  return numberField((state, account, asset) =>
    atomsToValue(state, asset, atomsOf(computeBalance(state, account, asset))),
  )
}

function summaryField(atomsOf: (summary: PortfolioSummaryFigures) => number): ReadoutField<OfAccount> {
  return numberField((...owner) => usdToValue(atomsOf(portfolioSummary(...owner))))
}

function countFills(state: State, account: number): Value {
  const activity = listActivity(state, account)
  let fills = 0
  for (let place = 0; place < activity.count; place += 1) if (isFill(activity.at(place))) fills += 1
  return count(fills)
}

/** Returns what these orders hold of an asset: USD for buys, the asset for sells. */
function sumReserved(rows: readonly number[], state: State, asset: number): Value {
  const { orders } = state
  let atoms = 0
  for (const row of rows) {
    const held = orders.side.get(row) === buy ? cash : orders.asset.get(row)
    if (held === asset) atoms += orders.reservedAtoms.get(row)
  }
  return atomsToValue(state, asset, atoms)
}

function accountSumField(of: (state: State, account: number) => number): ReadoutField<[state: State]> {
  return numberField((state) => count(sumOverAccounts(state, (account) => of(state, account))))
}

function sumOverAccounts(state: State, of: (account: number) => number): number {
  let sum = 0
  for (let account = firstClientAccount; account < state.accounts.count; account += 1) sum += of(account)
  return sum
}

/*
 * Read-outs of markets, orders, quotes and fills. Unless said otherwise, value and unit are those of the field of the
 * same name on the wire.
 */

type OfAsset = [state: State, asset: number]

/** The fields of `price.SYMBOL`. `mark` is the price at which the venue values positions. */
export const priceFields: ReadoutFields<OfAsset> = {
  bid: numberField((state, asset) => ticksToValue(state, asset, topOfBook(state, asset).bidTicks)),
  ask: numberField((state, asset) => ticksToValue(state, asset, topOfBook(state, asset).askTicks)),
  mid: halfTickField((state, asset) => topOfBook(state, asset).midHalfTicks),
  last: halfTickField((state, asset) => statistics24h(state, asset).closeHalfTicks),
  mark: numberField((state, asset) => ticksToValue(state, asset, state.markTicks.get(asset))),
  open: halfTickField((state, asset) => statistics24h(state, asset).openHalfTicks),
  high24h: halfTickField((state, asset) => statistics24h(state, asset).highHalfTicks),
  low24h: halfTickField((state, asset) => statistics24h(state, asset).lowHalfTicks),
  volume24h: numberField((state, asset) =>
    stepsToValue(state, asset, statistics24h(state, asset).volumeSteps),
  ),
  change24h: numberField((state, asset) => exact(statistics24h(state, asset).changePercentE4, 4)),
}

/** The fields of `market.SYMBOL`; `status` is active or inactive. */
export const marketFields: ReadoutFields<OfAsset> = {
  halted: { type: 'boolean', read: (state, asset) => isHalted(stateOf(state, asset)) },
  status: { type: 'text', words: ['active', 'inactive'], read: findPairStatus },
}

/** The row that a label or a wildcard stands for, and the last refusal of what the label names. */
type OfLabel = [state: State, row: number | null, refusal: string | null]

const exists: ReadoutField<OfLabel> = { type: 'boolean', read: (_, row) => row !== null }

/** Defines the field with the name of the last refusal, such as RISK_LIMIT_EXCEEDED; unknown while there was none. */
const refusalField = (words: readonly string[]): ReadoutField<OfLabel> => ({
  type: 'text',
  words,
  read: (_state, _row, name) => name,
})

/**
 * Names of refusals, as the script's `ActionRunner` gives them: the error type of the interface or, where it has
 * none, the reason.
 */
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

/** The fields of `order[label]`; `exists` is false while the label has no accepted order. */
export const orderFields: ReadoutFields<OfLabel> = {
  exists,
  status: rowWordField(orderStatusNames, ({ orders }, row) => orders.status.get(row)),
  side: rowWordField(sideNames, ({ orders }, row) => orders.side.get(row)),
  price: rowField((state, row) => (state.orders.priceTicks.get(row) === 0 ? null : orderPrice(state, row))),
  quantity: rowField((state, row) => orderQuantity(state, row)),
  filledQuantity: rowField((state, row) => orderFill(state, row)),
  remainingQuantity: rowField((state, row) =>
    stepsToValue(state, state.orders.asset.get(row), state.orders.remainingSteps(row)),
  ),
  averagePrice: rowField((state, row) => {
    const price = computeAveragePrice(state, row)
    return price === null ? null : exactFromText(String(price))
  }),
  refusal: refusalField(orderRefusals),
}

/** The fields of `quote[label]`; `exists` is false while the label has no accepted quote. */
export const quoteFields: ReadoutFields<OfLabel> = {
  exists,
  status: rowWordField(quoteStatusNames, ({ quotes }, row) => quotes.status.get(row)),
  bidPrice: rowField((state, row) => orderPrice(state, state.quotes.bidLeg.get(row))),
  askPrice: rowField((state, row) => orderPrice(state, state.quotes.askLeg.get(row))),
  bidSize: rowField((state, row) => orderQuantity(state, state.quotes.bidLeg.get(row))),
  askSize: rowField((state, row) => orderQuantity(state, state.quotes.askLeg.get(row))),
  bidFilled: rowField((state, row) => orderFill(state, state.quotes.bidLeg.get(row))),
  askFilled: rowField((state, row) => orderFill(state, state.quotes.askLeg.get(row))),
  refusal: refusalField(quoteRefusals),
}

/** The fields of `fill`, which stands for each fill since the last look at the predicate. */
export const fillFields: ReadoutFields<[state: State, row: number]> = {
  asset: {
    type: 'text',
    words: 'assets',
    read: ({ assets, fills }, row) => assets.symbol(fills.asset.get(row)),
  },
  account: {
    type: 'text',
    words: 'accounts',
    read: ({ accounts, fills }, row) => accounts.id(fills.account.get(row)),
  },
  side: { type: 'text', words: sideNames, read: ({ fills }, row) => sideNames[fills.side.get(row)] ?? null },
  price: numberField((state, row) =>
    ticksToValue(state, state.fills.asset.get(row), state.fills.priceTicks.get(row)),
  ),
  quantity: numberField((state, row) =>
    stepsToValue(state, state.fills.asset.get(row), state.fills.quantitySteps.get(row)),
  ),
  fee: numberField(({ assets, fills }, row) =>
    exact(fills.feeAtoms.get(row), assets.config(fills.feeAsset.get(row)).scale),
  ),
  isMaker: { type: 'boolean', read: ({ fills }, row) => fills.isMaker.get(row) === 1 },
}

/**
 * Returns the status of a pair as the list of trading pairs shows it: a halt in which orders may rest leaves the pair
 * active.
 */
function findPairStatus(state: State, asset: number): Value {
  const { halt, isHaltedByRecording } = stateOf(state, asset)
  return pairOf(state, asset).isActive && halt !== 'reject' && !isHaltedByRecording ? 'active' : 'inactive'
}

/** Defines a numeric field that is unknown while there is no such row. */
function rowField(read: (state: State, row: number) => Value): ReadoutField<OfLabel> {
  return numberField((state, row) => (row === null ? null : read(state, row)))
}

/** Defines a field that is one of several words, by its index; unknown while there is no such row. */
function rowWordField(
  words: readonly string[],
  placeOf: (state: State, row: number) => number,
): ReadoutField<OfLabel> {
  return { ...rowField((state, row) => words[placeOf(state, row)] ?? null), type: 'text', words }
}

/** Defines a field for a price in half ticks, because a mid may lie between two ticks. */
function halfTickField(read: (state: State, asset: number) => number): ReadoutField<OfAsset> {
  return numberField((state, asset) => {
    const { units, scale } = pairOf(state, asset).priceStep
    return exact(BigInt(read(state, asset)) * BigInt(units) * 5n, scale + 1)
  })
}

const pairOf = (state: State, asset: number): PairConfig => state.assets.tradedAsset(asset).pair

const ticksToValue = (state: State, asset: number, ticks: number): Value =>
  ticks === none ? null : multiplyStep(ticks, pairOf(state, asset).priceStep)

const stepsToValue = (state: State, asset: number, steps: number): Value =>
  multiplyStep(steps, pairOf(state, asset).quantityStep)

const orderPrice = (state: State, row: number): Value =>
  ticksToValue(state, state.orders.asset.get(row), state.orders.priceTicks.get(row))

const orderQuantity = (state: State, row: number): Value =>
  stepsToValue(state, state.orders.asset.get(row), state.orders.quantitySteps.get(row))

const orderFill = (state: State, row: number): Value =>
  stepsToValue(state, state.orders.asset.get(row), state.orders.filledSteps.get(row))

export interface Tally {
  countRequest: number
  accepted: number
  clientErrors: number
  serverErrors: number
  limited: number
  /** The most requests within any one second so far. */
  burst: number
  /** The instants of the requests in the last second, oldest first. */
  recent: readonly number[]
}

/** The fields of `requests[...]`, such as `requests[POST /api/sdk/orders].count`. Ratios are 0 to 1. */
export const requestFields: ReadoutFields<[tally: Tally]> = {
  count: numberField((tally) => count(tally.countRequest)),
  status2xx: numberField((tally) => count(tally.accepted)),
  status4xx: numberField((tally) => count(tally.clientErrors)),
  status429: numberField((tally) => count(tally.limited)),
  status5xx: numberField((tally) => count(tally.serverErrors)),
  errorRatio: numberField((tally) => computeShare(tally.clientErrors + tally.serverErrors, tally)),
  status429Ratio: numberField((tally) => computeShare(tally.limited, tally)),
  burst1s: numberField((tally) => count(tally.burst)),
}

/** Returns the share of a tally's requests, to six decimals; 0 when there were none. */
const computeShare = (requests: number, { countRequest: count }: Tally): Value =>
  exactFromText((count === 0 ? 0 : requests / count).toFixed(6))
