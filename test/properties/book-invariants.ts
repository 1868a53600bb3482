import type { Side } from '../../src/engine/codes.ts'
import { at } from '../reference/naive-world.ts'
import type { LevelView, OrderView, Predicate, Step } from './venue-view.ts'
import { firstBroken, isLiveView } from './venue-view.ts'

const sides: readonly Side[] = [0, 1]

/** I14: while a pair matches, its best bid is below its best ask. */
export const bookIsNotCrossed: Predicate = (step) =>
  firstBroken(traded(step), (asset) => {
    if (!step.view.matches(asset)) return null
    const bid = step.view.levels(asset, 0)[0]
    const ask = step.view.levels(asset, 1)[0]
    if (bid === undefined || ask === undefined) return null
    return bid.priceTicks >= ask.priceTicks && `asset ${asset}: ${bid.priceTicks} over ${ask.priceTicks}`
  })

/**
 * I15: no maker is passed over. Any order that rested all along on the maker's side at a better price, and is not the
 * taker's own, has nothing left.
 */
export const nobodyIsPassedOver: Predicate = (step) => {
  if (step.command.kind === 'force-fill') return null
  return firstBroken(
    step.events.filter((event) => event.name === 'trade' && event.account >= 0),
    (event) => {
      const taker = at(step.view.orders, event.account)
      const passed = step.before.orders.find((was) => {
        const now = at(step.view.orders, was.row)
        const stayed = isLiveView(was) && isLiveView(now) && was.priceTicks === now.priceTicks
        const isSide = was.asset === taker.asset && was.side !== taker.side && was.account !== taker.account
        return stayed && isSide && isResting(was) && isBetter(was, event.first)
      })
      return passed !== undefined && `order ${passed.row} was passed over at ${event.first}`
    },
  )
}

/** I17: levels are the sums of live orders and the house's levels, sorted, and none is empty. */
export const levelsAreTheLiveOrders: Predicate = (step) =>
  firstBroken(traded(step), (asset) =>
    firstBroken(sides, (side) => {
      const levels = step.view.levels(asset, side)
      const expected = rebuilt(step, asset, side)
      return textOf(levels) !== textOf(expected) && `asset ${asset} side ${side}: ${textOf(levels)}`
    }),
  )

function rebuilt(step: Step, asset: number, side: Side): readonly LevelView[] {
  const steps = new Map<bigint, bigint>()
  const add = (priceTicks: bigint, more: bigint) =>
    steps.set(priceTicks, (steps.get(priceTicks) ?? 0n) + more)
  for (const order of step.view.orders) {
    if (order.asset === asset && order.side === side && isLiveView(order)) {
      add(order.priceTicks, order.quantity - order.filled)
    }
  }
  for (const level of step.view.houseLevels(asset, side)) add(level.priceTicks, level.steps)
  const sign = side === 0 ? -1 : 1
  return [...steps]
    .filter(([, left]) => left > 0n)
    .map(([priceTicks, left]) => ({ priceTicks, steps: left }))
    .toSorted((left, right) => (left.priceTicks < right.priceTicks ? -sign : sign))
}

function isBetter(order: OrderView, priceTicks: number): boolean {
  return order.side === 0 ? order.priceTicks > BigInt(priceTicks) : order.priceTicks < BigInt(priceTicks)
}

function isResting(order: OrderView): boolean {
  return order.quantity > order.filled
}

function traded(step: Step): readonly number[] {
  return step.assets.slice(1).map((asset) => asset.row)
}

function textOf(levels: readonly LevelView[]): string {
  return levels.map((level) => `${level.priceTicks}x${level.steps}`).join(' ')
}
