import { buy, cash, firstClientAccount, isLiveQuote } from '../../engine/codes.ts'
import { isFill } from '../../engine/reports/activity.ts'
import { type Balance, balanceOf } from '../../engine/reports/balances.ts'
import { portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import { type PortfolioSummary, portfolioSummary } from '../../engine/reports/portfolio-summary.ts'
import { positionOf } from '../../engine/reports/position-figures.ts'
import type { State } from '../../engine/state.ts'
import { activityOf, ordersOf } from '../../engine/tables/account-lists.ts'
import { liveOrdersOf, liveQuotesOf } from '../../engine/tables/live-lists.ts'
import type { ReadoutField, ReadoutFields, Value } from './exact.ts'
import { exact } from './exact.ts'

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
  side: { type: 'text', of: (...holding) => positionOf(...holding)?.side ?? 'flat' },
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

function ofBalance(atomsOf: (balance: Balance) => number): ReadoutField<OfHolding> {
  return {
    type: 'number',
    of: (state, account, asset) => inAtoms(state, asset, atomsOf(balanceOf(state, account, asset))),
  }
}

function ofSummary(atomsOf: (summary: PortfolioSummary) => number): ReadoutField<OfAccount> {
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
