import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MinuteHistory } from '../../../src/engine/series/minute-history.ts'
import { RollingStatistics } from '../../../src/engine/series/rolling-statistics.ts'
import type { Asset } from '../../../src/engine/tables/asset-table.ts'
import { AssetTable } from '../../../src/engine/tables/asset-table.ts'
import type { MinuteBar } from '../../../src/market/market.ts'
import { atoms, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import { caseBudget } from '../../support/full-run.ts'

const start = 1_767_571_200_000 // 2026-01-05T00:00:00Z
const minute = 60_000
const day = 86_400_000

/** Cents, and steps of 10^-4: one tick times one step is one atom. */
const asset = bitcoin()
const idle: MinuteBar = { open: 500, high: 510, low: 490, close: 500, volumeUsd: 0, trades: 0 }

describe('the history before the start', () => {
  it.each([0, 1, 20, 180, 200])('reads the same when %s steps of it were prepared', (steps) => {
    const barAt = (at: number): MinuteBar => ({
      ...idle,
      high: 510 + (at % 7),
      trades: at & 3,
      volumeUsd: 100 - at,
    })
    const minutes: number[] = []
    const prepared = statistics((at) => {
      minutes.push(at)
      return barAt(at)
    })
    let isWhole = false
    for (let step = 0; step < steps; step += 1) isWhole = prepared.prepare()
    expect(isWhole).toBe(steps === 200)
    expect(minutes.length).toBe(Math.min(1440, 8 * steps))
    expect(prepared.read(start + minute)).toEqual(statistics(barAt).read(start + minute))
    expect(prepared.prepare()).toBe(true)
    expect(minutes).toEqual(Array.from({ length: 1440 }, (_, place) => place - 1440))
  })
})

describe('the rolling window', () => {
  it('has only an open before the first trade', () => {
    expect(statistics(() => idle).read(start)).toEqual({
      openTicks: 50_000,
      highTicks: 0,
      lowTicks: 0,
      lastTicks: 0,
      volumeSteps: 0,
      volumeAtoms: 0,
      trades: 0,
      vwapE8: null,
    })
  })

  it('reads and is kept the same whether prints that had left by then were passed or not', () => {
    const print = fc.record({
      after: fc.integer({ min: 0, max: day / 3 }),
      ticks: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(
        fc.array(print, { maxLength: 30 }),
        fc.integer({ min: 0, max: 2 * day }),
        (prints, later) => {
          const readMillis = start + later + prints.reduce((sum, { after }) => sum + after, 0)
          const [recorded, passed] = [statistics(() => idle), statistics(() => idle)]
          let now = start
          for (const { after, ticks } of prints) {
            now += after
            recorded.record(now, ticks, 10, 10 * ticks)
            passed.record(now, ticks, 10, 10 * ticks, readMillis)
          }
          expect(passed.read(readMillis)).toEqual(recorded.read(readMillis))
          expect(passed.snapshot(readMillis)).toEqual(recorded.snapshot(readMillis))
          expect(passed.summary(readMillis)).toEqual(recorded.summary(readMillis))
        },
      ),
      { seed: 7, numRuns: caseBudget(100) },
    )
  })

  it('counts prints in (t - 24h, t], and keeps the last one before as the open', () => {
    const rolling = statistics(() => idle)
    rolling.record(start, 50_100, 10, 501_000)
    rolling.record(start, 49_900, 20, 998_000)
    rolling.record(start + minute, 50_200, 30, 1_506_000)
    expect(rolling.read(start + minute)).toEqual({
      openTicks: 50_000,
      highTicks: 50_200,
      lowTicks: 49_900,
      lastTicks: 50_200,
      volumeSteps: 60,
      volumeAtoms: 3_005_000,
      trades: 3,
      vwapE8: 50_083_333_333, // 3.005 USD for 0.0060 units
    })
    expect(rolling.read(start + day - 1).trades).toBe(3)
    expect(rolling.read(start + day)).toMatchObject({
      openTicks: 49_900,
      highTicks: 50_200,
      lowTicks: 50_200,
      trades: 1,
      volumeSteps: 30,
    })
    expect(rolling.read(start + day + minute)).toEqual({
      openTicks: 50_200,
      highTicks: 0,
      lowTicks: 0,
      lastTicks: 50_200,
      volumeSteps: 0,
      volumeAtoms: 0,
      trades: 0,
      vwapE8: null,
    })
  })

  it('holds exact sums beyond 2^53', () => {
    const rolling = statistics(() => idle)
    const most = Number.MAX_SAFE_INTEGER
    for (const at of [start, start, start, start + 1]) rolling.record(at, 50_000, 9, most)
    rolling.record(start + 2, 50_000, 1, 5)
    expect(rolling.read(start + 2).volumeAtoms).toBe(Number(BigInt(most) * 4n + 5n))
    expect(rolling.read(start + day + 1)).toMatchObject({ volumeAtoms: 5, volumeSteps: 1, trades: 1 })
  })

  it('keeps the mean between low and high when rounding would push it out', () => {
    const rolling = statistics(() => idle, pennies())
    rolling.record(start, 3, 1, 0) // 0.03 of an atom rounds to nothing
    expect(rolling.read(start).vwapE8).toBe(3_000_000)
  })
})

describe('the 24 hours before the start', () => {
  /** Minute m closes at 500 + m / 10 USD and opens at the close before, with one trade of 10 USD. */
  const rising = (at: number): MinuteBar => {
    const open = 500 + (at - 1) / 10
    const close = 500 + at / 10
    return { open, high: close + 0.05, low: open - 0.05, close, volumeUsd: 10, trades: 1 }
  }

  it('are complete at the start, and leave the window minute by minute', () => {
    const rolling = statistics(rising)
    const first = rolling.read(start)
    expect(first).toMatchObject({ openTicks: 35_590, highTicks: 49_995, lowTicks: 35_585, trades: 1440 })
    expect(first.volumeAtoms).toBe(14_400_000_000)
    expect(rolling.read(start + minute - 1)).toMatchObject({ openTicks: 35_590, trades: 1440 })
    expect(rolling.read(start + minute)).toMatchObject({ openTicks: 35_600, lowTicks: 35_595, trades: 1439 })
    expect(rolling.read(start + day - 1)).toMatchObject({ highTicks: 49_995, lowTicks: 49_975, trades: 1 })
    expect(rolling.read(start + day)).toMatchObject({ openTicks: 49_990, highTicks: 0, trades: 0 })
  })

  it('join the prints after the start', () => {
    const rolling = statistics(rising)
    rolling.record(start + 5, 60_000, 10, 600_000)
    expect(rolling.read(start + 5)).toMatchObject({
      openTicks: 35_590,
      highTicks: 60_000,
      lowTicks: 35_585,
      lastTicks: 60_000,
      trades: 1441,
      volumeAtoms: 14_400_600_000,
    })
  })

  it('are computed once, when a read first needs them', () => {
    const asked: number[] = []
    const rolling = statistics((at) => {
      asked.push(at)
      return idle
    })
    rolling.record(start, 50_000, 1, 1)
    rolling.snapshot(start)
    expect(asked).toEqual([])
    rolling.read(start)
    rolling.read(start + 1)
    expect(asked).toHaveLength(1440)
    expect([Math.min(...asked), Math.max(...asked)]).toEqual([-1440, -1])
  })
})

interface PrintDraw {
  readonly wait: number
  readonly ticks: number
  readonly steps: number
  readonly isRead: boolean
}

const prints = fc.array(
  fc.record({
    wait: fc.constantFrom(0, 0, 1, 17, 60_000, 5_000_000, day - 1, day, day + 1),
    ticks: fc.integer({ min: 1, max: 60 }),
    steps: fc.integer({ min: 1, max: 1000 }),
    isRead: fc.boolean(),
  }),
  { minLength: 1, maxLength: 200 },
)

describe('properties of the window', () => {
  it('agrees with a scan of every print', () => {
    fc.assert(
      fc.property(prints, (draws) => {
        const rolling = statistics(() => idle)
        const all: { at: number; ticks: number; steps: number }[] = []
        let at = start
        for (const { wait, ticks, steps, isRead } of draws) {
          at += wait
          if (isRead) expect(rolling.read(at)).toMatchObject(naive(all, at))
          rolling.record(at, ticks, steps, ticks * steps)
          all.push({ at, ticks, steps })
          if (isRead) expect(rolling.read(at)).toMatchObject(naive(all, at))
        }
        const later = at + day - 1
        expect(rolling.read(later)).toMatchObject(naive(all, later))
      }),
      { seed: 7, numRuns: caseBudget(200) },
    )
  })

  it('agrees with a scan while it grows with its oldest bucket in the middle of the ring', () => {
    const rolling = statistics(() => idle)
    const all: { at: number; ticks: number; steps: number }[] = []
    // Forty prints, which have all left when three hundred more have come within a second.
    for (let index = 0; index < 361; index += 1) {
      const at = index < 40 ? start + index : start + day - 1 + index
      const print = { at, ticks: 1 + ((index * 37) % 101), steps: index }
      rolling.record(at, print.ticks, print.steps, print.ticks * print.steps)
      all.push(print)
      expect(rolling.read(at)).toMatchObject(naive(all, at))
    }
  })

  it('has the same summary and snapshot whether or not it was read or restored', () => {
    fc.assert(
      fc.property(prints, (draws) => {
        const quiet = statistics(() => idle)
        const read = statistics(() => idle)
        let restored = statistics(() => idle)
        const end = play(draws, (at, { ticks, steps, isRead }) => {
          for (const rolling of [quiet, read, restored]) rolling.record(at, ticks, steps, ticks * steps)
          if (!isRead) return
          read.read(at)
          read.summary(at)
          const next = statistics(() => idle)
          next.load(restored.snapshot(at))
          restored = next
        })
        for (const now of [end, end + day - 1, end + 2 * day]) {
          expect(read.snapshot(now)).toEqual(quiet.snapshot(now))
          expect([read.summary(now), restored.summary(now)]).toEqual([quiet.summary(now), quiet.summary(now)])
          expect(restored.read(now)).toEqual(quiet.read(now))
        }
      }),
      { seed: 7, numRuns: caseBudget(100) },
    )
  })
})

function statistics(barAt: (at: number) => MinuteBar, of: Asset = asset): RollingStatistics {
  return new RollingStatistics(of, new MinuteHistory(of.pair, start, barAt))
}

function play(draws: readonly PrintDraw[], visit: (at: number, draw: PrintDraw) => void): number {
  let at = start
  for (const draw of draws) {
    at += draw.wait
    visit(at, draw)
  }
  return at
}

function naive(all: readonly { at: number; ticks: number; steps: number }[], now: number) {
  const inside = all.filter((print) => print.at > now - day && print.at <= now)
  const before = all.filter((print) => print.at <= now - day)
  const prices = inside.map((print) => print.ticks)
  return {
    openTicks: before.at(-1)?.ticks ?? 50_000,
    highTicks: prices.length === 0 ? 0 : Math.max(...prices),
    lowTicks: prices.length === 0 ? 0 : Math.min(...prices),
    lastTicks: all.at(-1)?.ticks ?? 0,
    volumeSteps: inside.reduce((sum, print) => sum + print.steps, 0),
    volumeAtoms: inside.reduce((sum, print) => sum + print.ticks * print.steps, 0),
    trades: inside.length,
  }
}

function bitcoin(): Asset {
  return tradedAsset(2, 4)
}

/** Makes an asset of which one tick times one step is a hundredth of an atom. */
function pennies(): Asset {
  return tradedAsset(2, 6)
}

function tradedAsset(priceScale: number, quantityScale: number): Asset {
  const pair = {
    priceStep: { units: 1, scale: priceScale },
    quantityStep: { units: 1, scale: quantityScale },
    minQuantitySteps: quantitySteps(1),
    maxQuantitySteps: quantitySteps(1_000_000),
    minPriceTicks: priceTicks(1),
    minNotionalAtoms: atoms(1),
    isActive: true,
  }
  const liquidity = { kind: 'none' } as const
  const table = new AssetTable([
    { symbol: 'USD', scale: 6, pair: null, liquidity },
    { symbol: 'BTC', scale: 8, pair, liquidity },
  ])
  return table.tradedAsset(1)
}
