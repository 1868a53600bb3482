import { element } from '../numeric/columns.ts'
import { computeFigures, type Figure, figure, missing, ratio, rowBuilder } from './figure.ts'
import {
  type AnyGrid,
  computeReceived,
  type FillRecord,
  mergeChanges,
  type OrderRecord,
  type Records,
  type TransferRecord,
} from './records.ts'
import { mean, sum, toDoubles } from './samples.ts'

const row = rowBuilder<ReturnType<typeof measureActivity>>()

/** The figures that say how much a run traded and how much it was invested. */
export const activity = {
  orders: row.sum('count', ({ orders }) => orders.length, 'Orders'),
  fills: row.sum('count', ({ fills }) => fills.length, 'Fills'),
  volume: row.sum('usd', ({ volume }) => volume, 'Volume'),
  /** The value traded per day over the mean equity. */
  turnoverPerDay: row.figure(
    'fraction',
    ({ volume, equity, days }) => computeTurnover(volume, equity, days),
    'Turnover a day',
  ),
  /** The share of the grid's instants with a position in any asset. */
  exposureTime: row.figure(
    'share',
    ({ held, equity }) => ratio(held, equity.length, 'the grid has no points'),
    'Time with a position',
  ),
  grossMean: row.figure('usd', ({ gross }) => gross.mean),
  grossMaximum: row.figure('usd', ({ gross }) => gross.furthest),
  netMean: row.figure('usd', ({ net }) => net.mean),
  /** The net exposure furthest from 0. */
  netMaximum: row.figure('usd', ({ net }) => net.furthest),
  leverageMean: row.figure('ratio', ({ leverage }) => leverage.mean),
  leverageMaximum: row.figure('ratio', ({ leverage }) => leverage.furthest),
}

/** Computes the figures of a run's activity from its records, over a span in days. */
export const computeActivity = (...given: Parameters<typeof measureActivity>) =>
  computeFigures(activity, measureActivity(...given))

function measureActivity(
  grid: AnyGrid,
  fills: readonly FillRecord[],
  orders: Records<OrderRecord>,
  days: number,
) {
  const volume = sum(fills.map((fill) => fill.value))
  return { ...measureExposures(grid), equity: grid.equity, volume, fills, orders, days }
}

const part = rowBuilder<ReturnType<typeof splitProfit>>()

/** The figures that say where the profit came from, in USD. The parts and the remainder add up to the profit. */
export const attribution = {
  /** How much better the fills were than the mid at their instants; negative for a taker. */
  spread: part.sum('usd', ({ spread }) => spread),
  /** What the positions gained from moves of the mid. */
  inventory: part.sum('usd', ({ inventory }) => inventory),
  fees: part.sum('usd', ({ fees }) => fees),
  profit: part.sum('usd', ({ profit }) => profit),
  /** What rounding to the USD atom leaves of the profit beyond its parts. */
  remainder: part.sum('usd', ({ spread, inventory, fees, profit }) => profit - (spread + inventory + fees)),
}

/** Computes where a run's profit, in USD, came from. */
export const computeAttribution = (...given: Parameters<typeof splitProfit>) =>
  computeFigures(attribution, splitProfit(...given))

/** Measures exposure at every point of the grid, and leverage at those where the equity is above 0. */
function measureExposures(grid: AnyGrid) {
  const equity = toDoubles(grid.equity)
  const assets = grid.assets.map(({ position, price }) => [toDoubles(position), toDoubles(price)] as const)
  const [gross, net, leverage] = [new RunningSummary(), new RunningSummary(), new RunningSummary()]
  let held = 0
  for (let place = 0; place < equity.length; place += 1) {
    let size = 0
    let value = 0
    for (const [position, price] of assets) {
      const own = element(position, place) * element(price, place)
      size += Math.abs(own)
      value += own
    }
    if (size > 0) held += 1
    gross.add(size)
    net.add(value)
    if (element(equity, place) > 0) leverage.add(size / element(equity, place))
  }
  return { gross, net, leverage, held }
}

/** Accumulates the mean of values and the value furthest from 0. The mean of equal values is exactly that value. */
class RunningSummary {
  private count = 0
  private first = 0
  private total = 0
  private largest = 0
  private isSame = true

  add(value: number): void {
    if (this.count === 0) this.first = value
    this.count += 1
    this.total += value
    if (value !== this.first) this.isSame = false
    if (Math.abs(value) > Math.abs(this.largest)) this.largest = value
  }

  get mean(): Figure {
    return this.toFigure(this.isSame ? this.first : this.total / this.count)
  }

  get furthest(): Figure {
    return this.toFigure(this.largest)
  }

  private toFigure(value: number): Figure {
    return this.count === 0 ? missing('there are no values') : figure(value)
  }
}

function computeTurnover(volume: number, equity: ArrayLike<number>, days: number): Figure {
  const average = mean(equity)
  if (average.value === null || average.value <= 0) return missing('the mean equity is not above 0')
  return ratio(volume / average.value, days, 'the run took no time')
}

/**
 * Splits the profit by its sources. Each part is summed independently: spread from the fills against the mid at their
 * instants, inventory from what was held while the mid moved, fees as paid. What they leave of the profit comes from
 * rounding values to the USD atom, at most one atom for each fill, each transfer and each sampled mark.
 */
function splitProfit(
  grid: AnyGrid,
  fills: readonly FillRecord[],
  transfers: readonly TransferRecord[],
  profit: number,
) {
  let spread = 0
  let fees = 0
  const held = new Map(
    grid.assets.map(({ asset, position, price }) => [
      asset,
      { quantity: position[0] ?? 0, mid: price[0] ?? 0, gained: 0 },
    ]),
  )
  for (const change of mergeChanges(fills, transfers)) {
    const holding = held.get(change.asset)
    if (holding === undefined) continue
    const mid = 'side' in change ? (change.mid ?? change.price) : change.value / change.quantity
    holding.gained += holding.quantity * (mid - holding.mid)
    holding.mid = mid
    const received = computeReceived(change)
    holding.quantity += received
    if (!('side' in change)) continue
    // `received` is net of a fee in the asset itself, whose value at the fill's price counts among the fees.
    spread += (mid - change.price) * received
    fees -= change.feeUsd
  }
  let inventory = 0
  for (const { asset, price } of grid.assets) {
    const holding = held.get(asset)
    if (holding === undefined) continue
    inventory += holding.gained + holding.quantity * ((price.at(-1) ?? holding.mid) - holding.mid)
  }
  return { spread, inventory, fees, profit }
}
