import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestOptions } from '../../src/backtest/backtest-options.ts'
import { runLive } from '../../src/backtest/live/run-live.ts'
import { type Bar, defineStrategy, isStrategy, strategyProblem } from '../../src/backtest/strategy.ts'
import { createMarket } from '../../src/market/create-market.ts'
import type { Candle } from '../../src/market/recordings/candle.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { caseBudget } from '../support/full-run.ts'
import { busyScenario, lazyScenarios } from './scenarios.ts'

const busy = compiledScenario(busyScenario)
const start = Date.UTC(2026, 0, 5)
const minute = 60_000

/** Only records the bars that it gets: at its start, and later. */
function watcher(warmUp: number | null, bar: string, tick: string) {
  const before: Bar[] = []
  const after: Bar[] = []
  const strategy = defineStrategy({
    name: 'watcher',
    bar,
    tick,
    ...(warmUp === null ? {} : { warmUp }),
    onStart({ assets, bars }) {
      if (warmUp !== null) for (const asset of assets) before.push(...bars(asset))
    },
    onBar: (_context, shown) => void after.push(shown),
  })
  return { strategy, before, after }
}

const byAsset = (bars: readonly Bar[], asset: string) => bars.filter((bar) => bar.asset === asset)

describe('bars before the start', () => {
  const worlds = [busy, ...lazyScenarios]

  it('are those that an idle strategy would have got before, and change nothing', async () => {
    const cases = fc.record({
      world: fc.integer({ min: 0, max: worlds.length - 1 }),
      count: fc.integer({ min: 1, max: 6 }),
      bar: fc.constantFrom('10s', '30s', '1m'),
      tick: fc.constantFrom('1s', '2s', '3s', '10s'),
      from: fc.integer({ min: 361, max: 460 }).map((seconds) => `${seconds}s`),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ world, count, bar, tick, from }) => {
        const scenario = worlds[world] ?? busy
        // The ticks of the other run must be a superset, so it begins a whole number of ticks earlier.
        const spanMillis = Number.parseInt(tick, 10) * 1000
        const earlier = Number.parseInt(from, 10) * 1000
        const lead = Math.floor(earlier / spanMillis) * spanMillis
        const early = watcher(null, bar, tick)
        await backtest(early.strategy, { scenario, from: `${earlier - lead}ms`, to: `${lead + 60_000}ms` })
        const plain = watcher(null, bar, tick)
        const cold = await backtest(plain.strategy, { scenario, from, to: '60s' })
        const warmed = watcher(count, bar, tick)
        const { warmUpBars, calls, ...warm } = await backtest(warmed.strategy, { scenario, from, to: '60s' })
        const { calls: coldCalls, ...rest } = cold
        expect(warm).toEqual(rest)
        expect(warmUpBars).toBe(count)
        // A bar that had begun before the start is complete.
        expect(calls['onBar']).toBeGreaterThanOrEqual(coldCalls['onBar'] ?? 0)
        for (const asset of ['BTC', 'ETH']) {
          const known = byAsset(early.after, asset)
          const begin = start + earlier
          expect(byAsset(warmed.before, asset)).toEqual(
            known.filter(({ toMillis }) => toMillis <= begin).slice(-count),
          )
          expect(byAsset(warmed.after, asset)).toEqual(known.filter(({ toMillis }) => toMillis > begin))
        }
      }),
      { seed: 7, numRuns: caseBudget(10) },
    )
  })

  it('are those of the market before the venue’s start', async () => {
    for (const scenario of [busy, ...lazyScenarios.slice(1, 2)]) {
      const { strategy, before } = watcher(1500, '1m', '10s')
      await backtest(strategy, { scenario, to: '10s' })
      const market = createMarket(scenario.venue.market)
      const step = scenario.venue.gridMillis
      for (const [place, asset] of ['BTC', 'ETH'].entries()) {
        const bars = byAsset(before, asset)
        expect(bars).toHaveLength(1500)
        expect(bars[0]?.fromMillis).toBe(start - 1500 * minute)
        expect(bars.at(-1)?.toMillis).toBe(start)
        const away = bars.map(({ open, high, low, close, fromMillis, toMillis }) => {
          expect(high >= Math.max(open, close) && low <= Math.min(open, close)).toBe(true)
          const at = (millis: number) => market.fundamentalAt(place, (millis - start) / step)
          // The last close is the venue's own first mid.
          return Math.abs(open - at(fromMillis)) + (toMillis < start ? Math.abs(close - at(toMillis)) : 0)
        })
        // Each to within half the price step.
        expect(Math.max(...away)).toBeLessThan(0.0101)
      }
    }
  })

  it('never show the future, whatever the delay of the feed', async () => {
    const seen: number[] = []
    const strategy = defineStrategy({
      name: 'looker',
      bar: '30s',
      tick: '1s',
      parameters: { slow: { type: 'integer', default: 4 } },
      warmUp: ({ slow }) => slow,
      onTick({ bars, now }) {
        const newest = bars('ETH')
        expect(newest).toHaveLength(4)
        expect(newest.at(-1)?.toMillis).toBeLessThanOrEqual(now)
        seen.push(now - (newest.at(-1)?.toMillis ?? 0))
      },
      onBar({ assets, bars }, bar) {
        // All bars of that instant have ended.
        for (const asset of assets) expect(bars(asset, 1)[0]?.toMillis).toBe(bar.toMillis)
        expect(bars(bar.asset).at(-1)).toBe(bar)
      },
    })
    await backtest(strategy, { scenario: busy, from: '100s', to: '200s', latency: { feed: '2500ms' } })
    expect(Math.min(...seen)).toBe(2500)
    seen.length = 0
    await backtest(strategy, { scenario: busy, from: '100s', to: '200s', parameters: { slow: 4 } })
    expect([Math.min(...seen), Math.max(...seen)]).toEqual([0, 29_000])
  })

  it('may be fewer or more than the strategy declares, which keeps its declared number', async () => {
    const counts: number[][] = []
    const strategy = defineStrategy({
      name: 'counter',
      bar: '10s',
      warmUp: 5,
      assets: () => ['ETH'],
      onTimer: ({ bars }) => void counts.at(-1)?.push(bars('ETH').length),
      onStart({ bars, every }) {
        counts.push([bars('ETH').length, bars('ETH', 0).length])
        every('20s')
      },
    })
    for (const warmUp of [0, 2, 8])
      await backtest(strategy, { scenario: busy, from: '2m', to: '65s', warmUp })
    expect(counts).toEqual([
      [0, 0, 2, 4, 5],
      [2, 0, 4, 5, 5],
      [8, 0, 8, 8, 8],
    ])
  })
})

