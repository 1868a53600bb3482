import { describe, expect, it } from 'vitest'
import { stateOf } from '../../../src/engine/state.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { millis } from '../../../src/numeric/units.ts'
import type { ScriptedVenue, WorldAction } from '../../../src/scenario/agents/behaviour.ts'
import { Script } from '../../../src/scenario/run/script.ts'
import { load, scenarioWith } from '../fixtures.ts'

const start = 1_767_571_200_000

describe('an action with a `for`', () => {
  const at = (lines: string, seconds: number) => {
    const scenario = load(scenarioWith(lines))
    const venue = Venue.open(scenario.venue, { emit: () => {} })
    const script = new Script(scenario)
    script.runTo(venue, millis(start + seconds * 1000), () => {})
    return stateOf(venue.state, 1)
  }

  it('restores the halt that was in force before, for its remaining time', () => {
    const lines = `timeline:
  - {at: +10s, halt: {asset: BTC, mode: rest, for: 60s}}
  - {at: +20s, halt: {asset: BTC, mode: reject, for: 10s}}`
    expect([15, 25, 31, 69, 70].map((seconds) => at(lines, seconds).halt)).toEqual([
      'rest',
      'reject',
      'rest',
      'rest',
      'none',
    ])
  })

  it('applies the last one begun, and changes nothing when an earlier one ends', () => {
    const lines = `timeline:
  - {at: +10s, liquidity: {asset: BTC, spreadX: 2}}
  - {at: +20s, liquidity: {asset: BTC, spreadX: 3, for: 20s}}
  - {at: +30s, liquidity: {asset: BTC, spreadX: 4, stale: true, for: 30s}}`
    const spread = (seconds: number) => at(lines, seconds).conditions.spreadMultiplier
    expect([15, 25, 35, 45, 61].map(spread)).toEqual([2, 3, 4, 4, 2])
    expect([35, 61].map((seconds) => at(lines, seconds).isStale)).toEqual([true, false])
  })

  it('is dropped when an action without an end replaces it', () => {
    const lines = `timeline:
  - {at: +10s, halt: {asset: BTC, mode: rest}}
  - {at: +20s, halt: {asset: BTC, for: 20s}}
  - {at: +30s, resume: {asset: BTC}}`
    expect([25, 35, 45].map((seconds) => at(lines, seconds).halt)).toEqual(['reject', 'none', 'none'])
  })

  it('recovers by half-lives, and ends as normal', () => {
    const lines =
      'timeline: [{at: +10s, liquidity: {asset: BTC, spreadX: 16, depthX: 0.25, for: 10s, recoverHalfLife: 160s}}]'
    const conditions = (seconds: number) => at(lines, seconds).conditions
    expect(conditions(25)).toMatchObject({ spreadMultiplier: 16, depthMultiplier: 0.25 })
    // 160 s after the end of `for`: the square root of each.
    expect(conditions(20 + 160).spreadMultiplier).toBeCloseTo(4, 10)
    expect(conditions(20 + 160).depthMultiplier).toBeCloseTo(0.5, 10)
    expect(conditions(3600)).toMatchObject({ spreadMultiplier: 1, depthMultiplier: 1 })
  })

  it('undoes the actions that the world has carried out', () => {
    const scenario = load(
      scenarioWith(`timeline:
  - {at: +1s, fault: {match: {path: /api/sdk/orders*}, latency: {dist: lognormal, p50: 800ms, p99: 6s}, for: 10s}}
  - {at: +2s, fault: {match: {method: POST, nth: 3}, commitThenDrop: true}}
  - {at: +3s, fault: {status: 500, rate: 0.6, for: 1s}}
  - {at: +4s, key: {account: alice, revoke: true, for: 2s}}
  - {at: +5s, rateLimit: {category: other, perS: 2, for: 2s}}
  - {at: +6s, clock: {skew: -31s, for: 30s}}
  - {at: +7.5s, snapshot: {name: before}}`),
    )
    const venue = Venue.open(scenario.venue, { emit: () => {} })
    const told: (readonly [number, WorldAction | string])[] = []
    const seconds = () => (venue.now - start) / 1000
    const venueOfScript: ScriptedVenue = {
      state: venue.state,
      execute: venue.execute.bind(venue),
      advance: venue.advance.bind(venue),
      world: {
        apply: (action: WorldAction, token: string) => {
          told.push([seconds(), action], [seconds(), `begin ${token}`])
          return null
        },
        revert: (token: string) => {
          told.push([seconds(), `end ${token}`])
        },
      },
    }
    new Script(scenario).runTo(venueOfScript, millis(start + 60_000), () => {})
    expect(
      told.filter(([, what]) => typeof what === 'string').map(([when, what]) => `${when} ${what}`),
    ).toEqual([
      '1 begin 0.0',
      '2 begin 1.0',
      '3 begin 2.0',
      '4 end 2.0',
      '4 begin 3.0',
      '5 begin 4.0',
      '6 end 3.0',
      '6 begin 5.0',
      '7 end 4.0',
      '7.5 begin 6.0',
      '11 end 0.0',
      '36 end 5.0',
    ])
    expect(told.filter(([, what]) => typeof what !== 'string').map(([, what]) => what)).toMatchObject([
      {
        kind: 'fault',
        rule: { type: 'latency', attributes: { distribution: 'lognormal', p50Ms: 800, p99Ms: 6000 } },
      },
      { kind: 'fault', rule: { phase: 'after', match: { method: 'POST', nth: 3 } } },
      { kind: 'fault', rule: { type: 'http_error', toxicity: 0.6, attributes: { status: 500 } } },
      { kind: 'key', target: { account: 3 }, isRevoked: true, scopes: null },
      { kind: 'rate-limit', category: 'other', perSecond: 2 },
      { kind: 'clock', skewMillis: -31_000 },
      { kind: 'snapshot', name: 'before' },
    ])
  })
})
