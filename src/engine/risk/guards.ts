import { firstClientAccount, kindOrder } from '../codes.ts'
import type { PriceField, QuantityField, Rejection } from '../rejections.ts'
import { type State, stateOf } from '../state.ts'
import type { Asset } from '../tables/asset-table.ts'

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
  const { maxOpenOrders, maxOpenOrdersPerAsset } = accounts.limitsOf(account).config
  if (accounts.openOrders.get(account) >= maxOpenOrders)
    return { code: 'open-orders-limit', limit: maxOpenOrders, asset: null }
  const open = holdings.openOrders.get(holdings.rowOf(account, asset))
  if (open >= maxOpenOrdersPerAsset) return { code: 'open-orders-limit', limit: maxOpenOrdersPerAsset, asset }
  return null
}
