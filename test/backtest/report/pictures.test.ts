import fc from 'fast-check'
import { expect, it } from 'vitest'
import { computeDrawdowns } from '../../../src/backtest/report/account-sections.ts'
import { waterfallLayers } from '../../../src/backtest/report/cost-section.ts'
import { percent, price, span, usd } from '../../../src/backtest/report/figures.ts'
import { readSharedText } from '../../../src/backtest/report/page/plot-table.ts'
import { readDifferences } from '../../../src/backtest/report/page/texts.ts'
import { makeZoomChart } from '../../../src/pages/pictures.ts'
import { gridOf } from '../../metrics/records.ts'

const chartOf = (xs: readonly number[], ys: readonly number[]) =>
  makeZoomChart({
    id: 'x',
    title: '',
    description: '',
    x: { kind: 'time' },
    panels: [{ title: '', layers: [{ kind: 'line', color: 1, xs, ys }] }],
  })

it('decodes figures and gaps to within half a step of 20,000 and more', () => {
  const values = fc.array(
    fc.oneof(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.constant(Number.NaN)),
    {
      minLength: 1,
      maxLength: 200,
    },
  )
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 86_400_000 }), (ys, step) => {
      const xs = ys.map((_, place) => 1_767_571_200_000 + place * step)
      const series = chartOf(xs, ys)?.panels[0]?.series[0]
      if (series === undefined) throw new Error('no series')
      expect(readDifferences(series.xs)).toEqual(xs)
      const back = readDifferences(series.ys[0] ?? '')
      const finite = ys.filter(Number.isFinite)
      const extent = Math.max(...finite) - Math.min(...finite)
      if (extent > 1e-6) expect(series.quantum).toBeLessThanOrEqual(extent / 20_000)
      for (const [place, y] of ys.entries()) {
        const value = back[place]
        if (!Number.isFinite(y)) expect(value).toBeNull()
        else
          expect(Math.abs((value ?? Number.NaN) * series.quantum - y)).toBeLessThanOrEqual(
            series.quantum * 0.501 + Math.abs(y) * 1e-15,
          )
      }
    }),
    { seed: 7, numRuns: 200 },
  )
})

it('keeps the extremes when it thins out, and writes equal steps once', () => {
  const xs = Array.from({ length: 100_000 }, (_, place) => place * 60_000)
  const ys = xs.map((_, place) => (place === 54_321 ? 1_000 : place % 10))
  const series = chartOf(xs, ys)?.panels[0]?.series[0]
  const back = readDifferences(series?.ys[0] ?? '').map((steps) => (steps ?? 0) * (series?.quantum ?? 0))
  expect(back.length).toBeLessThanOrEqual(6_200)
  expect(Math.max(...back)).toBe(1_000)
  expect(chartOf(xs.slice(0, 500), xs.slice(0, 500))?.panels[0]?.series[0]?.xs).toBe('0,60000*499')
})

it('zooms charts over time, numbers and names, with bars as what they are, but not over a logarithm', () => {
  const named = { id: 'x', title: '', description: '' }
  const bars = { kind: 'bars', label: 'box', color: 1, froms: [-0.4, 0.6], tos: [0.4, 1.4] } as const
  const boxes = makeZoomChart({
    ...named,
    x: { kind: 'names', label: '', names: ['slow', 'fast'] },
    panels: [{ title: '', layers: [{ ...bars, bases: [1, 2.5], ys: [4, -8] }] }],
  })
  expect(boxes?.x).toEqual({ label: '', names: ['slow', 'fast'], from: -0.5, to: 1.5 })
  const [box] = boxes?.panels[0]?.series ?? []
  const decode = (text: string | undefined, quantum: number | undefined): readonly number[] =>
    readDifferences(text ?? '').map((steps) => Number(((steps ?? 0) * (quantum ?? 0)).toFixed(6)))
  expect(decode(box?.xs, box?.xQuantum)).toEqual([-0.4, 0.6])
  expect(decode(box?.tos, box?.xQuantum)).toEqual([0.4, 1.4])
  expect(box?.ys.map((row) => decode(row, box.quantum))).toEqual([
    [1, 2.5],
    [4, -8],
  ])
  const counts = makeZoomChart({
    ...named,
    x: { kind: 'number', label: 'USD' },
    panels: [{ title: '', layers: [{ ...bars, ys: [3, 7] }] }],
  })
  expect(counts?.panels[0]).toMatchObject({ hasZero: true, series: [{ kind: 'bars', quantum: 1 }] })
  const logarithm = { kind: 'log', label: '' } as const
  expect(
    makeZoomChart({ ...named, x: logarithm, panels: [{ title: '', layers: [{ ...bars, ys: [3, 7] }] }] }),
  ).toBeNull()
  const many = Array.from({ length: 9_000 }, (_, place) => place)
  const grouped = makeZoomChart({
    ...named,
    x: { kind: 'time' },
    panels: [{ title: '', layers: [{ ...bars, froms: many, tos: many.map((at) => at + 1), ys: many }] }],
  })
  const [volume] = grouped?.panels[0]?.series ?? []
  expect(volume?.label).toBe('box (the furthest of each 3)')
  expect(decode(volume?.ys[0], volume?.quantum).at(-1)).toBe(8_999)
})

