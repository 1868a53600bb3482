import type { HistoryPrices, WorldMoment } from './documents.ts'
import { formatTime } from './format.ts'
import { compareMoments } from './timeline.ts'

/** Columns of the chart: seconds, then all trades, mark, bid, ask, own buys, own sells. */
export type ChartData = [number[], ...(number | null)[][]]

/** Span of time in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Returns the instant up to which prices were read. What came after it is not known yet, and must not be drawn. */
const findReadEnd = ({ ends, reached }: HistoryPrices): number => Date.parse(ends?.at ?? reached.at)

/**
 * Says up to which instant prices were read, where that is not the present: the past is still being worked out, or nothing
 * is read while another moment is shown. Returns an empty text where it is, or a second before at most.
 */
export function describeReadEnd(prices: HistoryPrices, nowMillis: number): string {
  const read = findReadEnd(prices)
  if (prices.isWhole && nowMillis - read <= 1000) return ''
  const until = `up to ${formatTime(new Date(read).toISOString())}`
  return prices.isWhole ? `Prices were read ${until}.` : `The past is still being read, ${until} so far.`
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

/** Candle of the mark; `at` is its first instant in milliseconds since 1970. */
export interface DrawnCandle {
  readonly at: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/**
 * Builds about `most` candles of the mark. Their spans are whole multiples of the steps into which the
 * server has divided the time, so that no candle is cut short.
 */
export function buildCandles(
  { rows, stepMs }: HistoryPrices,
  span: Span,
  most: number,
): readonly DrawnCandle[] {
  const least = Math.max(stepMs, 1000)
  const step = Math.ceil((span.to - span.from) / Math.max(1, most) / least) * least
  const made: DrawnCandle[] = []
  let close: number | null = null
  for (const [at, , mark] of rows) {
    if (at === null || at === undefined || mark === null || mark === undefined) continue
    const begin = Math.floor(at / step) * step
    const last = made.at(-1)
    // A candle opens where the one before it closed, unless the price moved at its very start.
    const open = close === null || at === begin ? mark : close
    if (last?.at === begin)
      made[made.length - 1] = {
        ...last,
        high: Math.max(last.high, mark),
        low: Math.min(last.low, mark),
        close: mark,
      }
    else made.push({ at: begin, open, high: Math.max(open, mark), low: Math.min(open, mark), close: mark })
    close = mark
  }
  return made
}

/**
 * Returns whether a moment is within the time of these prices, which a restore or a reset may have begun or
 * ended.
 */
export const includesMoment = ({ begins, ends }: HistoryPrices, moment: WorldMoment): boolean =>
  compareMoments(begins, moment) <= 0 && (ends === null || compareMoments(moment, ends) < 0)
