import { quantileOfSorted } from '../numeric/quantile.ts'
import type { Layer } from './chart.ts'
import { at, type Numbers } from './decimate.ts'

/**
 * A fan of many paths over one grid: bands from the 5th to the 95th and from the 25th to the 75th percentile, and the
 * median. At each place the paths with a figure count; quantiles are interpolated (type 7).
 */
export function fanLayers(xs: Numbers, paths: readonly Numbers[]): readonly Layer[] {
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
    { kind: 'band', label: '25 to 75 %', color: 1, xs, lows: p25, highs: p75 },
    { kind: 'line', label: 'median', color: 1, xs, ys: p50 },
  ]
}
