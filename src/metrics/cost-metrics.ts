import { bisectPlaces, element } from '../numeric/columns.ts'
import { computeFigures, type Figure, figure, missing, ratio, rowBuilder } from './figure.ts'
import { type AnyGrid, canRest, type FillRecord, type OrderRecord, type Records } from './records.ts'
import { sum, toDoubles } from './samples.ts'

const basisPoints = 10_000

interface CostInput {
  readonly grid: AnyGrid
  readonly fills: readonly FillRecord[]
  readonly shortfall: ReturnType<typeof computeShortfall>
}

const row = rowBuilder<CostInput>()
const ofAsset = rowBuilder<{ readonly asset: string; readonly fills: readonly FillRecord[] }>()

/** The figures of trading costs. Costs are positive; amounts are in USD. */
export const costs = {
  fees: row.smallSum('usd', ({ fills }) => sumFees(fills)),
  makerFees: row.smallSum('usd', ({ fills }) => sumFees(fills.filter(isMakerFill))),
  takerFees: row.smallSum('usd', ({ fills }) => sumFees(fills.filter(isTakerFill))),
  /** The price against the mid when the order arrived, weighted by value. */
  slippageBps: row.smallFigure(
    'basisPoints',
    ({ fills }) => computeSlippage(fills),
    'Slippage against arrival',
  ),
  byAsset: row.list('asset', splitByAsset, {
    asset: ofAsset.figure('text', ({ asset }) => asset),
    makerFees: ofAsset.smallFigure('usd', ({ fills }) => sumFees(fills.filter(isMakerFill))),
    takerFees: ofAsset.smallFigure('usd', ({ fills }) => sumFees(fills.filter(isTakerFill))),
    slippageBps: ofAsset.smallFigure('basisPoints', ({ fills }) => computeSlippage(fills)),
  }),
  /** The implementation shortfall. The four parts and the fees add up to the total. */
  shortfall: {
    delay: row.smallSum('usd', ({ shortfall }) => shortfall.delay),
    spread: row.smallSum('usd', ({ shortfall }) => shortfall.spread),
    impact: row.smallSum('usd', ({ shortfall }) => shortfall.impact),
    opportunity: row.smallSum('usd', ({ shortfall }) => shortfall.opportunity),
    fees: row.smallSum('usd', ({ shortfall }) => shortfall.fees),
    total: row.smallSum(
      'usd',
      ({ shortfall: { delay, spread, impact, opportunity, fees } }) =>
        delay + spread + impact + opportunity + fees,
    ),
  },
  /** The mean price of the fills against the mean of the mid over the time from the first to the last. */
  versusTwapBps: row.smallFigure(
    'basisPoints',
    ({ grid, fills }) => compareWithTwap(grid, fills),
    'Against the mean price',
  ),
  /** The mean price of the fills against that of all trades and prints from the first fill to the last, these included. */
  versusVwapBps: row.smallFigure(
    'basisPoints',
    ({ fills }) => compareWithVwap(fills),
    'Against the volume-weighted price',
  ),
}

/** Computes the costs of a run from its records. */
export const computeCosts = (grid: AnyGrid, fills: readonly FillRecord[], orders: Records<OrderRecord>) =>
  computeFigures(costs, { grid, fills, shortfall: computeShortfall(grid, fills, orders) })

function splitByAsset({ fills }: CostInput) {
  const assets = [...new Set(fills.map((fill) => fill.asset))].sort()
  return assets.map((asset) => ({ asset, fills: fills.filter((fill) => fill.asset === asset) }))
}

const sumFees = (fills: readonly FillRecord[]): number => sum(fills.map((fill) => fill.feeUsd))
const isMakerFill = (fill: FillRecord): boolean => fill.isMaker === true
/** Returns whether a fill counts as a taker's, which includes fills of a service that does not say. */
const isTakerFill = (fill: FillRecord): boolean => fill.isMaker !== true

/** Computes side * (price - arrival mid) / arrival mid, weighted by value, without fills of quotes, which have no arrival. */
function computeSlippage(fills: readonly FillRecord[]): Figure {
  let weighted = 0
  let value = 0
  for (const fill of fills) {
    if (fill.arrivalMid === null) continue
    weighted += ((signOf(fill) * (fill.price - fill.arrivalMid)) / fill.arrivalMid) * fill.value
    value += fill.value
  }
  return ratio(weighted * basisPoints, value, 'no fill of an order with a known arrival')
}