describe('a recording', () => {
  const hour = 3_600_000
  const candles = Array.from({ length: 48 }, (_, place): Candle => {
    const open = 100 + 10 * Math.sin(place)
    const close = 100 + 10 * Math.sin(place + 1)
    const [low, high] = [Math.min(open, close) - 1, Math.max(open, close) + 1]
    return { atMillis: start + place * hour, spanMillis: hour, open, high, low, close, volume: place % 5 }
  })

  it('has to go back far enough, and else names the earliest start of a run', async () => {
    const { strategy, before } = watcher(20, '2h', '30m')
    await expect(backtest(strategy, { candles })).rejects.toThrow(
      'warmUp: 20 bars of 2h before 2026-01-05T00:00:00.000Z begin at 2026-01-03T08:00:00.000Z, and the recording of BTC at 2026-01-05T00:00:00.000Z; begin at 2026-01-06T16:00:00.000Z or later, or take fewer bars',
    )
    await expect(backtest(strategy, { candles, from: '39h59m' })).rejects.toThrow('or take fewer bars')
    await expect(backtest(watcher(25, '2h', '30m').strategy, { candles })).rejects.toThrow(
      'the recording of BTC at 2026-01-05T00:00:00.000Z; it ends at 2026-01-07T00:00:00.000Z, so take fewer bars, or shorter ones',
    )
    await backtest(strategy, { candles, from: '2026-01-06T16:00:00Z' })
    expect(before).toHaveLength(20)
    expect(before[0]?.fromMillis).toBe(start)
  })

  it('has bars before the start of its market, too', async () => {
    const { strategy, before } = watcher(3, '1h', '15m')
    await backtest(strategy, { candles, market: { start: '2026-01-05T10:00:00Z' }, to: '1h' })
    expect(before.map(({ fromMillis }) => (fromMillis - start) / hour)).toEqual([7, 8, 9])
    for (const { fromMillis, high, low, volume } of before) {
      const candle = candles[(fromMillis - start) / hour]
      expect(high).toBeCloseTo(candle?.high ?? 0, 2)
      expect(low).toBeCloseTo(candle?.low ?? 0, 2)
      expect(volume).toBe(candle?.volume)
    }
  })

  it('gives bars their volume, and shorter bars their share', async () => {
    const volumesBy = async (bar: string, options: BacktestOptions, tick = '15m') => {
      const { strategy, after } = watcher(null, bar, tick)
      await backtest(strategy, options)
      return after.map(({ volume }) => volume)
    }
    const own = candles.map(({ volume }) => volume)
    expect(await volumesBy('1h', { candles })).toEqual(own)
    const pairs = own.flatMap((volume, place) => (place % 2 === 0 ? [volume + (own[place + 1] ?? 0)] : []))
    expect(await volumesBy('2h', { candles })).toEqual(pairs)
    expect(await volumesBy('30m', { candles })).toEqual(own.flatMap((volume) => [volume / 2, volume / 2]))
    const gappy = candles.filter((_, place) => place < 3 || place > 5)
    expect((await volumesBy('1h', { candles: gappy })).slice(2, 5)).toEqual([2, 1, 2])
    expect((await volumesBy('30m', { candles: gappy })).slice(4, 14)).toEqual([
      1, 1, 0, 0, 0, 0, 0, 0, 0.5, 0.5,
    ])
    const silent = candles.map((candle) => ({ ...candle, volume: 0 }))
    expect(new Set(await volumesBy('1h', { candles: silent }))).toEqual(new Set([null]))
    expect(new Set(await volumesBy('1m', { model: 'gbm', to: '5m' }, '1s'))).toEqual(new Set([null]))
  })

  it('of trades counts each of them once', async () => {
    const trades = Array.from({ length: 600 }, (_, place): Candle => {
      const price = 100 + (place % 7)
      const prices = { open: price, high: price, low: price, close: price }
      return { atMillis: start + place * 1000, spanMillis: 0, ...prices, volume: 1 + (place % 3) }
    })
    const { strategy, after } = watcher(null, '1m', '1s')
    await backtest(strategy, { candles: trades, market: { grid: '1s' } })
    // From the end of one minute, inclusive, to the next: 60 trades of 2 on average.
    expect(after.map(({ volume }) => volume)).toEqual(Array.from({ length: 9 }, () => 120))
  })
})

