import { describe, expect, it } from 'vitest'
import { millis } from '../../../src/numeric/units.ts'
import type { JsonData } from '../../../src/scenario/file/tree.ts'
import { agent, holding, listOrders, lively, makeAgents, minute, passTime, stage, still } from './fixtures.ts'

it('an agent that was done goes on when it is started with more to do', () => {
  const steps = [{ after: '5s', side: 'buy', quantity: 1 }]
  const made = stage(still, [agent('script', { rounds: 1 }, { steps })])
  passTime(made, minute)
  const [script] = made.agents
  script?.set(new Map([['rounds', 3]]))
  script?.start(millis(made.venue.state.nowMillis))
  passTime(made, minute)
  expect(listOrders(made)).toHaveLength(3)
})

const everyKind: readonly JsonData[] = [
  agent('noise', { ratePerMinute: 30 }),
  agent('momentum', { every: '3s', short: 3, long: 8, thresholdBps: 0.1, maxPositionUsd: 6e7 }),
  agent('market_maker', { every: '2s', spreadBps: 6 }, { account: 'other' }),
  agent('twap', { side: 'sell', quantity: 7, over: '7m', slices: 31 }),
  agent('sniper', { edgeBps: 0.5, hitShare: 0.5 }, { account: 'other' }),
  agent('script', { rounds: 20 }, { steps: [{ after: '7s', side: 'buy', quantity: 0.5 }] }),
]

describe('agents of all kinds', () => {
  it('give the same run for the same seed, and a different one for another', () => {
    const digests = ['7', '7', '8'].map((seed) => {
      const made = stage(lively, everyKind, seed)
      passTime(made, 5 * minute)
      return made.venue.digest()
    })
    expect(digests[1]).toBe(digests[0])
    expect(digests[2]).not.toBe(digests[0])
  })

  it('do the same however time is split', () => {
    const whole = stage(lively, everyKind)
    const cut = stage(lively, everyKind)
    passTime(whole, 4 * minute)
    for (const span of [1, 999, 59_000, 10_001, 109_999, 60_000]) passTime(cut, span)
    expect(cut.venue.digest()).toBe(whole.venue.digest())
  })

  it('continue in the same way when restored from a capture', () => {
    const whole = stage(lively, everyKind)
    const restored = stage(lively, everyKind)
    passTime(whole, 6 * minute)
    for (const span of [minute, 0.5 * minute + 77, 1.5 * minute, 3 * minute - 77]) {
      passTime(restored, span)
      const captured: unknown = JSON.parse(JSON.stringify(restored.agents.map((one) => one.capture())))
      restored.agents = makeAgents(restored.specs, restored.venue.state.config)
      for (const [place, one] of restored.agents.entries()) {
        if (Array.isArray(captured)) one.restore(captured[place])
      }
    }
    expect(restored.venue.digest()).toBe(whole.venue.digest())
    expect(restored.agents.map((one) => one.capture())).toEqual(whole.agents.map((one) => one.capture()))
  })

  it('start, stop and continue at the stated times', () => {
    const made = stage(still, [
      agent('twap', { side: 'buy', quantity: 6, over: '6m', slices: 6 }, { starts: 'never' }),
    ])
    const [twap] = made.agents
    passTime(made, 10 * minute)
    expect(holding(made)).toBe(1_000)
    twap?.start(millis(made.venue.state.nowMillis))
    passTime(made, 2.5 * minute)
    expect(holding(made)).toBeCloseTo(1_003, 6)
    twap?.stop(millis(made.venue.state.nowMillis))
    passTime(made, 30 * minute)
    expect(holding(made)).toBeCloseTo(1_003, 6)
    twap?.start(millis(made.venue.state.nowMillis))
    passTime(made, 10 * minute)
    expect(holding(made)).toBeCloseTo(1_006, 6)
  })

  it('have new values for what is set, and keep the others', () => {
    const [one] = stage(still, [agent('noise', { sizeSd: 2 })]).agents
    one?.set(new Map([['ratePerMinute', 20]]))
    expect(one?.capture()).toMatchObject({ values: { ratePerMinute: 20, sizeSd: 2 } })
  })
})
