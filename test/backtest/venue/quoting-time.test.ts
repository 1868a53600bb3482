import { expect, test } from 'vitest'
import { backtest } from '../../../src/backtest/backtest.ts'
import { defineStrategy } from '../../../src/backtest/strategy.ts'

const span = 10_000

/** Quotes both sides anew every ten seconds, whether the last quote was hit or not. */
const requoting = defineStrategy({
  name: 'requoting',
  tick: '10s',
  state: () => ({ quoteId: '' }),
  async onTick({ price, state, venue }) {
    const { mid } = price('BTC')
    const old = state.quoteId === '' ? null : await venue.quotes.get(state.quoteId)
    if (old?.status === 'active') await venue.quotes.cancel(old.quoteId)
    const at = (bps: number): number => Math.round(mid * (100 + bps / 100)) / 100
    const sizes = { bidSize: 0.02, askSize: 0.02, validForSeconds: 60 }
    const quote = await venue.quotes.submit({ asset: 'BTC', bidPrice: at(-1), askPrice: at(1), ...sizes })
    state.quoteId = quote.quoteId
  },
})

test('a quote that is hit between two looks was two-sided until then', async () => {
  const market = {
    type: 'margin',
    flow: { kind: 'poisson', ratePerMinute: 6, medianUsd: 2_000, sizeSd: 1 },
  } as const
  const { fills, metrics, quotes } = await backtest(requoting, {
    model: 'constant',
    market,
    to: '1h',
    seed: '7',
  })
  let twoSidedMillis = 0
  for (const { bidSize, askSize, createdAtMillis, quoteId } of quotes) {
    const left = { buy: bidSize, sell: askSize }
    const hit = fills.find((fill) => {
      if (fill.quoteId !== quoteId) return false
      left[fill.side] -= fill.quantity
      return left[fill.side] < 1e-9
    })
    twoSidedMillis += hit === undefined ? span : hit.atMillis - createdAtMillis
  }
  const share = twoSidedMillis / 3_600_000
  expect(share).toBeLessThan(0.9)
  expect(Math.abs((metrics.maker.uptime[0]?.share.value ?? 0) - share)).toBeLessThan(0.08)
})
