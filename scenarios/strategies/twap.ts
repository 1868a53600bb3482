/*
 * Execution over time: buys or sells a quantity in equal slices, each as a limit order that takes at once and pays no
 * more than a few basis points beyond the best price; what a slice does not get is left to the next ones. Its report
 * tells what the execution cost against the mid at the decision, and of what that is made.
 */
import { defineStrategy, toStep } from 'otcsim/backtest'

export default defineStrategy({
  name: 'twap',
  description: 'A large order in equal slices.',
  parameters: {
    asset: { type: 'string', default: 'BTC' },
    side: { type: 'string', default: 'buy', oneOf: ['buy', 'sell'] },
    quantity: { type: 'number', default: 5, minimum: 0 },
    over: { type: 'duration', default: '1h', minimum: '1s' },
    slices: { type: 'integer', default: 60, minimum: 1, maximum: 100_000 },
    limitBps: { type: 'number', default: 10, minimum: 0, description: 'Beyond the best price' },
  },
  state: () => ({ filled: 0, sent: 0, priceStep: 0.01, quantityStep: 0.0001, minimum: 0.0001 }),

  async onStart({ every, parameters, state, venue }) {
    const { pairs } = await venue.marketData.tradingPairs()
    const pair = pairs.find(({ base }) => base === parameters.asset)
    if (pair === undefined) throw new RangeError(`the venue does not trade ${parameters.asset}`)
    state.priceStep = pair.priceStep
    state.quantityStep = pair.quantityStep
    state.minimum = pair.minQuantity
    every(Math.floor(parameters.over / parameters.slices), 'slice')
  },

  onFill({ state }, fill) {
    state.filled += fill.quantity
  },

  async onTimer({ clear, note, parameters, price, state, venue }, timer) {
    const { asset, limitBps, quantity, slices } = parameters
    state.sent += 1
    const due = (quantity * Math.min(state.sent, slices)) / slices
    const wanted = toStep(due - state.filled, state.quantityStep, 'down')
    if (state.sent >= 2 * slices || state.filled >= quantity - state.quantityStep / 2) {
      clear(timer)
      note(`done: ${toStep(state.filled, state.quantityStep)} of ${quantity}`)
      return
    }
    if (wanted < state.minimum) return
    const { ask, bid } = price(asset)
    const isBuy = parameters.side === 'buy'
    const worst = isBuy ? ask * (1 + limitBps / 10_000) : bid * (1 - limitBps / 10_000)
    await venue.orders.create({
      asset,
      side: isBuy ? 'buy' : 'sell',
      quantity: wanted,
      price: toStep(worst, state.priceStep, isBuy ? 'up' : 'down'),
      timeInForce: 'IOC',
    })
  },
})
