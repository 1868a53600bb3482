import type uPlot from 'uplot'
import { millisToIso } from '../numeric/time-text.ts'
import { findHeld, findMarker } from './hover.ts'
import type { ZoomSeries } from './pictures.ts'
import { makeTimeTicks } from './ticks.ts'

/* The options of uPlot for the interactive charts over time in the console and in reports. */

/** One series of an interactive chart. */
export interface LiveSeries {
  readonly label: string
  /** The colour of the line, as CSS writes it. */
  readonly color: string
  /** How the series is drawn. A band has two columns, low and high; all others have one. */
  readonly kind: Exclude<ZoomSeries['kind'], 'bars'>
  readonly dash?: number[]
  /** Formats a value for the legend. */
  readonly text?: (value: number) => string
}

/** The CSS colours of the axes and the grid. */
export interface PlotColors {
  readonly axis: string
  readonly grid: string
}

/**
 * Makes the series, bands and axes of a chart for uPlot. The chart's data has a column of instants in seconds, then one
 * column for each series, or two for a band.
 */
export function makePlotOptions(lines: readonly LiveSeries[], colors: PlotColors, plot: typeof uPlot) {
  const bands: uPlot.Band[] = []
  const series: uPlot.Series[] = [
    { label: 'Time (UTC)', value: (_, at) => (at === null ? '--' : formatInstant(at)) },
  ]
  for (const line of lines) {
    const at = series.length
    if (line.kind === 'band') bands.push({ series: [at + 1, at], fill: `${line.color}40` })
    for (const end of line.kind === 'band' ? [' (low)', ' (high)'] : [''])
      series.push(makePlotSeries({ ...line, label: (line.label || 'value') + end }, plot))
  }
  const line = { stroke: colors.grid, width: 1 }
  const axis = { stroke: colors.axis, grid: line, ticks: line }
  const axes: [uPlot.Axis, uPlot.Axis] = [
    { ...axis, ...makeTimeAxis() },
    { ...axis, size: 80 },
  ]
  return { series, bands, axes }
}

function makePlotSeries({ kind, color, label, dash, text }: LiveSeries, plot: typeof uPlot): uPlot.Series {
  const common: uPlot.Series = {
    ...{ label, stroke: color, width: 1.3, points: { show: false } },
    ...(dash === undefined ? {} : { dash }),
    ...(text === undefined ? {} : { value: (_, value) => (value === null ? '--' : text(value)) }),
  }
  switch (kind) {
    case 'line':
      return common
    case 'band':
      return { ...common, width: 0 }
    case 'area':
      return { ...common, fill: `${color}40` }
    case 'steps':
      return { ...common, paths: plot.paths.stepped?.({ align: 1 }) ?? (() => null) }
    default: {
      const size = kind === 'dot' ? 2.5 : 10
      const paths = drawMarkers(shapes[kind], (size * plot.pxRatio) / 2)
      return { ...common, paths: () => null, points: { show: true, size, fill: color, filter: null, paths } }
    }
  }
}

type Corners = readonly (readonly [right: number, down: number])[]

/**
 * Makes the function with which uPlot draws values as markers. A redraw of unchanged data reuses the path, and markers on
 * the same pixel are drawn once.
 */
function drawMarkers(corners: Corners, half: number): uPlot.Series.Points.PathBuilder {
  let about: readonly unknown[] = []
  let path = new Path2D()
  return (view, series, first, last) => {
    const { bbox, data, scales } = view
    const [ats, values = []] = [data[0], data[series]]
    const ends = ['x', 'y'].flatMap((name) => [scales[name]?.min, scales[name]?.max])
    const now = [ats, values, first, last, bbox.left, bbox.top, bbox.width, bbox.height, ...ends]
    if (now.some((part, place) => part !== about[place])) {
      about = now
      path = new Path2D()
      const drawn = new Set<string>()
      for (let index = first; index <= last; index += 1) {
        const [value, at] = [values[index], ats[index]]
        if (value === null || value === undefined || at === undefined) continue
        const [x, y] = [view.valToPos(at, 'x', true), view.valToPos(value, 'y', true)]
        const pixel = `${Math.round(x)} ${Math.round(y)}`
        if (drawn.has(pixel)) continue
        drawn.add(pixel)
        for (const [place, [right, down]] of corners.entries())
          path[place === 0 ? 'moveTo' : 'lineTo'](x + right * half, y + down * half)
        path.closePath()
      }
    }
    return { stroke: path, fill: path, flags: 3 }
  }
}

const shapes: { readonly [kind in 'up' | 'down' | 'dot' | 'cross']: Corners } = {
  up: [
    [0, -1],
    [1, 1],
    [-1, 1],
  ],
  down: [
    [0, 1],
    [1, -1],
    [-1, -1],
  ],
  dot: [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ],
  cross: [
    [-1, 0],
    [0, -1],
    [1, 0],
    [0, 1],
  ],
}

/** Formats an instant in seconds, with milliseconds only if there are any. */
const formatInstant = (seconds: number): string =>
  millisToIso(Math.round(seconds * 1000))
    .slice(0, 23)
    .replace('T', ' ')
    .replace(/\.000$/, '')

/**
 * Makes the function that chooses which value the legend of a chart shows under the pointer: of markers only one that
 * is within reach, of all else the value that held then. By default uPlot shows the nearest value, however far away it
 * is.
 */
export function makeHover(kinds: readonly LiveSeries['kind'][]): uPlot.Cursor.DataIdxRefiner {
  // The first column is the time; a band has two columns.
  const columns = [null, ...kinds.flatMap((kind) => (kind === 'band' ? [kind, kind] : [kind]))]
  return (view, series, index) => {
    const kind = columns[series]
    const [xs, ys] = [view.data[0], view.data[series]]
    if (kind === null || kind === undefined || ys === undefined) return index
    if (!isMarker(kind)) return findHeld(xs, ys, index)
    const { left = 0 } = view.cursor
    return findMarker(ys, index, (at) => Math.abs(view.valToPos(xs[at] ?? 0, 'x') - left))
  }
}

const isMarker = (kind: LiveSeries['kind']): boolean => Object.hasOwn(shapes, kind)

const labelPixels = 96

/** Makes a time axis whose labels are those of drawn charts, with the day or year where it changes. */
function makeTimeAxis(): uPlot.Axis {
  let ticks: ReturnType<typeof makeTimeTicks> = []
  return {
    splits: (view, _axis, from, to) => {
      ticks = makeTimeTicks(from * 1000, to * 1000, Math.floor(view.width / labelPixels))
      return ticks.map(({ value }) => value / 1000)
    },
    values: () =>
      ticks.map(({ label, underLabel }) => (underLabel === '' ? label : `${label}\n${underLabel}`)),
  }
}
