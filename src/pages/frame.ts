import { log } from '../numeric/portable-math.ts'
import type { Chart, HorizontalAxis, Layer, Panel } from './chart.ts'
import { at, type FigureRow } from './decimate.ts'
import { characterWidth } from './style.ts'
import { type AxisTick, makeLogTicks, makeTimeTicks, makeValueTicks } from './ticks.ts'

/** Where one panel lies, in pixels of the whole chart, with the scales of its axes. */
export interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly x: Scale
  readonly y: Scale
}

/** Makes the ticks of a horizontal axis between its ends, as many as fit into a width in pixels. */
export function makeHorizontalTicks(
  axis: HorizontalAxis,
  ends: Extent,
  widthPixels: number,
): readonly AxisTick[] {
  const { least, greatest } = ends
  switch (axis.kind) {
    case 'time':
      return makeTimeTicks(least, greatest, widthPixels / 84)
    case 'number':
      return makeValueTicks(least, greatest, widthPixels / 84, axis.suffix)
    case 'log':
      return makeLogTicks(least, greatest, axis.suffix)
    case 'names':
      return axis.names.map((name, value) => ({
        value,
        ...breakName(name, widthPixels / axis.names.length / characterWidth),
      }))
  }
}

/** Breaks a name that is longer than its room at the space nearest to its middle, so that names differ where they end. */
function breakName(name: string, room: number): Pick<AxisTick, 'label' | 'underLabel'> {
  if (name.length <= room) return { label: name, underLabel: '' }
  const distances = Array.from(name, (letter, place) =>
    letter === ' ' ? Math.abs(2 * place + 1 - name.length) : Number.POSITIVE_INFINITY,
  )
  const least = Math.min(...distances)
  if (!Number.isFinite(least)) return { label: name, underLabel: '' }
  const place = distances.indexOf(least)
  return { label: name.slice(0, place), underLabel: name.slice(place + 1) }
}

/** Returns the ends of the horizontal axis: those that the chart states, otherwise those of the figures drawn. */
export function findHorizontalEnds(chart: Chart): Extent {
  const { x } = chart
  if (x.kind === 'names') return { least: -0.5, greatest: Math.max(0.5, x.names.length - 0.5) }
  const isLog = x.kind === 'log'
  const rows = chart.panels.flatMap(({ layers }) => layers.flatMap(listHorizontalRows))
  const drawn = findExtent(rows, isLog)
  const least = x.from ?? drawn?.least
  const greatest = x.to ?? drawn?.greatest
  if (least === undefined || greatest === undefined || !(greatest > least)) {
    return addRoom(drawn, isLog)
  }
  return { least, greatest }
}

/**
 * Makes the vertical scale of a panel between two pixels: from the ends that the panel states, otherwise around the figures
 * drawn, with a little room.
 */
export function makeVerticalScale(panel: Panel, top: number, bottom: number): Scale {
  const isLog = panel.isLog === true
  const rows: FigureRow[] = panel.layers.flatMap(listVerticalRows)
  const needsZero =
    panel.includeZero === true || panel.layers.some(({ kind }) => kind === 'bars' || kind === 'area')
  if (needsZero && !isLog) rows.push([0])
  const drawn = findExtent(rows, isLog)
  const roomy = addRoom(drawn, isLog)
  // Figures that begin at 0 stand on the axis, without room below.
  const least = panel.from ?? (needsZero && drawn?.least === 0 ? 0 : roomy.least)
  const greatest = panel.to ?? (needsZero && drawn?.greatest === 0 && least < 0 ? 0 : roomy.greatest)
  const ends = { least, greatest: greatest > least ? greatest : isLog ? least * 10 : least + 1 }
  return makeScale(ends, [bottom, top], isLog)
}

/** Makes the ticks of a vertical axis, as many as fit into a height in pixels. */
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

/**
 * The mapping from values to pixels along one axis. Values beyond the ends map to the ends; those that are not finite
 * to NaN.
 */
interface Scale {
  readonly from: number
  readonly to: number
  readonly pixelAt: (value: number) => number
}

/** The least and greatest of some values. */
interface Extent {
  readonly least: number
  readonly greatest: number
}

/** Makes a linear or logarithmic scale. Values beyond the ends map to the ends, so nothing is drawn outside the frame. */
export function makeScale(ends: Extent, pixels: readonly [number, number], isLog: boolean): Scale {
  const { least: from, greatest: to } = ends
  const [firstPixel, lastPixel] = pixels
  const map = isLog ? log : identity
  const start = map(from)
  const span = map(to) - start
  const pixelAt = (value: number): number => {
    if (!Number.isFinite(value)) return Number.NaN
    const clamped = Math.min(to, Math.max(from, value))
    return firstPixel + ((map(clamped) - start) / span) * (lastPixel - firstPixel)
  }
  return { from, to, pixelAt }
}

/**
 * Finds the least and greatest finite value of some rows, or null if there is none. With `isPositive` only values above 0
 * count.
 */
export function findExtent(rows: readonly FigureRow[], isPositive = false): Extent | null {
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

/** Returns the ends of an axis around an extent, with a little room. A single value gets room on both sides. */
function addRoom(extent: Extent | null, isLog: boolean): Extent {
  const { least, greatest } = extent ?? (isLog ? { least: 1, greatest: 10 } : { least: 0, greatest: 1 })
  if (isLog) {
    const factor = least === greatest ? 2 : 1.05
    return { least: least / factor, greatest: greatest * factor }
  }
  const span = greatest - least
  // A span that comes from rounding alone would show nothing but noise.
  const size = Math.max(Math.abs(least), Math.abs(greatest))
  if (!Number.isFinite(span)) return { least: least / 2, greatest: greatest / 2 }
  const room = span > size * 1e-12 ? span * 0.05 : size > 0 ? size * 0.01 : 1
  return { least: least - room, greatest: greatest + room }
}

const identity = (value: number): number => value
