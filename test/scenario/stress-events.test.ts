import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createMarket } from '../../src/market/create-market.ts'
import { isoToMillis } from '../../src/numeric/time-text.ts'
import type { CompiledScenario } from '../../src/scenario/compile/compiled.ts'
import { formatMistake } from '../../src/scenario/file/mistake.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { runScenario } from '../../src/scenario/run/run-scenario.ts'
import { createWorld } from '../../src/world/world.ts'

const folder = new URL('../../scenarios/events/', import.meta.url)
const names = readdirSync(folder).map((file) => file.replace('.yaml', ''))

function load(name: string, params: Readonly<Record<string, string>>): CompiledScenario {
  const text = readFileSync(new URL(`${name}.yaml`, folder), 'utf8')
  const loaded = loadScenario(text, name, { params: new Map(Object.entries(params)) })
  if (!loaded.ok) throw new Error(loaded.problems.map(formatMistake).join('\n'))
  return loaded.value
}

/** The failures of a run, as text. */
function complaints(scenario: CompiledScenario): readonly string[] {
  const run = runScenario(scenario)
  const failures = run.failures.map(({ expectation, expected, got }) => {
    return `line ${expectation.place.line}: expected ${expected}, got ${got}`
  })
  return [...failures, ...run.refusals.map(({ problem }) => problem)]
}

describe('the fifteen stress events', () => {
  it('are fifteen, each under its own name', () => {
    expect(names).toHaveLength(15)
    expect(names.map((name) => load(name, {}).name)).toEqual(names)
  })

  it.each(names)('%s happens as it did historically, on a grid of a minute', (name) => {
    expect(complaints(load(name, { grid: '1m' }))).toEqual([])
  })

  it('happen at another price, too, and the severest still as it did historically', () => {
    const name = 'liquidation-cascade-2025-10-10'
    const { assets } = load(name, {}).venue.market
    const params = Object.fromEntries(assets.map(({ symbol, price }) => [symbol, String(price * 3)]))
    expect(complaints(load(name, { ...params, grid: '1m' }))).toEqual([])
  })

  it.each([
    ['covid-2020-03', 'BTC', '2020-03-13T02:17:00Z', 3_782.13],
    ['covid-2020-03', 'ETH', '2020-03-13T02:17:00Z', 86],
    ['turkey-weekend-flush-2021-04-18', 'BTC', '2021-04-18T03:35:00Z', 50_931.3],
    ['china-leverage-flush-2021-05-19', 'BTC', '2021-05-19T13:08:00Z', 30_000],
    ['china-leverage-flush-2021-05-19', 'SOL', '2021-05-19T12:45:00Z', 26.5],
    ['el-salvador-day-2021-09-07', 'BTC', '2021-09-07T15:08:00Z', 42_843.05],
    ['weekend-flush-2021-12-04', 'BTC', '2021-12-04T05:30:00Z', 42_000.3],
    ['terra-2022-05', 'SOL', '2022-05-12T07:30:00Z', 37.37],
    ['celsius-3ac-2022-06', 'BTC', '2022-06-18T20:30:00Z', 17_622],
    ['ftx-2022-11', 'BTC', '2022-11-09T22:30:00Z', 15_542.88],
    ['ftx-2022-11', 'SOL', '2022-11-09T21:40:00Z', 12.37],
    ['usdc-depeg-2023-03', 'USDC', '2023-03-11T07:20:00Z', 0.8748],
    ['flash-2023-08-17', 'ETH', '2023-08-17T21:44:00Z', 1_543.37],
    ['ath-rejection-2024-03-05', 'BTC', '2024-03-05T19:50:00Z', 59_005],
    ['iran-2024-04-13', 'SOL', '2024-04-13T20:15:00Z', 112.917],
    ['yen-carry-2024-08-05', 'BTC', '2024-08-05T06:20:00Z', 49_050.01],
    ['tariff-weekend-2025-02-03', 'ETH', '2025-02-03T02:05:00Z', 2_125.01],
    ['liquidation-cascade-2025-10-10', 'BTC', '2025-10-10T21:20:00Z', 101_045.9],
    ['liquidation-cascade-2025-10-10', 'DOGE', '2025-10-10T21:20:00Z', 0.08561],
  ])('%s has the low of %s at %s: %d', (name, symbol, instant, price) => {
    const { venue, clock } = load(name, { grid: '1m' })
    const market = createMarket(venue.market)
    const asset = venue.market.assets.findIndex((one) => one.symbol === symbol)
    const minutes = ((clock.endMillis ?? 0) - venue.startMillis) / 60_000
    const path = Array.from({ length: minutes + 1 }, (_, minute) => market.fundamentalAt(asset, minute))
    const low = Math.min(...path)
    expect(Math.abs(low / price - 1)).toBeLessThan(0.004)
    const at = venue.startMillis + path.indexOf(low) * 60_000
    expect(Math.abs(at - (isoToMillis(instant) ?? 0))).toBeLessThanOrEqual(5 * 60_000)
  })

  it('meet their expectations on a fine grid', () => {
    expect(complaints(load('turkey-weekend-flush-2021-04-18', { grid: '1s' }))).toEqual([])
  })

  it.each(names)('%s labels its news, its worst moment and its rebound, in this order', (name) => {
    const { timeline } = load(name, {})
    const labelled = timeline.filter(({ id }) => ['news', 'worst', 'rebound'].includes(id ?? ''))
    expect(labelled.map(({ id }) => id)).toEqual(['news', 'worst', 'rebound'])
  })

  it.each([
    ['1', [200, 503, 200]],
    ['0', [200, 200, 200]],
  ])('have the outage of the day, with a share of %s', (faults, expected) => {
    const world = createWorld(load('covid-2020-03', { grid: '1m', faults }))
    const statuses = ['20h15m', '2m', '24m'].map((span) => {
      world.advance(span)
      return world.request('trader', 'GET', '/api/sdk/market-data/prices').status
    })
    expect(statuses).toEqual(expected)
  })

  it('would fail without the fall in price', () => {
    const text = readFileSync(new URL('iran-2024-04-13.yaml', folder), 'utf8')
    const tamed = text.replace(', 59650]', ', 63000]')
    const loaded = loadScenario(tamed, 'tamed', { params: new Map([['grid', '1m']]) })
    if (!loaded.ok) throw new Error('the scenario compiles')
    expect(complaints(loaded.value).length).toBeGreaterThanOrEqual(3)
  })
})
