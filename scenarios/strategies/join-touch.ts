/*
 * A market maker of a recorded book: it joins the best bid and ask, and stays in the queue as long as they stand, because
 * whoever cancels gives up the place. What the law of the queue assumes decides how often it is filled.
 */
import { defineStrategy } from 'otcsim/backtest'

export default defineStrategy({
  name: 'join-touch',
  description: 'One order at the best bid and one at the best ask, kept while these prices stand.',
  tick: '100ms',
  parameters: {
    size: { type: 'number', default: 0.1, minimum: 0, description: 'Units on each side' },
    maxInventory: {
      type: 'number',
      default: 1,
      minimum: 0,
      description: 'Units more or less than at the start',
    },
  },
  state: () => ({
    inventory: 0,
    /** The order of each side and its price; '' when none rests. */
    buy: { orderId: '', price: 0 },
    sell: { orderId: '', price: 0 },
  }),

  onFill({ state }, fill) {
    state.inventory += fill.side === 'buy' ? fill.quantity : -fill.quantity
  },

  onOrderUpdate({ state }, order) {
    const own = state[order.side]
    if (own.orderId === order.orderId && order.status !== 'open' && order.status !== 'partially_filled')
      own.orderId = ''
  },

  onBook({ assets, parameters, state, sync }, book) {
    if (book.asset !== assets[0] || book.bidCount === 0 || book.askCount === 0) return
    const { maxInventory, size } = parameters
    const best = { buy: book.bidPrices[0] ?? 0, sell: book.askPrices[0] ?? 0 }
    for (const side of ['buy', 'sell'] as const) {
      const own = state[side]
      const price = best[side]
      if (own.orderId !== '' && own.price === price) continue
      if (own.orderId !== '') sync.orders.cancel(own.orderId)
      own.orderId = ''
      const inventory = side === 'buy' ? state.inventory : -state.inventory
      if (inventory + size > maxInventory) continue
      const { orderId, status } = sync.orders.create({ side, asset: book.asset, quantity: size, price })
      state[side] = { orderId: status === 'filled' ? '' : orderId, price }
    }
  },
})
