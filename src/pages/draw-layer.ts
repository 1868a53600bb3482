import type { BandLayer, BarsLayer, Color, Layer, LineLayer, MarkersLayer } from './chart.ts'
import { at, decimate, decimateAll, type FigureRow } from './decimate.ts'
import type { Frame } from './frame.ts'
import { element, escapeText, formatTenths, toTenths } from './svg-text.ts'

/** Draws one layer of a panel as SVG elements, within the panel's frame. */
export function drawLayer(layer: Layer, frame: Frame): string {
  switch (layer.kind) {
    case 'line':
    case 'steps':
      return drawLine(layer, frame)
    case 'area': {
      const bases = new Float64Array(layer.ys.length)
      const band = { kind: 'band', color: layer.color, xs: layer.xs, lows: bases, highs: layer.ys } as const
      return drawBand(band, frame) + drawLine(layer, frame)
    }
    case 'band':
      return drawBand(layer, frame)
    case 'bars':
      return drawBars(layer, frame)
    case 'markers':
      return drawMarkers(layer, frame)
    case 'rule': {
      const { left, right, top, bottom } = frame
      if (!isWithin(layer.at, layer.axis === 'x' ? frame.x : frame.y)) return ''
      const pixel = layer.axis === 'x' ? frame.x.pixelAt(layer.at) : frame.y.pixelAt(layer.at)
      const ends =
        layer.axis === 'x'
          ? { x1: pixel, x2: pixel, y1: top, y2: bottom }
          : { x1: left, x2: right, y1: pixel, y2: pixel }
      return element('line', { class: `rule s${layer.color}`, ...ends })
    }
    case 'span': {
      const from = frame.x.pixelAt(layer.from)
      const width = frame.x.pixelAt(layer.to) - from
      if (!(width > 0)) return ''
      const { top: y, bottom } = frame
      return element('rect', { class: `span f${layer.color}`, height: bottom - y, width, x: from, y })
    }
  }
}

function drawLine(layer: LineLayer, frame: Frame): string {
  const points = toPixels(layer.xs, layer.ys, frame)
  const d = formatPath(layer.kind === 'steps' ? toSteps(points) : points)
  if (d === '') return ''
  return element('path', { class: `line s${layer.color}${layer.isDashed === true ? ' dashed' : ''}`, d })
}

function toPixels(xs: FigureRow, ys: FigureRow, frame: Frame): { xs: number[]; ys: number[] } {
  const points: { xs: number[]; ys: number[] } = { xs: [], ys: [] }
  for (const place of decimate(ys, frame.right - frame.left)) {
    const x = at(xs, place)
    points.xs.push(isWithin(x, frame.x) ? frame.x.pixelAt(x) : Number.NaN)
    points.ys.push(frame.y.pixelAt(at(ys, place)))
  }
  return points
}

/** Draws a band as one closed outline for each run without gaps: along the highs, and back along the lows. */
function drawBand(layer: BandLayer, frame: Frame): string {
  const places = decimateAll([layer.lows, layer.highs], (frame.right - frame.left) / 2)
  let d = ''
  let stretch: { xs: number[]; lows: number[]; highs: number[] } = { xs: [], lows: [], highs: [] }
  const close = (): void => {
    const outline: Points = {
      xs: [...stretch.xs, ...stretch.xs.toReversed()],
      ys: [...stretch.highs, ...stretch.lows.toReversed()],
    }
    if (stretch.xs.length > 1) d += `${formatPath(outline)}z`
    stretch = { xs: [], lows: [], highs: [] }
  }
  for (const place of places) {
    const x = at(layer.xs, place)
    const low = frame.y.pixelAt(at(layer.lows, place))
    const high = frame.y.pixelAt(at(layer.highs, place))
    if (!isWithin(x, frame.x) || !Number.isFinite(low) || !Number.isFinite(high)) {
      close()
      continue
    }
    stretch.xs.push(frame.x.pixelAt(x))
    stretch.lows.push(low)
    stretch.highs.push(high)
  }
  close()
  return d === '' ? '' : element('path', { class: `band f${layer.color}`, d })
}

/** Draws bars. Of several in one pixel it draws the one that reaches furthest. */
function drawBars(layer: BarsLayer, frame: Frame): string {
  let outlines = ''
  let shown = ''
  for (const { first, last, place } of groupBars(layer, Math.max(1, frame.right - frame.left))) {
    const outline = formatBarOutline(layer, frame, first, last, place)
    const title = first === last ? layer.titles?.[place] : undefined
    if (title === undefined || outline === '') outlines += outline
    else
      shown += element(
        'path',
        { class: `bar f${layer.color}`, d: outline },
        `<title>${escapeText(title)}</title>`,
      )
  }
  return (outlines === '' ? '' : element('path', { class: `bar f${layer.color}`, d: outlines })) + shown
}

/**
 * Groups neighbouring bars so that there are no more groups than a maximum: the first and last bar of each, and the one that
 * reaches furthest.
 */
export function groupBars(
  layer: BarsLayer,
  maximum: number,
): readonly { readonly first: number; readonly last: number; readonly place: number }[] {
  const count = Math.min(layer.froms.length, layer.tos.length, layer.ys.length)
  const size = Math.max(1, Math.ceil(count / maximum))
  return Array.from({ length: Math.ceil(count / size) }, (_, group) => {
    const first = group * size
    const end = Math.min(count, first + size)
    return { first, last: end - 1, place: findFurthest(layer, first, end) }
  })
}

