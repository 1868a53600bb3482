import { log } from '../numeric/portable-math.ts'
import type { Chart, HorizontalAxis, Layer, Panel } from './chart.ts'
import { at, type FigureRow } from './decimate.ts'
import { type AxisTick, makeLogTicks, makeValueTicks, timeTicks } from './ticks.ts'

/** Where everything of one panel lies, in pixels of the whole chart. */
export interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly x: Scale
  readonly y: Scale
}

/** The horizontal axis of a chart: its ends in values, and its ticks. */
export function makeHorizontalTicks(
  axis: HorizontalAxis,
  ends: Extent,
  widthPixels: number,
): readonly AxisTick[] {
  const { least, greatest } = ends
  switch (axis.kind) {
    case 'time':
      return timeTicks(least, greatest, widthPixels / 84)
    case 'number':
      return makeValueTicks(least, greatest, widthPixels / 84, axis.suffix)
    case 'log':
      return makeLogTicks(least, greatest, axis.suffix)
    case 'names':
      return axis.names.map((label, value) => ({ value, label, underLabel: '' }))
  }
}

/** The ends of the horizontal axis: those stated, else those of what the panels draw. */
export function findHorizontalEnds(chart: Chart): Extent {
  const { x } = chart
  if (x.kind === 'names') return { least: -0.5, greatest: Math.max(0.5, x.names.length - 0.5) }
  const isLog = x.kind === 'log'
  const rows = chart.panels.flatMap(({ layers }) => layers.flatMap(listHorizontalRows))
  const drawn = extentOf(rows, isLog)
  const least = x.from ?? drawn?.least
  const greatest = x.to ?? drawn?.greatest
  if (least === undefined || greatest === undefined || !(greatest > least)) {
    return addRoom(drawn, isLog)
  }
  return { least, greatest }
}

export function makeVerticalScale(panel: Panel, top: number, bottom: number): Scale {
  const isLog = panel.isLog === true
  const rows: FigureRow[] = panel.layers.flatMap(listVerticalRows)
  const needsZero =
    panel.includeZero === true || panel.layers.some(({ kind }) => kind === 'bars' || kind === 'area')
  if (needsZero && !isLog) rows.push([0])
  const drawn = extentOf(rows, isLog)
  const roomy = addRoom(drawn, isLog)
  // What begins at 0 stands on the axis.
  const least = panel.from ?? (needsZero && drawn?.least === 0 ? 0 : roomy.least)
  const greatest = panel.to ?? (needsZero && drawn?.greatest === 0 && least < 0 ? 0 : roomy.greatest)
  const ends = { least, greatest: greatest > least ? greatest : isLog ? least * 10 : least + 1 }
  return makeScale(ends, [bottom, top], isLog)
}

export function makeVerticalTicks(panel: Panel, scale: Scale, heightPixels: number): readonly AxisTick[] {
  if (panel.isLog === true) return makeLogTicks(scale.from, scale.to, panel.suffix)
  return makeValueTicks(scale.from, scale.to, Math.max(2, heightPixels / 36), panel.suffix)
}

function listHorizontalRows(layer: Layer): readonly FigureRow[] {
  switch (layer.kind) {
    case 'bars':
      return [layer.froms, layer.tos]
    case 'span':
      return [[layer.from, layer.to]]
    case 'rule':
      return layer.axis === 'x' ? [[layer.at]] : []
    default:
      return [layer.xs]
  }
}

function listVerticalRows(layer: Layer): readonly FigureRow[] {
  switch (layer.kind) {
    case 'band':
      return [layer.lows, layer.highs]
    case 'bars':
      return layer.bases === undefined ? [layer.ys] : [layer.ys, layer.bases]
    case 'span':
      return []
    case 'rule':
      return layer.axis === 'y' ? [[layer.at]] : []
    default:
      return [layer.ys]
  }
}

/** From a value to pixels along one axis. */
interface Scale {
  readonly from: number
  readonly to: number
  readonly pixelAt: (value: number) => number
}

/** Least and greatest of what is finite; null when nothing is. */
interface Extent {
  readonly least: number
  readonly greatest: number
}

/** Values beyond the ends are kept at the ends: nothing is ever drawn outside the frame. */
export function makeScale(ends: Extent, pixels: readonly [number, number], isLog: boolean): Scale {
  const { least: from, greatest: to } = ends
  const [firstPixel, lastPixel] = pixels
  const map = isLog ? log : identity
  const start = map(from)
  const span = map(to) - start
  const pixelAt = (value: number): number => {
    if (!Number.isFinite(value)) return Number.NaN
    const held = Math.min(to, Math.max(from, value))
    return firstPixel + ((map(held) - start) / span) * (lastPixel - firstPixel)
  }
  return { from, to, pixelAt }
}

export function extentOf(rows: readonly FigureRow[], isPositive = false): Extent | null {
  let least = Number.POSITIVE_INFINITY
  let greatest = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    for (let place = 0; place < row.length; place += 1) {
      const value = at(row, place)
      if (!Number.isFinite(value) || (isPositive && value <= 0)) continue
      if (value < least) least = value
      if (value > greatest) greatest = value
    }
  }
  return least <= greatest ? { least, greatest } : null
}

/** The ends of an axis around what is drawn, with a little room; a single value gets room on both sides. */
function addRoom(extent: Extent | null, isLog: boolean): Extent {
  const { least, greatest } = extent ?? (isLog ? { least: 1, greatest: 10 } : { least: 0, greatest: 1 })
  if (isLog) {
    const factor = least === greatest ? 2 : 1.05
    return { least: least / factor, greatest: greatest * factor }
  }
  const span = greatest - least
  // A span that only comes from rounding would show nothing but noise.
  const size = Math.max(Math.abs(least), Math.abs(greatest))
  if (!Number.isFinite(span)) return { least: least / 2, greatest: greatest / 2 }
  const room = span > size * 1e-12 ? span * 0.05 : size > 0 ? size * 0.01 : 1
  return { least: least - room, greatest: greatest + room }
}

const identity = (value: number): number => value
