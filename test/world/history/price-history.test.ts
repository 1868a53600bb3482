import { describe, expect, it } from 'vitest'
import { createStream } from '../../../src/numeric/random.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { History } from '../../../src/world/history/history.ts'
import type { PriceRow, PriceWindow } from '../../../src/world/history/price-history.ts'
import { startMemoryJournal } from '../../../src/world/journals/journal.ts'
import { createWorld, type World } from '../../../src/world/world.ts'
import { ManualWallClock } from '../manual-wall-clock.ts'
import { livelyScenario, quietScenario } from '../scenarios.ts'

function start(scenario: object) {
  const loaded = loadScenarioValue(scenario)
  if (!loaded.ok) throw new Error(loaded.problems[0]?.reason)
  const wall = new ManualWallClock()
  const world = createWorld(loaded.value, { wall })
  const history = new History(world, startMemoryJournal(world, { otcsim: '1.0.0', start: null }, 50_000))
  return { world, wall, history }
}

const whole = { fromMillis: 0, toMillis: Number.MAX_SAFE_INTEGER, spans: 400 }

function windowOf(history: History, query: Partial<typeof whole> = {}): PriceWindow {
  for (let turn = 0; !history.follow(50); turn += 1) if (turn > 10_000) throw new Error('it never ends')
  return history.index.prices('BTC').window({ ...whole, around: history.lastMoment, ...query })
}

/** Best bid and ask as a client sees them, one step deep. */
function bestOf(world: World): readonly (number | null)[] {
  const { body } = world.request('trader', 'GET', '/api/sdk/market-data/orderbook/BTC?depth=1')
  const { bids, asks } = Object(body)
  return [bids[0]?.price ?? null, asks[0]?.price ?? null]
}

const post = (world: World, body: object) => world.request('trader', 'POST', '/api/sdk/orders', body)

/** The row that held at an instant. */
const heldAt = (rows: readonly PriceRow[], atMillis: number): readonly unknown[] =>
  rows.findLast(([at]) => Number(at) <= atMillis)?.slice(3) ?? []

