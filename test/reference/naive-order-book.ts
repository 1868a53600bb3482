import type { Side } from '../../src/engine/codes.ts'
import { smaller } from './exact.ts'
import type { NaiveAsset, NaiveOrder, NaiveWorld } from './naive-world.ts'
import { at, isLive, remainingOf } from './naive-world.ts'

/** Something that a taker can hit: a client's resting order, or a level of the venue's own ladder. */
export interface Interest {
  readonly priceTicks: bigint
  readonly steps: bigint
  /** Null: the house. */
  readonly order: NaiveOrder | null
}

/**
 * Lists all interest on one side, best first: by price, then clients before the house, then time. There is no data
 * structure for the book: it is searched for among all orders that ever were.
 */
export function interestOn(world: NaiveWorld, asset: number, side: Side): Interest[] {
  const clients = world.orders
    .filter((order) => order.asset === asset && order.side === side && order.isResting && isLive(order))
    .filter((order) => remainingOf(order) > 0n)
    .toSorted((left, right) => left.priority - right.priority)
    .map((order): Interest => ({ priceTicks: order.priceTicks, steps: remainingOf(order), order }))
  const house = houseOn(at(world.assets, asset), side).map((level): Interest => ({ ...level, order: null }))
  const better = side === 0 ? -1 : 1
  return [...clients, ...house].toSorted((left, right) =>
    left.priceTicks === right.priceTicks ? 0 : left.priceTicks < right.priceTicks ? -better : better,
  )
}

function houseOn(asset: NaiveAsset, side: Side) {
  return (side === 0 ? asset.houseBids : asset.houseAsks).filter((level) => level.steps > 0n)
}

/** Returns whether an order of this side and limit may trade at the price. */
export function isWithin(side: Side, limitTicks: bigint, priceTicks: bigint): boolean {
  return side === 0 ? priceTicks <= limitTicks : priceTicks >= limitTicks
}

/** Takes steps out of the ladder's level at a price. */
export function consumeHouse(asset: NaiveAsset, side: Side, priceTicks: bigint, steps: bigint): void {
  const take = (levels: typeof asset.houseBids) =>
    levels.map((level) =>
      level.priceTicks === priceTicks ? { priceTicks, steps: level.steps - steps } : level,
    )
  if (side === 0) asset.houseBids = take(asset.houseBids)
  else asset.houseAsks = take(asset.houseAsks)
}

/** Returns what others offer to a taker of this account, and its own interest where it may trade with itself. */
function othersOn(world: NaiveWorld, account: number, asset: number, takerSide: Side): Interest[] {
  const all = interestOn(world, asset, takerSide === 0 ? 1 : 0)
  return world.selfTrade === 'allow' ? all : all.filter((interest) => interest.order?.account !== account)
}

/**
 * Returns what a taker of this account could hit, in order. Its own interest is passed over with `cancel_maker`, ends
 * the taker with `cancel_taker` and `cancel_both`, and is like any other with `allow`.
 */
function listHittable(world: NaiveWorld, account: number, asset: number, takerSide: Side): Interest[] {
  const all = interestOn(world, asset, takerSide === 0 ? 1 : 0)
  const isOwn = (interest: Interest) => interest.order?.account === account
  if (world.selfTrade === 'allow' || world.selfTrade === 'cancel_maker') {
    return othersOn(world, account, asset, takerSide)
  }
  const end = all.findIndex(isOwn)
  return end === -1 ? all : all.slice(0, end)
}

export interface Walk {
  readonly tickSteps: bigint
  /** The last price that it reaches. */
  readonly lastTicks: bigint
}

/**
 * Returns a market order's value in ticks times steps: what others offer at their prices, the rest at the last level
 * walked, or at the mark where there is none.
 */
export function walkValue(
  world: NaiveWorld,
  account: number,
  asset: number,
  takerSide: Side,
  steps: bigint,
): Walk {
  let left = steps
  let tickSteps = 0n
  let lastTicks = at(world.assets, asset).markTicks
  for (const interest of othersOn(world, account, asset, takerSide)) {
    if (left === 0n) break
    const taken = smaller(interest.steps, left)
    tickSteps += taken * interest.priceTicks
    lastTicks = interest.priceTicks
    left -= taken
  }
  return { tickSteps: tickSteps + left * lastTicks, lastTicks }
}

/** Returns how many steps an order with this limit could trade at once. */
export function depthWithin(world: NaiveWorld, order: NaiveOrder): bigint {
  let depth = 0n
  for (const interest of listHittable(world, order.account, order.asset, order.side)) {
    if (order.type === 0 && !isWithin(order.side, order.priceTicks, interest.priceTicks)) break
    depth += interest.steps
  }
  return depth
}
