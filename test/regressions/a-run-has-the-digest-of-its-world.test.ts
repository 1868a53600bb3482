// Room: scenario

import { expect, it } from 'vitest'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { computeEndMillis, runScenario } from '../../src/scenario/run/run-scenario.ts'
import { createWorld } from '../../src/world/world.ts'

/* `otcsim run` printed a digest without the fault rules in force at the end, unlike a world of a server. */

const lost = { match: { method: 'POST' }, commitThenDrop: true }

it.each([
  ['without rules', []],
  ['a rule that stays', [{ at: '+1s', fault: lost }]],
  ['one that has ended', [{ at: '+1s', fault: { ...lost, for: '2s' } }]],
  ['one that ends with the run', [{ at: '+1s', fault: { ...lost, for: '9s' } }]],
  [
    'several, some of them ended',
    [
      { at: '+1s', fault: { match: {}, status: 500, rate: 0.5 } },
      { at: '+2s', fault: { ...lost, for: '1s' } },
      { every: '2s', fault: { match: { path: '/api/sdk/orders*' }, status: 503, for: '3s' } },
      { at: '+4s', fault: { match: {}, latency: { dist: 'lognormal', p50: '1s', p99: '6s' } } },
      { at: '+5s', key: { account: 'desk', revoke: true } },
      { at: '+5s', rateLimit: { category: 'all', perS: 2 } },
      { at: '+6s', clock: { skew: '-31s' } },
    ],
  ],
])('%s', (_, timeline) => {
  const loaded = loadScenarioValue({
    version: 1,
    name: 'faulty',
    clock: { start: '2026-01-05T00:00:00Z', end: '+10s' },
    market: { assets: { BTC: { price: 50_000 } } },
    timeline,
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const world = createWorld(loaded.value, { clock: { mode: 'manual' } })
  world.advanceTo(computeEndMillis(loaded.value))
  expect(runScenario(loaded.value).digest).toBe(world.digest())
})

it('and other rules give another digest', () => {
  const digestOf = (fault: object) => {
    const loaded = loadScenarioValue({
      version: 1,
      name: 'faulty',
      clock: { start: '2026-01-05T00:00:00Z', end: '+10s' },
      market: { assets: { BTC: { price: 50_000 } } },
      timeline: [{ at: '+1s', fault }],
    })
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
    return runScenario(loaded.value).digest
  }
  const digests = [lost, { ...lost, rate: 0.5 }, { ...lost, for: '1s' }].map(digestOf)
  expect(new Set(digests).size).toBe(3)
})
