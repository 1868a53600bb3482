import { cash, feeAccount, firstClientAccount } from '../../src/engine/codes.ts'
import { absolute, sum } from '../reference/exact.ts'
import { computeBuyReserve, computeCashValue, computeFee } from '../reference/naive-values.ts'
import { at } from '../reference/naive-world.ts'
import type { OrderView, Predicate, Step } from './venue-view.ts'
import { firstBroken, holdings, isLiveView, keyOf } from './venue-view.ts'

/** I1: nothing is created or lost; the outside world has the other side of every deposit. */
export const assetsAreConserved: Predicate = (step) =>
  firstBroken(step.assets, ({ row }) => {
    let all = 0n
    for (let account = 0; account < step.view.accountCount; account += 1) {
      all += step.view.total(account, row) + step.view.pending(account, row)
    }
    return all !== 0n && `asset ${row} sums to ${all}`
  })

/** I2: a posting moves a positive whole amount from one account to another. */
export const postingsAreWholeAndPositive: Predicate = (step) =>
  firstBroken(
    step.events.filter(({ name }) => name === 'posted'),
    ({ subject, account, first }) =>
      (!Number.isSafeInteger(first) || first <= 0 || subject < 0 || account < 0) &&
      `posted ${first} from ${subject} to ${account}`,
  )

/** I3 */
export const totalIsAvailableAndLocked: Predicate = (step) =>
  firstBroken(holdings(step), ([account, asset]) => {
    const { view } = step
    const parts = view.available(account, asset) + view.locked(account, asset)
    return view.total(account, asset) !== parts && `account ${account} asset ${asset}: ${parts}`
  })

/** I4: a cash account owes nothing; a margin account may, but what is locked is never negative. */
export const clientsOweNothing: Predicate = (step) =>
  firstBroken(holdings(step), ([account, asset]) => {
    if (account < firstClientAccount) return null
    const { view } = step
    if (view.locked(account, asset) < 0n) return `account ${account} asset ${asset}: locked is negative`
    if (view.isMargin(account)) return null
    const available = view.available(account, asset)
    return available < 0n && `account ${account} asset ${asset}: available ${available}`
  })

/** I5: what is locked is what live orders and quote sides reserve, by their own prices and fees. */
export const locksAreTheReservesOfLiveOrders: Predicate = (step) =>
  firstBroken(holdings(step), ([account, asset]) => {
    const holding = step.view.orders.filter(
      (order) => order.account === account && isLiveView(order) && heldAsset(order) === asset,
    )
    const reserves = sum(holding.map((order) => reserveOfView(step, order)))
    const locked = step.view.locked(account, asset)
    return locked !== reserves && `account ${account} asset ${asset}: locked ${locked}, reserved ${reserves}`
  })

/** I6: what has ended reserves nothing, and releases nothing later. */
export const terminalOrdersReserveNothing: Predicate = (step) =>
  firstBroken(step.view.orders, (order) => {
    const folded = step.history.reserved.get(order.row) ?? 0n
    if (folded !== order.reserved)
      return `order ${order.row}: reserve ${order.reserved}, events say ${folded}`
    return (
      !isLiveView(order) &&
      order.reserved !== 0n &&
      `order ${order.row} is done and reserves ${order.reserved}`
    )
  })

/**
 * I10, first part: value is price times quantity to the nearest atom, and the fee is its rate rounded up. Where a
 * cash buyer has no more, the value may be an atom less, and the fee what is left.
 */
export const feesAreExact: Predicate = (step) =>
  firstBroken(step.view.fills.slice(step.before.fillCount), (fill) => {
    const asset = at(step.assets, fill.asset)
    const value = computeCashValue(asset, fill.priceTicks * fill.steps)
    const isShort = fill.notional === value - 1n
    if (fill.notional !== value && !isShort)
      return `fill of order ${fill.order}: value ${fill.notional}, not ${value}`
    const order = at(step.view.orders, fill.order)
    const inAsset = step.feeCurrency === 'received' && fill.side === 0
    const amount = inAsset ? fill.steps * asset.atomsPerStep : fill.notional
    const due = computeFee(amount, fill.isMaker ? order.makerRate : order.takerRate)
    const isCapped = !inAsset && fill.side === 0 && !step.view.isMargin(fill.account)
    if (fill.feeAsset !== (inAsset ? fill.asset : cash))
      return `fill of order ${fill.order}: fee in ${fill.feeAsset}`
    const isDue = fill.fee === due || (isCapped && fill.fee >= 0n && fill.fee < due)
    return !isDue && `fill of order ${fill.order}: fee ${fill.fee}, not ${due}`
  })

/** I10, second part: the fee account has what the fills paid. */
export const feesAreTheFeeAccounts: Predicate = (step) =>
  firstBroken(step.assets, ({ row }) => {
    const paid = sum(step.view.fills.filter((fill) => fill.feeAsset === row).map((fill) => fill.fee))
    const held = step.view.total(feeAccount, row)
    return paid !== held && `asset ${row}: fills paid ${paid}, the fee account has ${held}`
  })

/** I11: what a fill books is less than one atom off its exact value. */
export const roundingStaysBelowOneAtom: Predicate = (step) =>
  firstBroken(step.view.fills.slice(step.before.fillCount), (fill) => {
    const asset = at(step.assets, fill.asset)
    const exact = fill.priceTicks * fill.steps * asset.valueNumerator
    const off = fill.notional * asset.valueDenominator - exact
    return (
      absolute(off) >= asset.valueDenominator &&
      `fill of order ${fill.order}: ${off}/${asset.valueDenominator}`
    )
  })

/** I13: opening balances and everything posted since add up to the present totals. */
export const postingsMakeTheBalances: Predicate = (step) =>
  firstBroken(holdings(step), ([account, asset]) => {
    const key = keyOf(account, asset)
    const folded = (step.history.opening.get(key) ?? 0n) + (step.history.posted.get(key) ?? 0n)
    const held = step.view.total(account, asset) + step.view.pending(account, asset)
    return folded !== held && `account ${account} asset ${asset}: ${held}, events say ${folded}`
  })

function heldAsset(order: OrderView): number {
  return order.side === 0 ? cash : order.asset
}

function reserveOfView(step: Step, order: OrderView): bigint {
  const asset = at(step.assets, order.asset)
  const remaining = order.quantity - order.filled
  if (order.side === 1) return remaining * asset.atomsPerStep
  return computeBuyReserve(step, asset, order.priceTicks * remaining, order)
}
