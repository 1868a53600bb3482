import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoToMillis } from '../../src/numeric/time-text.ts'
import {
  countDecimals,
  formatPlainValue,
  formatValue,
  makeLogTicks,
  makeTimeTicks,
  makeValueTicks,
} from '../../src/pages/ticks.ts'

const at = (iso: string): number => isoToMillis(iso) ?? Number.NaN
const labels = (ticks: readonly { label: string; underLabel: string }[]): string[] =>
  ticks.map(({ label, underLabel }) => (underLabel === '' ? label : `${label} (${underLabel})`))

describe('ticks of values', () => {
  it.each([
    [0, 10, 5, ['0', '2', '4', '6', '8', '10']],
    [0, 1, 10, ['0.0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', '1.0']],
    [-3, 7, 4, ['0', '5']],
    [59_412, 61_007, 3, ['60,000', '61,000']],
    [0, 5_000_000, 3, ['0', '2M', '4M']],
    [0.000_1, 0.000_5, 2, ['0.0002', '0.0004']],
    [3, 3, 4, []],
  ])('from %d to %d', (from, to, count, expected) => {
    expect(labels(makeValueTicks(from, to, count))).toEqual(expected)
  })

  it('are within the range, evenly spaced, and not many more than asked for', () => {
    const ends = fc.double({ min: -1e9, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(ends, ends, fc.integer({ min: 2, max: 12 }), (a, b, count) => {
        const [from, to] = a < b ? [a, b] : [b, a]
        fc.pre(to - from > 1e-6 * Math.max(1, Math.abs(from), Math.abs(to)))
        const ticks = makeValueTicks(from, to, count)
        expect(ticks.length).toBeLessThanOrEqual(count + 2)
        const slack = (to - from) * 1e-6
        for (const { value, label } of ticks) {
          expect(value >= from - slack && value <= to + slack).toBe(true)
          expect(label).not.toMatch(/NaN|Infinity/)
        }
        expect(new Set(ticks.map(({ value }) => value)).size).toBe(ticks.length)
      }),
      { seed: 7, numRuns: 300 },
    )
  })

  it('on a logarithmic axis are powers of ten', () => {
    expect(labels(makeLogTicks(0.5, 20_000))).toEqual(['1', '10', '100', '1,000', '10,000'])
    expect(labels(makeLogTicks(1, 20))).toEqual(['1', '2', '5', '10', '20'])
    expect(labels(makeLogTicks(1, 150))).toEqual(['1', '3', '10', '30', '100'])
    expect(labels(makeLogTicks(0.02, 0.5, ' s'))).toEqual(['0.02 s', '0.05 s', '0.1 s', '0.2 s', '0.5 s'])
    expect(labels(makeLogTicks(10, 50))).toEqual(['10', '20', '30', '40', '50'])
    expect(labels(makeLogTicks(1e-3, 1e4))).toHaveLength(8)
    expect([makeLogTicks(0, 10), makeLogTicks(10, 10)]).toEqual([[], []])
  })
})

describe('ticks of time', () => {
  it.each([
    [
      '2020-03-12T06:00:00Z',
      '2020-03-12T12:00:00Z',
      6,
      ['06:00 (2020-03-12)', '07:00', '08:00', '09:00', '10:00', '11:00', '12:00'],
    ],
    [
      '2020-03-12T20:00:00Z',
      '2020-03-13T04:00:00Z',
      4,
      ['20:00 (2020-03-12)', '22:00', '00:00 (2020-03-13)', '02:00', '04:00'],
    ],
    ['2025-12-30T00:00:00Z', '2026-01-02T00:00:00Z', 4, ['12-30 (2025)', '12-31', '01-01 (2026)', '01-02']],
    [
      '2024-08-05T00:00:00Z',
      '2024-08-05T00:00:20Z',
      4,
      ['00:00:00 (2024-08-05)', '00:00:05', '00:00:10', '00:00:15', '00:00:20'],
    ],
    ['2025-01-15T00:00:00Z', '2025-07-15T00:00:00Z', 6, ['Feb (2025)', 'Mar', 'Apr', 'May', 'Jun', 'Jul']],
    ['2016-05-18T00:00:00Z', '2025-10-28T00:00:00Z', 5, ['2018', '2020', '2022', '2024']],
    [
      '2024-12-01T00:00:00Z',
      '2026-01-01T00:00:00Z',
      14,
      [
        ...['Dec (2024)', 'Jan (2025)', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct'],
        ...['Nov', 'Dec', 'Jan (2026)'],
      ],
    ],
    ['1700-01-01T00:00:00Z', '2025-10-28T00:00:00Z', 3, ['1700', '1800', '1900', '2000']],
  ])('from %s to %s', (from, to, count, expected) => {
    expect(labels(makeTimeTicks(at(from), at(to), count))).toEqual(expected)
  })

  it.each([
    [1, '00:00:00.001'],
    [200, '00:00:00.200'],
    [500, '00:00:00.500'],
    [1_000, '00:00:01'],
    [30_000, '00:00:30'],
    [60_000, '00:01'],
    [1_800_000, '00:30'],
    [3_600_000, '01:00'],
    [43_200_000, '12:00'],
  ])('are %d ms apart where that is enough, such as at %s', (span, second) => {
    const from = at('2026-01-05T00:00:00Z')
    const ticks = makeTimeTicks(from, from + 4 * span, 4)
    expect(ticks.map(({ value }) => (value - from) / span)).toEqual([0, 1, 2, 3, 4])
    expect(ticks[1]?.label).toBe(second)
  })

  it('are within the range, and never crowd', () => {
    const first = at('2015-01-01T00:00:00Z')
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3e11 }),
        fc.integer({ min: 10, max: 3e11 }),
        fc.integer({ min: 2, max: 10 }),
        (offset, span, count) => {
          const ticks = makeTimeTicks(first + offset, first + offset + span, count)
          expect(ticks.length).toBeLessThanOrEqual(count + 2)
          for (const { value } of ticks) {
            expect(value >= first + offset && value <= first + offset + span).toBe(true)
          }
        },
      ),
      { seed: 7, numRuns: 300 },
    )
  })
})

