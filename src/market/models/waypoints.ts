import { assert } from '../../numeric/assert.ts'
import type { Waypoint } from '../scripted-path.ts'
import type { Piece } from './bridged-line.ts'
import { createBridgedLine, setBridge, setStill } from './bridged-line.ts'
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
  const find = (offsetMillis: number, piece: Piece): void =>
    findPiece(points, startMillis, offsetMillis, piece)
  return createBridgedLine(find, noiseVol, names, purpose)
}

function findPiece(
  points: readonly Waypoint[],
  startMillis: number,
  offsetMillis: number,
  piece: Piece,
): void {
  const next = firstAfter(points, offsetMillis - startMillis)
  const from = points[next - 1]
  const to = points[next]
  if (from === undefined) {
    assert(to !== undefined, 'a path has a point')
    setBridge(piece, Number.NEGATIVE_INFINITY, startMillis + to.offsetMillis, to.price, to.price)
    piece.kind = 'tail'
    return
  }
  const fromMillis = startMillis + from.offsetMillis
  if (to === undefined) setStill(piece, fromMillis, Number.POSITIVE_INFINITY, from.price)
  else setBridge(piece, fromMillis, startMillis + to.offsetMillis, from.price, to.price)
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
