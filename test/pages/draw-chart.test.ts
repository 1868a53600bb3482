import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chart, Layer } from '../../src/pages/chart.ts'
import { drawChart } from '../../src/pages/draw-chart.ts'
import { drawHeatMap } from '../../src/pages/heat-map.ts'
import { caseBudget } from '../support/full-run.ts'
import { chartOf, pointsOf } from './fixtures.ts'

describe('a chart', () => {
  it('draws a line at its figures', () => {
    const svg = drawChart({
      ...chartOf([{ kind: 'line', color: 1, xs: [0, 5, 10], ys: [0, 10, 5] }]),
      width: 300,
    })
    const [path = ''] = /(?<=<path class="line s1" d=")[^"]+/.exec(svg) ?? []
    const frame = /class="frame" height="([\d.]+)" width="([\d.]+)" x="([\d.]+)" y="([\d.]+)"/.exec(svg)
    const [height = 0, width = 0, left = 0, top = 0] = (frame ?? []).slice(1).map(Number)
    const points = pointsOf(path)
    expect(points.map(([x]) => (x - left) / width)).toEqual(
      [0, 0.5, 1].map((share) => expect.closeTo(share, 2)),
    )
    // Five per cent of padding below and above.
    expect(points.map(([, y]) => 1 - (y - top) / height)).toEqual(
      [0.5 / 11, 10.5 / 11, 5.5 / 11].map((share) => expect.closeTo(share, 2)),
    )
  })

  it('breaks names that are alike at their beginning, so that they can be told apart', () => {
    const names = [2, 5, 9].flatMap((spread) =>
      [0.2, 0.6].map((share) => `spreadBps=${spread} informed=${share}`),
    )
    const svg = drawChart({ ...chartOf([]), x: { kind: 'names', label: '', names }, width: 860 })
    const labels = [...svg.matchAll(/<text class="x" x="([\d.]+)"[^>]*>([^<]+)</g)]
    const shown = new Map<string, string>()
    for (const [, x = '', text = ''] of labels) shown.set(x, `${shown.get(x) ?? ''} ${text}`.trim())
    expect([...shown.values()]).toEqual(names)
  })

  it('has a title and a description for screen readers', () => {
    const svg = drawChart({ ...chartOf([]), title: 'A & B', description: 'Up <then> down' })
    expect(svg).toContain('role="img"')
    expect(svg).toContain('aria-labelledby="c-title c-description"')
    expect(svg).toContain('<title id="c-title">A &amp; B</title>')
    expect(svg).toContain('<desc id="c-description">Up &lt;then&gt; down</desc>')
  })

  it('stays small with a year of minutes, and keeps its extremes', () => {
    const count = 525_600
    const xs = Float64Array.from({ length: count }, (_, minute) => minute * 60_000)
    const ys = Float64Array.from({ length: count }, (_, minute) => 100 + ((minute * 7_919) % 1_000) / 100)
    ys[300_000] = 190
    ys[123_456] = 10
    const volumes = ys.map((y) => y / 3)
    const tos = xs.map((x) => x + 60_000)
    const svg = drawChart({
      ...chartOf([
        { kind: 'line', color: 1, xs, ys },
        { kind: 'bars', color: 2, froms: xs, tos, ys: volumes },
        { kind: 'markers', color: 3, shape: 'up', xs, ys },
      ]),
      x: { kind: 'time' },
    })
    expect(svg.length).toBeLessThan(400_000)
    const [path = ''] = /(?<=<path class="line s1" d=")[^"]+/.exec(svg) ?? []
    const heights = pointsOf(path).map(([, y]) => y)
    const top = Math.min(...heights)
    const rest = heights.filter((y) => y > top + 30 && y < Math.max(...heights) - 10)
    expect(rest.length).toBe(heights.length - 2)
  })

  it('draws nothing for a line without figures', () => {
    const line: Layer = { kind: 'line', color: 1, xs: [0, 1], ys: [2, 3] }
    const empty: Layer = { ...line, ys: [Number.NaN, Number.NaN] }
    expect(drawChart(chartOf([empty, line]))).toBe(drawChart(chartOf([line])))
  })

  it('breaks its lines at gaps', () => {
    const svg = drawChart(chartOf([{ kind: 'steps', color: 1, xs: [0, 1, 2, 3], ys: [1, Number.NaN, 2, 3] }]))
    const [path = ''] = /(?<=<path class="line s1" d=")[^"]+/.exec(svg) ?? []
    expect(path.match(/M/g)).toHaveLength(2)
  })

  it('never contains NaN and never leaves its frame, whatever the figures', () => {
    const figure = fc.oneof(
      { weight: 8, arbitrary: fc.double({ min: -1e12, max: 1e12, noNaN: true }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(Number.NaN, Infinity, -Infinity, 0, -0, 1e-300, 1e300, 5e-324),
      },
    )
    const row = fc.array(figure, { maxLength: 60 })
    const layer: fc.Arbitrary<Layer> = fc.oneof(
      fc.record({ kind: fc.constantFrom('line', 'steps', 'area'), color: fc.constant(1), xs: row, ys: row }),
      fc.record({ kind: fc.constant('band'), color: fc.constant(2), xs: row, lows: row, highs: row }),
      fc.record({ kind: fc.constant('bars'), color: fc.constant(3), froms: row, tos: row, ys: row }),
      fc.record({
        kind: fc.constant('markers'),
        shape: fc.constantFrom('up', 'dot', 'cross'),
        color: fc.constant(4),
        xs: row,
        ys: row,
      }),
      fc.record({
        kind: fc.constant('rule'),
        axis: fc.constantFrom('x', 'y'),
        color: fc.constant(0),
        at: figure,
      }),
      fc.record({ kind: fc.constant('span'), color: fc.constant(5), from: figure, to: figure }),
    )
    fc.assert(
      fc.property(
        fc.array(layer, { maxLength: 4 }),
        fc.boolean(),
        fc.constantFrom('number', 'log'),
        (layers, isLog, kind) => {
          const chart: Chart = {
            ...chartOf(layers, isLog),
            x: { kind, label: 'n' },
          }
          const svg = drawChart(chart)
          expect(svg).not.toMatch(/NaN|Infinity|undefined/)
          for (const [, path = ''] of svg.matchAll(/<path class="(?:line|band|bar)[^"]*" d="([^"]*)"/g)) {
            for (const [x, y] of pointsOf(path)) {
              expect(x >= 0 && x <= 860 && y >= 0 && y <= 400).toBe(true)
            }
          }
          expect(drawChart(chart)).toBe(svg)
        },
      ),
      { seed: 7, numRuns: caseBudget(150) },
    )
  })
})

const heat = {
  id: 'h',
  title: 'Hours',
  description: 'By hour and day',
  rowNames: ['Mon', 'Tue'],
  columnNames: ['00', '01', '02'],
  values: [
    [1, -2, Number.NaN],
    [0, 4],
  ],
  show: (value: number) => value.toFixed(1),
} as const

describe('a heat map', () => {
  it('colours by sign and size, and labels every figure', () => {
    const svg = drawHeatMap(heat)
    const cells = [...svg.matchAll(/<rect class="(f\d)" fill-opacity="([\d.]+)"[^>]*><title>([^<]*)/g)]
    expect(cells.map((cell) => cell.slice(1))).toEqual([
      ['f1', '0.14', 'Mon, 00: 1.0'],
      ['f2', '0.28', 'Mon, 01: -2.0'],
      ['f1', '0.00', 'Mon, 02: n/a'],
      ['f1', '0.00', 'Tue, 00: 0.0'],
      ['f1', '0.55', 'Tue, 01: 4.0'],
      ['f1', '0.00', 'Tue, 02: n/a'],
    ])
  })
})
