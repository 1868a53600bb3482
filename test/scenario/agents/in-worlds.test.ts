import { expect, it } from 'vitest'
import { formatMistake } from '../../../src/scenario/file/mistake.ts'
import { loadScenario } from '../../../src/scenario/load.ts'
import { runScenario } from '../../../src/scenario/run/run-scenario.ts'
import { createWorld } from '../../../src/world/world.ts'

const text = `
version: 1
name: crowd
seed: "7"
clock: {start: 2026-01-05T00:00:00Z, end: 20m, grid: 1s}
market: {assets: {BTC: {price: 50000, model: {kind: gbm, vol: 0.8}}}}
accounts:
  - {id: dealer, balances: {USD: 1000000, BTC: 20}}
  - {id: crowd, balances: {USD: 1000000, BTC: 20}}
agents:
  - {id: maker, kind: market_maker, account: dealer, asset: BTC, params: {spreadBps: 3, targetUsd: 1000000}}
  - {id: noise, kind: noise, account: crowd, asset: BTC, params: {ratePerMinute: 20}}
  - {id: trend, kind: momentum, account: crowd, asset: BTC, params: {every: 5s, short: 4, long: 12}}
  - {id: hunter, kind: sniper, account: crowd, asset: BTC, starts: +2m}
  - {id: seller, kind: twap, account: crowd, asset: BTC, starts: never, params: {side: sell, quantity: 3, over: 10m}}
timeline:
  - {at: +5m, agent: {id: seller, start: true}}
  - {at: +8m, agent: {id: noise, set: {ratePerMinute: 90}}}
  - {at: +12m, agent: {id: maker, stop: true}}
`

const scenario = () => {
  const loaded = loadScenario(text, 'crowd')
  if (!loaded.ok) throw new Error(loaded.problems.map(formatMistake).join('\n'))
  return loaded.value
}

it('agents are part of snapshots and forks, which continue as if never stopped', () => {
  const world = createWorld(scenario(), { clock: { mode: 'manual' } })
  const digests = ['6m', '3m', '8m'].map((span) => {
    const snapshot = world.snapshot()
    const fork = world.fork()
    world.advance(span)
    const digest = world.digest()
    fork.advance(span)
    expect(fork.digest()).toBe(digest)
    world.restore(snapshot)
    world.advance(span)
    expect(world.digest()).toBe(digest)
    return digest
  })
  expect(new Set(digests).size).toBe(3)
})

it('agents do the same in a world as in a run, and trade', () => {
  const compiled = scenario()
  const run = runScenario(compiled)
  const world = createWorld(scenario(), { clock: { mode: 'manual' } })
  world.advance('20m')
  expect(world.digest()).toBe(run.digest)
  expect(run.state.fills.count).toBeGreaterThan(50)
})