function findFurthest(layer: BarsLayer, from: number, to: number): number {
  let best = from
  for (let place = from; place < to; place += 1) {
    const reach = Math.abs(at(layer.ys, place) - baseOf(layer, place))
    const bestReach = Math.abs(at(layer.ys, best) - baseOf(layer, best))
    if (reach > bestReach || !Number.isFinite(bestReach)) best = place
  }
  return best
}

function formatBarOutline(
  layer: BarsLayer,
  frame: Frame,
  first: number,
  last: number,
  place: number,
): string {
  const left = toTenths(frame.x.pixelAt(at(layer.froms, first)))
  const right = toTenths(frame.x.pixelAt(at(layer.tos, last)))
  const y = frame.y.pixelAt(at(layer.ys, place))
  const base = frame.y.pixelAt(baseOf(layer, place))
  const isOutside = at(layer.tos, last) < frame.x.from || at(layer.froms, first) > frame.x.to
  if (!Number.isFinite(y) || !Number.isFinite(base) || isOutside || right <= left) return ''
  // A sliver of background separates neighbours if there is room for it.
  const width = right - left > 40 ? right - left - 8 : right - left
  const height = toTenths(base) - toTenths(y)
  if (height === 0) return ''
  return `M${formatTenths(left)} ${formatTenths(toTenths(y))}h${formatTenths(width)}v${formatTenths(height)}h${formatTenths(-width)}z`
}

const baseOf = (layer: BarsLayer, place: number): number =>
  layer.bases === undefined ? 0 : at(layer.bases, place)

/** Draws markers. Those in the same cell of two by two pixels are drawn once, unless they have tooltips. */
function drawMarkers(layer: MarkersLayer, frame: Frame): string {
  const taken = new Set<string>()
  let outlines = ''
  let shown = ''
  const count = Math.min(layer.xs.length, layer.ys.length)
  const isTitled = layer.titles !== undefined && count <= maximumTitled
  for (let place = 0; place < count; place += 1) {
    if (!isWithin(at(layer.xs, place), frame.x)) continue
    const x = frame.x.pixelAt(at(layer.xs, place))
    const y = frame.y.pixelAt(at(layer.ys, place))
    if (!Number.isFinite(y)) continue
    const cell = `${Math.round(x / 2)} ${Math.round(y / 2)}`
    if (!isTitled && taken.has(cell)) continue
    taken.add(cell)
    const outline = `M${formatTenths(toTenths(x))} ${formatTenths(toTenths(y))}${markerShapes[layer.shape]}`
    const title = isTitled ? layer.titles?.[place] : undefined
    if (title === undefined) outlines += outline
    else
      shown += element(
        'path',
        { class: markerClass(layer.shape, layer.color), d: outline },
        `<title>${escapeText(title)}</title>`,
      )
  }
  return (
    (outlines === '' ? '' : element('path', { class: markerClass(layer.shape, layer.color), d: outlines })) +
    shown
  )
}

/** Returns the CSS class of a marker of a shape and colour. */
export const markerClass = (shape: MarkersLayer['shape'], color: Color): string =>
  shape === 'cross' ? `cross s${color}` : `mark f${color}`

/** The most markers of a layer that have tooltips: each is an element of its own. */
export const maximumTitled = 400

/** The outlines of markers as SVG path data, relative to their point. The tip of a triangle lies on the point. */
export const markerShapes = {
  up: 'l4 7h-8z',
  down: 'l4 -7h-8z',
  dot: 'm-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z',
  cross: 'm-3.5 -3.5l7 7m0 -7l-7 7',
} as const

function isWithin(value: number, scale: { readonly from: number; readonly to: number }): boolean {
  return value >= scale.from && value <= scale.to
}

/** The points of an outline, in pixels. A point that is not finite interrupts it. */
interface Points {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}

/** Formats points as SVG path data, in relative steps of tenths of a pixel. A point equal to the one before is left out. */
function formatPath({ xs, ys }: Points): string {
  let text = ''
  let lastX = 0
  let lastY = 0
  let isOpen = false
  for (const [place, exactX] of xs.entries()) {
    const exactY = ys[place] ?? 0
    if (!Number.isFinite(exactX) || !Number.isFinite(exactY)) {
      isOpen = false
      continue
    }
    const x = toTenths(exactX)
    const y = toTenths(exactY)
    if (!isOpen) text += `M${formatTenths(x)}${formatSeparated(y)}`
    else if (x === lastX && y === lastY) continue
    else if (y === lastY) text += `h${formatTenths(x - lastX)}`
    else if (x === lastX) text += `v${formatTenths(y - lastY)}`
    else text += `l${formatTenths(x - lastX)}${formatSeparated(y - lastY)}`
    isOpen = true
    lastX = x
    lastY = y
  }
  return text
}

/** Adds the corners of a line that keeps each value until the next point. */
function toSteps({ xs, ys }: Points): Points {
  const stepped: { xs: number[]; ys: number[] } = { xs: [], ys: [] }
  for (const [place, x] of xs.entries()) {
    const y = ys[place] ?? 0
    if (place > 0) {
      stepped.xs.push(x)
      stepped.ys.push(ys[place - 1] ?? 0)
    }
    stepped.xs.push(x)
    stepped.ys.push(y)
  }
  return stepped
}

/** Formats a number that follows another one in path data: a minus sign separates them as well as a space does. */
function formatSeparated(value: number): string {
  return value < 0 ? formatTenths(value) : ` ${formatTenths(value)}`
}