describe('an invalid warm-up', () => {
  const onTick = (): void => undefined
  it.each([
    [{ warmUp: 5, onTick }, "odd: warmUp needs a bar, such as bar: '1m'"],
    [{ warmUp: '5', bar: '1m', onTick }, 'odd: warmUp must be a number of bars, or a function'],
  ])('%j is no strategy', (parts, message) => {
    expect(strategyProblem({ name: 'odd', ...parts })).toContain(message)
  })

  it.each<[object, Partial<BacktestOptions>, string]>([
    [{ warmUp: 1.5, bar: '1m' }, {}, 'warmUp: 1.5 is not a number of bars from 0 to 1000000'],
    [{ warmUp: () => -1, bar: '1m' }, {}, 'warmUp: -1 is not a number of bars'],
    [{}, { warmUp: 5 }, 'warmUp: the strategy "odd" has no bars'],
    [
      {
        bar: '1m',
        warmUp: () => {
          throw new Error('not known')
        },
      },
      {},
      'odd: warmUp failed at 2026-01-05T00:00:00.000Z: Error: not known',
    ],
    [
      { bar: '1m', onStart: ({ bars }: { bars(asset: string): unknown }) => bars('BTC') },
      {},
      'bars: none are kept; say how many with warmUp',
    ],
    [
      { bar: '1m', warmUp: 2, onStart: ({ bars }: { bars(asset: string): unknown }) => bars('XRP') },
      {},
      'bars: there are none of XRP; there are bars of BTC,ETH',
    ],
    [
      {
        bar: '1m',
        warmUp: 2,
        onStart: ({ bars }: { bars(asset: string, count: number): unknown }) => bars('BTC', 3),
      },
      {},
      "bars: 3 is not a number of bars up to 2, the strategy's warmUp",
    ],
    [{ bar: '1m', warmUp: 2, assets: () => ['XRP'] }, {}, 'the venue does not trade XRP; it trades BTC, ETH'],
  ])('%o', async (parts, options, message) => {
    const value: unknown = { name: 'odd', onTick, ...parts }
    if (!isStrategy(value)) throw new RangeError(strategyProblem(value) ?? '')
    await expect(backtest(value, { scenario: busy, to: '1m', ...options })).rejects.toThrow(message)
  })

  it('is refused over HTTP, where past prices are not available', async () => {
    const { strategy } = watcher(5, '1m', '1s')
    const live = { baseUrl: 'http://127.0.0.1:9', clock: 'manual', span: '1m' } as const
    await expect(runLive(strategy, live)).rejects.toThrow('the interface has no past prices')
  })
})
