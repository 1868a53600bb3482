/*
 * A market maker: one two-sided quote around the mid, moved against its inventory, so that what it holds is sold more
 * eagerly than it is bought. It earns the spread from takers who know nothing, and loses to those who know where the
 * price goes: with the same quotes, the share of informed takers decides.
 */
import { defineStrategy, toStep } from 'otcsim/backtest'

export default defineStrategy({
  name: 'market-maker',
  description: 'One quote around the mid, skewed against the inventory.',
  parameters: {
    asset: { type: 'string', default: 'BTC' },
    halfSpreadBps: { type: 'number', default: 5, minimum: 0.01, maximum: 1000 },
    size: { type: 'number', default: 0.1, minimum: 0, description: 'Units on each side' },
    maxInventory: {
      type: 'number',
      default: 1,
      minimum: 0,
      description: 'Units more or less than at the start',
    },
    skewBps: { type: 'number', default: 5, minimum: 0, description: 'At the largest inventory' },
    refresh: { type: 'duration', default: '1s', minimum: '100ms' },
  },
  state: () => ({
    /** '' when none stands. */
    quoteId: '',
    inventory: 0,
    bid: 0,
    ask: 0,
    priceStep: 0.01,
  }),

  async onStart({ every, parameters, state, venue }) {
    const { pairs } = await venue.marketData.tradingPairs()
    const pair = pairs.find(({ base }) => base === parameters.asset)
    if (pair === undefined) throw new RangeError(`the venue does not trade ${parameters.asset}`)
    state.priceStep = pair.priceStep
    every(parameters.refresh, 'refresh')
  },

  onFill({ parameters, state }, fill) {
    if (fill.asset === parameters.asset)
      state.inventory += fill.side === 'buy' ? fill.quantity : -fill.quantity
  },

  /** A quote that has ended, filled or expired, is replaced at the next refresh. */
  onQuoteUpdate({ state }, quote) {
    const isLive = quote.status === 'active' || quote.status === 'partially_filled'
    if (quote.quoteId === state.quoteId && !isLive) state.quoteId = ''
  },

  async onTimer({ parameters, price, record, state, venue }) {
    const { asset, halfSpreadBps, maxInventory, size, skewBps } = parameters
    const { mid } = price(asset)
    const share = maxInventory === 0 ? 0 : Math.max(-1, Math.min(1, state.inventory / maxInventory))
    const center = mid * (1 - (share * skewBps) / 10_000)
    const half = (mid * halfSpreadBps) / 10_000
    const bidPrice = toStep(center - half, state.priceStep, 'down')
    const askPrice = toStep(Math.max(center + half, bidPrice + state.priceStep), state.priceStep, 'up')
    record('inventory', state.inventory)
    const bidSize = state.inventory >= maxInventory ? 0 : size
    const askSize = state.inventory <= -maxInventory ? 0 : size
    if (bidSize === 0 && askSize === 0) return
    // A new quote rather than an update: sizes start afresh, and both sides stand whatever filled.
    if (state.quoteId !== '') {
      await ignoring(409, async () => venue.quotes.cancel(state.quoteId))
      state.quoteId = ''
    }
    await ignoring(422, async () => {
      const quote = await venue.quotes.submit({
        asset,
        bidPrice,
        askPrice,
        bidSize,
        askSize,
        validForSeconds: 300,
      })
      state.quoteId = quote.quoteId
    })
  },

  async onEnd({ venue }) {
    await venue.quotes.cancelAll()
  },
})

/** Goes on when the venue refuses with this status: the quote is done, or the limits are reached. */
async function ignoring(status: number, run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const isExpected = error instanceof Error && 'statusCode' in error && error.statusCode === status
    if (!isExpected) throw error
  }
}
