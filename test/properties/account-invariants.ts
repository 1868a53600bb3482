import { cash, firstClientAccount } from '../../src/engine/codes.ts'
import { absolute, divideFloor, larger, partsInOne, smaller, sum } from '../reference/exact.ts'
import type { NaivePosition } from '../reference/naive-positions.ts'
import { computeBasis, flat, movePosition } from '../reference/naive-positions.ts'
import { computeCashValue, computeMarkValue } from '../reference/naive-values.ts'
import type { NaiveAsset } from '../reference/naive-world.ts'
import { at } from '../reference/naive-world.ts'
import { newOrders } from './order-invariants.ts'
import type { Predicate, Step } from './venue-view.ts'
import { firstBroken, holdings, isLiveView } from './venue-view.ts'

/** I26: a position is what the account has of the asset. */
export const positionsAreTheHoldings: Predicate = (step) =>
  firstBroken(clientHoldings(step), ([account, asset]) => {
    const { quantity } = step.view.position(account, asset)
    const total = step.view.total(account, asset)
    return quantity !== total && `account ${account} asset ${asset}: position ${quantity}, balance ${total}`
  })

/** I27: reducing leaves the average alone; a position without quantity has no basis. */
export const basisFollowsThePosition: Predicate = (step) =>
  firstBroken(clientHoldings(step), ([account, asset]) => {
    const { quantity, basis } = step.view.position(account, asset)
    if (quantity === 0n)
      return basis !== 0n && `account ${account} asset ${asset}: flat with a basis of ${basis}`
    return basis < 0n && `account ${account} asset ${asset}: basis ${basis}`
  })

/** I28: cash in and out, the basis of what is held, and realised profit add up. */
export const profitIsWhatTheFillsMade: Predicate = (step) =>
  firstBroken(clientHoldings(step), ([account, asset]) => {
    const expected = refolded(step, account, asset)
    if (expected === null) return null
    const { basis, realised } = step.view.position(account, asset)
    if (basis !== computeBasis(expected, expected.quantity))
      return `account ${account} asset ${asset}: basis ${basis}`
    return realised !== expected.realised && `account ${account} asset ${asset}: realised ${realised}`
  })

/** I35: whatever was accepted kept every limit, or only reduced. */
export const acceptedOrdersKeepTheLimits: Predicate = (step) =>
  firstBroken(newOrders(step), (order) => {
    if (!step.outcome.ok || step.command.kind !== 'place-order') return null
    const limits = step.view.limits(order.account)
    const asset = at(step.assets, order.asset)
    if (
      order.type === 0 &&
      computeCashValue(asset, order.priceTicks * order.quantity) > BigInt(limits.maxOrderValue)
    ) {
      return `order ${order.row}: value over the limit`
    }
    const size = order.quantity * asset.sizePerStep
    const maximum = limits.maxOrderSize.bySymbol.get(asset.symbol) ?? limits.maxOrderSize.default
    if (size > BigInt(maximum)) return `order ${order.row}: size over the limit`
    const worst = worstExposure(step, order.account)
    const leveraged = divideFloor(equity(step, order.account) * BigInt(limits.maxLeverage), partsInOne)
    // A fill at a better price, its fee, and what only reduces may end a little beyond; see `isReducing`.
    const most = BigInt(limits.maxExposure)
    const limit = step.view.isMargin(order.account) ? smaller(most, leveraged) : most
    const traded = step.events.some(({ name }) => name === 'trade')
    return !traded && worst > limit && !isReducing(step, order.row) && `order ${order.row}: exposure ${worst}`
  })

/** I36: the counts of open orders agree with the lists, and creation kept within them. */
export const openOrdersKeepTheirCount: Predicate = (step) =>
  firstBroken(newOrders(step), (order) => {
    if (!isLiveView(order) || order.quote >= 0) return null
    const open = step.view.orders.filter(
      (one) => one.account === order.account && one.quote === -1 && isLiveView(one),
    ).length
    const quotes = step.view.quotes.filter((one) => one.account === order.account && one.status < 2).length
    const { maxOpenOrders } = step.view.limits(order.account)
    return open + quotes > maxOpenOrders && `account ${order.account}: ${open} open orders, ${quotes} quotes`
  })

function clientHoldings(step: Step): readonly (readonly [number, number])[] {
  return [...holdings(step)].filter(([account, asset]) => account >= firstClientAccount && asset !== cash)
}

/** The position by the account's own fills, when nothing else ever moved it. */
function refolded(step: Step, account: number, asset: number): NaivePosition | null {
  const key = `${account}/${asset}`
  if (step.history.opening.has(key) || step.history.states.has(`transfer ${key}`)) return null
  const facts = at(step.assets, asset)
  return step.view.fills
    .filter((fill) => fill.account === account && fill.asset === asset)
    .reduce((position, fill) => movePosition(position, received(facts, fill), fill.notional), flat)
}

function received(
  asset: NaiveAsset,
  fill: { readonly side: number; readonly steps: bigint; readonly fee: bigint; readonly feeAsset: number },
): bigint {
  const base = fill.steps * asset.atomsPerStep
  if (fill.side === 1) return -base
  return fill.feeAsset === cash ? base : base - fill.fee
}

function equity(step: Step, account: number): bigint {
  const values = step.assets
    .slice(1)
    .map((asset) => computeMarkValue(asset, step.view.total(account, asset.row)))
  return step.view.total(account, cash) + sum(values)
}

function worstExposure(step: Step, account: number): bigint {
  return sum(
    step.assets.slice(1).map((asset) => {
      const value = computeMarkValue(asset, step.view.total(account, asset.row))
      const open = (side: number) =>
        sum(
          step.view.orders
            .filter((order) => order.account === account && order.asset === asset.row && isLiveView(order))
            .filter((order) => order.side === side)
            .map((order) => computeCashValue(asset, order.priceTicks * (order.quantity - order.filled))),
        )
      return larger(absolute(value + open(0)), absolute(value - open(1)))
    }),
  )
}

/** Whether the order and those before it on its side can only bring the position nearer to zero. */
function isReducing(step: Step, row: number): boolean {
  const order = at(step.view.orders, row)
  const asset = at(step.assets, order.asset)
  const position = step.view.total(order.account, order.asset)
  const against = order.side === 0 ? -position : position
  const sameSide = step.view.orders.filter(
    (one) =>
      one.account === order.account &&
      one.asset === order.asset &&
      one.side === order.side &&
      (isLiveView(one) || one.row === row),
  )
  return sum(sameSide.map((one) => one.quantity - one.filled)) * asset.atomsPerStep <= against
}
