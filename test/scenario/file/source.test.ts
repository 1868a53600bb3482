import { expect, it } from 'vitest'
import { digestSource } from '../../../src/scenario/file/source.ts'
import { loadScenario } from '../../../src/scenario/load.ts'
import { loadSource } from '../../../src/scenario/load-tree.ts'
import { createShippedLibrary } from '../../../src/world/shipped/shipped-scenarios.ts'
import { createWorld } from '../../../src/world/world.ts'

const shipped = createShippedLibrary()

it.each(shipped.names)('recreates the world of %s from its source only', (name) => {
  const loaded = shipped.load(name)
  if (loaded?.ok !== true) return // a recording outside the package is for the test below
  const json = JSON.stringify(loaded.value.source.document)
  const again = loadSource({ ...loaded.value.source, document: JSON.parse(json) }, loaded.value.venue.seed)
  expect(again.ok).toBe(true)
  if (!again.ok) return
  expect(again.value.venue).toEqual(loaded.value.venue)
  expect(digestSource(again.value.source)).toBe(digestSource(loaded.value.source))
  const [first, second] = [createWorld(loaded.value), createWorld(again.value)]
  for (const world of [first, second]) world.advance('10m')
  expect(second.digest()).toBe(first.digest())
})

const replay = `
version: 1
name: replayed
params: {price: null}
clock: {start: 2026-01-05T00:00:00Z}
market:
  assets:
    BTC:
      price: \${price}
      model: {kind: replay, data: a.csv}
      liquidity: {kind: none}
`

it('contains the values of parameters, and whole recordings', () => {
  const candles = [100, 103, 99].map((open, index) => ({
    atMillis: Date.parse('2026-01-05T00:00:00Z') + index * 60_000,
    spanMillis: 60_000,
    open,
    high: open + 2,
    low: open - 1,
    close: open + 1,
    volume: 5,
  }))
  const loaded = loadScenario(replay, 'replayed.yaml', {
    params: new Map([['price', '250']]),
    seed: '9',
    readCandles: () => ({ ok: true, candles }),
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const again = loadSource(loaded.value.source, '9')
  if (!again.ok) throw new Error(JSON.stringify(again.problems))
  expect(again.value.venue).toEqual(loaded.value.venue)
  const other = { ...loaded.value.source, recordings: new Map([['a.csv', candles.slice(1)]]) }
  expect(digestSource(other)).not.toBe(digestSource(loaded.value.source))
})
