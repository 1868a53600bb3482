import { expect, test } from 'vitest'
import { createStream } from '../../../src/numeric/random.ts'
import { flowFigures } from '../../realism/flow-figures.ts'

test('independent takers are neither bursty nor persistent in side', () => {
  const stream = createStream('flow', 'chance', '', 0)
  const count = 20_000
  let at = 0
  const atMillis = Float64Array.from({ length: count }, () => {
    at += 2_000 * stream.exponential()
    return at
  })
  const signs = Float64Array.from({ length: count }, () => (stream.uniform() < 0.5 ? 1 : -1))
  const valuesUsd = Float64Array.from({ length: count }, () => stream.uniform() ** (-1 / 1.5))
  const figures = flowFigures({ atMillis, signs, valuesUsd })
  expect(Math.abs(figures['sign memory 1'] ?? 9)).toBeLessThan(4 / Math.sqrt(count))
  expect(Math.abs(figures['sign memory 10'] ?? 9)).toBeLessThan(4 / Math.sqrt(count))
  expect(figures['burstiness 1s']).toBeCloseTo(1, 1)
  expect(figures['burstiness 10s']).toBeCloseTo(1, 1)
  expect(figures['size tail index']).toBeCloseTo(1.5, 0)
})

test('takers in runs of one side are both', () => {
  const stream = createStream('flow', 'runs', '', 0)
  const [atMillis, signs, valuesUsd]: [number[], number[], number[]] = [[], [], []]
  for (let run = 0; run < 800; run += 1) {
    const sign = stream.uniform() < 0.5 ? 1 : -1
    for (let i = 0; i < 20; i += 1) {
      atMillis.push(run * 40_000 + i * 100)
      signs.push(sign)
      valuesUsd.push(1 + stream.uniform())
    }
  }
  const figures = flowFigures({ atMillis, signs, valuesUsd })
  expect(figures['sign memory 1']).toBeCloseTo(0.95, 1)
  expect(figures['sign memory 10']).toBeCloseTo(0.5, 0)
  expect(figures['burstiness 1s']).toBeGreaterThan(5)
  expect(figures['burstiness 10s over 1s']).toBeGreaterThan(1)
})
