/*
 * A sniper of stale quotes: when the price of one asset stands still while another, which it usually follows, has moved,
 * it takes what still stands at the old price, and closes when the price has caught up. It shows what makes markets hard
 * for slow makers, and what latency is worth: run it with `--latency 2s`, and little is left.
 */
import { defineStrategy, toStep } from 'otcsim/backtest'

export default defineStrategy({
  name: 'sniper',
  description: 'Takes prices that have not followed yet.',
  parameters: {
    leader: { type: 'string', default: 'BTC' },
    asset: { type: 'string', default: 'ETH' },
    beta: { type: 'number', default: 1, description: 'How much of the move of the leader is to come' },
    edgeBps: { type: 'number', default: 15, minimum: 0, description: 'Beyond the best price, fees included' },
    still: { type: 'duration', default: '2s', description: 'Without a change until a price is stale' },
    hold: { type: 'duration', default: '60s', description: 'Until a position is closed' },
    quantity: { type: 'number', default: 1, minimum: 0 },
    maxInventory: { type: 'number', default: 10, minimum: 0 },
  },
  tick: '1s',
  state: () => ({ mid: 0, changedMillis: 0, leaderMid: 0, bought: 0, boughtMillis: 0 }),

  onFill({ now, state }, fill) {
    state.bought += fill.side === 'buy' ? fill.quantity : -fill.quantity
    state.boughtMillis = now
  },

  onTick({ now, parameters, price, state, venue }): undefined | Promise<void> {
    const { asset, beta, edgeBps, hold, leader, maxInventory, quantity, still } = parameters
    const { ask, bid, mid } = price(asset)
    const leaderMid = price(leader).mid
    const bought = toStep(state.bought, 1e-8)
    if (bought > 0 && now - state.boughtMillis >= hold) {
      return shoot(venue.orders.create({ asset, side: 'sell', quantity: bought, orderType: 'market' }))
    }
    if (mid !== state.mid) {
      state.mid = mid
      state.changedMillis = now
      state.leaderMid = leaderMid
      return undefined
    }
    if (now - state.changedMillis < still) return undefined
    const expected = mid * (1 + beta * (leaderMid / state.leaderMid - 1))
    const edge = (mid * edgeBps) / 10_000
    if (expected > ask + edge && bought < maxInventory) {
      return shoot(venue.orders.create({ asset, side: 'buy', quantity, price: ask, timeInForce: 'IOC' }))
    }
    if (expected < bid - edge && bought > 0) {
      const sold = Math.min(quantity, bought)
      return shoot(
        venue.orders.create({ asset, side: 'sell', quantity: sold, price: bid, timeInForce: 'IOC' }),
      )
    }
    return undefined
  },
})

/** A refusal (no money left, the limit reached) is a miss like any other. */
async function shoot(order: unknown): Promise<void> {
  try {
    await order
  } catch (error) {
    const isRefusal = error instanceof Error && 'statusCode' in error && error.statusCode === 422
    if (!isRefusal) throw error
  }
}
