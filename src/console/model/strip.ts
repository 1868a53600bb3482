import type { Span } from './chart-data.ts'
import type { HistoryEntry, WorldMoment } from './documents.ts'
import { categorize, eventCategories } from './timeline.ts'

/* The strip of the history: how much happened when, pixel by pixel. */

/** Number of events at each pixel of the strip, by category. */
export interface Density {
  readonly counts: readonly Uint32Array[]
  readonly failures: readonly Uint32Array[]
  /* By category: the number of events shown, and the largest number at one pixel. */
  readonly totals: readonly number[]
  readonly most: readonly number[]
  readonly isSparse: boolean
}

/**
 * Counts the items of a span by category and pixel. `times` are the instants of the items in milliseconds since
 * 1970.
 */
export function computeDensity(
  items: readonly HistoryEntry[],
  times: readonly number[],
  span: Span,
  width: number,
): Density {
  const rows = () => eventCategories.map(() => new Uint32Array(width + 1))
  const [counts, failures] = [rows(), rows()]
  const totals = eventCategories.map(() => 0)
  const most = eventCategories.map(() => 0)
  const scale = width / Math.max(1, span.to - span.from)
  let taken = 0
  for (const [index, item] of items.entries()) {
    const at = times[index] ?? 0
    if (at < span.from || at > span.to) continue
    const lane = eventCategories.indexOf(categorize(item))
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

/** Lists the instants of the script's next actions, up to what a third of the strip has room for. */
export function listUpcoming(
  whole: Span,
  upcoming: readonly { readonly at: string | null }[],
): readonly number[] {
  const most = whole.to + Math.max(60_000, (whole.to - whole.from) / 2)
  return upcoming.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)])).filter((at) => at <= most)
}

/**
 * Returns the span from the first moment to the present, or null where they are not known; a second where the
 * clock has not moved, because a span needs a length.
 */
export function computeStripSpan(begins: WorldMoment | null, live: WorldMoment | null): Span | null {
  if (begins === null || live === null) return null
  const [from, to] = [Date.parse(begins.at), Date.parse(live.at)]
  return to > from ? { from, to } : { from: from - 500, to: from + 500 }
}
