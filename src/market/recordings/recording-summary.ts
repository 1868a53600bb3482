import type { CandleResult } from './candle-reading.ts'
import { findCommonestDistance } from './candle-spans.ts'
import { leapFactor, tradeGapMillis } from './candle-warnings.ts'
import type { RecordingProblem } from './interpretation.ts'
import type { TradeResult } from './trades.ts'

/**
 * Summary of a table of candles or trades, good and bad rows alike: where parsing stops at the first problem,
 * this counts them all.
 */
export interface RecordingSummary {
  readonly kind: 'candles' | 'trades'
  readonly layout: string
  /* Number of rows that could be read, and of rows that could not. */
  readonly goodRows: number
  readonly badRows: number
  /** Problems of the first few rows that could not be read. */
  readonly problems: readonly RecordingProblem[]
  readonly order: 'ascending' | 'descending'
  /** Number of rows that stand before an earlier one (a later one in a descending table). */
  readonly outOfOrder: number
  /* Number of candles at the time of another one: with the same figures, and with others. */
  readonly repeated: number
  readonly contradicting: number
  readonly fromMillis: number
  readonly toMillis: number
  /** Commonest distance of neighbours, milliseconds; for candles this is their span. */
  readonly stepMillis: number
  /** Number of distances longer than the step (candles) or than an hour (trades). */
  readonly gaps: number
  readonly gapsMillis: number
  readonly longestGap: { readonly fromMillis: number; readonly toMillis: number } | null
  readonly price: {
    readonly first: number
    readonly last: number
    readonly least: number
    readonly greatest: number
  }
  readonly volume: { readonly total: number; readonly usd: number; readonly rowsWithout: number }
  /**
   * Number of rows whose price is less than a third of the one before, or more than three times it. They are
   * either bad prints or real crashes.
   */
  readonly leaps: number
  /** Instant of the first such row, milliseconds since 1970; null without any. */
  readonly firstLeapMillis: number | null
}

interface Row {
  readonly atMillis: number
  readonly low: number
  readonly high: number
  readonly first: number
  readonly last: number
  readonly volume: number
}

/** Summarizes every row of a reading, good and bad. */
export function summarizeReading(reading: CandleResult | TradeResult): RecordingSummary {
  const { badRows, kind, layout, problems } = reading
  const good =
    reading.kind === 'trades'
      ? reading.rows.map(({ atMillis, price, quantity }) => ({
          ...{ atMillis, low: price, high: price, first: price, last: price, volume: quantity },
        }))
      : reading.rows.map(({ atMillis, open, high, low, close, volume }) => ({
          ...{ atMillis, low, high, first: open, last: close, volume },
        }))
  return { kind, layout, goodRows: good.length, badRows, problems, ...summarizeRows(good, kind === 'trades') }
}

function summarizeRows(rows: readonly Row[], isTrades: boolean) {
  const first = rows[0]?.atMillis ?? 0
  const order = first <= (rows.at(-1)?.atMillis ?? 0) ? ('ascending' as const) : ('descending' as const)
  const oldestFirst = order === 'ascending' ? [...rows] : rows.toReversed()
  oldestFirst.sort((left, right) => left.atMillis - right.atMillis)
  return { order, ...summarizeTimes(rows, order, oldestFirst, isTrades), ...summarizeFigures(oldestFirst) }
}

function summarizeTimes(
  rows: readonly Row[],
  order: RecordingSummary['order'],
  sorted: readonly Row[],
  isTrades: boolean,
) {
  const sign = order === 'ascending' ? 1 : -1
  let outOfOrder = 0
  for (const [place, row] of rows.entries()) {
    const next = rows[place + 1]
    if (next !== undefined && (next.atMillis - row.atMillis) * sign < 0) outOfOrder += 1
  }
  const stepMillis = findCommonestDistance(sorted)
  let repeated = 0
  let contradicting = 0
  for (const [place, row] of sorted.entries()) {
    const next = sorted[place + 1]
    if (next === undefined) break
    if (isTrades || next.atMillis > row.atMillis) continue
    if (isSame(row, next)) repeated += 1
    else contradicting += 1
  }
  const limit = isTrades ? tradeGapMillis : stepMillis
  let gaps = 0
  let gapsMillis = 0
  let longestGap: RecordingSummary['longestGap'] = null
  for (const [place, row] of sorted.entries()) {
    const next = sorted[place + 1]
    if (next === undefined || next.atMillis - row.atMillis <= limit) continue
    const fromMillis = isTrades ? row.atMillis : row.atMillis + stepMillis
    gaps += 1
    gapsMillis += next.atMillis - fromMillis
    const longest = longestGap === null ? 0 : longestGap.toMillis - longestGap.fromMillis
    if (next.atMillis - fromMillis > longest) longestGap = { fromMillis, toMillis: next.atMillis }
  }
  return {
    outOfOrder,
    repeated,
    contradicting,
    fromMillis: sorted[0]?.atMillis ?? 0,
    toMillis: (sorted.at(-1)?.atMillis ?? 0) + (isTrades ? 0 : stepMillis),
    stepMillis,
    gaps,
    gapsMillis,
    longestGap,
  }
}

function summarizeFigures(
  rows: readonly Row[],
): Pick<RecordingSummary, 'price' | 'volume' | 'leaps' | 'firstLeapMillis'> {
  const price = { first: rows[0]?.first ?? 0, last: rows.at(-1)?.last ?? 0, least: 0, greatest: 0 }
  const volume = { total: 0, usd: 0, rowsWithout: 0 }
  let leaps = 0
  let firstLeapMillis: number | null = null
  let before = rows[0]?.first ?? 0
  for (const [place, row] of rows.entries()) {
    if (row.low < before / leapFactor || row.high > before * leapFactor) {
      leaps += 1
      firstLeapMillis ??= row.atMillis
    }
    before = row.last
    price.least = place === 0 ? row.low : Math.min(price.least, row.low)
    price.greatest = Math.max(price.greatest, row.high)
    volume.total += row.volume
    volume.usd += (row.volume * (row.low + row.high)) / 2
    if (row.volume === 0) volume.rowsWithout += 1
  }
  return { price, volume, leaps, firstLeapMillis }
}

function isSame(left: Row, right: Row): boolean {
  const { first, last, low, high, volume } = left
  return (
    first === right.first &&
    last === right.last &&
    low === right.low &&
    high === right.high &&
    volume === right.volume
  )
}
