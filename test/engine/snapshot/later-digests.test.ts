import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LaterDigests } from '../../../src/engine/snapshot/later-digests.ts'
import { loadScenarioValue } from '../../../src/scenario/read/load-tree.ts'
import { createWorld } from '../../../src/world/world.ts'
import { runBusily } from '../../world/journal/busy.ts'
import { liquidScenario } from '../../world/scenarios.ts'

function busyWorld() {
  const loaded = loadScenarioValue(liquidScenario)
  if (!loaded.ok) throw new Error(loaded.problems[0]?.reason)
  return createWorld(loaded.value)
}

it('comes to the digest of the moment at which it was asked for, whatever happens between its steps', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(60), fc.nat(40)), { minLength: 1, maxLength: 8 }), (moments) => {
      const world = busyWorld()
      const digests = new LaterDigests()
      const expected: string[] = []
      const later = moments.map(([commands, steps], at) => {
        runBusily(world, String(at), commands)
        expected.push(world.venue.digest())
        const digest = digests.of(world.venue.state)
        for (let step = 0; step < steps; step += 1) digest.step()
        return digest
      })
      runBusily(world, 'end', 100)
      expect(later.map((digest) => digest.finish())).toEqual(expected)
    }),
    { seed: 7, numRuns: 20 },
  )
})

it('takes a few kilobytes with each step', () => {
  const world = busyWorld()
  runBusily(world, '1', 600)
  const digest = new LaterDigests().of(world.venue.state)
  let steps = 0
  while (!digest.step()) steps += 1
  expect(steps).toBeGreaterThan(world.venue.state.orders.count / 64)
  expect(digest.step()).toBe(true)
  expect(digest.finish()).toBe(world.venue.digest())
})
