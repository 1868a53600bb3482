import { describe, expect, it } from 'vitest'
import { createShippedLibrary } from '../../../src/world/shipped/shipped-scenarios.ts'
import { createWorld } from '../../../src/world/world.ts'
import { isFullRun } from '../../support/full-run.ts'

/** They read recordings, which a world that is made of JSON alone refuses. */
const needsFiles: ReadonlySet<string> = new Set(['recorded-book', 'replay-candles'])

describe('the shipped scenarios', () => {
  const library = createShippedLibrary()

  it('are found by name, and compiled once', () => {
    expect(library.names).toContain('calm')
    expect(library.names).toContain('events/covid-2020-03')
    const calm = library.load('calm')
    expect(calm?.ok).toBe(true)
    expect(library.load('calm')).toBe(calm)
  })

  it.each(['../../package', '/etc/passwd', 'calm.yaml', 'calm\0', '%2e%2e/calm', '', 'events'])(
    'are not found as %j',
    (name) => {
      expect(library.load(name)).toBeNull()
    },
  )

  it.each(library.names.filter((name) => !needsFiles.has(name)))('%s makes a world that runs', (name) => {
    const loaded = library.load(name)
    if (loaded === null || !loaded.ok) throw new Error(`${name} compiles`)
    const world = createWorld(loaded.value)
    world.advance('10s')
    const account = loaded.value.access[0]?.id ?? ''
    const { body } = world.request(account, 'GET', '/api/sdk/market-data/trading-pairs')
    const symbol: string = Object(body).pairs[0].base
    // A price comes with the 24 hours before it, which take as long as all else here.
    const asked = isFullRun ? 'prices' : `prices/${symbol}`
    expect(world.request(account, 'GET', `/api/sdk/market-data/${asked}`).status).toBe(200)
  })
})
