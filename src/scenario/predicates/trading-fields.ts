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
import type { BalanceFigures } from '../../engine/reports/balances.ts'
import { balanceOf } from '../../engine/reports/balances.ts'
import { portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import type { PortfolioSummaryFigures } from '../../engine/reports/portfolio-summary.ts'
import { portfolioSummary } from '../../engine/reports/portfolio-summary.ts'
import { positionOf } from '../../engine/reports/position-figures.ts'
import { statistics24h } from '../../engine/reports/statistics.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { activityOf, liveOrdersOf, liveQuotesOf, ordersOf } from '../../engine/tables/account-lists.ts'
import type { ReadoutField, ReadoutFields, ReadoutType, Value } from './exact.ts'
import { exact, exactFromText, times } from './exact.ts'

/*
 * Read-outs of accounts and of the whole venue. A field's value and unit are those of the wire's field of the same
 * name, unless said otherwise.
 */

type OfAccount = [state: State, account: number]
type OfHolding = [state: State, account: number, asset: number]

/** `account[id].balance.USD.available`. */
export const balanceFields = {
  total: ofBalance(({ totalAtoms }) => totalAtoms),
  available: ofBalance(({ availableAtoms }) => availableAtoms),
  locked: ofBalance(({ lockedAtoms }) => lockedAtoms),
  pendingDeposit: ofBalance(({ pendingDepositAtoms }) => pendingDepositAtoms),
  pendingWithdrawal: ofBalance(({ pendingWithdrawalAtoms }) => pendingWithdrawalAtoms),
} satisfies ReadoutFields<OfHolding>

/**
 * `account[id].position.BTC.quantity` is absolute; `side` (long, short, flat) says the direction. Choice: a flat
 * position reads as quantity 0, side flat and no average, so that predicates can say "nothing held".
 */
export const positionFields = {
  quantity: {
    type: 'number',
    of: (state, account, asset) =>
      inAtoms(state, asset, Math.abs(positionOf(state, account, asset)?.quantityAtoms ?? 0)),
  },
  side: {
    type: 'text',
    words: ['long', 'short', 'flat'],
    of: (...holding) => positionOf(...holding)?.side ?? 'flat',
  },
  averageEntryPrice: {
    type: 'number',
    of: (...holding) => {
      const position = positionOf(...holding)
      return position === null ? null : exact(position.averageEntryPriceE8, 8)
    },
  },
  realizedPnl: {
    type: 'number',
    of: ({ positions, ledger }, account, asset) =>
      usd(positions.realizedAtoms.get(ledger.index(account, asset))),
  },
  unrealizedPnl: { type: 'number', of: (...holding) => usd(positionOf(...holding)?.unrealizedPnlAtoms ?? 0) },
} satisfies ReadoutFields<OfHolding>

/**
 * `account[id].openOrders`. Money in USD at the mark; `totalPnl` and `dayPnl` after fees. The fields of the summary
 * and the exposure have the meaning that the wire gives them.
 */
export const accountFields = {
  openOrders: { type: 'number', of: (state, account) => count(state.accounts.openOrders.get(account)) },
  openPositions: { type: 'number', of: (...owner) => count(portfolioSummary(...owner).openPositions) },
  equity: ofSummary(({ totalValueAtoms }) => totalValueAtoms),
  cashBalance: ofSummary(({ cashBalanceAtoms }) => cashBalanceAtoms),
  positionsValue: ofSummary(({ positionsValueAtoms }) => positionsValueAtoms),
  totalPnl: ofSummary(({ totalPnlAtoms }) => totalPnlAtoms),
  dayPnl: ofSummary(({ dayPnlAtoms }) => dayPnlAtoms),
  realizedPnl: ofSummary(({ realizedPnlAtoms }) => realizedPnlAtoms),
  unrealizedPnl: ofSummary(({ unrealizedPnlAtoms }) => unrealizedPnlAtoms),
  buyingPower: ofSummary(({ buyingPowerAtoms }) => buyingPowerAtoms),
  grossExposureUsd: { type: 'number', of: (...owner) => usd(portfolioExposure(...owner).totalExposureAtoms) },
  netExposureUsd: { type: 'number', of: (...owner) => usd(portfolioExposure(...owner).netExposureAtoms) },
  leverage: { type: 'number', of: (...owner) => exact(portfolioExposure(...owner).leverageE8, 8) },
  fills: { type: 'number', of: countFills },
} satisfies ReadoutFields<OfAccount>

/** `account[id].lockedByLiveQuotes.SOL`: what live quotes, or live orders, hold of an asset. */
export const lockedFields = {
  lockedByLiveQuotes: {
    type: 'number',
    of: (state, account, asset) => {
      const { bidLeg, askLeg } = state.quotes
      const legs = liveQuotesOf(state, account).flatMap((quote) => [bidLeg.get(quote), askLeg.get(quote)])
      return reservedBy(legs, state, asset)
    },
  },
  lockedByLiveOrders: {
    type: 'number',
    of: (state, account, asset) => reservedBy(liveOrdersOf(state, account), state, asset),
  },
} satisfies ReadoutFields<OfHolding>

/** Of the whole venue; `duplicates` are orders whose client id their account had used before. */
export const counterFields = {
  'orders.count': ofAllAccounts((state, account) => ordersOf(state, account).count),
  'orders.open.count': ofAllAccounts((state, account) => liveOrdersOf(state, account).length),
  'orders.byClientId.duplicates': {
    type: 'number',
    of: (state) => {
      const names = sumOf(state, (account) => state.accounts.listsOf(account).clientOrderIds.size)
      return count(state.orders.clientIds.size - names)
    },
  },
  'quotes.count': { type: 'number', of: ({ quotes }) => count(quotes.count) },
  'quotes.live.count': {
    type: 'number',
    of: ({ quotes }) => {
      let live = 0
      for (let row = 0; row < quotes.count; row += 1) if (isLiveQuote(quotes.status.get(row))) live += 1
      return count(live)
    },
  },
  'fills.count': { type: 'number', of: ({ fills }) => count(fills.count) },
} satisfies ReadoutFields<[state: State]>

const usd = (atoms: number): Value => exact(atoms, 6)
const count = (things: number): Value => exact(things, 0)
const inAtoms = (state: State, asset: number, atoms: number): Value =>
  exact(atoms, state.assets.config(asset).scale)

function ofBalance(atomsOf: (balance: BalanceFigures) => number): ReadoutField<OfHolding> {
  return {
    type: 'number',
    of: (state, account, asset) => inAtoms(state, asset, atomsOf(balanceOf(state, account, asset))),
  }
}

function ofSummary(atomsOf: (summary: PortfolioSummaryFigures) => number): ReadoutField<OfAccount> {
  return { type: 'number', of: (state, account) => usd(atomsOf(portfolioSummary(state, account))) }
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
  return { type: 'number', of: (state) => count(sumOf(state, (account) => of(state, account))) }
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
  status: { type: 'text', words: ['active', 'inactive'], of: pairStatus },
} satisfies ReadoutFields<OfAsset>

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
export const orderFields = {
  exists,
  status: wordOfRow(orderStatusNames, ({ orders }, row) => orders.status.get(row)),
  side: wordOfRow(sideNames, ({ orders }, row) => orders.side.get(row)),
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
  refusal: refusal(orderRefusals),
} satisfies ReadoutFields<Labelled>

/** `quote[label].status`. */
export const quoteFields = {
  exists,
  status: wordOfRow(quoteStatusNames, ({ quotes }, row) => quotes.status.get(row)),
  bidPrice: ofRow('number', (state, row) => priceOf(state, state.quotes.bidLeg.get(row))),
  askPrice: ofRow('number', (state, row) => priceOf(state, state.quotes.askLeg.get(row))),
  bidSize: ofRow('number', (state, row) => quantityOf(state, state.quotes.bidLeg.get(row))),
  askSize: ofRow('number', (state, row) => quantityOf(state, state.quotes.askLeg.get(row))),
  bidFilled: ofRow('number', (state, row) => filledOf(state, state.quotes.bidLeg.get(row))),
  askFilled: ofRow('number', (state, row) => filledOf(state, state.quotes.askLeg.get(row))),
  refusal: refusal(quoteRefusals),
} satisfies ReadoutFields<Labelled>

/** `fill.asset`: each fill since the last look at the predicate. */
export const fillFields = {
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

/** The same of one of some words, by its place among them. */
function wordOfRow(
  words: readonly string[],
  placeOf: (state: State, row: number) => number,
): ReadoutField<Labelled> {
  return { ...ofRow('text', (state, row) => words[placeOf(state, row)] ?? null), words }
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
