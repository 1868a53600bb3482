import { defineStrategy } from 'otcsim/backtest'

/** Long one unit while the fast average of closes is above the slow one, which is what each peer runs. */
export default defineStrategy({
  name: 'ema-cross',
  parameters: {
    bar: { type: 'duration', default: '4h' },
    fast: { type: 'integer', default: 20, minimum: 1 },
    slow: { type: 'integer', default: 60, minimum: 2 },
    quantity: { type: 'number', default: 1, minimum: 0 },
  },
  bar: 'bar',
  state: () => ({ fast: 0, slow: 0, count: 0, isLong: false }),

  onBar({ parameters, state, sync }, { asset, close }) {
    const { fast, quantity, slow } = parameters
    state.fast += (state.count === 0 ? 1 : 2 / (fast + 1)) * (close - state.fast)
    state.slow += (state.count === 0 ? 1 : 2 / (slow + 1)) * (close - state.slow)
    state.count += 1
    if (state.count < slow) return
    const isUp = state.fast > state.slow
    if (isUp === state.isLong) return
    sync.orders.create({ asset, side: isUp ? 'buy' : 'sell', quantity, orderType: 'market' })
    state.isLong = isUp
  },
})
