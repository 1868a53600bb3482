import { maximumAtoms } from '../check-config.ts'
import { cash, firstClientAccount, houseAccount, kindOrder } from '../codes.ts'
import type { PriceField, QuantityField, Rejection } from '../rejections.ts'
import { type State, stateOf } from '../state.ts'
import type { Asset } from '../tables/asset-table.ts'
import type { Walk } from './order-cost.ts'

/* Checks of a command against the tables and the pair; each returns the rejection, or null. They write nothing. */

const unknownAccount: Rejection = { code: 'unknown-account' }
const unknownAsset: Rejection = { code: 'unknown-asset' }

export function checkAccount(state: State, account: number): Rejection | null {
  const isClient = account >= firstClientAccount && account < state.accounts.count
  return isClient ? null : unknownAccount
}

export function checkTraded(state: State, asset: number): Rejection | null {
  return asset > 0 && asset < state.assets.count ? null : unknownAsset
}

export function checkAsset(state: State, asset: number): Rejection | null {
  return asset >= 0 && asset < state.assets.count ? null : { code: 'unknown-asset' }
}

/** Must be an order (not a leg) of this account. */
export function checkOrder(state: State, account: number, order: number): Rejection | null {
  const { orders } = state
  const isOwn =
    order >= 0 &&
    order < orders.count &&
    orders.kind.get(order) === kindOrder &&
    orders.account.get(order) === account
  return isOwn ? null : { code: 'unknown-order' }
}

export function checkQuote(state: State, account: number, quote: number): Rejection | null {
  const { quotes } = state
  const isOwn = quote >= 0 && quote < quotes.count && quotes.account.get(quote) === account
  return isOwn ? null : { code: 'unknown-quote' }
}

/** Refuses an inactive pair, one halted by a recording, and one halted in the mode that takes no new orders. */
export function checkActive(state: State, asset: number): Rejection | null {
  const assetState = stateOf(state, asset)
  const isOpen =
    assetState.halt !== 'reject' &&
    !assetState.isHaltedByRecording &&
    state.assets.traded(asset).pair.isActive
  return isOpen ? null : { code: 'pair-inactive' }
}

export function checkPrice(asset: Asset, field: PriceField, ticks: number): Rejection | null {
  const { minimumTicks } = asset
  if (ticks < minimumTicks) return { code: 'price-below-minimum', field, minimumTicks }
  if (ticks > asset.maximumPriceTicks) return { code: 'price-out-of-range', field }
  return null
}

export function checkQuantity(asset: Asset, field: QuantityField, steps: number): Rejection | null {
  const { minimumSteps, maximumSteps } = asset
  if (steps < minimumSteps) return { code: 'quantity-below-minimum', field, minimumSteps }
  if (steps > maximumSteps) return { code: 'quantity-above-maximum', field, maximumSteps }
  return null
}

export function checkNotional(asset: Asset, field: QuantityField, valueAtoms: number): Rejection | null {
  const minimumAtoms = asset.pair.minNotionalAtoms
  return valueAtoms < minimumAtoms ? { code: 'notional-below-minimum', field, minimumAtoms } : null
}

/** Limits on the number of open orders; checked only on create, after the six checks (design 16). */
export function checkOpenOrders(state: State, account: number, asset: number): Rejection | null {
  const { accounts, holdings } = state
  const { mostOpen, mostOpenInAsset } = accounts.limitsOf(account)
  if (accounts.openOrders.get(account) >= mostOpen)
    return { code: 'open-orders-limit', limit: mostOpen, asset: null }
  const open = holdings.openOrders.get(holdings.rowOf(account, asset))
  if (open >= mostOpenInAsset) return { code: 'open-orders-limit', limit: mostOpenInAsset, asset }
  return null
}

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
