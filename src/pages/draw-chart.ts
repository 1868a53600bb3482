import type { Chart, Color, Layer, MarkersLayer, Panel } from './chart.ts'
import { drawLayer, markerClass, markerShapes } from './draw-layer.ts'
import {
  type Frame,
  findHorizontalEnds,
  makeHorizontalTicks,
  makeScale,
  makeVerticalScale,
  makeVerticalTicks,
} from './frame.ts'
import { boldCharacterWidth, characterWidth } from './style.ts'
import { element, escapeText } from './svg-text.ts'
import type { AxisTick } from './ticks.ts'

/**
 * Draws a chart as an `<svg>` element, for a page that includes `chartStyle`. Equal charts give equal bytes. Colours come
 * from the page's custom properties, so that the picture follows light and dark mode.
 */
export function drawChart(chart: Chart): string {
  const width = chart.width ?? pictureWidth
  const panels = layOut(chart, width)
  const height = Math.ceil((panels.at(-1)?.bottom ?? 0) + computeBottomMargin(chart, panels[0]?.xTicks ?? []))
  const drawn = panels.map((placed, place) => drawPanel(chart, placed, place === panels.length - 1))
  return wrapPicture(chart, width, height, drawn.join(''))
}

interface PlacedPanel extends Frame {
  readonly panel: Panel
  readonly keys: readonly LegendKey[]
  readonly headTop: number
  readonly yTicks: readonly AxisTick[]
  readonly xTicks: readonly AxisTick[]
}

/** Stacks the panels over one horizontal scale. The widest label of any vertical axis decides the left margin. */
function layOut(chart: Chart, width: number): readonly PlacedPanel[] {
  const ends = findHorizontalEnds(chart)
  const sketches = chart.panels.map((panel) => {
    const height = panel.height ?? 180
    const scale = makeVerticalScale(panel, 0, height)
    return { panel, height, yTicks: makeVerticalTicks(panel, scale, height) }
  })
  const longest = Math.max(2, ...sketches.flatMap(({ yTicks }) => yTicks.map(({ label }) => label.length)))
  const left = Math.ceil(longest * characterWidth + 14)
  const right = width - 18
  const xTicks = makeHorizontalTicks(chart.x, ends, right - left)
  const x = makeScale(ends, [left, right], chart.x.kind === 'log')
  const placed: PlacedPanel[] = []
  let headTop = 4
  for (const { panel, height, yTicks } of sketches) {
    const { keys, rows } = layOutLegend(panel, left, right)
    const top = headTop + rows * legendRowHeight + 6
    const bottom = top + height
    const y = makeVerticalScale(panel, top, bottom)
    placed.push({ panel, keys, headTop, left, right, top, bottom, x, y, yTicks, xTicks })
    headTop = bottom + 12
  }
  return placed
}

function drawPanel(chart: Chart, frame: PlacedPanel, isLast: boolean): string {
  const { left, right, top, bottom, panel } = frame
  const parts = frame.keys.map((key) => drawKey(key, frame.headTop))
  for (const tick of frame.yTicks) {
    const y = frame.y.pixelAt(tick.value)
    parts.push(element('line', { class: 'grid', x1: left, x2: right, y1: y, y2: y }))
    parts.push(element('text', { class: 'y', x: left - 6, y: y + 4 }, escapeText(tick.label)))
  }
  const isNamed = chart.x.kind === 'names'
  for (const tick of isNamed ? [] : frame.xTicks) {
    const x = frame.x.pixelAt(tick.value)
    parts.push(element('line', { class: 'grid', x1: x, x2: x, y1: top, y2: bottom }))
  }
  parts.push(...panel.layers.map((layer) => drawLayer(layer, frame)))
  parts.push(element('rect', { class: 'frame', height: bottom - top, width: right - left, x: left, y: top }))
  if (isLast) parts.push(...drawHorizontalLabels(chart, frame))
  return element('g', { class: 'panel' }, parts.join(''))
}

function drawHorizontalLabels(chart: Chart, frame: PlacedPanel): readonly string[] {
  const parts: string[] = []
  const wide = (frame.right - frame.left) / Math.max(1, frame.xTicks.length)
  for (const tick of frame.xTicks) {
    const { label, underLabel } = tick
    // The first and last labels are moved inwards so that they stay within the picture.
    const half = (Math.max(label.length, underLabel.length) * characterWidth) / 2
    const x = Math.min(frame.right + 16 - half, Math.max(half, frame.x.pixelAt(tick.value)))
    const show = (text: string): string => (chart.x.kind === 'names' ? shorten(text, wide) : text)
    parts.push(element('text', { class: 'x', x, y: frame.bottom + 16 }, escapeText(show(label))))
    if (underLabel !== '')
      parts.push(element('text', { class: 'x', x, y: frame.bottom + 30 }, escapeText(show(underLabel))))
  }
  const label = chart.x.kind === 'time' ? 'UTC' : chart.x.label
  if (label !== '')
    parts.push(element('text', { class: 'y', x: frame.right, y: frame.bottom + 44 }, escapeText(label)))
  return parts
}

