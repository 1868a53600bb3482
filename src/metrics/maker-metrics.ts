import { element } from '../numeric/columns.ts'
import { log } from '../numeric/portable-math.ts'
import { millisPerHour } from '../numeric/time-text.ts'
import { derive, type Figure, figure, missing, ratio } from './figure.ts'
import type { InventoryMetrics, MakerMetrics, Markout } from './metrics.ts'
import type { AnyColumns, AnyGrid, FillRecord, OrderRecord, QuoteRecord, QuotingTally } from './records.ts'
import { couldRest, markoutMillis } from './records.ts'
import { autocorrelation, bootstrapInterval, correlation, deviation, doubles, mean, sum } from './samples.ts'

const basisPoints = 10_000
/** From this share of the largest position on, a position counts as at its limit. */
const limitShare = 0.95

export interface MakerInput {
  readonly grid: AnyGrid
  readonly fills: readonly FillRecord[]
  readonly orders: readonly OrderRecord[]
  readonly quotes: readonly QuoteRecord[]
  /** Null when the book was not sampled. */
  readonly quoting: QuotingTally | null
  readonly cancels: number
  readonly requests: number
  readonly rateLimited: number
  readonly seed: string
}

export function makerMetrics(input: MakerInput): MakerMetrics {
  const { cancels, fills, grid, quoting, rateLimited, requests, seed } = input
  const made = fills.filter((fill) => fill.isMaker === true)
  const asked = askedOf(input)
  const unseen = missing('the book was not sampled')
  const atTouchHours = (quoting?.atTouchMillis ?? 0) / millisPerHour
  return {
    fills: made.length,
    volume: sum(made.map((fill) => fill.value)),
    spreadBps: weightedBps(made, (fill) => captureOf(fill, fill.mid)),
    markouts: markoutMillis.map((horizonMillis, place) => markoutOf(made, horizonMillis, place, seed)),
    fillRatioByCount: ratio(asked.filled, asked.count, 'nothing rested'),
    fillRatioByQuantity: ratio(asked.filledValue, asked.value, 'nothing rested'),
    fillsPerHourAtTouch: quoting === null ? unseen : ratio(made.length, atTouchHours, 'never at the touch'),
    timeAtTouch:
      quoting === null
        ? unseen
        : ratio(quoting.atTouchMillis, quoting.observedMillis, 'the run took no time'),
    uptime: (quoting?.twoSided ?? []).map(({ withinBps, millis }) => ({
      withinBps,
      share: ratio(millis, quoting?.observedMillis ?? 0, 'the run took no time'),
    })),
    cancelsPerFill: ratio(cancels, fills.length, 'there are no fills'),
    requests,
    rateLimited,
    inventory: grid.assets.flatMap((column) => inventoryOf(grid.stepMillis, column)),
  }
}

/** Orders that could rest, and each side of a quote: how many, and their value at their own prices. */
function askedOf({ orders, quotes }: MakerInput) {
  const sides = [
    ...orders.filter(couldRest).map((order) => side(order.quantity, order.filledQuantity, order.price ?? 0)),
    ...quotes.flatMap((quote) => [
      side(quote.bidSize, quote.bidFilled, quote.bidPrice),
      side(quote.askSize, quote.askFilled, quote.askPrice),
    ]),
  ].filter(({ value }) => value > 0)
  return {
    count: sides.length,
    filled: sides.filter(({ filledValue }) => filledValue > 0).length,
    value: sum(sides.map(({ value }) => value)),
    filledValue: sum(sides.map(({ filledValue }) => filledValue)),
  }
}

const side = (quantity: number, filled: number, price: number) => ({
  value: quantity * price,
  filledValue: filled * price,
})

/** How much better a fill was than a mid, as a share of its price; null without that mid. */
function captureOf(fill: FillRecord, mid: number | null | undefined): number | null {
  if (mid === null || mid === undefined) return null
  return ((fill.side === 'buy' ? 1 : -1) * (mid - fill.price)) / fill.price
}

function weightedBps(
  fills: readonly FillRecord[],
  of: (fill: FillRecord) => number | null,
  reason = 'there are no maker fills',
): Figure {
  let weighted = 0
  let value = 0
  for (const fill of fills) {
    const share = of(fill)
    if (share === null) continue
    weighted += share * fill.value
    value += fill.value
  }
  return ratio(weighted * basisPoints, value, reason)
}

function markoutOf(made: readonly FillRecord[], horizonMillis: number, place: number, seed: string): Markout {
  const known = made.filter((fill) => (fill.midAfter[place] ?? null) !== null)
  const of = (fill: FillRecord): number | null => captureOf(fill, fill.midAfter[place])
  // Fills there are, but the run ended before there was a mid so long after any of them.
  const reason = made.length === 0 ? undefined : 'no maker fill was so long before the end'
  const bps = weightedBps(known, of, reason)
  const capture = weightedBps(known, (fill) => captureOf(fill, fill.mid), reason)
  const interval = bootstrapInterval(
    known.map((fill) => (of(fill) ?? 0) * basisPoints),
    known.map((fill) => fill.value),
    { atMillis: known.map((fill) => fill.atMillis), reachMillis: horizonMillis },
    `${seed}/markout/${horizonMillis}`,
  )
  return {
    horizonMillis,
    fills: known.length,
    bps,
    lowBps: interval.low,
    highBps: interval.high,
    adverseBps: derive(capture, (value) => value - (bps.value ?? 0)),
  }
}

function inventoryOf(stepMillis: number, { asset, ...columns }: AnyColumns): readonly InventoryMetrics[] {
  const held = doubles(columns.position)
  const price = doubles(columns.price)
  // A maker with cash alone can quote an ask only of what it holds from the start.
  const position = new Float64Array(held.length)
  let largest = 0
  for (let place = 0; place < held.length; place += 1) {
    position[place] = element(held, place) - element(held, 0)
    largest = Math.max(largest, Math.abs(element(position, place)))
  }
  if (largest === 0) return []
  const returns = new Float64Array(position.length - 1)
  let atLimit = 0
  for (let place = 0; place < position.length; place += 1) {
    if (place > 0) returns[place - 1] = element(price, place) / element(price, place - 1) - 1
    if (Math.abs(element(position, place)) >= limitShare * largest) atLimit += 1
  }
  return [
    {
      asset,
      mean: mean(position),
      deviation: deviation(position),
      maximum: figure(largest),
      halfLifeMillis: halfLife(position, stepMillis),
      timeAtLimit: ratio(atLimit, position.length, 'the grid has no points'),
      futureReturn: correlation(position.subarray(0, -1), returns),
    },
  ]
}

/** Of the autoregression of one step. */
function halfLife(position: Float64Array, stepMillis: number): Figure {
  const rho = autocorrelation(position)
  if (rho.value === null) return rho
  if (rho.value <= 0) return missing('the inventory does not revert on this grid')
  return figure((stepMillis * log(0.5)) / log(rho.value))
}
