import { maximumAtoms } from '../check-config.ts'
import { cash, houseAccount } from '../codes.ts'
import type { State } from '../state.ts'
import type { Asset } from '../tables/asset-table.ts'
import type { Walk } from './walk.ts'

/*
 * Whether amounts stay exact, which is below 2^53. The bounds are far enough below it for what changes of price and
 * fees may add.
 */
const maximumValueAtoms = 4e15
const maximumReachAtoms = 8e15
/** What all assets together may come to before every order is checked beside those in other assets, USD atoms. */
const smallReachAtoms = 5e14

/** Whether a price times a quantity can be valued: at most 4 * 10^15 USD atoms, which leaves room for the fee. */
export function isValuable(asset: Asset, ticks: number, steps: number): boolean {
  return (ticks * steps * asset.notionalNumerator) / asset.notionalDenominator <= maximumValueAtoms
}

/** The same for what a market order would walk. */
export function isWalkValuable(asset: Asset, walk: Walk): boolean {
  return walk.tickSteps.approximately(asset.notionalNumerator, asset.notionalDenominator) <= maximumValueAtoms
}

/** Whether this much of an asset can be valued at a price: at most 4 * 10^15 USD atoms. */
export function isHoldingValuable(asset: Asset, ticks: number, amountAtoms: number): boolean {
  return (amountAtoms * ticks * asset.valueNumerator) / asset.valueDenominator <= maximumValueAtoms
}

/**
 * Whether balances and costs stay exact if the order (`steps`, worth `value` USD atoms) and all open interest of the
 * account fill: the account's own, their value at the mark, and the house's as the other side.
 */
export function isHoldable(
  state: State,
  account: number,
  asset: number,
  steps: number,
  value: number,
): boolean {
  const { holdings, assets } = state
  const cashRow = holdings.rowOf(account, cash)
  const houseCashRow = holdings.rowOf(houseAccount, cash)
  const row = holdings.rowOf(account, asset)
  const open = holdings.openBuySteps.get(row) + holdings.openSellSteps.get(row)
  const traded = assets.traded(asset)
  const quantity = (steps + open) * traded.stepAtoms
  const openBuys = holdings.openBuyAtoms.get(row)
  const paid = value + openBuys + holdings.openSellAtoms.get(row)
  const held = Math.abs(holdings.totalAtoms.get(row)) + quantity
  return (
    held <= maximumAtoms &&
    isHoldingValuable(traded, state.markTicks.get(asset), held) &&
    Math.abs(holdings.totalAtoms.get(houseCashRow + asset)) + quantity <= maximumReachAtoms &&
    Math.abs(holdings.totalAtoms.get(houseCashRow)) + paid <= maximumReachAtoms &&
    // Amounts that are small in every asset are small in total, so the others need not be looked at.
    ((Math.abs(holdings.totalAtoms.get(cashRow)) + paid) * assets.count <= smallReachAtoms ||
      isCashExact(state, account, value))
  )
}

/** USD atoms by which the cost of a position may still grow, besides what open interest may add. */
export function costRoomAtoms({ holdings }: State, account: number, asset: number): number {
  const row = holdings.rowOf(account, asset)
  const open = holdings.openBuyAtoms.get(row) + holdings.openSellAtoms.get(row)
  return Math.max(0, maximumReachAtoms - holdings.basisCostAtoms.get(row) - open)
}

/**
 * Whether an account's cash stays exact if all of its pending deposits settle, all of its open interest fills, and
 * `more` USD atoms come in or go out.
 */
export function isCashExact(state: State, account: number, more: number): boolean {
  const { holdings, ledger, assets } = state
  let reach = Math.abs(ledger.total(account, cash)) + ledger.pendingDeposit(account, cash) + more
  for (let asset = 1; asset < assets.count; asset += 1) {
    const row = holdings.rowOf(account, asset)
    reach += holdings.openBuyAtoms.get(row) + holdings.openSellAtoms.get(row)
  }
  return reach <= maximumReachAtoms
}
