import { describe, expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { ClockDriver, defaultClock, longestAdvanceMillis } from '../../src/world/clock.ts'
import { ManualWallClock } from './manual-wall-clock.ts'

const start = millis(1_767_571_200_000)

describe('ClockDriver', () => {
  it('stands still in manual mode', () => {
    const wall = new ManualWallClock()
    const driver = new ClockDriver(wall, defaultClock, start)
    wall.advance(5000)
    expect(driver.presentMillis(start)).toBe(start)
    expect(driver.requestMillis(start)).toBe(start)
  })

  it('moves one step per request in auto mode, and not otherwise', () => {
    const wall = new ManualWallClock()
    const driver = new ClockDriver(wall, { mode: 'auto', speed: 1, stepMillis: millis(250) }, start)
    wall.advance(5000)
    expect(driver.presentMillis(start)).toBe(start)
    expect(driver.requestMillis(start)).toBe(start + 250)
  })

  it.each([
    [1, 1500, 1500],
    [60, 1500, 90_000],
    [0.5, 1501, 750],
  ])('follows the wall clock at speed %d', (speed, wallMillis, worldMillis) => {
    const wall = new ManualWallClock()
    const driver = new ClockDriver(wall, { mode: 'realtime', speed, stepMillis: millis(0) }, start)
    wall.advance(wallMillis)
    expect(driver.presentMillis(start)).toBe(start + worldMillis)
  })

  it('does not go back with the wall clock, and does not stand still until that is where it was', () => {
    const wall = new ManualWallClock()
    const driver = new ClockDriver(wall, { mode: 'realtime', speed: 1, stepMillis: millis(0) }, start)
    wall.advance(2000)
    const now = driver.presentMillis(start)
    wall.advance(-60_000)
    expect(driver.presentMillis(now)).toBe(start + 2000)
    wall.advance(500)
    expect(driver.presentMillis(now)).toBe(start + 2500)
  })

  it('continues from where an advance has moved the clock', () => {
    const wall = new ManualWallClock()
    const driver = new ClockDriver(wall, { mode: 'realtime', speed: 2, stepMillis: millis(0) }, start)
    wall.advance(1000)
    driver.moveTo(millis(start + 60_000))
    wall.advance(10)
    expect(driver.presentMillis(millis(start + 60_000))).toBe(start + 60_020)
  })

  it('does not jump when its mode changes', () => {
    const wall = new ManualWallClock()
    const driver = new ClockDriver(wall, defaultClock, start)
    wall.advance(9000)
    driver.change({ mode: 'realtime', speed: 1, stepMillis: millis(0) }, start)
    expect(driver.presentMillis(start)).toBe(start)
  })

  it('catches up on at most one advance after a long sleep', () => {
    const wall = new ManualWallClock()
    const driver = new ClockDriver(wall, { mode: 'realtime', speed: 1000, stepMillis: millis(0) }, start)
    wall.advance(longestAdvanceMillis)
    expect(driver.presentMillis(start)).toBe(start + longestAdvanceMillis)
  })
})
