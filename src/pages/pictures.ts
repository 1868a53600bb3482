import type { BarsLayer, Chart, HorizontalAxis, Layer, Panel, RuleLayer, SpanLayer } from './chart.ts'
import { describeCuts } from './cut-notes.ts'
import { at, decimate, decimateAll, type FigureRow } from './decimate.ts'
import { drawChart } from './draw-chart.ts'
import { groupBars } from './draw-layer.ts'
import { findExtent, findHorizontalEnds } from './frame.ts'
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
 * A chart for the script that zooms, with more points than a picture has. The texts are compact: values are whole multiples
 * of a quantum, written as differences, and runs of equal differences are written as `difference*times`.
 */
export interface ZoomChart {
  readonly id: string
  /** The horizontal axis; left out where that is time. */
  readonly x?: ZoomAxis
  readonly panels: readonly ZoomPanel[]
}

/** A horizontal axis other than time, with its ends. */
export interface ZoomAxis {
  readonly label: string
  readonly suffix?: string
  /** The names at 0, 1, 2, ...; left out where the axis has numbers. */
  readonly names?: readonly string[]
  readonly from: number
  readonly to: number
}

/** One panel of a chart for the script that zooms. */
export interface ZoomPanel {
  readonly title: string
  readonly height: number
  /** The text after each figure of the vertical axis; left out where there is none. */
  readonly suffix?: string
  /** Whether the vertical axis reaches 0 whatever is in view. */
  readonly hasZero?: true
  readonly series: readonly ZoomSeries[]
  /** Straight lines at a value of one of the axes; left out where there are none. */
  readonly rules?: readonly Pick<RuleLayer, 'axis' | 'at' | 'color' | 'label'>[]
  /** Shaded stretches of time; left out where there are none. */
  readonly spans?: readonly Pick<SpanLayer, 'from' | 'to' | 'color'>[]
}

/** One series of a chart for the script that zooms. */
export interface ZoomSeries {
  readonly label: string
  readonly color: number
  readonly kind: 'line' | 'steps' | 'area' | 'band' | 'bars' | 'up' | 'down' | 'dot' | 'cross'
  readonly isDashed?: true
  /** Whether a band lies on a wider one of its colour. */
  readonly isInner?: true
  /** The places along the horizontal axis (of bars: where they begin) in multiples of `xQuantum`, as differences. */
  readonly xs: string
  /** Where bars end, in multiples of `xQuantum`, as differences; left out for all else. */
  readonly tos?: string
  /** Left out where the axis is time: it is a millisecond then. */
  readonly xQuantum?: number
  /**
   * One row of values, or two (low and high) for a band and for bars with bases, in multiples of `quantum`, as differences;
   * `n` is a gap.
   */
  readonly ys: readonly string[]
  readonly quantum: number
  /** What a click on each marker shows, and the tooltips of the markers; left out where a click shows nothing. */
  readonly commands?: SharedTexts
  readonly titles?: SharedTexts
}

/** Texts that begin and end alike: each is the head, its own middle and the tail. */
export interface SharedTexts {
  readonly head: string
  readonly middles: readonly string[]
  readonly tail: string
}

/** Makes the data of a chart for the script that zooms, or null if its axis is logarithmic or it has no series to zoom. */
export function makeZoomChart(chart: Chart): ZoomChart | null {
  if (chart.x.kind === 'log' || chart.isStill === true) return null
  const isTime = chart.x.kind === 'time'
  const panels = chart.panels
    .map((panel) => makeZoomPanel(panel, isTime))
    .filter(({ series }) => series.length > 0)
  if (panels.length === 0) return null
  return isTime ? { id: chart.id, panels } : { id: chart.id, x: makeZoomAxis(chart, chart.x), panels }
}

function makeZoomAxis(chart: Chart, x: HorizontalAxis): ZoomAxis {
  const { least: from, greatest: to } = findHorizontalEnds(chart)
  const label = x.kind === 'time' ? '' : x.label
  const suffix = x.kind === 'number' && x.suffix !== undefined ? { suffix: x.suffix } : {}
  return { label, ...suffix, ...(x.kind === 'names' ? { names: x.names } : {}), from, to }
}

const maximumBuckets = 3_000
const maximumMarkers = 4_000

function makeZoomPanel(panel: Panel, isTime: boolean): ZoomPanel {
  const { title, height = 180, includeZero, layers, suffix } = panel
  const rules = layers.flatMap((layer) =>
    layer.kind === 'rule'
      ? [{ axis: layer.axis, at: layer.at, color: layer.color, ...nameIfAny(layer.label) }]
      : [],
  )
  const spans = layers.flatMap((layer) =>
    layer.kind === 'span' ? [{ from: layer.from, to: layer.to, color: layer.color }] : [],
  )
  const hasZero =
    includeZero === true || layers.some((layer) => layer.kind === 'bars' && layer.bases === undefined)
  return {
    title,
    height,
    ...(suffix === undefined ? {} : { suffix }),
    ...(hasZero ? { hasZero } : {}),
    series: layers.flatMap((layer) => makeZoomSeries(layer, isTime)),
    ...(rules.length === 0 ? {} : { rules }),
    ...(spans.length === 0 ? {} : { spans }),
  }
}