/**
 * Computes Perold's implementation shortfall of the orders that took liquidity: market, IOC and FOK orders, and those with
 * a taker's fill. An order that only rested was not a decision to trade at once.
 *
 * Delay is the move of the mid on the way to the venue, impact its move from arrival to the fill, spread the price against
 * the mid at the fill, and opportunity what the unfilled rest would have gained by the end of the run.
 */
function computeShortfall(grid: AnyGrid, fills: readonly FillRecord[], orders: Records<OrderRecord>) {
  const byOrder = groupFills(fills, (fill) => fill.orderId ?? '')
  const endPrices = new Map(grid.assets.map(({ asset, price }) => [asset, price.at(-1) ?? 0]))
  let delay = 0
  let spread = 0
  let impact = 0
  let opportunity = 0
  let fees = 0
  for (const order of orders) {
    const own = byOrder.get(order.orderId) ?? []
    const { arrivalMid: arrival, decisionMid: decision } = order
    if (!isTaking(order, own) || decision === null || arrival === null) continue
    const sign = order.side === 'buy' ? 1 : -1
    for (const fill of own) {
      const mid = fill.mid ?? arrival
      delay += sign * (arrival - decision) * fill.quantity
      impact += sign * (mid - arrival) * fill.quantity
      spread += sign * (fill.price - mid) * fill.quantity
      fees += fill.feeUsd
    }
    const end = endPrices.get(order.asset) ?? decision
    opportunity += sign * (end - decision) * (order.quantity - order.filledQuantity)
  }
  return { delay, spread, impact, opportunity, fees }
}

function isTaking(order: OrderRecord, fills: readonly FillRecord[]): boolean {
  return !canRest(order) || fills.some((fill) => fill.isMaker === false)
}

/** Compares the fills of each asset and side with the mean of the mid on the grid between the first and the last fill. */
function compareWithTwap(grid: AnyGrid, fills: readonly FillRecord[]): Figure {
  return compareWithMarket(
    fills,
    (first, last) => computeMeanPrice(grid, first.asset, first.atMillis, last.atMillis),
    'no fills span two points of the equity, which a finer grid has',
  )
}

/** Compares the fills of each asset and side with the market's volume-weighted price from the first fill to the last. */
function compareWithVwap(fills: readonly FillRecord[]): Figure {
  return compareWithMarket(fills, computeIntervalVwap, 'the volume of the market is unknown')
}

function computeIntervalVwap({ tradedBefore: from }: FillRecord, last: FillRecord): number | null {
  const { tradedBefore: to } = last
  if (from === null || to === null) return null
  return (to.value + last.value - from.value) / (to.quantity + last.quantity - from.quantity)
}

/**
 * Compares the mean price of the fills of each asset and side with the market's over the same time, weighted by value.
 * `reason` says why there is no figure if the market's is never known.
 */
function compareWithMarket(
  fills: readonly FillRecord[],
  computeMean: (first: FillRecord, last: FillRecord) => number | null,
  reason: string,
): Figure {
  let weighted = 0
  let value = 0
  for (const own of groupFills(fills, (fill) => `${fill.asset} ${fill.side}`).values()) {
    const [first] = own
    const last = own.at(-1)
    const mean = first === undefined || last === undefined ? null : computeMean(first, last)
    if (first === undefined || mean === null) continue
    const traded = sum(own.map((fill) => fill.value))
    const price = traded / sum(own.map((fill) => fill.quantity))
    weighted += ((signOf(first) * (price - mean)) / mean) * traded
    value += traded
  }
  return value === 0 ? missing(reason) : figure((weighted / value) * basisPoints)
}

function computeMeanPrice(grid: AnyGrid, asset: string, fromMillis: number, toMillis: number): number | null {
  const column = grid.assets.find((candidate) => candidate.asset === asset)
  const atMillis = toDoubles(grid.atMillis)
  const first = bisectPlaces(atMillis.length, (place) => element(atMillis, place) >= fromMillis)
  const end = bisectPlaces(atMillis.length, (place) => element(atMillis, place) > toMillis)
  const within = (column?.price ?? []).slice(first, end)
  return within.length < 2 ? null : sum(within) / within.length
}

const signOf = (fill: FillRecord): 1 | -1 => (fill.side === 'buy' ? 1 : -1)

function groupFills(
  fills: readonly FillRecord[],
  keyOf: (fill: FillRecord) => string,
): ReadonlyMap<string, readonly FillRecord[]> {
  const groups = new Map<string, FillRecord[]>()
  for (const fill of fills) {
    const key = keyOf(fill)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [fill])
    else group.push(fill)
  }
  return groups
}
