import { describe, expect, test } from 'vitest'
import { createFlow } from '../../../src/market/flow/flow.ts'
import type { Arrival, FlowSpec, HawkesFlowSpec } from '../../../src/market/flow/flow-spec.ts'
import { autocorrelation, mean, variance } from '../../support/statistics.ts'
import { movingAround, stillAround } from './surroundings.ts'

const names = { seed: '7', symbol: 'BTC' }
const spec: HawkesFlowSpec = {
  kind: 'hawkes',
  ratePerMinute: 6,
  medianUsd: 3000,
  sizeSd: 1.6,
  maximumUsd: 4_000_000,
  informed: { share: 0.3, horizonMillis: 120_000, costBps: 0 },
  patiencePerBp: 0.15,
  touchBps: 2,
  snipers: 0.9,
}
const minutes = 20_000
const arrivals = collect(spec, minutes)

interface Timed extends Arrival {
  readonly atMillis: number
}

function collect(
  of: FlowSpec,
  count: number,
  intensity: (minute: number) => number = () => 1,
): readonly Timed[] {
  const flow = createFlow(of, names, movingAround(intensity))
  return Array.from({ length: count }, (_, minute) =>
    flow
      .arrivalsIn(minute)
      .map((arrival) => ({ ...arrival, atMillis: minute * 60_000 + arrival.offsetMillis })),
  ).flat()
}

test('comes in time order, at whole milliseconds of its minute', () => {
  let before = 0
  const astray = arrivals.filter(({ atMillis, offsetMillis }) => {
    const isInOrder = atMillis >= before
    before = atMillis
    return !isInOrder || !Number.isInteger(offsetMillis) || offsetMillis < 1 || offsetMillis > 60_000
  })
  expect(astray).toEqual([])
})

describe('market.md fact 14', () => {
  test('the rate is the stated one', () => {
    expect(arrivals.length / minutes).toBeGreaterThan(5.5)
    expect(arrivals.length / minutes).toBeLessThan(6.5)
  })

  test('counts vary more than those of a Poisson process, and more so in longer windows', () => {
    const ratios = [1, 10, 60, 300].map((seconds) => varianceRatio(arrivals, seconds))
    const [second = 0, ten = 0, minute = 0, five = 0] = ratios
    expect(second).toBeGreaterThan(1.3)
    expect(ten).toBeGreaterThan(3)
    expect(minute).toBeGreaterThan(ten)
    expect(five).toBeGreaterThan(minute)
    expect(five).toBeLessThan(44.5) // 1 / (1 - 0.85)^2
  })

  test.each([
    [1, 60_000],
    [9, 10_000],
    [60, 1500],
    [480, 200],
  ])('signs persist as recorded ones do at %i takers a minute', (ratePerMinute, count) => {
    for (const around of [movingAround(), stillAround()]) {
      const flow = createFlow({ ...spec, ratePerMinute }, names, around)
      const signs = Array.from({ length: count }, (_, minute) => flow.arrivalsIn(minute))
        .flat()
        .map(({ side }) => (side === 'buy' ? 1 : -1))
      expect(Math.abs(mean(signs))).toBeLessThan(0.05)
      for (const [lag, recorded] of [
        [1, 0.4],
        [10, 0.16],
        [50, 0.04],
      ] as const)
        expect(Math.abs(autocorrelation(signs, lag) - recorded)).toBeLessThan(0.05)
    }
  })

  test('sizes of neighbours are alike, and takers in a hurry are larger', () => {
    const logs = arrivals.map(({ valueUsd }) => Math.log(valueUsd))
    expect(Math.abs(autocorrelation(logs, 1) - 0.24)).toBeLessThan(0.1)
    expect(autocorrelation(logs, 10)).toBeGreaterThan(0.03)
  })

  test('sizes have the stated median and a truncated Pareto tail', () => {
    const values = arrivals.map(({ valueUsd }) => valueUsd).sort((left, right) => right - left)
    expect(values[Math.floor(values.length / 2)]).toBeGreaterThan(2800)
    expect(values[Math.floor(values.length / 2)]).toBeLessThan(3200)
    const body = values.filter((value) => value < 3000)
    expect(Math.sqrt(mean(body.map((value) => Math.log(value / 3000) ** 2)))).toBeCloseTo(1.6, 1)
    const tail = Math.floor(values.length / 100)
    const threshold = values[tail] ?? 1
    const hill = 1 / mean(values.slice(0, tail).map((value) => Math.log(value / threshold)))
    expect(hill).toBeGreaterThan(1.2)
    expect(hill).toBeLessThan(2)
    expect(values[0]).toBeLessThanOrEqual(4_000_000)
    expect(values[0]).toBeGreaterThan(500_000)
  })
})

test('a share is informed, with exponential horizons; the others have exponential patience', () => {
  const informed = arrivals.filter(({ horizonMillis }) => horizonMillis > 0)
  expect(informed.length / arrivals.length).toBeCloseTo(0.3, 1)
  expect(mean(informed.map(({ horizonMillis }) => horizonMillis)) / 120_000).toBeCloseTo(1, 1)
  const patience = arrivals
    .filter(({ horizonMillis }) => horizonMillis === 0)
    .map(({ patienceBps }) => patienceBps ?? 0)
  expect(mean(patience) * 0.15).toBeCloseTo(1, 1)
  expect(Math.sqrt(variance(patience)) * 0.15).toBeCloseTo(1, 1)
})

test('follows the intensity of the market', () => {
  const busy = collect(spec, 6000, (minute) => (minute % 1000 < 500 ? 0.5 : 1.5))
  const inBusy = busy.filter(({ atMillis }) => (atMillis / 60_000) % 1000 >= 500).length
  expect(inBusy / (busy.length - inBusy)).toBeGreaterThan(2.4)
  expect(collect(spec, 100, () => 0)).toEqual([])
})

test('is the same in any reading order, backwards, with gaps, and before the start', () => {
  const forwards = createFlow(spec, names, movingAround())
  const expected = new Map<number, readonly Arrival[]>()
  for (let minute = -200; minute < 400; minute += 1) expected.set(minute, [...forwards.arrivalsIn(minute)])
  const leaping = createFlow(spec, names, movingAround())
  for (const minute of [300, 299, 300, 301, 299, 12, 13, 75, 76, 140, -200, -3, 0, 1, 399, 64, 0, 64, 128])
    expect(leaping.arrivalsIn(minute)).toEqual(expected.get(minute))
})

test('is different for another asset or seed, and the same whatever else is read', () => {
  const minute = (seed: string, symbol: string) =>
    createFlow(spec, { seed, symbol }, movingAround()).arrivalsIn(7)
  expect(minute('7', 'BTC')).toEqual(minute('7', 'BTC'))
  expect(minute('7', 'ETH')).not.toEqual(minute('7', 'BTC'))
  expect(minute('8', 'BTC')).not.toEqual(minute('7', 'BTC'))
})

/** Variance over mean of the counts in windows. */
function varianceRatio(of: readonly Timed[], seconds: number): number {
  const counts = new Array<number>(Math.floor((minutes * 60) / seconds)).fill(0)
  for (const { atMillis } of of) {
    const place = Math.floor(atMillis / 1000 / seconds)
    if (place < counts.length) counts[place] = (counts[place] ?? 0) + 1
  }
  return variance(counts) / mean(counts)
}
