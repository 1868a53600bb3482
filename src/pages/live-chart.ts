import { millisToIso } from '../numeric/time-text.ts'
import type { ZoomSeries } from './pictures.ts'

/*
 * Charts over time that are looked into, in the console and in reports: uPlot's options. The few parts of uPlot and of
 * the browser that they need are named here, because their own types would bring the whole DOM into all rooms.
 */

export interface LiveSeries {
  readonly label: string
  /** A CSS colour. */
  readonly color: string
  /** A band has two columns, low and high. */
  readonly kind: ZoomSeries['kind']
  readonly dash?: number[]
  /** How a value reads. */
  readonly text?: (value: number) => string
}

/** What of the page a chart is made with. */
export interface PlotKit<Line, Path extends MarkerPath> {
  readonly steps: Line
  readonly path: () => Path
  readonly pixelRatio: number
  /** The colours of what is no series. */
  readonly axis: string
  readonly grid: string
}

export interface MarkerPath {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  closePath(): void
}

interface PlotView {
  readonly data: readonly ArrayLike<number | null | undefined>[]
  valToPos(value: number, scale: string, isCanvas: boolean): number
}

/** Series, bands and axes; the table has one column a series, two a band, after the instants in seconds. */
export function livePlot<Line, Path extends MarkerPath>(
  lines: readonly LiveSeries[],
  kit: PlotKit<Line, Path>,
) {
  const bands: { series: [number, number]; fill: string }[] = []
  const series: PlotSeries<Line, Path>[] = []
  for (const line of lines) {
    const { kind, color } = line
    const at = series.length + 1
    if (kind === 'band') bands.push({ series: [at + 1, at], fill: `${color}40` })
    for (const end of kind === 'band' ? [' (low)', ' (high)'] : [''])
      series.push(plotSeries({ ...line, label: (line.label || 'value') + end }, kit))
  }
  const axis = {
    stroke: kit.axis,
    grid: { stroke: kit.grid, width: 1 },
    ticks: { stroke: kit.grid, width: 1 },
  }
  const time = {
    label: 'Time (UTC)',
    value: (_: unknown, at: number | null) => (at === null ? '--' : instantText(at)),
  }
  return {
    series: [time, ...series],
    bands,
    axes: [
      { ...axis, values: (_: unknown, at: readonly number[]) => tickTexts(at) },
      { ...axis, size: 80 },
    ] as const,
  }
}

interface PlotSeries<Line, Path> {
  label: string
  stroke: string
  width: number
  points: {
    show: boolean
    size?: number
    fill?: string
    filter?: null
    paths?: (view: PlotView, series: number, first: number, last: number) => MarkerShapes<Path>
  }
  fill?: string
  dash?: number[]
  paths?: Line | (() => null)
  value?: (view: unknown, value: number | null) => string
}

interface MarkerShapes<Path> {
  stroke: Path
  fill: Path
  flags: number
}

function plotSeries<Line, Path extends MarkerPath>(
  { kind, color, label, dash, text }: LiveSeries,
  kit: PlotKit<Line, Path>,
): PlotSeries<Line, Path> {
  const value =
    text === undefined ? {} : { value: (_: unknown, at: number | null) => (at === null ? '--' : text(at)) }
  const common = {
    label,
    stroke: color,
    width: 1.3,
    points: { show: false },
    ...(dash === undefined ? {} : { dash }),
    ...value,
  }
  switch (kind) {
    case 'line':
      return common
    case 'band':
      return { ...common, width: 0 }
    case 'area':
      return { ...common, fill: `${color}40` }
    case 'steps':
      return { ...common, paths: kit.steps }
    default: {
      const size = kind === 'dot' ? 2.5 : 10
      const paths = markers(kind, size * kit.pixelRatio, kit.path)
      return { ...common, paths: () => null, points: { show: true, size, fill: color, filter: null, paths } }
    }
  }
}

/** Draws values as shapes: what is bought points up, what is sold down. */
function markers<Path extends MarkerPath>(kind: LiveSeries['kind'], size: number, begin: () => Path) {
  const half = size / 2
  const corners = shapes[kind] ?? shapes['dot'] ?? []
  return (view: PlotView, series: number, first: number, last: number): MarkerShapes<Path> => {
    const path = begin()
    for (let index = first; index <= last; index += 1) {
      const value = view.data[series]?.[index]
      const at = view.data[0]?.[index]
      if (value === null || value === undefined || at === null || at === undefined) continue
      const [x, y] = [view.valToPos(at, 'x', true), view.valToPos(value, 'y', true)]
      for (const [place, [right, down]] of corners.entries()) {
        const [toX, toY] = [x + right * half, y + down * half]
        if (place === 0) path.moveTo(toX, toY)
        else path.lineTo(toX, toY)
      }
      path.closePath()
    }
    return { stroke: path, fill: path, flags: 3 }
  }
}

/** Corners around a value, in halves of the size. */
const shapes: { readonly [kind: string]: readonly (readonly [number, number])[] } = {
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

const isoText = (seconds: number): string => millisToIso(Math.round(seconds * 1000))

/** With milliseconds only where there are any. */
const instantText = (seconds: number): string =>
  isoText(seconds)
    .slice(0, 23)
    .replace('T', ' ')
    .replace(/\.000$/, '')

/** Times of the day, with the day where it changes; only days where there is one per tick. */
export function tickTexts(at: readonly number[]): readonly string[] {
  const step = Number(at[1]) - Number(at[0])
  const isDaily = step >= 86_400
  let last = ''
  return at.map((seconds) => {
    const iso = isoText(seconds)
    const under = isDaily ? iso.slice(0, 4) : iso.slice(0, 10)
    const time = step < 1 ? iso.slice(11, 23) : iso.slice(11, 19).replace(/:00$/, '')
    const text = isDaily ? iso.slice(5, 10) : time
    const shown = under === last ? text : `${text}\n${under}`
    last = under
    return shown
  })
}
