import { describe, expect, test } from 'vitest'
import { strategies } from './strategies.ts'
import { computeT, judge, type Result, runStrategies } from './strategy-trial.ts'

/* The short form; `npm run soak strategies` has 48 seeds of 90 days on four lengths of bars. */

test('nothing can be earned from the default market by forty simple strategies', () => {
  expect(2 * strategies.length).toBeGreaterThanOrEqual(40)
  const results = runStrategies(['1', '2', '3', '4', '5', '6'], 4, [5, 15])
  const verdict = judge(results, 300)
  expect(verdict.probability).toBeGreaterThan(0.01)
  // Each holds a position, or it would show nothing.
  for (const { costs, name } of results) expect([name, costs.every((cost) => cost > 0)]).toEqual([name, true])
  // With six seeds a Student's t is beyond 12 once in ten thousand.
  for (const { gross, name } of results) expect([name, Math.abs(computeT(gross)) < 12]).toEqual([name, true])
})

describe('the judge of strategies', () => {
  const resultOf = (name: string, gross: readonly number[], cost: number): Result => ({
    name,
    barMinutes: 1,
    isPriceOnly: true,
    gross: Float64Array.from(gross),
    costs: new Float64Array(gross.length).fill(cost),
  })
  const noise = Array.from({ length: 48 }, (_, place) => Math.sin(12.9898 * (place + 1)))

  test('finds one that earns, and its mirror', () => {
    const earning = noise.map((value) => value + 1)
    const found = judge([resultOf('a', noise, 0.01), resultOf('b', earning, 0.01)], 400)
    expect(found.best).toBe('b, 1 min')
    expect(found.probability).toBeLessThan(0.01)
    expect(found.beyondThree).toEqual([expect.stringContaining('b, 1 min')])
    const losing = judge(
      [
        resultOf(
          'b',
          earning.map((value) => -value),
          0.01,
        ),
      ],
      400,
    )
    expect(losing.best).toBe('against b, 1 min')
  })

  test('takes what earns less than it costs for nothing', () => {
    const small = noise.map((value) => value + 0.5)
    expect(judge([resultOf('a', small, 0.6)], 400).probability).toBeGreaterThan(0.05)
  })
})
