import { describe, expect, it } from 'vitest'
import { buildChartData, describeReadEnd, includesMoment } from '../../../src/console/model/chart-data.ts'
import type { HistoryPrices } from '../../../src/console/model/documents.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const fill = (seconds: number, side: 'buy' | 'sell', price: number) => ({
  ...{ at: at(seconds), sequence: 3, account: 'trader', quantity: 1, id: 'ord_1' },
  ...{ side, price },
})

const prices: HistoryPrices = {
  asset: 'BTC',
  isWhole: true,
  reached: { sequence: 3, at: at(70) },
  begins: { sequence: 0, at: at(0) },
  ends: null,
  stepMs: 0,
  rows: [
    [0, 0, 100, null, null],
    [2000, 1, 100, 97, 101],
    [4000, 3, 102, 97, null],
    [61_000, 3, 99, 97, 103],
  ],
  trades: [[4000, 3, 97, 2]],
  fills: [fill(4, 'sell', 97), fill(4, 'sell', 96.5), fill(4, 'buy', 98)],
}

describe('the chart', () => {
  it('has every price from its instant on, and every fill, however many come at once', () => {
    const [seconds, trades, mark, bid, ask, buys, sells] = buildChartData(prices, 70_000)
    expect(seconds).toEqual([0, 2, 4, 4, 4, 4, 4, 61, 70])
    expect([mark, bid, ask]).toEqual([
      [100, 100, 102, 102, 102, 102, 102, 99, 99],
      [null, 97, 97, 97, 97, 97, 97, 97, 97],
      [null, 101, null, null, null, null, null, 103, 103],
    ])
    expect([trades, buys, sells].map((column) => column?.filter((value) => value !== null))).toEqual([
      [97],
      [98],
      [97, 96.5],
    ])
  })

  it('has a length where the clock has not moved yet', () => {
    const [seconds, , mark] = buildChartData(
      { ...prices, reached: prices.begins, rows: [[0, 0, 100, 99, 101]], trades: [], fills: [] },
      0,
    )
    expect([seconds, mark]).toEqual([
      [0, 0.5],
      [100, 100],
    ])
  })

  it('draws nothing beyond what was read, whether the past is still being read or not', () => {
    for (const isWhole of [true, false]) {
      const part = { ...prices, isWhole, reached: { sequence: 3, at: at(65) } }
      const [seconds, , mark, bid, ask] = buildChartData(part, 70_000)
      expect(seconds?.slice(-4)).toEqual([61, 65, 65, 70])
      expect([mark, bid, ask].map((column) => column?.slice(-4))).toEqual([
        [99, 99, null, null],
        [97, 97, null, null],
        [103, 103, null, null],
      ])
    }
    // Where a restore ended their time, that is all of it.
    const ended = {
      ...prices,
      isWhole: false,
      ends: { sequence: 3, at: at(70) },
      reached: { sequence: 9, at: at(5) },
    }
    expect(buildChartData(ended, 70_000)[2]?.at(-1)).toBe(99)
  })

  it('says up to where prices were read, while the past is still being read', () => {
    expect(describeReadEnd(prices)).toBe('')
    expect(describeReadEnd({ ...prices, isWhole: false })).toBe(
      'The past is still being read, up to 00:01:10.000 so far.',
    )
  })

  it('knows which moments its time has', () => {
    const until = { ...prices, begins: { sequence: 2, at: at(0) }, ends: { sequence: 5, at: at(0) } }
    const instants = [1, 2, 4, 5].map((sequence) => ({ sequence, at: at(0) }))
    expect(instants.map((moment) => includesMoment(until, moment))).toEqual([false, true, true, false])
    expect(instants.map((moment) => includesMoment(prices, moment))).toEqual([true, true, true, true])
  })
})
