import { element } from '../numeric/columns.ts'
import { log } from '../numeric/portable-math.ts'
import { millisPerHour } from '../numeric/time-text.ts'
import { computeFigures, derive, type Figure, figure, missing, ratio, rowBuilder } from './figure.ts'
import {
  type AnyColumns,
  type AnyGrid,
  canRest,
  type FillRecord,
  markoutMillis,
  type OrderRecord,
  type QuoteRecord,
  type QuotingTally,
  type Records,
} from './records.ts'
import {
  autocorrelation,
  bootstrapInterval,
  correlation,
  deviation,
  mean,
  sum,
  toDoubles,
} from './samples.ts'

const basisPoints = 10_000
/** The share of the largest position from which on a position counts as at its limit. */
const limitShare = 0.95

/** The records from which the figures of market making are computed. */
export interface MakerInput {
  readonly grid: AnyGrid
  readonly fills: readonly FillRecord[]
  readonly orders: Records<OrderRecord>
  readonly quotes: Records<QuoteRecord>
  /** How the account's orders stood in the book; null if the book was not sampled. */
  readonly quoting: QuotingTally | null
  readonly cancels: number
  readonly requests: number
  readonly rateLimited: number
  readonly seed: string
}

const row = rowBuilder<ReturnType<typeof measureMaking>>()
const atHorizon = rowBuilder<ReturnType<typeof computeMarkout>>()
const within = rowBuilder<{ readonly withinBps: number; readonly share: Figure }>()
const ofAsset = rowBuilder<ReturnType<typeof measureInventory>[number]>()

/** The figures of market making. */
export const maker = {
  fills: row.sum('count', ({ made }) => made.length, 'Maker fills'),
  volume: row.sum('usd', ({ made }) => sum(made.map((fill) => fill.value)), 'Maker volume'),
  spreadBps: row.figure(
    'basisPoints',
    ({ made }) => computeWeightedBps(made, (fill) => computeCapture(fill, fill.mid)),
    'Spread captured',
  ),
  /** The moves of the mid after the fills, positive in the maker's favour, weighted by value. */
  markouts: row.list(
    'horizonMillis',
    ({ made, seed }) =>
      markoutMillis.map((horizonMillis, place) => computeMarkout(made, horizonMillis, place, seed)),
    {
      horizonMillis: atHorizon.figure('span', ({ horizonMillis }) => horizonMillis),
      fills: atHorizon.figure('count', ({ fills }) => fills),
      bps: atHorizon.figure('basisPoints', ({ bps }) => bps),
      /** The bounds of the 95 % confidence interval, by bootstrap. */
      lowBps: atHorizon.figure('basisPoints', ({ interval }) => interval.low),
      highBps: atHorizon.figure('basisPoints', ({ interval }) => interval.high),
      /** The spread captured less the markout: the adverse selection. */
      adverseBps: atHorizon.smallFigure('basisPoints', ({ capture, bps }) =>
        derive(capture, (value) => value - (bps.value ?? 0)),
      ),
    },
  ),
  /** The share of orders that could rest and of sides of quotes that were filled at all. */
  fillRatioByCount: row.figure(
    'share',
    ({ asked }) => ratio(asked.filled, asked.count, 'nothing rested'),
    'Fill ratio by number',
  ),
  /** The filled share of the value of orders that could rest and of sides of quotes, at their own prices. */
  fillRatioByQuantity: row.figure(
    'share',
    ({ asked }) => ratio(asked.filledValue, asked.value, 'nothing rested'),
    'Fill ratio by quantity',
  ),
  /** The maker fills per hour spent at the best price. */
  fillsPerHourAtTouch: row.figure(
    'ratio',
    ({ made, quoting }) =>
      quoting === null
        ? notSampled
        : ratio(made.length, quoting.atTouchMillis / millisPerHour, 'never at the touch'),
    'Fills an hour at the best price',
  ),
  /** The share of the time at the best price of the book, on at least one side. */
  timeAtTouch: row.figure(
    'share',
    ({ quoting }) =>
      quoting === null ? notSampled : ratio(quoting.atTouchMillis, quoting.observedMillis, noTime),
    'Time at the best price',
  ),
  /** The share of the time with a bid and an ask that are each within 10, 25 or 50 basis points of the mid. */
  uptime: row.list(
    'withinBps',
    ({ quoting }) =>
      (quoting?.twoSided ?? []).map(({ withinBps, millis }) => ({
        withinBps,
        share: ratio(millis, quoting?.observedMillis ?? 0, noTime),
      })),
    {
      withinBps: within.figure('basisPoints', ({ withinBps }) => withinBps),
      share: within.figure('share', ({ share }) => share),
    },
  ),
  cancelsPerFill: row.smallFigure(
    'ratio',
    ({ cancels, fills }) => ratio(cancels, fills.length, 'there are no fills'),
    'Cancels a fill',
  ),
  requests: row.sum('count', ({ requests }) => requests),
  rateLimited: row.smallFigure('count', ({ rateLimited }) => rateLimited),
  /** The inventory of each asset on the grid: its position less that at the start, in units of the asset. */
  inventory: row.list(
    'asset',
    ({ grid }) => grid.assets.flatMap((column) => measureInventory(grid.stepMillis, column)),
    {
      asset: ofAsset.figure('text', ({ asset }) => asset),
      mean: ofAsset.figure('ratio', ({ position }) => mean(position)),
      deviation: ofAsset.figure('ratio', ({ position }) => deviation(position)),
      maximum: ofAsset.figure('ratio', ({ largest }) => figure(largest)),
      halfLifeMillis: ofAsset.figure('span', ({ position, stepMillis }) =>
        computeHalfLife(position, stepMillis),
      ),
      /** The share of the grid's instants at 95 % or more of the largest inventory. */
      timeAtLimit: ofAsset.figure('share', ({ atLimit, position }) =>
        ratio(atLimit, position.length, 'the grid has no points'),
      ),
      /** The correlation of the inventory with the return of the next step. */
      futureReturn: ofAsset.figure('ratio', ({ position, returns }) =>
        correlation(position.subarray(0, -1), returns),
      ),
    },
  ),
}

