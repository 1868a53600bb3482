import type { MarketSpec } from '../market/market-spec.ts'
import { type CandleTable, candleTable } from '../market/models/candle-table.ts'
import type { OrderRecord, QuoteRecord } from '../metrics/records.ts'
import { formatDuration } from '../numeric/time-text.ts'
import type { Strategy } from './strategy.ts'
import { firstPlace } from './venue/recorded-volume.ts'

/** What a run did, and when it ended. */
interface Acts {
  readonly orders: readonly Pick<OrderRecord, 'asset' | 'status' | 'decidedAtMillis' | 'updatedAtMillis'>[]
  readonly quotes: readonly Pick<QuoteRecord, 'asset' | 'status' | 'createdAtMillis' | 'updatedAtMillis'>[]
  readonly toMillis: number
}

/**
 * What to doubt about a strategy that looks or acts within recorded candles; null for any other. The way through a
 * candle is made up: it goes to the low first when the candle rises. So a strategy that looks on the way, or learns
 * there that an order has filled, knows how the candle ends.
 */
export function candleWarning(
  { assets }: MarketSpec,
  { onTick, onTimer }: Strategy,
  tickMillis: number,
  barMillis: number | null,
  acts: Acts,
): string | null {
  const tables = new Map(
    assets.flatMap(({ model, symbol }) =>
      model.kind === 'replay' ? [[symbol, candleTable(model.candles)] as const] : [],
    ),
  )
  const spans = [...tables.values()].map(
    ({ atMillis, endMillis }) => Number(endMillis[0]) - Number(atMillis[0]),
  )
  const candleMillis = Math.max(0, ...spans)
  const isCalledAnywhere = onTick !== undefined || onTimer !== undefined
  const lookMillis = isCalledAnywhere ? tickMillis : (barMillis ?? candleMillis)
  if (lookMillis >= candleMillis && !actsWithin(tables, acts)) return null
  const span = formatDuration(candleMillis)
  return `The way of the price through each candle of ${span} is made up, and its beginning gives away its end and its volume: believe only what is earned without looking within candles (a tick of ${span}, no shorter bars and timers, nothing sent at a fill).`
}

function actsWithin(tables: ReadonlyMap<string, CandleTable>, { orders, quotes, toMillis }: Acts): boolean {
  const isWithin = (asset: string, atMillis: number): boolean => {
    const table = tables.get(asset)
    return table !== undefined && atMillis !== toMillis && isWithinCandle(table, atMillis)
  }
  const isEndedWithin = ({ asset, status, updatedAtMillis }: (Acts['orders'] | Acts['quotes'])[number]) =>
    status === 'cancelled' && isWithin(asset, updatedAtMillis)
  return (
    orders.some((order) => isWithin(order.asset, order.decidedAtMillis) || isEndedWithin(order)) ||
    quotes.some((quote) => isWithin(quote.asset, quote.createdAtMillis) || isEndedWithin(quote))
  )
}

/**
 * What was decided at a candle's beginning may arrive some milliseconds later: the first hundredth still counts as the
 * beginning.
 */
function isWithinCandle({ atMillis, count, endMillis }: CandleTable, millis: number): boolean {
  const place = firstPlace(count, (candidate) => Number(endMillis[candidate]) > millis)
  if (place === count) return false
  const begin = Number(atMillis[place])
  return millis - begin > (Number(endMillis[place]) - begin) / 100
}
