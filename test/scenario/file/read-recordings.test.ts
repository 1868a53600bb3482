import { describe, expect, it } from 'vitest'
import { Venue } from '../../../src/engine/venue.ts'
import type { Candle } from '../../../src/market/recordings/candle.ts'
import { type Candles, getCandleTable } from '../../../src/market/recordings/candle-table.ts'
import { convertTradesToCandles } from '../../../src/market/recordings/trade-table.ts'
import { isoToMillis } from '../../../src/numeric/time-text.ts'
import { millis } from '../../../src/numeric/units.ts'
import type { CompiledScenario } from '../../../src/scenario/compile/compiled.ts'
import { formatMistake } from '../../../src/scenario/file/mistake.ts'
import { loadScenario } from '../../../src/scenario/load.ts'

const start = isoToMillis('2024-08-09') ?? 0

const trades: Candles = convertTradesToCandles(
  [
    [0, 100],
    [2_500, 110],
    [2_500, 120],
    [60_000, 90],
  ].map(([offset = 0, price = 0]) => ({ atMillis: start + offset, price, quantity: 2, side: null })),
)
const hour = 3_600_000
const candles: readonly Candle[] = [
  { atMillis: start, spanMillis: hour, open: 100, high: 120, low: 90, close: 110, volume: 1 },
  { atMillis: start + hour, spanMillis: hour, open: 110, high: 115, low: 80, close: 85, volume: 1 },
]

const scenario = (model: string, clock = '{start: data, end: data, grid: 1s}'): string => `
version: 1
name: recorded
clock: ${clock}
market: {flow: {kind: none}, assets: {BTC: {model: {kind: replay, data: file.csv${model}}, liquidity: {kind: none}}}}
accounts: [{id: a, balances: {USD: 1000}}]
`

function load(text: string, recorded: Candles): CompiledScenario | string {
  const loaded = loadScenario(text, 's', { readCandles: () => ({ ok: true, candles: recorded }) })
  return loaded.ok ? loaded.value : loaded.problems.map(formatMistake).join('\n')
}

/** The marks at some offsets, in USD. */
function marks(text: string, recorded: Candles, offsets: readonly number[]): readonly number[] {
  const loaded = load(text, recorded)
  if (typeof loaded === 'string') throw new Error(loaded)
  const venue = Venue.open(loaded.venue, { emit: () => {} })
  return offsets.map((offset) => {
    venue.execute({ kind: 'advance', at: millis(loaded.venue.startMillis + offset) })
    return venue.state.markTicks.get(1) * venue.state.assets.tradedAsset(1).tickUsd
  })
}

describe('a replay', () => {
  it('of trades has the price of the last one, from the first to the last', () => {
    expect(marks(scenario(''), trades, [0, 2_000, 3_000, 59_000, 60_000])).toEqual([100, 100, 120, 120, 90])
    const loaded = load(scenario(', gaps: halt, gapAfter: 30s'), trades)
    expect(loaded).toMatchObject({
      clock: { endMillis: start + 60_000 },
      venue: {
        startMillis: start,
        market: { assets: [{ model: { kind: 'trades', gaps: 'halt', gapMillis: 30_000 } }] },
      },
    })
  })

  it('of trades that begins in the middle begins at the price of that time', () => {
    const text = scenario('', '{start: 2024-08-09T00:00:10Z, end: data, grid: 1s}')
    expect(marks(text, trades, [0, 50_000])).toEqual([120, 90])
  })

  it('can begin at another price and another time, and run at another pace', () => {
    expect(marks(scenario(', rebaseTo: 50000'), trades, [0, 3_000])).toEqual([50_000, 60_000])
    expect(marks(scenario(', speed: 10'), trades, [0, 1_000, 6_000])).toEqual([100, 120, 90])
    const late = marks(
      scenario(', timeShift: +1d', '{start: 2024-08-10T00:00:03Z, end: data, grid: 1s}'),
      trades,
      [0],
    )
    expect(late).toEqual([120])
    const clock = '{start: data, end: data, grid: 15m}'
    expect(marks(scenario(', rebaseTo: 1000, speed: 0.5', clock), candles, [0, 2 * hour])).toEqual([
      1_000, 1_100,
    ])
  })

  it('of several files equals that of one file, in whatever order they are named', () => {
    const files = new Map<string, Candles>([
      ['b.csv', candles.slice(1)],
      ['a.csv', candles.slice(0, 1)],
      ['t.csv', trades],
    ])
    const loadFiles = (names: string) =>
      loadScenario(scenario('').replace('file.csv', names), 's', {
        readCandles: ({ name }) => {
          const found = files.get(name)
          return found === undefined ? { ok: false, reason: 'is not there' } : { ok: true, candles: found }
        },
      })
    const whole = loadFiles('[b.csv, a.csv]')
    expect(whole.ok && whole.value.venue.market.assets[0]?.model).toMatchObject({
      kind: 'replay',
      candles: getCandleTable(candles),
    })
    const problemsOf = (names: string): string => {
      const loaded = loadFiles(names)
      return loaded.ok ? '' : loaded.problems.map(formatMistake).join('\n')
    }
    expect(problemsOf('[a.csv, a.csv]')).toContain('data[1]: overlaps another file')
    expect(problemsOf('[a.csv, x.csv]')).toContain('data[1]: is not there')
    expect(problemsOf('[t.csv, b.csv]')).toContain('data[1]: holds trades beside candles')
    expect(problemsOf('[]')).toContain('data')
  })

  it('of trades cannot be used by a bootstrap', () => {
    const text = scenario('', '{start: 2026-01-05T00:00:00Z}')
      .replace('kind: replay', 'kind: bootstrap')
      .replace('{BTC: {', '{BTC: {price: 5, ')
    expect(load(text, trades)).toContain('data: holds trades, and a bootstrap needs candles')
  })

  it.each<[string, Candles, string]>([
    [', speed: 7', candles, 'speed: would give candles that do not last whole milliseconds'],
    [
      ', rebaseTo: 9e9',
      candles,
      'rebaseTo: would give candles that do not last whole milliseconds, are outside the time of worlds, or have a price that no market has',
    ],
    [', gapAfter: 5m', candles, 'gapAfter: is for recordings of trades; these are candles'],
    [', noiseVol: 0.5', trades, 'noiseVol: is for recordings of candles; these are trades'],
    [', gaps: interpolate', trades, 'gaps: nothing is interpolated between trades; say hold or halt'],
    [', timeShift: tomorrow', candles, 'timeShift: expected a span, such as +3d or -12h'],
  ])('%s is refused where it means nothing', (model, recorded, message) => {
    expect(load(scenario(model), recorded)).toEqual(expect.stringContaining(message))
  })
})
