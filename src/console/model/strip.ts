import type { Span } from './chart-data.ts'
import type { HistoryItem, Place } from './documents.ts'
import { laneOf, lanes } from './timeline.ts'

/* The strip of the past: how much happened when, pixel by pixel. */

export interface Density {
  /** By lane and pixel. */
  readonly counts: readonly Uint32Array[]
  readonly failures: readonly Uint32Array[]
  /** By lane: all that is shown, and the most at one pixel. */
  readonly totals: readonly number[]
  readonly most: readonly number[]
  /** Whether each thing has room for two pixels. */
  readonly isSparse: boolean
}

export function densityOf(
  items: readonly HistoryItem[],
  times: readonly number[],
  span: Span,
  width: number,
): Density {
  const rows = () => lanes.map(() => new Uint32Array(width + 1))
  const [counts, failures] = [rows(), rows()]
  const totals = lanes.map(() => 0)
  const most = lanes.map(() => 0)
  const scale = width / Math.max(1, span.to - span.from)
  let taken = 0
  for (const [index, item] of items.entries()) {
    const at = times[index] ?? 0
    if (at < span.from || at > span.to) continue
    const lane = lanes.indexOf(laneOf(item))
    const pixel = Math.min(width - 1, Math.floor((at - span.from) * scale))
    const row = counts[lane]
    if (row === undefined) continue
    const count = (row[pixel] ?? 0) + 1
    if (count === 1) taken += 1
    row[pixel] = count
    totals[lane] = (totals[lane] ?? 0) + 1
    most[lane] = Math.max(most[lane] ?? 0, count)
    if (item.refusal !== null) failures[lane]?.fill(1, pixel, pixel + 1)
  }
  return { counts, failures, totals, most, isSparse: taken * 4 < width }
}

/** From the first moment to the present; a second where the clock has not moved, because a span has a length. */
export function stripSpan(begins: Place | null, live: Place | null): Span | null {
  if (begins === null || live === null) return null
  const [from, to] = [Date.parse(begins.at), Date.parse(live.at)]
  return to > from ? { from, to } : { from: from - 500, to: from + 500 }
}

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500]
  .concat([1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000))
  .concat([1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000))
  .concat([1, 2, 3, 6, 12].map((hours) => hours * 3_600_000))
  .concat([1, 2, 7, 14, 28, 91, 364].map((days) => days * 86_400_000))

/** Round instants within a span, at most so many. */
export function niceTicks({ from, to }: Span, most: number): readonly number[] {
  const step = steps.find((candidate) => (to - from) / candidate <= most) ?? to - from
  const first = Math.ceil(from / step)
  return Array.from(
    { length: Math.max(0, Math.floor(to / step) - first + 1) },
    (_, tick) => (first + tick) * step,
  )
}