const notSampled = missing('the book was not sampled')
const noTime = 'the run took no time'

/** Computes the figures of market making from a run's records. */
export const computeMaker = (input: MakerInput) => computeFigures(maker, measureMaking(input))

function measureMaking(input: MakerInput) {
  return {
    ...input,
    made: input.fills.filter((fill) => fill.isMaker === true),
    asked: summarizeOffers(input),
  }
}

/**
 * Counts the orders that could rest and the sides of quotes, those that were filled, and their values at their own
 * prices.
 */
function summarizeOffers({ orders, quotes }: MakerInput) {
  const sides = { count: 0, filled: 0, value: 0, filledValue: 0 }
  const add = (quantity: number, filled: number, price: number): void => {
    const value = quantity * price
    if (!(value > 0)) return
    sides.count += 1
    if (filled * price > 0) sides.filled += 1
    sides.value += value
    sides.filledValue += filled * price
  }
  for (const order of orders) if (canRest(order)) add(order.quantity, order.filledQuantity, order.price ?? 0)
  for (const quote of quotes) {
    add(quote.bidSize, quote.bidFilled, quote.bidPrice)
    add(quote.askSize, quote.askFilled, quote.askPrice)
  }
  return sides
}

/** Computes how much better a fill was than a mid, as a share of its price; null if the mid is not known. */
function computeCapture(fill: FillRecord, mid: number | null | undefined): number | null {
  if (mid === null || mid === undefined) return null
  return ((fill.side === 'buy' ? 1 : -1) * (mid - fill.price)) / fill.price
}

function computeWeightedBps(
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

function computeMarkout(made: readonly FillRecord[], horizonMillis: number, place: number, seed: string) {
  const known = made.filter((fill) => (fill.midAfter[place] ?? null) !== null)
  const of = (fill: FillRecord): number | null => computeCapture(fill, fill.midAfter[place])
  // If there are maker fills, the run ended before the mid that long after them was known.
  const reason = made.length === 0 ? undefined : 'no maker fill was so long before the end'
  const bps = computeWeightedBps(known, of, reason)
  const capture = computeWeightedBps(known, (fill) => computeCapture(fill, fill.mid), reason)
  const interval = bootstrapInterval(
    known.map((fill) => (of(fill) ?? 0) * basisPoints),
    known.map((fill) => fill.value),
    { atMillis: known.map((fill) => fill.atMillis), reachMillis: horizonMillis },
    `${seed}/markout/${horizonMillis}`,
  )
  return { horizonMillis, fills: known.length, bps, capture, interval }
}

function measureInventory(stepMillis: number, { asset, ...columns }: AnyColumns) {
  const held = toDoubles(columns.position)
  const price = toDoubles(columns.price)
  // Inventory counts from the start: to quote an ask at all, a maker must hold some of the asset from the start.
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
  return [{ asset, stepMillis, position, returns, largest, atLimit }]
}

/** Computes the half-life of an inventory from its autoregression over one step, in milliseconds. */
function computeHalfLife(position: Float64Array, stepMillis: number): Figure {
  const rho = autocorrelation(position)
  if (rho.value === null) return rho
  if (rho.value <= 0) return missing('the inventory does not revert on this grid')
  return figure((stepMillis * log(0.5)) / log(rho.value))
}
