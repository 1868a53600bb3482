import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  buildCandles,
  chooseInterval,
  findCandle,
  formatInterval,
  listIntervals,
} from '../../../src/console/model/candles.ts'
import type { HistoryPrices } from '../../../src/console/model/documents.ts'

const iso = (millis: number) => new Date(millis).toISOString()

function pricesOf(
  rows: HistoryPrices['rows'],
  trades: HistoryPrices['trades'],
  reached: number,
): HistoryPrices {
  const moment = (millis: number) => ({ sequence: 0, at: iso(millis) })
  return {
    ...{ asset: 'BTC', isWhole: true, reached: moment(reached), begins: moment(0), ends: null, stepMs: 0 },
    ...{ rows, trades, fills: [] },
  }
}

describe('candles', () => {
  const prices = pricesOf(
    [
      [0, 0, 100, null, null],
      [4000, 3, 102, 97, null],
      [61_000, 3, 99, 97, 103],
      [180_000, 3, 98, 97, 103],
    ],
    [
      [4000, 3, 97, 2],
      [59_999, 3, 97, 0.5],
      [61_000, 3, 98, 1],
    ],
    200_000,
  )

  it('open where the one before has closed, hold where nothing changes, and have the volume', () => {
    expect(buildCandles(prices, { from: 0, to: 240_000 }, 60_000)).toEqual([
      { at: 0, open: 100, high: 102, low: 100, close: 102, volume: 2.5 },
      { at: 60_000, open: 102, high: 102, low: 99, close: 99, volume: 1 },
      { at: 120_000, open: 99, high: 99, low: 99, close: 99, volume: 0 },
      { at: 180_000, open: 98, high: 98, low: 98, close: 98, volume: 0 },
    ])
  })

  it('leave out what is only known in part, at the left edge of a span', () => {
    const part = { ...prices, rows: prices.rows.slice(1) }
    expect(buildCandles(part, { from: 30_000, to: 150_000 }, 60_000).map(({ at }) => at)).toEqual([
      60_000, 120_000,
    ])
  })

  it('are what each row and each trade says, by a naive count', () => {
    const move = fc.record({ after: fc.integer({ min: 0, max: 40 }), price: fc.integer({ min: 1, max: 9 }) })
    fc.assert(
      fc.property(fc.array(move, { minLength: 1, maxLength: 60 }), (moves) => {
        let now = 0
        const rows = moves.map(({ after, price }, index) => {
          now += index === 0 ? 0 : after * 100
          return [now, 0, price, null, null]
        })
        const trades = rows.map(([at = 0, , price = 0]) => [at, 0, price, 1])
        const span = { from: 0, to: now + 1000 }
        for (const candle of buildCandles(pricesOf(rows, trades, now), span, 1000)) {
          const isIn = ([at]: readonly (number | null)[]) =>
            Number(at) >= candle.at && Number(at) < candle.at + 1000
          const before = rows.findLast(([at]) => Number(at) < candle.at)?.[2] ?? null
          const own = rows.filter(isIn).map((row) => Number(row[2]))
          const isAtOnce = rows.some(([at]) => at === candle.at)
          const held = before === null || isAtOnce ? own : [Number(before), ...own]
          const { open, high, low, close, volume } = candle
          expect([open, high, low, close, volume]).toEqual([
            ...[held[0], Math.max(...held), Math.min(...held), held.at(-1)],
            trades.filter(isIn).length,
          ])
        }
      }),
      { seed: 7 },
    )
  })

  it('have intervals that the steps of the server divide, and are found by their instants', () => {
    const hour = { from: 0, to: 3_600_000 }
    expect(listIntervals({ stepMs: 10_000 }, hour)).toEqual(
      expect.arrayContaining([10_000, 30_000, 60_000, 900_000, 3_600_000]),
    )
    expect(listIntervals({ stepMs: 10_000 }, hour)).not.toContain(15_000)
    expect(chooseInterval({ stepMs: 0 }, hour, null)).toBe(30_000)
    expect(chooseInterval({ stepMs: 0 }, hour, 300_000)).toBe(300_000)
    expect(chooseInterval({ stepMs: 0 }, hour, 1000)).toBe(30_000)
    expect([1000, 90_000, 7_200_000, 172_800_000].map(formatInterval)).toEqual(['1 s', '1.5 m', '2 h', '2 d'])
    const made = buildCandles(prices, { from: 0, to: 240_000 }, 60_000)
    expect(findCandle(made, 60_000, 61_000)?.at).toBe(60_000)
    expect(findCandle(made, 60_000, null)?.at).toBe(180_000)
    expect(findCandle(made, 60_000, 999_000)).toBeUndefined()
  })
})
