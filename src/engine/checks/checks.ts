import { buy, cash, firstClientAccount, houseAccount, kindOrder, sell } from '../codes.ts'
import type { PriceField, QuantityField, Rejection } from '../rejections.ts'
import { type State, stateOf } from '../state.ts'
import type { Asset } from '../tables/asset-table.ts'
import * as holdingAt from '../tables/holding-fields.ts'
import * as orderAt from '../tables/order-fields.ts'
import type { Walk } from './walk.ts'

/* Checks of a command against the tables and the pair; each returns the rejection, or null. They write nothing. */

const unknownAccount: Rejection = { code: 'unknown-account' }
const unknownAsset: Rejection = { code: 'unknown-asset' }

export function checkAccount(state: State, account: number): Rejection | null {
  const isClient = account >= firstClientAccount && account < state.accounts.count
  return isClient ? null : unknownAccount
}

/** Must be a traded asset; cash has no pair. */
export function checkTraded(state: State, asset: number): Rejection | null {
  return asset > 0 && asset < state.assets.count ? null : unknownAsset
}

/** Must be cash or a traded asset. */
export function checkAsset(state: State, asset: number): Rejection | null {
  return asset >= 0 && asset < state.assets.count ? null : { code: 'unknown-asset' }
}

/** Must be an order (not a leg) of this account. */
export function checkOrder(state: State, account: number, order: number): Rejection | null {
  const { count, store } = state.orders
  const isOwn =
    order >= 0 &&
    order < count &&
    store.bytes[(order << 7) + orderAt.kind] === kindOrder &&
    store.integers[(order << 5) + orderAt.account] === account
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

/** Whether a price times a quantity can be valued: at most 4 * 10^15 USD atoms, which leaves room for the fee. */
export function isValuable(asset: Asset, ticks: number, steps: number): boolean {
  return (ticks * steps * asset.notionalNumerator) / asset.notionalDenominator <= 4e15
}

/** The same for what a market order would walk. */
export function isWalkValuable(asset: Asset, walk: Walk): boolean {
  return walk.tickSteps.approximately(asset.notionalNumerator, asset.notionalDenominator) <= 4e15
}

/** Whether so much of an asset can be valued at a price: at most 4 * 10^15 USD atoms. */
export function isHoldingValuable(asset: Asset, ticks: number, amountAtoms: number): boolean {
  return (amountAtoms * ticks * asset.valueNumerator) / asset.valueDenominator <= 4e15
}

/**
 * Whether balances stay exact if the order (`steps`, worth `value` USD atoms) and all the account's open interest in
 * the asset fill: the account's own, their value at the mark, and the house's as the other side. The bounds are far
 * enough below 2^53 for what changes of price and fees may add.
 */
export function isHoldable(
  state: State,
  account: number,
  asset: number,
  steps: number,
  value: number,
): boolean {
  const { holdings, assets } = state
  const { doubles } = holdings.store
  const at = holdings.rowOf(account, asset) << 4
  const cashAt = (holdings.rowOf(account, cash) << 4) + holdingAt.totalAtoms
  const houseAt = (holdings.rowOf(houseAccount, asset) << 4) + holdingAt.totalAtoms
  const houseCashAt = (holdings.rowOf(houseAccount, cash) << 4) + holdingAt.totalAtoms
  const open =
    (doubles[at + holdingAt.openSteps + buy] ?? 0) + (doubles[at + holdingAt.openSteps + sell] ?? 0)
  const traded = assets.traded(asset)
  const quantity = (steps + open) * traded.stepAtoms
  const openBuys = doubles[at + holdingAt.openAtoms + buy] ?? 0
  const paid = value + openBuys + (doubles[at + holdingAt.openAtoms + sell] ?? 0)
  const held = Math.abs(doubles[at + holdingAt.totalAtoms] ?? 0) + quantity
  return (
    held <= 4e15 &&
    isHoldingValuable(traded, state.markTicks.get(asset), held) &&
    Math.abs(doubles[houseAt] ?? 0) + quantity <= 8e15 &&
    Math.abs(doubles[cashAt] ?? 0) + paid <= 8e15 &&
    Math.abs(doubles[houseCashAt] ?? 0) + paid <= 8e15
  )
}

export function checkNotional(asset: Asset, field: QuantityField, valueAtoms: number): Rejection | null {
  const minimumAtoms = asset.pair.minNotionalAtoms
  return valueAtoms < minimumAtoms ? { code: 'notional-below-minimum', field, minimumAtoms } : null
}

/** Limits on the number of open orders; checked only on create, after the six checks (design 16). */
export function checkOpenOrders(state: State, account: number, asset: number): Rejection | null {
  const { maxOpenOrders, maxOpenOrdersPerAsset } = state.accounts.limitsOf(account).config
  if (state.accounts.openOrders.get(account) >= maxOpenOrders)
    return { code: 'open-orders-limit', limit: maxOpenOrders, asset: null }
  const open = state.holdings.openOrders.get(state.holdings.rowOf(account, asset))
  if (open >= maxOpenOrdersPerAsset) return { code: 'open-orders-limit', limit: maxOpenOrdersPerAsset, asset }
  return null
}
