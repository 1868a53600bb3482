import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CompiledScenario } from '../../src/scenario/compiled.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { problemText } from '../../src/scenario/problem.ts'
import { runScenario } from '../../src/scenario/run-scenario.ts'
import { createWorld } from '../../src/world/world.ts'

const folder = new URL('../../scenarios/events/', import.meta.url)
const names = readdirSync(folder).map((file) => file.replace('.yaml', ''))

function load(name: string, params: Readonly<Record<string, string>>): CompiledScenario {
  const text = readFileSync(new URL(`${name}.yaml`, folder), 'utf8')
  const loaded = loadScenario(text, name, { params: new Map(Object.entries(params)) })
  if (!loaded.ok) throw new Error(loaded.problems.map(problemText).join('\n'))
  return loaded.value
}

/** What a run complains about, in words. */
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

  it.each(names)('%s happens as it did, on a grid of a minute', (name) => {
    expect(complaints(load(name, { grid: '1m' }))).toEqual([])
  })

  const short = names.filter((name) => {
    const { clock, venue } = load(name, {})
    return (clock.endMillis ?? 0) - venue.startMillis <= 12 * 3_600_000
  })

  it.each(short)('%s happens as it did at prices of another day', (name) => {
    const { assets } = load(name, {}).venue.market
    const params = Object.fromEntries(assets.map(({ symbol, price }) => [symbol, String(price * 3)]))
    expect(complaints(load(name, { ...params, grid: '1m' }))).toEqual([])
  })

  it('are seen the same on a fine grid', () => {
    expect(complaints(load('turkey-weekend-flush-2021-04-18', { grid: '1s' }))).toEqual([])
  })

  it.each(names)('%s names its news, its worst moment and its rebound, in this order', (name) => {
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

  it('would not pass without the fall', () => {
    const text = readFileSync(new URL('iran-2024-04-13.yaml', folder), 'utf8')
    const tamed = text.replace(', 59650]', ', 63000]')
    const loaded = loadScenario(tamed, 'tamed', { params: new Map([['grid', '1m']]) })
    if (!loaded.ok) throw new Error('the scenario compiles')
    expect(complaints(loaded.value).length).toBeGreaterThanOrEqual(3)
  })
})