function drawKey(key: LegendKey, headTop: number): string {
  const y = headTop + key.row * legendRowHeight + 12
  const text = element(
    'text',
    { class: key.isTitle ? 'head' : 'key', x: key.textLeft, y },
    escapeText(key.text),
  )
  if (key.isTitle) return text
  return drawSwatch(key, y) + text
}

function drawSwatch({ swatch, color, left, isDashed, isInner }: LegendKey, y: number): string {
  switch (swatch) {
    case 'line':
      return element('path', {
        class: `line s${color}${isDashed ? ' dashed' : ''}`,
        d: `M${left} ${y - 4}h16`,
      })
    case 'up':
    case 'down':
    case 'dot':
    case 'cross': {
      const tip = swatch === 'up' ? y - 8 : swatch === 'down' ? y - 1 : y - 4
      return element('path', {
        class: markerClass(swatch, color),
        d: `M${left + 12} ${tip}${markerShapes[swatch]}`,
      })
    }
    default:
      return element('path', {
        class: `${swatch} f${color}${isInner ? ' inner' : ''}`,
        d: `M${left + 2} ${y - 9}h12v9h-12z`,
      })
  }
}

function computeBottomMargin(chart: Chart, ticks: readonly AxisTick[]): number {
  const isNamed = chart.x.kind === 'time' || chart.x.label !== ''
  return isNamed ? 50 : ticks.some(({ underLabel }) => underLabel !== '') ? 36 : 22
}

const legendRowHeight = 17

function shorten(label: string, widthPixels: number): string {
  const most = Math.max(3, Math.floor(widthPixels / characterWidth))
  return label.length <= most ? label : `${label.slice(0, most - 1)}…`
}

/** One entry above a panel: its title, or the name of a layer with a sample of its line or fill. */
interface LegendKey {
  readonly isTitle: boolean
  readonly text: string
  readonly left: number
  readonly textLeft: number
  readonly row: number
  readonly color: Color
  readonly swatch: 'line' | 'band' | 'bar' | 'span' | MarkersLayer['shape']
  readonly isDashed: boolean
  readonly isInner: boolean
}

/** Places the title and the names of the layers side by side, in as many rows as they need. */
function layOutLegend(
  panel: Panel,
  left: number,
  right: number,
): { readonly keys: readonly LegendKey[]; readonly rows: number } {
  const keys: LegendKey[] = []
  let at = left
  let row = 0
  const put = (
    text: string,
    sampleWidth: number,
    rest: Pick<LegendKey, 'isTitle' | 'color' | 'swatch' | 'isDashed' | 'isInner'>,
  ) => {
    const width = sampleWidth + text.length * (rest.isTitle ? boldCharacterWidth : characterWidth) + 16
    if (at + width > right && at > left) {
      at = left
      row += 1
    }
    keys.push({ ...rest, text, left: Math.round(at), textLeft: Math.round(at + sampleWidth), row })
    at += width
  }
  const plain = { swatch: 'line', isDashed: false, isInner: false } as const
  if (panel.title !== '') put(panel.title, 0, { isTitle: true, color: 0, ...plain })
  for (const layer of panel.layers) {
    if (layer.label === undefined) continue
    put(layer.label, 21, {
      isTitle: false,
      color: layer.color,
      swatch: swatchOf(layer),
      isDashed: layer.kind === 'rule' || ('isDashed' in layer && layer.isDashed === true),
      isInner: layer.kind === 'band' && layer.isInner === true,
    })
  }
  return { keys, rows: keys.length === 0 ? 0 : row + 1 }
}

function swatchOf(layer: Layer): LegendKey['swatch'] {
  switch (layer.kind) {
    case 'band':
      return 'band'
    case 'bars':
      return 'bar'
    case 'span':
      return 'span'
    case 'markers':
      return layer.shape
    default:
      return 'line'
  }
}

interface Named {
  readonly id: string
  readonly title: string
  readonly description: string
}

/** The default width of pictures, in pixels. */
export const pictureWidth = 860

/** Wraps drawn markup in an `<svg>` element with a title and a description for screen readers. */
export function wrapPicture(
  { id, title, description }: Named,
  width: number,
  height: number,
  drawn: string,
): string {
  const attributes = {
    'aria-labelledby': `${id}-title ${id}-description`,
    class: 'chart',
    height,
    role: 'img',
    viewBox: `0 0 ${width} ${height}`,
    width,
    xmlns: 'http://www.w3.org/2000/svg',
  }
  const names =
    element('title', { id: `${id}-title` }, escapeText(title)) +
    element('desc', { id: `${id}-description` }, escapeText(description))
  return element('svg', attributes, names + drawn)
}
