import { assert } from '../../numeric/assert.ts'
import type { Waypoint } from '../scripted-path.ts'
import { bridge, createBridgedLine, type Piece, still, tail } from './bridged-line.ts'
import type { PriceModel, StreamNames } from './price-model.ts'

/**
 * Log-linear from point to point, hitting each exactly, with bridge noise of an annual volatility between them.
 * Offsets count from `startMillis` (after the market's start) and never fall; of two points at one instant the later
 * one holds there, which is a jump. Choice: after the last point the price stays; before the first one it moves by
 * only the noise, so that a market has a history.
 */
export function createWaypoints(
  points: readonly Waypoint[],
  startMillis: number,
  noiseVol: number,
  names: StreamNames,
  purpose: string,
): PriceModel {
  const findPiece = (offsetMillis: number) => pieceAt(points, startMillis, offsetMillis)
  return createBridgedLine(findPiece, noiseVol, names, purpose)
}

function pieceAt(points: readonly Waypoint[], startMillis: number, offsetMillis: number): Piece {
  const next = firstAfter(points, offsetMillis - startMillis)
  const moved = (point: Waypoint): Waypoint => ({ ...point, offsetMillis: startMillis + point.offsetMillis })
  const from = points[next - 1]
  const to = points[next]
  if (from === undefined) {
    assert(to !== undefined, 'a path has a point')
    return tail(moved(to))
  }
  if (to === undefined) return still(startMillis + from.offsetMillis, Number.POSITIVE_INFINITY, from.price)
  return bridge(moved(from), moved(to))
}

/** Index of the first point after an instant; the number of points when there is none. */
function firstAfter(points: readonly Waypoint[], offsetMillis: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.offsetMillis ?? 0) <= offsetMillis) low = middle + 1
    else high = middle
  }
  return low
}
