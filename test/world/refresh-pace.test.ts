import { describe, expect, it } from 'vitest'
import { buy, sell } from '../../src/engine/codes.ts'
import { stateOf } from '../../src/engine/state.ts'
import { createWorld, forkWorld, type World } from '../../src/world/world.ts'
import { scenarioOf } from './journals/recorded.ts'
import { liquidScenario } from './scenarios.ts'

/** A ladder that only changes when something is taken from it. */
const liquidity = { kind: 'power', depth10bpUsd: 300_000, dynamics: { flicker: 0, pull: 0, seasons: false } }
const market = {
  flow: { kind: 'none' },
  impact: 'none',
  assets: { BTC: { price: 50_000, model: { kind: 'constant' }, liquidity } },
}
const scenarioWith = (...timeline: readonly object[]) => scenarioOf({ ...liquidScenario, market, timeline })
const during = (refreshX: number, more: object = {}) => ({
  at: '+2s',
  liquidity: { asset: 'BTC', refreshX, ...more },
})

/** Depth of the asks within 1 % of the price, in steps. */
function measureDepth(world: World): number {
  let depth = 0
  stateOf(world.venue.state, 1).ladder.visit(sell, (ticks, steps) => {
    if (ticks > 5_050_000) return false
    depth += steps
    return true
  })
  return depth
}

/** The depth at these seconds of a ladder that is swept at 2 s, under the timeline's liquidity. */
function depths(world: World, seconds: readonly number[]): readonly number[] {
  const begin = world.now
  world.advance('2s')
  const answer = world.request('trader', 'POST', '/api/sdk/orders', {
    side: 'buy',
    asset: 'BTC',
    quantity: 9,
    orderType: 'market',
  })
  expect(answer.status).toBe(201)
  expect(stateOf(world.venue.state, 1).ladder.isTouched).toBe(true)
  expect(stateOf(world.venue.state, 1).book.bestRow(buy)).toBe(-1)
  return seconds.map((at) => {
    world.advance(begin + at * 1000 - world.now)
    return measureDepth(world)
  })
}

const plain = createWorld(scenarioWith())

describe('refreshX', () => {
  const [at3 = 0, at4 = 0, at6 = 0] = depths(plain, [3, 4, 6])

  it('is tested on a ladder that recovers by itself', () => {
    expect(at4).toBeGreaterThan(1.05 * at3)
    expect(at6).toBeGreaterThan(1.05 * at4)
  })

  it('makes the ladder recover this many times as fast, or not at all', () => {
    expect(depths(createWorld(scenarioWith(during(2))), [3])).toEqual([at4])
    expect(depths(createWorld(scenarioWith(during(4))), [3])).toEqual([at6])
    const still = depths(createWorld(scenarioWith(during(0))), [3, 4, 6])
    expect(new Set(still).size).toBe(1)
    expect(still[0] ?? 0).toBeLessThan(at3)
  })

  it('leaves the rest to recover at the usual pace when it ends', () => {
    const pause = during(0, { for: '4s' })
    expect(depths(createWorld(scenarioWith(pause)), [7, 8, 10])).toEqual([at3, at4, at6])
    const recovering = during(4, { recoverHalfLife: '2s' })
    const world = createWorld(scenarioWith(recovering))
    depths(world, [30])
    expect(stateOf(world.venue.state, 1).conditions).toEqual({
      spreadMultiplier: 1,
      depthMultiplier: 1,
      sides: 'both',
    })
  })

  it.each([0, 0.3, 5])('at %d is the same however time is split, and continues from a snapshot', (times) => {
    const scenario = scenarioWith(
      { at: '+1s', liquidity: { asset: 'BTC', depthX: 0.5 } },
      during(times, { for: '3s' }),
    )
    const whole = createWorld(scenario)
    depths(whole, [30])
    const cut = createWorld(scenario)
    depths(cut, [2.25, 3, 3.5, 5, 6, 29])
    const fork = forkWorld(cut.snapshot())
    cut.advance('1s')
    fork.advance('1s')
    expect([cut.digest(), fork.digest()]).toEqual([whole.digest(), whole.digest()])
  })

  it('of 1 leaves no trace', () => {
    const [one, none] = [{ refreshX: 1 }, {}].map((words) => {
      const world = createWorld(
        scenarioWith({ at: '+2s', liquidity: { asset: 'BTC', spreadX: 2, ...words } }),
      )
      depths(world, [5])
      return world.digest()
    })
    expect(one).toBe(none)
  })
})
