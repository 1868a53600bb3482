import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestOptions } from '../../src/backtest/backtest-options.ts'
import { type Bar, defineStrategy } from '../../src/backtest/strategy.ts'
import type { Candle } from '../../src/market/recordings/candle.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'

const hour = 3_600_000
const start = Date.UTC(2025, 0, 1)

/** Prices that no tick and no mid would be exactly. */
function candlesAt(hours: readonly number[], offsetMillis = 0): readonly Candle[] {
  return hours.map((at) => {
    const [open, close] = [100 + 7 * Math.sin(at), 100 + 7 * Math.cos(3 * at)]
    return {
      atMillis: start + at * hour + offsetMillis,
      spanMillis: hour,
      open,
      high: Math.max(open, close) + 1 / 3,
      low: Math.min(open, close) - 1 / 7,
      close,
      volume: at / 3,
    }
  })
}

const upTo = (count: number) => Array.from({ length: count }, (_, place) => place)
const whole = candlesAt(upTo(24))
const gappy = candlesAt(upTo(24).filter((place) => place < 5 || place > 8))

interface Shown {
  readonly at: number
  readonly bar: Bar
}

async function shown(bar: string, options: BacktestOptions, warmUp = 0): Promise<readonly Shown[]> {
  const seen: Shown[] = []
  const strategy = defineStrategy({
    name: 'looker',
    bar,
    warmUp,
    onStart: ({ bars, now }) =>
      void (warmUp > 0 && seen.push(...bars('BTC').map((bar) => ({ at: now, bar })))),
    onBar: ({ now }, bar) => void seen.push({ at: now, bar }),
  })
  await backtest(strategy, options)
  return seen
}

const barOf = ({ atMillis, spanMillis, ...prices }: Candle, asset = 'BTC'): Bar => ({
  asset,
  fromMillis: atMillis,
  toMillis: atMillis + spanMillis,
  ...prices,
})

describe('bars of a recording’s own span', () => {
  it.each<[string, readonly Candle[]]>([
    ['a whole recording', whole],
    ['one with a gap', gappy],
    ['candles that begin at ten past', candlesAt(upTo(9), hour / 6)],
  ])('are its candles to the last digit, each at its end: %s', async (_, candles) => {
    const seen = await shown('1h', { candles })
    expect(seen.map(({ bar }) => bar)).toEqual(candles.map((candle) => barOf(candle)))
    for (const { at, bar } of seen) expect(at).toBe(bar.toMillis)
  })

  it('are shown at the first tick after their end', async () => {
    const seen = await shown('1h', { candles: whole, market: { start: '2025-01-01T00:50:00Z' }, tick: '40m' })
    expect(seen.map(({ bar }) => bar)).toEqual(whole.slice(1, -1).map((candle) => barOf(candle)))
    for (const { at, bar } of seen) expect(at - bar.toMillis).toBeLessThan(40 * 60_000)
  })

  it('have no volume where the recording has none', async () => {
    const seen = await shown('1h', { candles: whole.map((candle) => ({ ...candle, volume: 0 })) })
    expect(seen[0]?.bar).toEqual({ ...barOf(whole[0] ?? fail()), volume: null })
  })

  it('are in step where several recordings have gaps of their own', async () => {
    const seen: [string, number][] = []
    const strategy = defineStrategy({
      name: 'looker',
      bar: '1h',
      onBar: (_, { asset, fromMillis }) => void seen.push([asset, (fromMillis - start) / hour]),
    })
    const some = (left: number) => whole.slice(0, 6).filter((_, place) => place !== left)
    await backtest(strategy, { candles: { BTC: some(2), ETH: some(3) } })
    expect(seen.map(([asset, at]) => `${asset}${at}`).join(' ')).toBe(
      'BTC0 ETH0 BTC1 ETH1 ETH2 BTC3 BTC4 ETH4 BTC5 ETH5',
    )
  })
})

