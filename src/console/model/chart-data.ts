import type { Price } from '../../client/venue-types.ts'
import type { Place, PriceLines, Trade } from './documents.ts'
import type { Sample } from './state.ts'

/**
 * Columns over one axis of seconds: mark (or the mid while it never moved), bid, ask, all trades, own buys, own sells.
 */
export type ChartData = [
  seconds: number[],
  mark: (number | null)[],
  bid: (number | null)[],
  ask: (number | null)[],
  trades: (number | null)[],
  buys: (number | null)[],
  sells: (number | null)[],
]

/** The part of a view that is drawn. */
export interface ChartedView {
  readonly now: string
  readonly asset: string
  readonly prices: readonly Pick<Price, 'asset' | 'bid' | 'ask' | 'mid'>[]
  readonly trades: readonly Pick<Trade, 'asset' | 'side' | 'price' | 'timestamp'>[]
}

const columns = 6
/** A mark and two best prices hold until the next ones; trades are points. */
const lines = 3
/** The page has not seen the best prices for longer than this many marks: it may show none, but not old ones. */
const unseenMarks = 5

/**
 * What the chart draws: marks and trades as the server has recorded them, best prices as the page has seen them, and
 * the account's own fills. Nothing is later than the instant of the view.
 */
export function chartData(
  prices: PriceLines | null,
  samples: readonly Sample[],
  view: ChartedView,
  place: Place | null,
): ChartData {
  const now = Date.parse(view.now)
  const rows = new Map<number, (number | null)[]>()
  const put = (atMillis: number, column: number, value: number | null): void => {
    if (atMillis > now) return
    const row = rows.get(atMillis) ?? Array<number | null>(columns).fill(null)
    row[column] = value
    rows.set(atMillis, row)
  }
  const { marks = [] } = prices ?? {}
  for (const [at, price] of marks) put(at, 0, price)
  for (const [at, price] of prices?.trades ?? []) put(at, 3, price)
  for (const [at, sequence, bid, ask] of samples) {
    if (place !== null && sequence > place.sequence) continue
    put(at, 1, bid)
    put(at, 2, ask)
  }
  const price = view.prices.find(({ asset }) => asset === view.asset)
  if (price !== undefined) {
    // Own orders move the middle of the book, not the mark, so the two do not make one line.
    if (marks.length === 0) put(now, 0, price.mid)
    put(now, 1, price.bid > 0 ? price.bid : null)
    put(now, 2, price.ask > 0 ? price.ask : null)
  }
  const first = Math.min(...rows.keys())
  for (const trade of view.trades) {
    const at = Date.parse(trade.timestamp)
    if (trade.asset === view.asset && at >= first) put(at, trade.side === 'buy' ? 4 : 5, trade.price)
  }
  const sorted = [...rows].sort(([left], [right]) => left - right)
  const column = (index: number) => {
    let held: number | null = null
    let marksSince = 0
    return sorted.map(([, row]) => {
      const value = row[index] ?? null
      if (index >= lines) return value
      marksSince = value !== null ? 0 : row[0] === null ? marksSince : marksSince + 1
      held = value ?? (marksSince > unseenMarks ? null : held)
      return held
    })
  }
  return [sorted.map(([at]) => at / 1000), column(0), column(1), column(2), column(3), column(4), column(5)]
}
