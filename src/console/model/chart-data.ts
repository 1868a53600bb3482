import { compareMoments } from '../../api/noted-moments.ts'
import type { HistoryPrices, WorldMoment } from './documents.ts'
import { formatTime } from './format.ts'

/** Columns of the chart: seconds, then all trades, mark, bid, ask, own buys, own sells. */
export type ChartData = [number[], ...(number | null)[][]]

/** Span of time in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Returns the instant in milliseconds up to which prices were read. What came after it is not known yet, and must not
 * be drawn.
 */
export const findReadEnd = ({ ends, reached }: HistoryPrices): number => Date.parse(ends?.at ?? reached.at)

/**
 * Says up to which instant the past was read, while it is still being worked out; an empty text once it is whole. The
 * present moves on between two readings, which is nothing to say.
 */
export function describeReadEnd(prices: HistoryPrices): string {
  if (prices.isWhole) return ''
  const until = formatTime(new Date(findReadEnd(prices)).toISOString())
  return `The past is still being read, up to ${until} so far.`
}

/**
 * Builds the columns that the chart draws. Prices hold until the next ones, and the last known ones until
 * `nowMillis`, or until the instant up to which prices were read; from there to `nowMillis` there are gaps. Trades are
 * points, each by itself, however many happen at one instant.
 */
export function buildChartData(prices: HistoryPrices, nowMillis: number): ChartData {
  const { rows, trades, fills } = prices
  const drawn: { readonly at: number; readonly line: number; readonly values: Values }[] = [
    ...rows.map(([at, line, ...held]) => ({ at: Number(at), line: Number(line), values: [null, ...held] })),
    ...trades.map(([at, line, price]) => ({ at: Number(at), line: Number(line), values: [price] })),
    ...fills.map(({ at, sequence, side, price }) => ({
      at: Date.parse(at),
      line: sequence,
      values: side === 'buy' ? [...unchanged, price] : [...unchanged, null, price],
    })),
  ]
  drawn.sort((left, right) => left.at - right.at || left.line - right.line)
  const last = drawn.at(-1)
  const read = findReadEnd(prices)
  // A single instant is extended by half a second, in which its prices hold.
  const isSingle = last !== undefined && last.at === drawn[0]?.at && read <= last.at
  const end = isSingle ? Math.max(nowMillis, last.at + 500) : nowMillis
  const known = isSingle ? Math.min(end, last.at + 500) : Math.min(end, read)
  if (last !== undefined && last.at < known) drawn.push({ at: known, line: last.line, values: [] })
  if (last !== undefined && known < end) {
    drawn.push({ at: Math.max(known, last.at), line: last.line, values: gap })
    drawn.push({ at: end, line: last.line, values: gap })
  }
  const held: (number | null)[] = []
  const columns: (number | null)[][] = [[], [], [], [], [], []]
  for (const { values } of drawn) {
    for (const [column, cells] of columns.entries()) {
      const value = values[column]
      const isHeld = column >= 1 && column <= 3
      if (isHeld && value !== undefined) held[column] = value
      cells.push((isHeld ? held[column] : value) ?? null)
    }
  }
  return [drawn.map(({ at }) => at / 1000), ...columns]
}

/** Columns of a row from which on nothing is known. */
const gap = [null, null, null, null]

/** Columns of a row without a trade and without a change of prices. */
const unchanged = [null, undefined, undefined, undefined]

type Values = readonly (number | null | undefined)[]

/**
 * Returns whether a moment is within the time of these prices, which a restore or a reset may have begun or
 * ended.
 */
export const includesMoment = ({ begins, ends }: HistoryPrices, moment: WorldMoment): boolean =>
  compareMoments(begins, moment) <= 0 && (ends === null || compareMoments(moment, ends) < 0)

/**
 * Builds the columns of the marks of a world that lies over the shown one, from the fork on, up to where they were
 * read.
 */
export function buildOverlay(prices: HistoryPrices, forkMillis: number): [number[], (number | null)[]] {
  const held = prices.rows.findLast(([at]) => Number(at) <= forkMillis)
  const later = prices.rows.filter(([at]) => Number(at) > forkMillis)
  const rows = [...(held === undefined ? [] : [[forkMillis, null, held[2] ?? null]]), ...later]
  const end = findReadEnd(prices)
  const [at = null, , mark = null] = rows.at(-1) ?? []
  if (at !== null && at < end) rows.push([end, null, mark])
  return [rows.map(([at]) => Number(at) / 1000), rows.map(([, , mark]) => mark ?? null)]
}
