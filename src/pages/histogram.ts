import { exp } from '../numeric/portable-math.ts'
import { quantileOfSorted } from '../numeric/quantile.ts'
import type { BarsLayer, Color, Layer, LineLayer } from './chart.ts'
import { at, type FigureRow } from './decimate.ts'
import { findExtent } from './frame.ts'

/** Counts of values in bins of equal width. */
export interface Histogram {
  /** The ascending edges of the bins: one more than there are counts. */
  readonly edges: readonly number[]
  readonly counts: readonly number[]
  readonly total: number
  readonly mean: number
  /** The sample standard deviation, with n - 1 in the divisor; 0 for a single value. */
  readonly sd: number
}

/**
 * Counts values in bins of equal width, of which the last is closed at both ends. Values that are not finite are left out.
 * Unless given, the number of bins is the square root of the number of values, within 5 to 60. Returns null if there are no
 * values.
 */
export function countHistogram(values: FigureRow, bins: number | null = null): Histogram | null {
  const extent = findExtent([values])
  if (extent === null) return null
  const finite: number[] = []
  for (let place = 0; place < values.length; place += 1) {
    if (Number.isFinite(at(values, place))) finite.push(at(values, place))
  }
  const count = bins ?? Math.min(60, Math.max(5, Math.ceil(Math.sqrt(finite.length))))
  const isSingle = extent.greatest === extent.least
  const margin = isSingle ? Math.max(Math.abs(extent.least) * 0.01, 1e-9) : 0
  const from = extent.least - margin
  const width = (extent.greatest + margin - from) / count
  const counts = new Array<number>(count).fill(0)
  for (const value of finite) {
    const bin = Math.min(count - 1, Math.max(0, Math.floor((value - from) / width)))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length
  const squares = finite.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)
  const sd = finite.length > 1 ? Math.sqrt(squares / (finite.length - 1)) : 0
  const edges = Array.from({ length: count + 1 }, (_, place) => from + place * width)
  return { edges, counts, total: finite.length, mean, sd }
}

/** Makes the bars of a histogram, to be drawn over a number axis. */
export function makeHistogramBars({ edges, counts }: Histogram, label: string): BarsLayer {
  const titles = counts.map((count) => String(count))
  return { kind: 'bars', label, color: 1, froms: edges.slice(0, -1), tos: edges.slice(1), ys: counts, titles }
}

/**
 * Makes the curve of the counts that a normal distribution with the histogram's mean and deviation would have. Returns null
 * if all values are equal.
 */
export function makeNormalOverlay({ edges, total, mean, sd }: Histogram, color: Color): LineLayer | null {
  const from = edges[0] ?? 0
  const to = edges.at(-1) ?? 0
  if (!(sd > 0) || !(to > from)) return null
  const width = (edges[1] ?? to) - from
  const xs = Array.from({ length: 121 }, (_, place) => from + ((to - from) * place) / 120)
  const ys = xs.map((x) => {
    const z = (x - mean) / sd
    return (total * width * exp(-0.5 * z * z)) / (sd * squareRootOf2Pi)
  })
  return { kind: 'line', label: 'normal, same mean and deviation', color, xs, ys, isDashed: true }
}

const squareRootOf2Pi = 2.5066282746310002

/**
 * Makes the fan of many paths over one grid: bands from the 5th to the 95th and from the 25th to the 75th percentile, and
 * the median. At each point only the paths with a finite figure count. Quantiles are interpolated (type 7).
 */
export function makeFanLayers(xs: FigureRow, paths: readonly FigureRow[]): readonly Layer[] {
  const shares = [0.05, 0.25, 0.5, 0.75, 0.95]
  const columns = shares.map(() => new Float64Array(xs.length))
  for (let place = 0; place < xs.length; place += 1) {
    const here = paths.map((path) => at(path, place)).filter(Number.isFinite)
    here.sort((left, right) => left - right)
    for (const [column, share] of shares.entries()) {
      const target = columns[column]
      if (target !== undefined) target[place] = quantileOfSorted(here, share)
    }
  }
  const [p5 = [], p25 = [], p50 = [], p75 = [], p95 = []] = columns
  return [
    { kind: 'band', label: '5 to 95 %', color: 1, xs, lows: p5, highs: p95 },
    { kind: 'band', label: '25 to 75 %', color: 1, isInner: true, xs, lows: p25, highs: p75 },
    { kind: 'line', label: 'median', color: 1, xs, ys: p50 },
  ]
}