it('writes what the commands of markers have in common once, and each of them whole', () => {
  const commands = ['run --seed 1 --html seed-1.html', 'run --seed 10 --html seed-10.html']
  const chart = makeZoomChart({
    ...{ id: 'm', title: '', description: '', x: { kind: 'number', label: 'USD' } },
    panels: [
      {
        title: '',
        layers: [
          {
            ...{ kind: 'markers', shape: 'dot', color: 1, xs: [5, 6], ys: [1, 2], commands },
            titles: ['seed 1', 'seed 10'],
          },
        ],
      },
    ],
  })
  const [series] = chart?.panels[0]?.series ?? []
  const shared = series?.commands
  expect(shared).toEqual({
    head: 'run --seed 1',
    middles: [' --html seed-1', '0 --html seed-10'],
    tail: '.html',
  })
  expect([0, 1].map((place) => (shared === undefined ? '' : readSharedText(shared, place)))).toEqual(commands)
})

it('says how many of many markers are shown', () => {
  const fills = Array.from({ length: 9_000 }, (_, place) => place)
  const many = makeZoomChart({
    ...{ id: 'm', title: '', description: '', x: { kind: 'time' } },
    panels: [
      {
        title: '',
        layers: [{ kind: 'markers', shape: 'up', label: 'bought', color: 3, xs: fills, ys: fills }],
      },
    ],
  })
  expect(many?.panels[0]?.series.map(({ label }) => label)).toEqual(['bought (3000 of 9000)'])
  expect(makeZoomChart({ id: 'x', title: '', description: '', x: { kind: 'time' }, panels: [] })).toBeNull()
})

it('counts deposits and withdrawals as neither gain nor loss', () => {
  const falls = computeDrawdowns(gridOf([100, 150, 75, 165, 82.5], { flow: [0, 50, -25, 90, 0] }))
  expect(falls.map((value) => Math.round(value * 1e6) / 1e6)).toEqual([
    0, 0, -33.333333, -33.333333, -66.666667,
  ])
})

it('draws a waterfall whose bars meet and end at the sum', () => {
  const bars = waterfallLayers([5, -2, -4])
  const spans = bars.flatMap(({ froms, bases, ys }) =>
    Array.from({ length: ys.length }, (_, place) => [froms[place], bases?.[place], ys[place]]),
  )
  expect(spans).toEqual([
    [-0.35, 0, 5],
    [0.65, 5, 3],
    [1.65, 3, -1],
    [2.65, 0, -1],
  ])
})

it.each([
  [usd(1_234_567.891), '1,234,567.89 USD'],
  [usd(-0.00123), '−0.0012 USD'],
  [usd(0), '0.00 USD'],
  [usd(-0.00001), '0.0000 USD'],
  [price(49_969.86), '49,969.86 USD'],
  [price(2.4001), '2.4001 USD'],
  [price(0.000_001_23), '0.00000123 USD'],
  [percent(-0.4345), '−43.45 %'],
  [percent(-0.000_018_197), '−0.0018 %'],
  [percent(0.000_000_094), '0.000009 %'],
  [percent(0.000_1), '0.01 %'],
  [percent(1e-12), '0.00 %'],
  [span(93_784_000), '1 d 2 h'],
  [span(250), '250 ms'],
])('writes %s', (text, expected) => {
  expect(text).toBe(expected)
})
