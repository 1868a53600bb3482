import { startOfDayMillis } from '../../numeric/time-text.ts'
import { equityAtoms, leveragedEquityAtoms } from '../assessment.ts'
import { cash } from '../codes.ts'
import type { State } from '../state.ts'
import { signedFlowAtoms } from './activity.ts'
import { unrealizedAtoms } from './position-figures.ts'
import { profitAndLossSince } from './profit-and-loss.ts'
import { percentE4 } from './ratios.ts'

/** The key figures of an account: money in USD atoms, percents in 10^-4. */
export interface PortfolioSummaryFigures {
  /** The value of cash and positions at the mark. */
  readonly totalValueAtoms: number
  readonly cashBalanceAtoms: number
  readonly positionsValueAtoms: number
  /** The profit after fees since the account was made: the total value less the net deposits. */
  readonly totalPnlAtoms: number
  /** The profit in percent of the net deposits; 0 when they are not positive. */
  readonly totalPnlPercentE4: number
  /** The profit after fees since 00:00:00.000Z, that instant included. */
  readonly dayPnlAtoms: number
  readonly dayPnlPercentE4: number
  readonly unrealizedPnlAtoms: number
  /** The realised profit over the account's life, before fees in cash. */
  readonly realizedPnlAtoms: number
  readonly buyingPowerAtoms: number
  /** The number of positions of at least one quantity step. */
  readonly openPositions: number
  /** The number of live orders and live quotes, as the limit on open orders counts them. */
  readonly openOrders: number
}

/** Returns the key figures of an account. Spec: Portfolio summary; formulas of market.md, section 7. */
export function portfolioSummary(state: State, account: number): PortfolioSummaryFigures {
  const totalValueAtoms = equityAtoms(state, account)
  const netDeposits = netDepositsAtoms(state, account)
  const totalPnlAtoms = totalValueAtoms - netDeposits
  const day = profitAndLossSince(state, account, startOfDayMillis(state.nowMillis), state.nowMillis)
  let unrealized = 0
  let realized = 0
  let openPositions = 0
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    unrealized += unrealizedAtoms(state, account, asset)
    realized += state.holdings.realizedAtoms.get(state.holdings.rowOf(account, asset))
    const isOpen = Math.abs(state.ledger.total(account, asset)) >= state.assets.tradedAsset(asset).stepAtoms
    if (isOpen) openPositions += 1
  }
  return {
    totalValueAtoms,
    cashBalanceAtoms: state.ledger.total(account, cash),
    positionsValueAtoms: state.exposures.positionsAtoms(account),
    totalPnlAtoms,
    totalPnlPercentE4: percentE4(totalPnlAtoms, netDeposits),
    dayPnlAtoms: day.netPnlAtoms,
    dayPnlPercentE4: day.netPnlPercentE4,
    unrealizedPnlAtoms: unrealized,
    realizedPnlAtoms: realized,
    buyingPowerAtoms: buyingPowerAtoms(state, account),
    openPositions,
    openOrders: state.accounts.openOrders.get(account),
  }
}

/**
 * Returns the USD atoms for which the account may still buy: on a cash account what is available, on a margin account
 * what its leverage leaves beyond its gross exposure and its open buys.
 */
function buyingPowerAtoms(state: State, account: number): number {
  const { accounts, assets, exposures, holdings, ledger } = state
  if (accounts.isMargin.get(account) !== 1) return Math.max(0, ledger.available(account, cash))
  let taken = 0
  for (let asset = 1; asset < assets.count; asset += 1) {
    taken += Math.abs(exposures.valueAtoms(account, asset))
    taken += holdings.openBuyAtoms.get(holdings.rowOf(account, asset))
  }
  return Math.max(0, leveragedEquityAtoms(state, account) - taken)
}

/**
 * Sums deposits less withdrawals over the account's life, opening balances included, each at its value at the time.
 */
function netDepositsAtoms(state: State, account: number): number {
  const { transfers } = state
  let net = 0
  for (let row = 0; row < transfers.count; row += 1) {
    if (transfers.account.get(row) === account) net += signedFlowAtoms(state, row)
  }
  return net
}
