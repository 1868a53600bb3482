import { describe, expect, it } from 'vitest'
import { longestAdvanceMillis } from '../../src/api/clock.ts'
import type { ClockSettings } from '../../src/journal/world-snapshot.ts'
import { millis } from '../../src/numeric/units.ts'
import { defaultClock } from '../../src/world/clock.ts'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { ManualWallClock } from './manual-wall-clock.ts'
import { quietScenario } from './scenarios.ts'

const start = millis(1_767_571_200_000)

function clockOf(clock: ClockSettings) {
  const wall = new ManualWallClock()
  return { wall, world: createWorld(compiledScenario(quietScenario), { wall, clock }) }
}

describe("a world's clock", () => {
  it('stands still in manual mode', () => {
    const { wall, world } = clockOf(defaultClock)
    wall.advance(5000)
    expect(world.time.presentMillis).toBe(start)
    world.time.moveForRequest()
    expect(world.now).toBe(start)
  })

  it('moves one step per request in auto mode, and not otherwise', () => {
    const { wall, world } = clockOf({ mode: 'auto', speed: 1, stepMillis: millis(250) })
    wall.advance(5000)
    expect(world.time.presentMillis).toBe(start)
    world.time.moveForRequest()
    expect(world.now).toBe(start + 250)
  })

  it.each([
    [1, 1500, 1500],
    [60, 1500, 90_000],
    [0.5, 1501, 750],
  ])('follows the wall clock at speed %d', (speed, wallMillis, worldMillis) => {
    const { wall, world } = clockOf({ mode: 'realtime', speed, stepMillis: millis(0) })
    wall.advance(wallMillis)
    expect(world.time.presentMillis).toBe(start + worldMillis)
    world.time.moveForRequest()
    expect(world.now).toBe(start + worldMillis)
  })

  it('does not go back with the wall clock, and does not stand still until that is where it was', () => {
    const { wall, world } = clockOf({ mode: 'realtime', speed: 1, stepMillis: millis(0) })
    wall.advance(2000)
    world.time.catchUp()
    wall.advance(-60_000)
    expect(world.time.presentMillis).toBe(start + 2000)
    wall.advance(500)
    expect(world.time.presentMillis).toBe(start + 2500)
  })

  it('continues from where an advance has moved the clock', () => {
    const { wall, world } = clockOf({ mode: 'realtime', speed: 2, stepMillis: millis(0) })
    wall.advance(1000)
    world.advance(60_000)
    wall.advance(10)
    expect(world.time.presentMillis).toBe(start + 60_020)
  })

  it('does not jump when its mode changes', () => {
    const { wall, world } = clockOf(defaultClock)
    wall.advance(9000)
    world.time.changeSettings({ mode: 'realtime', speed: 1, stepMillis: millis(0) })
    expect(world.time.presentMillis).toBe(start)
  })

  it('catches up on at most one advance after a long sleep', () => {
    const { wall, world } = clockOf({ mode: 'realtime', speed: 1000, stepMillis: millis(0) })
    wall.advance(longestAdvanceMillis)
    expect(world.time.presentMillis).toBe(start + longestAdvanceMillis)
    expect(world.time.isFarBehind).toBe(true)
  })
})
