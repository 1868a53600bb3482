import { describe, expect, it } from 'vitest'
import {
  deflatedSharpe,
  expectedBestSharpe,
  minimumTrackRecord,
  probabilisticSharpe,
} from '../../src/metrics/skill.ts'

it('has no ratio of equal returns, whose differences are rounding', () => {
  let equity = 1_000_000
  const equal = Array.from({ length: 200 }, () => {
    const next = Math.round(equity * 1.0001 * 1e6) / 1e6
    const value = next / equity - 1
    equity = next
    return value
  })
  expect(new Set(equal).size).toBeGreaterThan(1)
  expect(probabilisticSharpe(equal, 0)).toEqual({ value: null, reason: 'the returns do not vary' })
})

describe('skill', () => {
  // Skewed, so that the skewness counts.
  const values = [0.02, -0.01, 0.03, 0.01, -0.02, 0.08, 0, 0.01]

  it('is a normal probability of the ratio over its error', () => {
    const mean = 0.015
    const sd = Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 7)
    const moment = (power: number) => values.reduce((sum, one) => sum + (one - mean) ** power, 0) / 8
    const sharpe = mean / sd
    const skew = moment(3) / moment(2) ** 1.5
    const kurtosis = moment(4) / moment(2) ** 2
    const variance = 1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2
    const z = (sharpe * Math.sqrt(7)) / Math.sqrt(variance)
    expect(probabilisticSharpe(values, 0).value).toBeCloseTo(normalByIntegral(z), 6)
    expect(minimumTrackRecord(values).value).toBeCloseTo(1 + variance * (1.6448536269514722 / sharpe) ** 2, 6)
  })

  it('is smaller the more was tried', () => {
    // Bailey and Lopez de Prado 2014, appendix: the expected best of 100 tries with deviation 0.1 is 0.253.
    expect(expectedBestSharpe(100, 0.1)).toBeCloseTo(0.253, 3)
    const trials = Array.from({ length: 20 }, (_, place) => place / 100)
    const deflated = deflatedSharpe(values, trials).value ?? 1
    expect(deflated).toBeLessThan(probabilisticSharpe(values, 0).value ?? 0)
    expect(deflatedSharpe(values, [0.1]).value).toBeNull()
    expect(minimumTrackRecord(values.map((one) => -one)).value).toBeNull()
  })
})

/** The normal distribution by the midpoint rule, independent of the formulas in the sources. */
function normalByIntegral(z: number): number {
  const steps = 200_000
  const width = (z + 12) / steps
  let area = 0
  for (let step = 0; step < steps; step += 1) {
    const x = -12 + (step + 0.5) * width
    area += Math.exp((-x * x) / 2) * width
  }
  return area / Math.sqrt(2 * Math.PI)
}
