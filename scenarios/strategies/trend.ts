/*
 * Trend following in its plainest form: long while the fast average of closes is above the slow one, flat otherwise.
 * On a price without memory it loses its fees; over many seeds the report says so, whatever one lucky seed shows.
 */
import { defineStrategy, toStep } from 'otcsim/backtest'

export default defineStrategy({
  name: 'trend',
  description: 'Long while the fast average is above the slow one.',
  parameters: {
    asset: { type: 'string', default: 'BTC' },
    fast: { type: 'integer', default: 10, minimum: 1, maximum: 10_000 },
    slow: { type: 'integer', default: 30, minimum: 2, maximum: 100_000 },
    bar: { type: 'duration', default: '1m', minimum: '1s' },
    quantity: { type: 'number', default: 0.5, minimum: 0 },
  },
  bar: 'bar',
  assets: ({ asset }) => [asset],
  state: () => ({ closes: [] as number[], place: 0, fastSum: 0, slowSum: 0, count: 0, held: 0 }),

  onFill({ state }, fill) {
    // Sums of decimals leave crumbs, and nobody sells a crumb.
    state.held = toStep(state.held + (fill.side === 'buy' ? fill.quantity : -fill.quantity), 1e-8)
  },

  /** No promise is made where nothing is to be done: most bars are that. */
  onBar({ parameters, state, venue }, bar): undefined | Promise<void> {
    const { asset, fast, quantity, slow } = parameters
    const { closes } = state
    const before = (distance: number): number => closes[(state.place - distance + 2 * slow) % slow] ?? 0
    state.fastSum += bar.close - (state.count >= fast ? before(fast) : 0)
    state.slowSum += bar.close - (state.count >= slow ? before(slow) : 0)
    closes[state.place] = bar.close
    state.place = (state.place + 1) % slow
    state.count += 1
    if (state.count < slow) return
    const isUp = state.fastSum / fast > state.slowSum / slow
    const isLong = state.held > 0
    if (isUp === isLong) return
    const side = isUp ? 'buy' : 'sell'
    const traded = isUp ? quantity : state.held
    return send(venue.orders.create({ asset, side, quantity: traded, orderType: 'market' }))
  },
})

async function send(order: unknown): Promise<void> {
  await order
}
