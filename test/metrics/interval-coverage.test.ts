import { describe, expect, it } from 'vitest'
import { isBeyondLuck } from '../../src/backtest/report/run-report.ts'
import { computeMedianInterval } from '../../src/backtest/sweep/summary.ts'
import { computeMaker } from '../../src/metrics/maker-metrics.ts'
import { markoutMillis } from '../../src/metrics/records.ts'
import { bootstrapInterval, deviation, mean, studentQuantile975 } from '../../src/metrics/samples.ts'
import { createStream } from '../../src/numeric/random.ts'
import { isLongestRun } from '../support/full-run.ts'
import { fillOf, gridOf } from './records.ts'

/*
 * Every interval that is printed is one of 95 %: it holds the truth in 93 to 96 of a hundred samples of 7 to 200 values. A
 * full run draws so many samples that the share is known to a quarter of a per cent; a short one allows for its own error.
 */

const counts = [7, 10, 20, 50, 200]
const allowance = isLongestRun ? 0 : 0.02

/** The share of samples of which something holds: of 8,000 in a full run, or fewer for what takes long. */
function shareOf(holds: (round: number) => boolean, full = 8_000): number {
  const rounds = isLongestRun ? full : full / 10
  let held = 0
  for (let round = 0; round < rounds; round += 1) if (holds(round)) held += 1
  return held / rounds
}

function expectCoverage(share: number): void {
  expect(share).toBeGreaterThan(0.93 - allowance)
  expect(share).toBeLessThan(0.96 + allowance)
}

const stream = createStream('coverage', 'intervals', '', 0)

describe('the interval of a markout', () => {
  it.each(counts)('of %i fills', (count) => {
    const share = shareOf((round) => {
      const values = Array.from({ length: count }, () => stream.normal())
      const times = { atMillis: values.map((_, place) => place * 1000), reachMillis: 0 }
      const { low, high } = bootstrapInterval(
        values,
        values.map(() => 1),
        times,
        String(round),
      )
      return (low.value ?? 1) <= 0 && (high.value ?? -1) >= 0
    })
    expectCoverage(share)
  })

  it.each(isLongestRun ? counts : [7, 20])(
    'as the report has it, of %i fills of different sizes',
    (count) => {
      const price = 10_000
      const share = shareOf((round) => {
        const fills = Array.from({ length: count }, (_, place) =>
          fillOf({
            isMaker: true,
            atMillis: place * 60_000,
            price,
            quantity: 1 + stream.uniform(),
            midAfter: markoutMillis.map(() => price * (1 + stream.normal() / 10_000)),
          }),
        )
        const nothing = { quotes: [], quoting: null, cancels: 0, requests: 0, rateLimited: 0 }
        const input = { ...nothing, grid: gridOf([1, 1]), fills, orders: [], seed: String(round) }
        const { highBps, lowBps } = computeMaker(input).markouts[1] ?? {}
        return (lowBps?.value ?? 1) <= 0 && (highBps?.value ?? -1) >= 0
      }, 3_000)
      expectCoverage(share)
    },
  )
})

describe('the interval of a median of seeds', () => {
  const distributions = [
    ['normal', () => stream.normal(), 0],
    ['skewed', () => -Math.log(1 - stream.uniform()), Math.log(2)],
    ['fat-tailed', () => Math.tan(Math.PI * (stream.uniform() - 0.5)), 0],
  ] as const
  const cases = distributions.flatMap((one) => counts.map((count) => [count, ...one] as const))

  it.each(cases)('of %i %s values', (count, _name, draw, median) => {
    const share = shareOf(() => {
      const interval = computeMedianInterval(Array.from({ length: count }, draw))
      return interval !== null && interval.low <= median && interval.high >= median
    })
    expectCoverage(share)
  })
})

describe('what a report calls within chance', () => {
  it.each(counts)('holds 19 of 20 runs of %i returns without skill', (count) => {
    const share = shareOf(() => {
      const values = Array.from({ length: count }, () => stream.normal())
      const tStatistic =
        ((mean(values).value ?? 0) / (deviation(values).value ?? 0)) * Math.sqrt(values.length)
      return !isBeyondLuck(tStatistic, count)
    })
    expectCoverage(share)
  })
})

it.each([
  // As tables have them.
  [1, 12.7062],
  [2, 4.3027],
  [4, 2.7764],
  [5, 2.5706],
  [6, 2.4469],
  [10, 2.2281],
  [30, 2.0423],
  [1000, 1.9623],
])("the 97.5 % quantile of Student's t with %i degrees of freedom", (degrees, quantile) => {
  expect(studentQuantile975(degrees)).toBeCloseTo(quantile, 2)
})
