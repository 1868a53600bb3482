import type uPlot from 'uplot'
import type { ZoomAxis } from '../../../pages/pictures.ts'
import type { PlotColumn, PlotTable } from './plot-table.ts'

/* What of a chart is under the pointer, where uPlot knows the nearest instant only. */

/**
 * Finds the row that the legend shows of a column of bars or of markers with commands: the bar that the pointer stands
 * above or in, the nearest marker within reach; over an axis of names the bar or marker of the name. Returns null
 * where there is none, and undefined for all other columns.
 */
export function findPointed(
  view: uPlot,
  { columns, data }: PlotTable,
  column: number,
  x: ZoomAxis | undefined,
): number | null | undefined {
  const { beside = [], series } = columns[column] ?? {}
  if (series === undefined) return undefined
  const { left = -1, top = -1 } = view.cursor
  const at = view.posToVal(left, 'x')
  const isBar = series.kind === 'bars'
  const isMarker = !isBar && !['line', 'steps', 'area', 'band'].includes(series.kind)
  if (x?.names !== undefined && (isBar || isMarker)) return findNamed(data, column, beside, Math.round(at))
  // What is drawn ends on whole pixels and what is told on whole quanta, so half a pixel more is still the bar's.
  const room = Math.abs(view.posToVal(left + 0.5, 'x') - at)
  if (isBar) return findBar(data[0], beside, at, room)
  return series.commands === undefined ? undefined : findMarkerNear(view, data, column, { left, top })
}

/** Finds the row of a bar or marker that stands at a name: a thin bar and one beside it have the whole width of the name. */
function findNamed(
  data: uPlot.AlignedData,
  column: number,
  beside: PlotColumn['beside'],
  name: number,
): number | null {
  for (const [row, value] of (data[column] ?? []).entries()) {
    const from = data[0][row] ?? 0
    if (typeof value === 'number' && Math.round((from + (beside[row] ?? from)) / 2) === name) return row
  }
  return null
}

function findBar(
  froms: ArrayLike<number>,
  tos: PlotColumn['beside'],
  at: number,
  room: number,
): number | null {
  let found: number | null = null
  for (const [row, to] of tos.entries()) {
    // The last bar is closed at both ends, so an earlier one gives way where two meet.
    if (typeof to === 'number' && (froms[row] ?? 0) - room <= at && at <= to + room) found = row
  }
  return found
}

function findMarkerNear(
  view: uPlot,
  data: uPlot.AlignedData,
  column: number,
  { left, top }: { readonly left: number; readonly top: number },
): number | null {
  let nearest: number | null = null
  let least = reachPixels
  for (const [row, value] of (data[column] ?? []).entries()) {
    if (typeof value !== 'number') continue
    const right = view.valToPos(data[0][row] ?? 0, 'x') - left
    const down = view.valToPos(value, 'y') - top
    const distance = Math.sqrt(right * right + down * down)
    if (distance <= least) [nearest, least] = [row, distance]
  }
  return nearest
}

/** How far a marker may be from the pointer, in pixels. */
const reachPixels = 12