const nameIfAny = (label: string | undefined) => (label === undefined ? {} : { label })

function makeZoomSeries(layer: Layer, isTime: boolean): readonly ZoomSeries[] {
  const { color, label = '' } = layer
  switch (layer.kind) {
    case 'line':
    case 'steps':
    case 'area': {
      const dashed = layer.isDashed === true ? { isDashed: true as const } : {}
      const named = { label, color, kind: layer.kind, ...dashed }
      return [encodeSeries(named, { layer, isTime }, [layer.ys], decimate(layer.ys, maximumBuckets))]
    }
    case 'band': {
      const rows = [layer.lows, layer.highs]
      const inner = layer.isInner === true ? { isInner: true as const } : {}
      const named = { label, color, kind: 'band' as const, ...inner }
      return [encodeSeries(named, { layer, isTime }, rows, decimateAll(rows, maximumBuckets))]
    }
    case 'bars':
      return [encodeBars(layer, isTime)]
    case 'markers': {
      const places = choosePlaces(layer.xs.length, maximumMarkers)
      const shown = places.length < layer.xs.length ? ` (${places.length} of ${layer.xs.length})` : ''
      const named = { label: `${label}${shown}`, color, kind: layer.shape }
      const { commands, titles = [] } = layer
      const texts =
        commands === undefined
          ? {}
          : { titles: shareTexts(titles, places), commands: shareTexts(commands, places) }
      return [{ ...encodeSeries(named, { layer, isTime }, [layer.ys], places), ...texts }]
    }
    default:
      return []
  }
}

/** Chooses places at equal distances in a row, no more than a maximum. */
function choosePlaces(length: number, maximum: number): readonly number[] {
  const every = Math.max(1, Math.ceil(length / maximum))
  return Array.from({ length: Math.ceil(length / every) }, (_, place) => place * every)
}

function encodeBars(layer: BarsLayer, isTime: boolean): ZoomSeries {
  const { bases, color, label = '', ys } = layer
  const groups = groupBars(layer, maximumMarkers)
  const froms = groups.map(({ first }) => at(layer.froms, first))
  const tos = groups.map(({ last }) => at(layer.tos, last))
  const rows = (bases === undefined ? [ys] : [bases, ys]).map((row) =>
    groups.map(({ place }) => at(row, place)),
  )
  const xQuantum = isTime ? 1 : chooseQuantum([...froms, ...tos])
  const shown =
    groups.length < ys.length ? ` (the furthest of each ${Math.ceil(ys.length / groups.length)})` : ''
  const named = { label: `${label}${shown}`, color, kind: 'bars' as const }
  const places = groups.map((_, place) => place)
  const ends = encodeDifferences(tos.map((to) => Math.round(to / xQuantum)))
  return { ...encodeSeries(named, { layer: { xs: froms }, isTime, xQuantum }, rows, places), tos: ends }
}

function encodeSeries(
  named: Pick<ZoomSeries, 'label' | 'color' | 'kind' | 'isDashed' | 'isInner'>,
  { layer: { xs }, isTime, xQuantum }: { layer: { xs: FigureRow }; isTime: boolean; xQuantum?: number },
  rows: readonly FigureRow[],
  places: readonly number[],
): ZoomSeries {
  const values = rows.map((row) => places.map((place) => row[place] ?? 0))
  const quantum = chooseQuantum(values.flat())
  const ys = values.map((row) => encodeDifferences(row.map((value) => Math.round(value / quantum))))
  const ats = places.map((place) => xs[place] ?? 0)
  const step = isTime ? 1 : (xQuantum ?? chooseQuantum(ats))
  const encoded = encodeDifferences(ats.map((value) => Math.round(value / step)))
  return { ...named, xs: encoded, ...(isTime ? {} : { xQuantum: step }), ys, quantum }
}

/** Splits the texts at some places into what all of them begin with, what differs, and what all of them end with. */
function shareTexts(texts: readonly string[], places: readonly number[]): SharedTexts {
  const shown = places.map((place) => texts[place] ?? '')
  const [first = ''] = shown
  const shortest = Math.min(...shown.map(({ length }) => length))
  let head = 0
  while (head < shortest && shown.every((text) => text[head] === first[head])) head += 1
  let tail = 0
  while (tail < shortest - head && shown.every((text) => text.at(-1 - tail) === first.at(-1 - tail)))
    tail += 1
  return {
    head: first.slice(0, head),
    middles: shown.map((text) => text.slice(head, text.length - tail)),
    tail: tail === 0 ? '' : first.slice(-tail),
  }
}

/** Chooses the power of ten that divides the range of the values into 20,000 to 200,000 steps: finer than any screen. */
function chooseQuantum(values: readonly number[]): number {
  const { least, greatest } = findExtent([values]) ?? { least: 0, greatest: 0 }
  const extent = greatest > least ? greatest - least : Math.abs(greatest)
  if (!(extent > 0) || !Number.isFinite(extent)) return 1
  const isWhole = values.every((value) => Number.isInteger(value) || !Number.isFinite(value))
  let power = 0
  while (extent / Number(`1e${power}`) > 200_000) power += 1
  while (extent / Number(`1e${power}`) < 20_000 && power > (isWhole ? 0 : -12)) power -= 1
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