describe('labels of values', () => {
  it.each([
    [0, 0, '0'],
    [-0.001, 2, '0.00'],
    [-1_234.5, 1, '−1,234.5'],
    [-1_500_000, 0, '−1.5M'],
    [7.25e12, 0, '7.25T'],
    [-0.000_000_4, 9, '−4.0e-7'],
    [0.000_001, 6, '0.000001'],
    [0.1, 12, '0.1000000000'],
    [999_999, 0, '999,999'],
    [1_500_000, 0, '1.5M'],
    [2e9, 0, '2B'],
    [3e-9, 10, '3.0e-9'],
    [Number.NaN, 2, 'n/a'],
  ])('%d with %d decimals', (value, decimals, expected) => {
    expect(formatValue(value, decimals)).toBe(expected)
  })
})

describe('the decimals of a step', () => {
  it.each([
    [1000, 0],
    [1, 0],
    [0.5, 1],
    [0.25, 2],
    [0.1 + 0.2 - 0.2, 1],
    [0.0001, 4],
    [2.5e-7, 8],
    [1e-12, 10],
  ])('of %d are %d', (step, decimals) => expect(countDecimals(step)).toBe(decimals))

  it('keep the labels of an axis apart, however small its step', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 2.5, 5),
        fc.integer({ min: -6, max: 6 }),
        fc.integer({ min: -1000, max: 1000 }),
        (digit, power, first) => {
          const step = Number(`${digit}e${power}`)
          const values = [0, 1, 2, 3, 4].map((place) => (first + place) * step)
          const told = values.map((value) => formatPlainValue(value, countDecimals(step)))
          expect(new Set(told).size).toBe(values.length)
        },
      ),
      { seed: 7, numRuns: 300 },
    )
  })
})
