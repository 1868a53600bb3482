import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestOptions } from '../../src/backtest/backtest-options.ts'
import { type Bar, defineStrategy } from '../../src/backtest/strategy.ts'
import type { Candle } from '../../src/market/recordings/candle.ts'

const hour = 3_600_000
const start = Date.UTC(2025, 0, 1)

/** Candles of a wave around a price, `from` hours after the start. */
function candlesOf(price: number, from: number, count: number, spanMillis = hour): readonly Candle[] {
  return Array.from({ length: count }, (_, place) => {
    const at = (row: number) => Math.round(price * (100 + 5 * Math.sin(row))) / 100
    const [open, close] = [at(from + place), at(from + place + 1)]
    const [low, high] = [Math.min(open, close), Math.max(open, close)]
    return {
      atMillis: start + (from + place) * spanMillis,
      spanMillis,
      open,
      high,
      low,
      close,
      volume: place,
    }
  })
}

/** Buys an asset at the first bar, and keeps all bars that it sees. */
function buyer(asset: string, warmUp = 0) {
  const seen: Bar[] = []
  const strategy = defineStrategy({
    name: 'buyer',
    bar: '1h',
    warmUp,
    state: () => ({ isDone: false }),
    async onBar({ state, venue }, bar) {
      seen.push(bar)
      if (state.isDone || bar.asset !== asset) return
      state.isDone = true
      await venue.orders.create({ asset, side: 'buy', quantity: 1, orderType: 'market' })
    },
  })
  return { strategy, seen }
}

describe('several recordings', () => {
  const btc = candlesOf(1000, 0, 40)
  const eth = candlesOf(100, 6, 40)

  it('are traded together during the time that all of them cover', async () => {
    const { strategy, seen } = buyer('ETH')
    const { equity, fills, fromMillis, toMillis } = await backtest(strategy, {
      candles: { BTC: btc, ETH: eth },
    })
    expect([(fromMillis - start) / hour, (toMillis - start) / hour]).toEqual([6, 40])
    expect(equity.assets.map(({ asset }) => asset)).toEqual(['BTC', 'ETH'])
    expect(fills).toMatchObject([{ asset: 'ETH', quantity: 1 }])
    for (const [asset, candles] of [
      ['BTC', btc],
      ['ETH', eth],
    ] as const) {
      const own = seen.filter((bar) => bar.asset === asset)
      expect(own).toHaveLength(34)
      for (const bar of own) {
        const candle = candles.find(({ atMillis }) => atMillis === bar.fromMillis)
        expect(bar).toMatchObject({ volume: candle?.volume })
        expect(Math.abs(bar.open - (candle?.open ?? 0))).toBeLessThan(0.0051)
      }
    }
  })

  it('do not affect each other: an asset has the same prices as by itself', async () => {
    const market = { start: '2025-01-01T06:00:00Z' }
    const barsOf = async (options: BacktestOptions) => {
      const { strategy, seen } = buyer('BTC')
      await backtest(strategy, { ...options, market })
      return seen.filter(({ asset }) => asset === 'BTC')
    }
    expect(await barsOf({ candles: { BTC: btc, ETH: eth } })).toEqual(await barsOf({ candles: { BTC: btc } }))
    expect(await barsOf({ candles: { BTC: btc } })).toEqual(await barsOf({ candles: btc }))
  })

  it('allow a warm-up as far back as the youngest of them goes', async () => {
    const { strategy } = buyer('BTC', 3)
    const candles = { BTC: btc, ETH: eth }
    await expect(backtest(strategy, { candles })).rejects.toThrow(/the recording of ETH at 2025-01-01T06/)
    const { warmUpBars } = await backtest(strategy, { candles, from: '3h', to: '1h' })
    expect(warmUpBars).toBe(3)
  })

  it.each<[string, BacktestOptions, string]>([
    ['none', { candles: {} }, 'candles: there are none'],
    ['an empty one', { candles: { BTC: btc, ETH: [] } }, 'candles.ETH: there are none'],
    [
      'an invalid one',
      { candles: { BTC: btc, ETH: [{ ...(btc[0] ?? missing()), low: 2000 }] } },
      'candles.ETH[0].low is above the open or the close',
    ],
    [
      'trades',
      {
        candles: {
          BTC: btc,
          ETH: btc.map((candle) => ({
            ...candle,
            spanMillis: 0,
            high: candle.open,
            low: candle.open,
            close: candle.open,
            volume: 1,
          })),
        },
      },
      'candles: ETH has trades, BTC has candles of 1h; trades are not mixed with candles',
    ],
    [
      'another time',
      { candles: { BTC: btc, ETH: candlesOf(100, 40, 5) } },
      'candles: the recordings have no time in common: BTC 2025-01-01T00:00:00Z to 2025-01-02T16:00:00Z, ETH 2025-01-02T16:00:00Z to 2025-01-02T21:00:00Z',
    ],
    [
      'an asset besides',
      { candles: { BTC: btc }, market: { asset: 'BTC' } },
      'market.asset: recordings by asset',
    ],
    ['no symbol', { candles: { btc } }, 'market.assets'],
    [
      'an unknown asset',
      { candles: { BTC: btc, ETH: eth }, to: '3h' },
      'the venue does not trade SOL; it trades BTC, ETH',
    ],
  ])('are refused: %s', async (name, options, message) => {
    const { strategy } = buyer('BTC')
    const wanted = name === 'an unknown asset' ? { ...strategy, assets: () => ['SOL'] } : strategy
    await expect(backtest(wanted, options)).rejects.toThrow(message)
  })
})

function missing(): never {
  throw new Error('there are candles')
}
