import { element } from '../numeric/columns.ts'
import { millisPerDay, millisPerYear, millisToIso } from '../numeric/time-text.ts'
import { benchmarkMetrics } from './benchmark.ts'
import { costMetrics } from './cost-metrics.ts'
import { drawdownMetrics } from './drawdown-metrics.ts'
import { type EquitySeries, equitySeries } from './equity-series.ts'
import type { Figure } from './figure.ts'
import { figure, missing, ratio } from './figure.ts'
import { type MakerInput, makerMetrics } from './maker-metrics.ts'
import type { ActivityMetrics, Attribution, Metrics, ReturnMetrics } from './metrics.ts'
import type { AnyGrid, FillRecord, OrderRecord, TransferRecord } from './records.ts'
import { inOrder, receivedOf, typedGrid } from './records.ts'
import { returnMetrics, tailMetrics } from './return-metrics.ts'
import { doubles, mean, sum } from './samples.ts'
import { tripMetrics, tripsOf } from './trip-metrics.ts'

export interface MetricsInput extends MakerInput {
  readonly transfers: readonly TransferRecord[]
  /** Sharpe ratios per period of all variants that were tried, this one included; empty when unknown. */
  readonly trials: readonly number[]
  /** A year's interest without risk, as a fraction; 0 by default. */
  readonly riskFreeRate?: number
}

/** With fewer returns than this, a ratio says little. */
const fewReturns = 30
const strongAutocorrelation = 0.1

/** All figures of a run: a pure function of its records. The grid has at least one point. */
export function computeMetrics(given: MetricsInput): Metrics {
  const input = { ...given, grid: typedGrid(given.grid) }
  const { fills, grid, orders, riskFreeRate = 0, transfers, trials } = input
  const series = equitySeries(grid)
  const fromMillis = element(grid.atMillis, 0)
  const toMillis = grid.atMillis.at(-1) ?? fromMillis
  const days = (toMillis - fromMillis) / millisPerDay
  const drawdown = drawdownMetrics(series.index, grid.atMillis)
  const riskFree = (riskFreeRate * series.ratio.stepMillis) / millisPerYear
  const returns = returnMetrics(series, { days, drawdown, trials, riskFree })
  return {
    sampling: {
      fromMillis,
      toMillis,
      days,
      gridMillis: grid.stepMillis,
      ratioMillis: series.ratio.stepMillis,
      returns: series.ratio.values.length,
      ...(riskFreeRate === 0 ? {} : { riskFreeRate }),
    },
    returns,
    benchmark: benchmarkMetrics(grid, fills, series, riskFree),
    drawdown,
    tail: tailMetrics(series.grid),
    activity: activityMetrics(grid, fills, orders, days),
    trips: tripMetrics(tripsOf(grid, fills, transfers)),
    costs: costMetrics(grid, fills, orders),
    maker: makerMetrics(input),
    attribution: attributionOf(grid, fills, transfers, series.profit),
    warnings: warningsOf(returns, series),
  }
}

function warningsOf(returns: ReturnMetrics, { ratio, ruinedAtMillis }: EquitySeries): readonly string[] {
  const warnings: string[] = []
  if (ruinedAtMillis !== null) {
    const at = millisToIso(ruinedAtMillis)
    warnings.push(
      `Everything was lost by ${at}: the returns end there, although the positions were not closed.`,
    )
  }
  const count = ratio.values.length
  if (count < fewReturns) {
    const there = count === 1 ? 'is 1 return' : `are ${count} returns`
    warnings.push(`There ${there}: with fewer than ${fewReturns} a ratio says little.`)
  }
  const neighbours = returns.autocorrelation.value
  if (neighbours !== null && Math.abs(neighbours) > strongAutocorrelation) {
    const text = (Math.round(neighbours * 100) / 100).toString()
    warnings.push(`Neighbouring returns are correlated (${text}): believe the smart Sharpe ratio instead.`)
  }
  return warnings
}

/**
 * Profit by where it came from. Each part is added up by itself: spread from the fills against the mid at their
 * instant, inventory from what was held while the mid moved, fees as paid. What the three leave of the profit is
 * stated as `remainder`: the rounding of values to the USD atom, at most one for each fill, each transfer and each look
 * at the mark.
 */
export function attributionOf(
  grid: AnyGrid,
  fills: readonly FillRecord[],
  transfers: readonly TransferRecord[],
  profit: number,
): Attribution {
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
  return { spread, inventory, fees, profit, remainder: profit - (spread + inventory + fees) }
}

export function activityMetrics(
  grid: AnyGrid,
  fills: readonly FillRecord[],
  orders: readonly OrderRecord[],
  days: number,
): ActivityMetrics {
  const { gross, held, leverage, net } = exposures(grid)
  const volume = sum(fills.map((fill) => fill.value))
  return {
    orders: orders.length,
    fills: fills.length,
    volume,
    turnoverPerDay: turnover(volume, grid.equity, days),
    exposureTime: ratio(held, gross.length, 'the grid has no points'),
    grossMean: mean(gross),
    grossMaximum: largest(gross),
    netMean: mean(net),
    netMaximum: largest(net),
    leverageMean: mean(leverage),
    leverageMaximum: largest(leverage),
  }
}

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