describe('bars of a multiple of it', () => {
  it('join the candles that they have', async () => {
    const seen = await shown('4h', { candles: gappy })
    const groups = [0, 4, 8, 12, 16, 20].map((first) =>
      gappy.filter(({ atMillis }) => Math.floor((atMillis - start) / (4 * hour)) === first / 4),
    )
    expect(groups.map(({ length }) => length)).toEqual([4, 1, 3, 4, 4, 4])
    for (const [place, group] of groups.entries()) {
      let volume = 0
      for (const candle of group) volume += candle.volume
      expect(seen[place]?.bar).toEqual({
        asset: 'BTC',
        fromMillis: start + 4 * place * hour,
        toMillis: start + 4 * (place + 1) * hour,
        open: group[0]?.open,
        high: Math.max(...group.map(({ high }) => high)),
        low: Math.min(...group.map(({ low }) => low)),
        close: group.at(-1)?.close,
        volume,
      })
    }
  })
})

describe('bars of other spans', () => {
  it.each<[string, string, BacktestOptions]>([
    ['shorter ones', '30m', { candles: whole }],
    ['no multiple', '90m', { candles: whole }],
  ])('are made of mids: %s', async (_, bar, options) => {
    const seen = await shown(bar, options)
    expect(seen.length).toBeGreaterThan(1)
    for (const { bar } of seen) expect(bar.open * 200).toBeCloseTo(Math.round(bar.open * 200), 6)
  })

  it('and the result says so', async () => {
    const strategy = defineStrategy({ name: 'looker', bar: '90m', onBar: () => undefined })
    const { metrics } = await backtest(strategy, { candles: whole })
    expect(metrics.warnings).toContain(
      "Bars of 1h30m are made of the venue's mids, not of the recording: the candles of BTC have a span of 1h, and only bars of a candle's span or a multiple of it are candles.",
    )
  })

  it('and those of a price that a script moves', async () => {
    const scenario = compiledScenario({
      version: 1,
      name: 'moved',
      clock: { start: '2025-01-01T00:00:00Z', grid: '15m', end: '+6h' },
      market: { flow: { kind: 'none' }, assets: { BTC: { price: 100, model: { kind: 'gbm', vol: 0.1 } } } },
      accounts: [{ id: 'desk', balances: { USD: 1000 } }],
    })
    const recorded = {
      ...scenario,
      venue: {
        ...scenario.venue,
        market: {
          ...scenario.venue.market,
          assets: scenario.venue.market.assets.map((asset) => ({
            ...asset,
            model: { kind: 'replay', candles: whole, gaps: 'hold', noiseVol: 0 } as const,
          })),
        },
      },
    }
    expect((await shown('1h', { scenario: recorded })).map(({ bar }) => bar.close)).toEqual(
      whole.slice(0, 6).map(({ close }) => close),
    )
    const [entry] = compiledScenario({
      version: 1,
      name: 'script',
      clock: { start: '2025-01-01T00:00:00Z', grid: '15m' },
      market: { flow: { kind: 'none' }, assets: { BTC: { price: 100, model: { kind: 'constant' } } } },
      accounts: [{ id: 'desk', balances: { USD: 1000 } }],
      timeline: [{ at: '+3h30m', path: { asset: 'BTC', price: 200 } }],
    }).timeline
    const moved = { ...recorded, timeline: entry === undefined ? [] : [entry] }
    const closes = (await shown('1h', { scenario: moved })).map(({ bar }) => bar.close)
    expect(closes[3]).toBeGreaterThan(150)
  })
})

describe('a warm-up by recorded bars', () => {
  it('has as many as asked for, across gaps', async () => {
    const seen = await shown('1h', { candles: gappy, from: '10h', to: '2h' }, 4)
    expect(seen.slice(0, 4).map(({ bar }) => (bar.fromMillis - start) / hour)).toEqual([2, 3, 4, 9])
    expect(seen.slice(4).map(({ bar }) => bar)).toEqual(gappy.slice(6, 8).map((candle) => barOf(candle)))
  })

  it('says how many the recording has where gaps leave too few', async () => {
    await expect(shown('1h', { candles: gappy, from: '9h', to: '2h' }, 8)).rejects.toThrow(
      'warmUp: the recording has gaps, and 5 of 8 bars of 1h before 2025-01-01T09:00:00.000Z',
    )
  })
})

function fail(): never {
  throw new Error('there is a candle')
}
