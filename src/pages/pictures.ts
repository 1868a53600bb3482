import type { Chart, Layer, Panel, RuleLayer, SpanLayer } from './chart.ts'
import { describeCuts } from './cut-notes.ts'
import { decimate, decimateAll, type FigureRow } from './decimate.ts'
import { drawChart } from './draw-chart.ts'
import { findExtent } from './frame.ts'
import { drawHeatMap, type HeatMap } from './heat-map.ts'
import { element, escapeText } from './svg-text.ts'

/** Draws the pictures of a page and collects what the page's script needs to zoom them. */
export interface Pictures {
  /** The charts drawn so far that can be zoomed. */
  readonly zooms: readonly ZoomChart[]
  /** Returns the markup of a figure with the drawn chart. The caption is the chart's description by default. */
  chart(chart: Chart, caption?: string): string
  /** Returns the markup of a figure with the drawn heat map. The caption is the map's description by default. */
  heatMap(map: HeatMap, caption?: string): string
}

/** Creates the collector of the pictures of one page. */
export function collectPictures(): Pictures {
  const zooms: ZoomChart[] = []
  const chart = (drawn: Chart, caption?: string): string => {
    const zoom = makeZoomChart(drawn)
    if (zoom !== null) zooms.push(zoom)
    const text = [caption ?? drawn.description, describeCuts(drawn)].filter((part) => part !== '').join(' ')
    return figureMarkup(drawn, drawChart(drawn), text)
  }
  const heatMap = (map: HeatMap, caption?: string): string =>
    figureMarkup(map, drawHeatMap(map), caption ?? map.description)
  return { zooms, chart, heatMap }
}

function figureMarkup({ id, title }: Pick<Chart, 'id' | 'title'>, picture: string, caption: string): string {
  const attributes = { 'aria-label': `${title} (picture)`, class: 'picture', role: 'region', tabindex: '0' }
  const legend = element('figcaption', {}, escapeText(caption))
  return `<figure id="figure-${escapeText(id)}">${legend}${element('div', attributes, picture)}</figure>\n`
}

/**
 * A chart over time for the script that zooms, with more points than a picture has. The texts are compact: values are whole
 * multiples of a quantum, written as differences, and runs of equal differences are written as `difference*times`.
 */
export interface ZoomChart {
  readonly id: string
  readonly panels: readonly ZoomPanel[]
}

/** One panel of a chart for the script that zooms. */
export interface ZoomPanel {
  readonly title: string
  readonly height: number
  readonly series: readonly ZoomSeries[]
  /** Straight lines at a value of one of the axes; left out where there are none. */
  readonly rules?: readonly Pick<RuleLayer, 'axis' | 'at' | 'color'>[]
  /** Shaded stretches of time; left out where there are none. */
  readonly spans?: readonly Pick<SpanLayer, 'from' | 'to' | 'color'>[]
}

/** One series of a chart for the script that zooms. */
export interface ZoomSeries {
  readonly label: string
  readonly color: number
  readonly kind: 'line' | 'steps' | 'area' | 'band' | 'up' | 'down' | 'dot' | 'cross'
  readonly isDashed?: true
  /** Whether a band lies on a wider one of its colour. */
  readonly isInner?: true
  /** The instants in milliseconds, as differences from the one before. */
  readonly xs: string
  /** One row of values, or two (low and high) for a band, in multiples of `quantum`, as differences; `n` is a gap. */
  readonly ys: readonly string[]
  readonly quantum: number
}

/** Makes the data of a chart for the script that zooms, or null if there is no time axis or no series to zoom. */
export function makeZoomChart(chart: Chart): ZoomChart | null {
  if (chart.x.kind !== 'time' || chart.isStill === true) return null
  const panels = chart.panels.map(makeZoomPanel).filter(({ series }) => series.length > 0)
  return panels.length === 0 ? null : { id: chart.id, panels }
}

const maximumBuckets = 3_000
const maximumMarkers = 4_000

function makeZoomPanel({ title, height = 180, layers }: Panel): ZoomPanel {
  const rules = layers.flatMap((layer) =>
    layer.kind === 'rule' ? [{ axis: layer.axis, at: layer.at, color: layer.color }] : [],
  )
  const spans = layers.flatMap((layer) =>
    layer.kind === 'span' ? [{ from: layer.from, to: layer.to, color: layer.color }] : [],
  )
  return {
    title,
    height,
    series: layers.flatMap(makeZoomSeries),
    ...(rules.length === 0 ? {} : { rules }),
    ...(spans.length === 0 ? {} : { spans }),
  }
}

function makeZoomSeries(layer: Layer): readonly ZoomSeries[] {
  const { color, label = '' } = layer
  switch (layer.kind) {
    case 'line':
    case 'steps':
    case 'area':
      return [
        encodeSeries(
          { label, color, kind: layer.kind, ...(layer.isDashed === true ? { isDashed: true } : {}) },
          layer.xs,
          [layer.ys],
          decimate(layer.ys, maximumBuckets),
        ),
      ]
    case 'band': {
      const rows = [layer.lows, layer.highs]
      const named = {
        label,
        color,
        kind: 'band' as const,
        ...(layer.isInner === true ? { isInner: true as const } : {}),
      }
      return [encodeSeries(named, layer.xs, rows, decimateAll(rows, maximumBuckets))]
    }
    case 'markers': {
      const every = Math.max(1, Math.ceil(layer.xs.length / maximumMarkers))
      const places = Array.from({ length: Math.ceil(layer.xs.length / every) }, (_, place) => place * every)
      const shown = places.length < layer.xs.length ? ` (${places.length} of ${layer.xs.length})` : ''
      const named = { label: `${label}${shown}`, color, kind: layer.shape }
      return [encodeSeries(named, layer.xs, [layer.ys], places)]
    }
    default:
      return []
  }
}

function encodeSeries(
  named: Pick<ZoomSeries, 'label' | 'color' | 'kind' | 'isDashed' | 'isInner'>,
  xs: FigureRow,
  rows: readonly FigureRow[],
  places: readonly number[],
): ZoomSeries {
  const values = rows.map((row) => places.map((place) => row[place] ?? 0))
  const quantum = chooseQuantum(values.flat())
  const ys = values.map((row) => encodeDifferences(row.map((value) => Math.round(value / quantum))))
  return { ...named, xs: encodeDifferences(places.map((place) => Math.round(xs[place] ?? 0))), ys, quantum }
}

/** Chooses the power of ten that divides the range of the values into 20,000 to 200,000 steps: finer than any screen. */
function chooseQuantum(values: readonly number[]): number {
  const { least, greatest } = findExtent([values]) ?? { least: 0, greatest: 0 }
  const extent = greatest > least ? greatest - least : Math.abs(greatest)
  if (!(extent > 0) || !Number.isFinite(extent)) return 1
  let power = 0
  while (extent / Number(`1e${power}`) > 200_000) power += 1
  while (extent / Number(`1e${power}`) < 20_000 && power > -12) power -= 1
  return Number(`1e${power}`)
}

/** Encodes integers as differences from the one before. A gap is `n`, and the next difference skips it. */
function encodeDifferences(values: readonly number[]): string {
  const parts: string[] = []
  let previous = 0
  let run = ''
  let times = 0
  const flush = (): void => {
    if (times > 0) parts.push(times === 1 ? run : `${run}*${times}`)
  }
  for (const value of values) {
    const isGap = !Number.isFinite(value)
    const text = isGap ? 'n' : String(value - previous)
    if (!isGap) previous = value
    if (text === run) {
      times += 1
      continue
    }
    flush()
    run = text
    times = 1
  }
  flush()
  return parts.join(',')
}
