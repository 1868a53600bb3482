import { backtest } from '../../../src/backtest/backtest.ts'
import type { BacktestResult } from '../../../src/backtest/result.ts'
import { defineStrategy, type Strategy } from '../../../src/backtest/strategy.ts'
import { createStream } from '../../../src/numeric/random.ts'

/* Runs of every kind that figures must be right for, each a few milliseconds long. */

const hour = 3_600_000
const start = Date.UTC(2026, 0, 5)

/** Hourly candles with these returns. */
function candlesOf(returns: readonly number[]) {
  let last = 50_000
  return returns.map((change, place) => {
    const open = last
    last = Math.round(open * (1 + change) * 100) / 100
    const [low, high] = [Math.min(open, last), Math.max(open, last)]
    return { atMillis: start + place * hour, spanMillis: hour, open, high, low, close: last, volume: 50 }
  })
}

function walk(seed: string, days: number): readonly number[] {
  const stream = createStream(seed, 'kinds', 'BTC', 0)
  return Array.from({ length: days * 24 }, () => stream.normal() * 0.006)
}

const steady = (days: number, change: number): readonly number[] => new Array<number>(days * 24).fill(change)

/** Trades once at the start, and back after `days`, if given. */
const holder = (side: 'buy' | 'sell', quantity: number, days: number | null = null): Strategy =>
  defineStrategy({
    name: 'holder',
    async onStart({ after, venue }) {
      await venue.orders.create({ asset: 'BTC', side, quantity, orderType: 'market' })
      if (days !== null) after(`${days}d`, 'back')
    },
    async onTimer({ venue }) {
      const back = side === 'buy' ? 'sell' : 'buy'
      await venue.orders.create({ asset: 'BTC', side: back, quantity, orderType: 'market' })
    },
  })

const idle = defineStrategy({ name: 'idle', onStart() {} })

/** Quotes ten basis points around the mid, anew every ten seconds. */
const maker = defineStrategy({
  name: 'maker',
  onStart({ every }) {
    every('10s', 'quote')
  },
  async onTimer({ price, venue }) {
    const { mid } = price('BTC')
    await venue.quotes.submit({
      asset: 'BTC',
      bidPrice: Math.round(mid * 0.9995),
      askPrice: Math.round(mid * 1.0005),
      bidSize: 0.1,
      askSize: 0.1,
    })
  },
})

const margin = { cash: 1_000_000, type: 'margin' } as const
const free = { takerBps: 0, liquidity: { kind: 'flat', spreadBps: 0, levelUsd: 1e9, levels: 1 } } as const
const jump = walk('jump', 0).concat(steady(20, 0), [-0.2], steady(25, 0))

export const kindsOfRuns: readonly (readonly [string, () => Promise<BacktestResult>])[] = [
  ['idle', () => backtest(idle, { candles: candlesOf(walk('a', 45)) })],
  ['idle, beyond a rate', () => backtest(idle, { candles: candlesOf(walk('a', 45)), riskFreeRate: 0.04 })],
  ['constant', () => backtest(holder('buy', 5), { candles: candlesOf(steady(45, 0)) })],
  [
    'steady growth',
    () => backtest(holder('buy', 5), { candles: candlesOf(steady(45, 0.0001)), market: free }),
  ],
  ['one jump', () => backtest(holder('buy', 5), { candles: candlesOf(jump), market: free })],
  [
    'ruin',
    () => backtest(holder('sell', 60, 39), { candles: candlesOf(steady(40, 0.0006)), market: margin }),
  ],
  ['short', () => backtest(holder('sell', 10), { candles: candlesOf(walk('b', 60)), market: margin })],
  ['leveraged', () => backtest(holder('buy', 60), { candles: candlesOf(walk('c', 60)), market: margin })],
  ['a week', () => backtest(holder('buy', 5), { candles: candlesOf(walk('d', 7)) })],
  ['one trade', () => backtest(holder('buy', 5, 20), { candles: candlesOf(walk('e', 95)) })],
  [
    'a grid of seven hours',
    () => backtest(holder('buy', 5, 20), { candles: candlesOf(walk('e', 95)), equityGrid: '7h' }),
  ],
  ['30 minutes', () => backtest(maker, { scenario: 'calm', to: '30m', equityGrid: '1m', seed: 1 })],
]
