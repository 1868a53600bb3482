import { expect, it } from 'vitest'
import { scheduleActions } from '../../src/world/change-world.ts'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { quietScenario } from './scenarios.ts'

it('covers what a timeline has done, not what it still plans', () => {
  const [world, other] = [
    createWorld(compiledScenario(quietScenario)),
    createWorld(compiledScenario(quietScenario)),
  ]
  scheduleActions(world, [{ at: '+1h', halt: { asset: 'BTC' } }])
  expect(world.digest()).toBe(other.digest())
  for (const each of [world, other]) each.advance('59m')
  expect(world.digest()).toBe(other.digest())
  const planned = world.snapshot()
  for (const each of [world, other]) each.advance('1m')
  expect(world.digest()).not.toBe(other.digest())
  other.restore(planned)
  other.advance('1m')
  expect(other.digest()).toBe(world.digest())
})
