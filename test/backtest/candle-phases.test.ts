import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestOptions } from '../../src/backtest/backtest-options.ts'
import { type Bar, defineStrategy } from '../../src/backtest/strategy.ts'
import type { Candle } from '../../src/market/recordings/candle.ts'
import { groupIntoBars } from '../reference/naive-bars.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2025, 0, 1)

/** Candles from one instant on, each of the next span; the prices are no multiples of anything. */
function candlesFrom(firstMillis: number, spans: readonly number[], salt = 0): readonly Candle[] {
  let atMillis = firstMillis
  return spans.map((spanMillis) => {
    const [open, close] = [100 + 7 * Math.sin(atMillis + salt), 100 + 7 * Math.cos(3 * atMillis + salt)]
    const candle = {
      atMillis,
      spanMillis,
      open,
      high: Math.max(open, close) + 1 / 3,
      low: Math.min(open, close) - 1 / 7,
      close,
      volume: (atMillis / hour) % 97,
    }
    atMillis += spanMillis
    return candle
  })
}

const times = (count: number, spanMillis: number) => Array.from({ length: count }, () => spanMillis)

interface Seen {
  readonly bars: readonly { readonly now: number; readonly bar: Bar }[]
  readonly warnings: readonly string[]
}

async function look(bar: string, options: BacktestOptions, warmUp = 0): Promise<Seen> {
  const bars: { now: number; bar: Bar }[] = []
  const strategy = defineStrategy({
    name: 'looker',
    bar,
    warmUp,
    onBar: ({ now }, shown) => void bars.push({ now, bar: shown }),
  })
  const { metrics } = await backtest(strategy, options)
  return { bars, warnings: metrics.warnings }
}

const barsOf = ({ bars }: Seen, asset: string) =>
  bars.flatMap(({ bar }) => (bar.asset === asset ? [bar] : []))

describe('two recordings', () => {
  const btc = candlesFrom(start, times(24, hour))

  it.each<[string, string, readonly Candle[], number]>([
    ['another phase', '1h', candlesFrom(start + minute, times(24, hour), 1), hour],
    ['a shorter span', '1h', candlesFrom(start, times(96, hour / 4), 1), hour],
    ['a longer span, which gives its candles', '1h', candlesFrom(start, times(6, 4 * hour), 1), 4 * hour],
    [
      'a shorter span and another phase',
      '2h',
      candlesFrom(start + 7 * minute, times(90, hour / 4), 1),
      2 * hour,
    ],
  ])('are each on a grid of its own: %s', async (_, bar, eth, ethMillis) => {
    const seen = await look(bar, { candles: { BTC: btc, ETH: eth } })
    const [fromMillis, toMillis] = [Math.max(start, eth[0]?.atMillis ?? 0), endOf(eth, btc)]
    const span = bar === '2h' ? 2 * hour : hour
    expect(barsOf(seen, 'BTC')).toEqual(groupIntoBars('BTC', btc, span, fromMillis, toMillis))
    expect(barsOf(seen, 'ETH')).toEqual(groupIntoBars('ETH', eth, ethMillis, fromMillis, toMillis))
    for (const { bar, now } of seen.bars) expect(now).toBe(bar.toMillis)
  })

  it('say where one has only longer candles', async () => {
    const eth = candlesFrom(start, times(6, 4 * hour), 1)
    const { warnings } = await look('1h', { candles: { BTC: btc, ETH: eth } })
    expect(warnings).toContain('The bars of ETH are its candles, of 4h: none of 1h were recorded.')
  })
})

describe('a recording that changes its phase', () => {
  const candles = [
    ...candlesFrom(start, times(12, hour)),
    ...candlesFrom(start + 12.5 * hour, times(12, hour)),
  ]

  it.each([
    ['1h', hour],
    ['4h', 4 * hour],
  ])('is two recordings with a gap, in bars of %s', async (bar, span) => {
    const seen = await look(bar, { candles })
    expect(barsOf(seen, 'BTC')).toEqual(groupIntoBars('BTC', candles, span, start, endOf(candles)))
    expect(seen.warnings).toContain(
      'The recording of BTC changes its phase. From 2025-01-01T12:30:00.000Z on, candles begin 30m after a multiple of 1h, before that 0ms: they are 2 recordings with gaps between them, and no bar reaches across a gap.',
    )
    for (const { bar: shown, now } of seen.bars) expect(now).toBe(shown.toMillis)
  })

  it('can be looked back on', async () => {
    const past: Bar[] = []
    const strategy = defineStrategy({
      name: 'looker',
      bar: '1h',
      warmUp: 4,
      onStart: ({ bars }) => void past.push(...bars('BTC')),
    })
    await backtest(strategy, { candles, from: '14h30m' })
    expect(past.map(({ fromMillis }) => (fromMillis - start) / hour)).toEqual([10, 11, 12.5, 13.5])
  })
})

it.each<[string, string, readonly number[]]>([
  ['days of 23 and 25 hours', '1d', [24, 24, 23, 24, 25, 24].map((hours) => hours * hour)],
  ['months', '31d', [31, 28, 31, 30, 31].map((days) => 24 * days * hour)],
])('%s are candles of their own span', async (_, bar, spans) => {
  const candles = candlesFrom(start, spans)
  const seen = await look(bar, { candles })
  expect(barsOf(seen, 'BTC')).toEqual(
    candles.map(({ atMillis, spanMillis, ...prices }) => ({
      asset: 'BTC',
      fromMillis: atMillis,
      toMillis: atMillis + spanMillis,
      ...prices,
    })),
  )
})

const recordings = fc
  .record({
    spanMinutes: fc.constantFrom(1, 5, 15, 60),
    offsetMinutes: fc.integer({ min: 0, max: 30 }),
    parts: fc.array(
      fc.record({ count: fc.integer({ min: 1, max: 9 }), gapMinutes: fc.integer({ min: 0, max: 90 }) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    multiple: fc.constantFrom(1, 2, 3, 4),
  })
  .map(({ spanMinutes, offsetMinutes, parts, multiple }) => {
    const span = spanMinutes * minute
    const candles: Candle[] = []
    let at = start + offsetMinutes * minute
    for (const { count, gapMinutes } of parts) {
      candles.push(...candlesFrom(at, times(count, span)))
      at += count * span + gapMinutes * minute
    }
    return { candles, barMillis: multiple * span }
  })

it('the candles of any recording, with gaps and phases, are its bars, each shown at its end', async () => {
  await fc.assert(
    fc.asyncProperty(recordings, async ({ candles, barMillis }) => {
      const seen = await look(`${barMillis}ms`, { candles })
      const fromMillis = candles[0]?.atMillis ?? 0
      expect(barsOf(seen, 'BTC')).toEqual(
        groupIntoBars('BTC', candles, barMillis, fromMillis, endOf(candles)),
      )
      for (const { bar, now } of seen.bars) expect(now).toBe(bar.toMillis)
    }),
    { numRuns: 60 },
  )
})

function endOf(...all: readonly (readonly Candle[])[]): number {
  return Math.min(
    ...all.map((candles) => {
      const last = candles.at(-1)
      return (last?.atMillis ?? 0) + (last?.spanMillis ?? 0)
    }),
  )
}