describe('the prices of a day', () => {
  const hours = 24
  const day = { ...livelyScenario, clock: { ...livelyScenario.clock, mode: 'realtime' } }
  const { world, wall, history } = start(day)
  const begin = world.now
  const stream = createStream('7', 'day', '', 0)
  const seen: (readonly (number | null)[])[] = []
  for (let second = 0; second <= hours * 3600; second += 1) {
    if (second > 0) wall.advance(1000)
    if (stream.integer(40) === 0) {
      const [bid, ask] = bestOf(world)
      const side = stream.integer(2) === 0 ? 'buy' : 'sell'
      const price: number = Math.round(Number(bid) + stream.integer(11) * 0.1 * (Number(ask) - Number(bid)))
      post(world, { side, asset: 'BTC', quantity: 0.001 * (1 + stream.integer(9)), price })
    }
    seen.push(bestOf(world))
  }

  it('have every best bid and ask that was there, told an hour at a time', () => {
    for (let hour = 0; hour < hours; hour += 1) {
      const fromMillis = begin + hour * 3_600_000
      const { rows, stepMillis } = windowOf(history, {
        fromMillis,
        toMillis: fromMillis + 3_600_000,
        spans: 1000,
      })
      expect(stepMillis).toBe(0)
      for (let second = 0; second < 3600; second += 7)
        expect(heldAt(rows, fromMillis + second * 1000)).toEqual(seen[hour * 3600 + second])
    }
  })

  it('keep their extremes when they are told with few rows', () => {
    const { rows, stepMillis, begins } = windowOf(history)
    expect([begins, stepMillis]).toEqual([{ sequence: 0, atMillis: begin }, 300_000])
    expect(rows.length).toBeLessThan(400 * 8)
    for (const [column, best] of [
      [3, 0],
      [4, 1],
    ] as const) {
      for (let from: number = begin; from < begin + hours * 3_600_000; from += stepMillis) {
        const first = (from - begin) / 1000
        const those = seen.slice(first, first + stepMillis / 1000).map((row) => Number(row[best]))
        const told = rows
          .filter(([at]) => Number(at) >= from && Number(at) < from + stepMillis)
          .map((row) => Number(row[column]))
        // What an order did between two looks is told, too.
        expect(Math.min(...told)).toBeLessThanOrEqual(Math.min(...those))
        expect(Math.max(...told)).toBeGreaterThanOrEqual(Math.max(...those))
        expect(told.length).toBeGreaterThan(1)
      }
    }
  })

  it('have the whole volume of each span, however few rows are told', () => {
    const volumes = (rows: readonly PriceRow[], spanMillis = 300_000): ReadonlyMap<number, number> => {
      const sums = new Map<number, number>()
      for (const [at, , , quantity] of rows) {
        const span = Math.floor(Number(at) / spanMillis)
        sums.set(span, Math.round(((sums.get(span) ?? 0) + Number(quantity)) * 1e8) / 1e8)
      }
      return sums
    }
    const all = windowOf(history, { spans: 1_000_000 })
    const few = windowOf(history)
    expect([all.stepMillis, few.stepMillis]).toEqual([0, 300_000])
    expect(few.trades.length).toBeLessThan(all.trades.length / 2)
    expect(volumes(few.trades)).toEqual(volumes(all.trades))
    const part = windowOf(history, { fromMillis: begin + 3_600_000, spans: 50 })
    const halfHours = volumes(all.trades, part.stepMillis)
    expect([part.stepMillis, volumes(part.trades, part.stepMillis).size]).toEqual([1_800_000, 46])
    for (const [span, volume] of volumes(part.trades, part.stepMillis))
      expect(halfHours.get(span)).toBe(volume)
  })

  it('have every fill of the account, and those only', () => {
    const fills = []
    for (let page = 1; ; page += 1) {
      const { body } = world.request('trader', 'GET', `/api/sdk/portfolio/trades?page=${page}&limit=100`)
      fills.push(...Object(body).trades)
      if (Object(body).trades.length < 100) break
    }
    expect(fills.length).toBeGreaterThan(500)
    const told = windowOf(history).fills.filter(({ account }) => account === 'trader')
    const words = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
    expect(
      words(told.map(({ atMillis, side, price, quantity }) => ({ atMillis, side, price, quantity }))),
    ).toEqual(
      words(
        fills.map(({ timestamp, side, price, quantity }) => ({
          atMillis: Date.parse(timestamp),
          side,
          price,
          quantity,
        })),
      ),
    )
  })
})

describe('the prices of a world', () => {
  it('begin with the price at the start, and have an order that rests and one that goes', () => {
    const { world, history } = start(quietScenario)
    post(world, { side: 'buy', asset: 'BTC', quantity: 0.1, price: 40_000 })
    world.advance('1m')
    world.request('trader', 'DELETE', '/api/sdk/orders/ord_1')
    const begin = world.now - 60_000
    expect(windowOf(history).rows).toEqual([
      [begin, 0, 50_000, null, null],
      [begin, 1, 50_000, 40_000, null],
      [begin + 60_000, 3, 50_000, null, null],
    ])
    const past = windowOf(history, { fromMillis: begin + 1000, toMillis: begin + 2000 })
    expect(past.rows).toEqual([[begin, 1, 50_000, 40_000, null]])
  })

  it('are those since a restore where the moment is after it, and those before it where it is before', () => {
    const { world, history } = start(quietScenario)
    const kept = world.snapshot()
    world.advance('1m')
    post(world, { side: 'buy', asset: 'BTC', quantity: 0.1, price: 40_000 })
    world.restore(kept)
    post(world, { side: 'sell', asset: 'BTC', quantity: 0.1, price: 60_000 })
    const told = (sequence: number) =>
      history.index
        .prices('BTC')
        .window({ ...whole, around: { sequence, atMillis: Number.POSITIVE_INFINITY } })
    windowOf(history)
    expect(told(2).rows.map((row) => row.slice(1))).toEqual([
      [0, 50_000, null, null],
      [2, 50_000, 40_000, null],
    ])
    expect([told(4).begins.sequence, told(4).rows.map((row) => row.slice(1))]).toEqual([
      3,
      [
        [3, 50_000, null, null],
        [4, 50_000, null, 60_000],
      ],
    ])
  })
})
