import { buy, goodTillCancelled, limit, type Side, sell } from '../../../src/engine/codes.ts'
import { stateOf } from '../../../src/engine/state.ts'
import type { Venue } from '../../../src/engine/venue.ts'
import { millis, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'

/* What is done in a recorded book while it passes. The venue is that of `createConfig`: one account, one asset. */

const [account, asset] = [3, 1]
const stepMillis = 100

export function advance(venue: Venue, atMillis: number): void {
  venue.execute({ kind: 'advance', at: millis(atMillis) })
}

/** Rests a buy order at the lowest price, so that the levels of every row are followed and nothing is filled. */
export function watchBook(venue: Venue, untilMillis: number): void {
  place(venue, buy, 1, 1)
  advance(venue, untilMillis)
}

/** Quotes at both best prices each tenth of a second, and replaces what is no longer there. */
export function quoteBothSides(venue: Venue, untilMillis: number): void {
  const { orders } = venue.state
  const { recorded } = stateOf(venue.state, asset)
  const live: [number, number] = [-1, -1]
  for (let order = 0; order < orders.count; order += 1)
    if (orders.status.get(order) < 2) live[orders.side.get(order)] = order
  const replace = (side: Side, ticks: number): void => {
    const order = live[side]
    if (order !== -1 && orders.status.get(order) < 2) {
      if (orders.priceTicks.get(order) === ticks) return
      venue.execute({ kind: 'cancel-order', at: venue.now, account, order })
    }
    live[side] = place(venue, side, ticks, 1000)
  }
  const first = Math.floor(venue.now / stepMillis) + 1
  for (let atMillis = first * stepMillis; atMillis < untilMillis; atMillis += stepMillis) {
    advance(venue, atMillis)
    const bidTicks = recorded?.bestTicks(buy) ?? 0
    const askTicks = recorded?.bestTicks(sell) ?? 0
    if (bidTicks <= 0 || askTicks <= 0) continue
    replace(buy, bidTicks)
    replace(sell, askTicks)
  }
  advance(venue, untilMillis)
}

function place(venue: Venue, side: Side, ticks: number, steps: number): number {
  const outcome = venue.execute({
    kind: 'place-order',
    at: venue.now,
    account,
    asset,
    side,
    type: limit,
    timeInForce: goodTillCancelled,
    priceTicks: priceTicks(ticks),
    quantitySteps: quantitySteps(steps),
    clientOrderId: null,
    allowsDuplicateId: false,
    keepsRefused: false,
    metadata: null,
  })
  return outcome.ok ? outcome.row : -1
}
