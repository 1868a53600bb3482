import { describe, expect, it } from 'vitest'
import { chartData } from '../../../src/console/model/chart-data.ts'

describe('the chart', () => {
  const view = {
    now: '1970-01-01T00:00:10.000Z',
    asset: 'BTC',
    prices: [{ asset: 'BTC', bid: 99, ask: 101, mid: 100 }],
    trades: [
      { asset: 'BTC', side: 'sell', price: 97, timestamp: '1970-01-01T00:00:04.000Z' },
      { asset: 'BTC', side: 'buy', price: 97, timestamp: '1970-01-01T00:00:00.500Z' },
    ],
  } as const
  const lines = {
    asset: 'BTC',
    marks: [
      [2000, 98],
      [12_000, 102],
    ],
    trades: [[4000, 97]],
  } as const
  const samples = [
    [3000, 1, 97, 99],
    [5000, 2, 98, null],
  ] as const

  it('ends at the instant that is shown, and lines are steps', () => {
    const [seconds, mid, bid, ask, trades, buys, sells] = chartData(lines, samples, view, null)
    expect(seconds).toEqual([2, 3, 4, 5, 10])
    expect([mid, bid, ask]).toEqual([
      [98, 98, 98, 98, 98],
      [null, 97, 97, 98, 99],
      [null, 99, 99, 99, 101],
    ])
    expect([trades, buys, sells].map((column) => column.filter((value) => value !== null))).toEqual([
      [97],
      [],
      [97],
    ])
  })

  it('does not draw old best prices where marks have moved on unseen', () => {
    const marks = [1, 2, 3, 4, 5, 6, 7, 8].map((second) => [second * 1000, 100 - second] as const)
    const seen = [[1000, 1, 97, 99]] as const
    const [, , bid, ask] = chartData({ ...lines, marks, trades: [] }, seen, { ...view, trades: [] }, null)
    expect([bid, ask]).toEqual([
      [97, 97, 97, 97, 97, 97, null, null, 99],
      [99, 99, 99, 99, 99, 99, null, null, 101],
    ])
  })

  it('shows only earlier samples in the past', () => {
    const [seconds, mark] = chartData(null, samples, view, { sequence: 1, at: view.now })
    expect(seconds).toEqual([3, 4, 10])
    expect(mark).toEqual([null, null, 100])
    const atNow = chartData(
      { ...lines, marks: [[10_000, 103]], trades: [] },
      [],
      { ...view, trades: [] },
      null,
    )
    expect([atNow[0], atNow[1]]).toEqual([[10], [103]])
  })
})
