import { describe, expect, test } from 'vitest'
import type { TradeReplaySpec } from '../../../src/market/models/trade-replay.ts'
import type { Print } from '../../../src/market/recordings/candle.ts'
import { asset, marketOf, prices, printedIn, startMillis } from '../market-of.ts'

const trade = (second: number, price: number, quantity = 1): Print => ({
  atMillis: startMillis + second * 1_000,
  price,
  quantity,
  side: 'buy',
})
const recorded = [
  trade(-3, 99),
  trade(0, 100),
  trade(2, 101),
  trade(2, 102, 5),
  trade(2.5, 103),
  trade(90, 104),
]

function replayOf(change: Partial<TradeReplaySpec> = {}): ReturnType<typeof marketOf> {
  const model: TradeReplaySpec = {
    kind: 'trades',
    trades: recorded,
    gapMillis: 60_000,
    gaps: 'halt',
    ...change,
  }
  return marketOf([asset(model)])
}

describe('a replay of trades', () => {
  test('has the price of the last trade at or before each instant', () => {
    expect(prices(replayOf(), -5, 5)).toEqual([99, 99, 99, 99, 99, 100, 100, 102, 103, 103, 103])
    expect(prices(replayOf(), 89, 91)).toEqual([103, 104, 104])
    expect(prices(replayOf(), 10_000_000, 10_000_000)).toEqual([104])
  })

  test('prints every trade once, in order, whatever the grid', () => {
    for (const gridMillis of [500, 1_000, 7_000, 60_000]) {
      const market = marketOf(
        [asset({ kind: 'trades', trades: recorded, gapMillis: 60_000, gaps: 'hold' })],
        {
          gridMillis,
        },
      )
      const printed = []
      for (let index = Math.floor(-10_000 / gridMillis); index * gridMillis <= 120_000; index += 1) {
        printed.push(...printedIn(market, index - 1, index))
      }
      expect(printed).toEqual(recorded.map(({ side, ...print }) => print))
    }
  })

  test('counts its trades in the minute', () => {
    expect(replayOf().minuteBar(0, 0)).toMatchObject({ open: 100, close: 103, trades: 3, volumeUsd: 714 })
    expect(replayOf().minuteClose(0, 0)).toBe(103)
    expect(replayOf().minuteBar(0, -1)).toMatchObject({ trades: 2 })
  })

  test('halts where no trade follows for longer than the gap, and before and after the recording', () => {
    const halted = (seconds: readonly number[]): boolean[] =>
      seconds.map((second) => replayOf().isHaltedAt(0, second))
    expect(halted([-4, -3, -2, 2, 3, 60, 89, 90, 91])).toEqual([
      true,
      false,
      false,
      false,
      true,
      true,
      true,
      false,
      true,
    ])
    expect(replayOf({ gaps: 'hold' }).isHaltedAt(0, 60)).toBe(false)
    expect(replayOf({ gapMillis: 90_000 }).isHaltedAt(0, 60)).toBe(false)
  })

  test('has the activity of the last half hour relative to that of the fortnight', () => {
    let price = 1_000
    const trades = Array.from({ length: 4_000 }, (_, minute) => {
      price *= 1 + (((minute * minute * 31) % 97) - 48) * (minute > 3_900 ? 1e-5 : 1e-6)
      return trade(minute * 60 + 30, price)
    })
    const market = replayOf({ trades, gaps: 'hold' })
    expect(market.activityAt(0, 3_900)).toBeLessThan(market.activityAt(0, 3_990) / 3)
    const cut = replayOf({ trades: trades.slice(0, 3_950), gaps: 'hold' })
    expect(cut.activityAt(0, 3_950)).toBe(market.activityAt(0, 3_950))
    expect(replayOf({ trades: [trade(0, 5)] }).activityAt(0, 60)).toBe(1)
  })
})
