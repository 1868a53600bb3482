import { describe, expect, test } from 'vitest'
import { createFlow } from '../../../src/market/flow/flow.ts'
import type { FlowSpec } from '../../../src/market/flow/flow-spec.ts'
import { mean, variance } from '../../support/statistics.ts'
import { stillAround } from './surroundings.ts'

const names = { seed: '7', symbol: 'BTC' }
const flow: FlowSpec = { kind: 'poisson', ratePerMinute: 6, medianUsd: 3_000, sizeSd: 1.6 }
const arrivalsInMinute = (spec: FlowSpec, of: typeof names, minute: number) =>
  createFlow(spec, of, stillAround()).arrivalsIn(minute)
const poisson = createFlow(flow, names, stillAround())
const minutes = Array.from({ length: 4_000 }, (_, place) => poisson.arrivalsIn(place - 2_000))
const all = minutes.flat()

describe('Poisson flow', () => {
  test('comes in time order, within the minute, at whole milliseconds', () => {
    for (const minute of minutes) {
      let before = 0
      for (const { offsetMillis } of minute) {
        expect(offsetMillis >= before && offsetMillis <= 60_000 && Number.isInteger(offsetMillis)).toBe(true)
        before = Math.max(1, offsetMillis)
      }
    }
  })

  test('has Poisson counts, uniform instants, fair sides and log-normal values', () => {
    const counts = minutes.map((minute) => minute.length)
    expect(mean(counts)).toBeCloseTo(6, 0)
    expect(variance(counts) / mean(counts)).toBeCloseTo(1, 1)
    expect(mean(all.map(({ offsetMillis }) => offsetMillis)) / 30_000).toBeCloseTo(1, 1)
    expect(all.filter(({ side }) => side === 'buy').length / all.length).toBeCloseTo(0.5, 1)
    const logs = all.map(({ valueUsd }) => Math.log(valueUsd / 3_000))
    expect(Math.abs(mean(logs))).toBeLessThan(0.05)
    expect(Math.sqrt(variance(logs))).toBeCloseTo(1.6, 1)
  })

  test('is the same in any reading order, and different for another asset', () => {
    expect(arrivalsInMinute(flow, names, 5)).toEqual(minutes[2_005])
    expect(arrivalsInMinute(flow, { ...names, symbol: 'ETH' }, 5)).not.toEqual(minutes[2_005])
  })

  test('may be absent', () => {
    expect(arrivalsInMinute({ kind: 'none' }, names, 5)).toEqual([])
    expect(arrivalsInMinute({ ...flow, ratePerMinute: 0 }, names, 5)).toEqual([])
  })
})
