import { element } from '../numeric/columns.ts'
import { type Figure, figure, figuresOf, missing, ratio, rowsOf } from './figure.ts'
import {
  type AnyGrid,
  type FillRecord,
  inOrder,
  type OrderRecord,
  receivedOf,
  type TransferRecord,
} from './records.ts'
import { doubles, mean, sum } from './samples.ts'

/* How much a run did, and where its profit came from. */

const row = rowsOf<ReturnType<typeof foundOfActivity>>()

export const activity = {
  orders: row.sum('count', ({ orders }) => orders.length, 'Orders'),
  fills: row.sum('count', ({ fills }) => fills.length, 'Fills'),
  volume: row.sum('usd', ({ volume }) => volume, 'Volume'),
  /** Traded value over mean equity, a day. */
  turnoverPerDay: row.figure(
    'fraction',
    ({ volume, equity, days }) => turnover(volume, equity, days),
    'Turnover a day',
  ),
  /** Share of the grid's instants with a position. */
  exposureTime: row.figure(
    'share',
    ({ held, gross }) => ratio(held, gross.length, 'the grid has no points'),
    'Time with a position',
  ),
  grossMean: row.figure('usd', ({ gross }) => mean(gross)),
  grossMaximum: row.figure('usd', ({ gross }) => largest(gross)),
  netMean: row.figure('usd', ({ net }) => mean(net)),
  /** The net exposure furthest from 0. */
  netMaximum: row.figure('usd', ({ net }) => largest(net)),
  leverageMean: row.figure('ratio', ({ leverage }) => mean(leverage)),
  leverageMaximum: row.figure('ratio', ({ leverage }) => largest(leverage)),
}

export const activityMetrics = (...given: Parameters<typeof foundOfActivity>) =>
  figuresOf(activity, foundOfActivity(...given))

function foundOfActivity(
  grid: AnyGrid,
  fills: readonly FillRecord[],
  orders: readonly OrderRecord[],
  days: number,
) {
  const volume = sum(fills.map((fill) => fill.value))
  return { ...exposures(grid), equity: grid.equity, volume, fills, orders, days }
}

const part = rowsOf<ReturnType<typeof foundOfProfit>>()

/** Where the profit came from, USD: the parts add up to it. */
export const attribution = {
  /** How much better the fills were than the mid at their instant; negative for takers. */
  spread: part.sum('usd', ({ spread }) => spread),
  /** What positions gained while the mid moved. */
  inventory: part.sum('usd', ({ inventory }) => inventory),
  fees: part.sum('usd', ({ fees }) => fees),
  profit: part.sum('usd', ({ profit }) => profit),
  /** What rounding to the USD atom leaves between the parts and the profit. */
  remainder: part.sum('usd', ({ spread, inventory, fees, profit }) => profit - (spread + inventory + fees)),
}

export const attributionOf = (...given: Parameters<typeof foundOfProfit>) =>
  figuresOf(attribution, foundOfProfit(...given))

/** At every point of the grid; leverage only where the equity is above 0. */
function exposures({ assets, atMillis, ...grid }: AnyGrid) {
  const equity = doubles(grid.equity)
  const gross = new Float64Array(atMillis.length)
  const net = new Float64Array(atMillis.length)
  for (const asset of assets) {
    const position = doubles(asset.position)
    const price = doubles(asset.price)
    for (let place = 0; place < gross.length; place += 1) {
      const value = element(position, place) * element(price, place)
      gross[place] = element(gross, place) + Math.abs(value)
      net[place] = element(net, place) + value
    }
  }
  const leverage = new Float64Array(atMillis.length)
  let held = 0
  let solvent = 0
  for (let place = 0; place < gross.length; place += 1) {
    const size = element(gross, place)
    if (size > 0) held += 1
    if (element(equity, place) <= 0) continue
    leverage[solvent] = size / element(equity, place)
    solvent += 1
  }
  return { gross, net, leverage: leverage.subarray(0, solvent), held }
}

function turnover(volume: number, equity: ArrayLike<number>, days: number): Figure {
  const average = mean(equity)
  if (average.value === null || average.value <= 0) return missing('the mean equity is not above 0')
  return ratio(volume / average.value, days, 'the run took no time')
}

/** The value furthest from 0. */
function largest(values: Float64Array): Figure {
  if (values.length === 0) return missing('there are no values')
  let found = 0
  for (let place = 0; place < values.length; place += 1) {
    const value = element(values, place)
    if (Math.abs(value) > Math.abs(found)) found = value
  }
  return figure(found)
}

/**
 * Profit by where it came from. Each part is added up by itself: spread from the fills against the mid at their
 * instant, inventory from what was held while the mid moved, fees as paid. What the three leave of the profit is
 * stated as `remainder`: the rounding of values to the USD atom, at most one for each fill, each transfer and each look
 * at the mark.
 */
function foundOfProfit(
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
  for (const change of inOrder(fills, transfers)) {
    const holding = held.get(change.asset)
    if (holding === undefined) continue
    const mid = 'side' in change ? (change.mid ?? change.price) : change.value / change.quantity
    holding.gained += holding.quantity * (mid - holding.mid)
    holding.mid = mid
    const received = receivedOf(change)
    holding.quantity += received
    if (!('side' in change)) continue
    // A fee in the asset itself, stated at the fill's price, has paid its part of the spread.
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
