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

const row = rowBuilder<ReturnType<typeof measureMaking>>()
const atHorizon = rowBuilder<ReturnType<typeof computeMarkout>>()
const within = rowBuilder<{ readonly withinBps: number; readonly share: Figure }>()
const ofAsset = rowBuilder<ReturnType<typeof measureInventory>[number]>()

export const maker = {
  fills: row.sum('count', ({ made }) => made.length, 'Maker fills'),
  volume: row.sum('usd', ({ made }) => sum(made.map((fill) => fill.value)), 'Maker volume'),
  spreadBps: row.figure(
    'basisPoints',
    ({ made }) => computeWeightedBps(made, (fill) => computeCapture(fill, fill.mid)),
    'Spread captured',
  ),
  /** What the mid did after the fills, in the maker's favour positive, weighted by value. */
  markouts: row.list(
    'horizonMillis',
    ({ made, seed }) =>
      markoutMillis.map((horizonMillis, place) => computeMarkout(made, horizonMillis, place, seed)),
    {
      horizonMillis: atHorizon.figure('span', ({ horizonMillis }) => horizonMillis),
      fills: atHorizon.figure('count', ({ fills }) => fills),
      bps: atHorizon.figure('basisPoints', ({ bps }) => bps),
      /** 95 % by bootstrap. */
      lowBps: atHorizon.figure('basisPoints', ({ interval }) => interval.low),
      highBps: atHorizon.figure('basisPoints', ({ interval }) => interval.high),
      /** Spread captured less the markout. */
      adverseBps: atHorizon.smallFigure('basisPoints', ({ capture, bps }) =>
        derive(capture, (value) => value - (bps.value ?? 0)),
      ),
    },
  ),
  /** Of orders that could rest and of sides of quotes: shares of their number, and of their value at their own prices. */
  fillRatioByCount: row.figure(
    'share',
    ({ asked }) => ratio(asked.filled, asked.count, 'nothing rested'),
    'Fill ratio by number',
  ),
  fillRatioByQuantity: row.figure(
    'share',
    ({ asked }) => ratio(asked.filledValue, asked.value, 'nothing rested'),
    'Fill ratio by quantity',
  ),
  /** Maker fills per hour at the best price. */
  fillsPerHourAtTouch: row.figure(
    'ratio',
    ({ made, quoting }) =>
      quoting === null
        ? notSampled
        : ratio(made.length, quoting.atTouchMillis / millisPerHour, 'never at the touch'),
    'Fills an hour at the best price',
  ),
  /** Share of the time at the best price of the book on one side at least. */
  timeAtTouch: row.figure(
    'share',
    ({ quoting }) =>
      quoting === null ? notSampled : ratio(quoting.atTouchMillis, quoting.observedMillis, noTime),
    'Time at the best price',
  ),
  /** Share of the time with a bid and an ask, each within 10, 25 and 50 basis points of the mid. */
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
  /** Units of the asset on the grid, more or less than at the start. */
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
      /** Share of the grid's instants at 95 % or more of the largest inventory. */
      timeAtLimit: ofAsset.figure('share', ({ atLimit, position }) =>
        ratio(atLimit, position.length, 'the grid has no points'),
      ),
      /** Correlation with the return of the next step. */
      futureReturn: ofAsset.figure('ratio', ({ position, returns }) =>
        correlation(position.subarray(0, -1), returns),
      ),
    },
  ),
}

const notSampled = missing('the book was not sampled')
const noTime = 'the run took no time'

export const computeMaker = (input: MakerInput) => computeFigures(maker, measureMaking(input))

function measureMaking(input: MakerInput) {
  return {
    ...input,
    made: input.fills.filter((fill) => fill.isMaker === true),
    asked: summarizeOffers(input),
  }
}

/** Orders that could rest, and each side of a quote: how many, and their value at their own prices. */
function summarizeOffers({ orders, quotes }: MakerInput) {
  const sides = [
    ...orders
      .filter(canRest)
      .map((order) => makeOffer(order.quantity, order.filledQuantity, order.price ?? 0)),
    ...quotes.flatMap((quote) => [
      makeOffer(quote.bidSize, quote.bidFilled, quote.bidPrice),
      makeOffer(quote.askSize, quote.askFilled, quote.askPrice),
    ]),
  ].filter(({ value }) => value > 0)
  return {
    count: sides.length,
    filled: sides.filter(({ filledValue }) => filledValue > 0).length,
    value: sum(sides.map(({ value }) => value)),
    filledValue: sum(sides.map(({ filledValue }) => filledValue)),
  }
}

const makeOffer = (quantity: number, filled: number, price: number) => ({
  value: quantity * price,
  filledValue: filled * price,
})

/** How much better a fill was than a mid, as a share of its price; null without that mid. */
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
  // Fills there are, but the run ended before there was a mid so long after any of them.
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
  return [{ asset, stepMillis, position, returns, largest, atLimit }]
}

/** Of the autoregression of one step. */
function computeHalfLife(position: Float64Array, stepMillis: number): Figure {
  const rho = autocorrelation(position)
  if (rho.value === null) return rho
  if (rho.value <= 0) return missing('the inventory does not revert on this grid')
  return figure((stepMillis * log(0.5)) / log(rho.value))
}
