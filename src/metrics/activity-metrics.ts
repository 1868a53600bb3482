import { type Figure, figure, missing, ratio } from './figure.ts'
import type { ActivityMetrics } from './metrics.ts'
import type { EquityGrid, FillRecord, OrderRecord } from './records.ts'
import { mean, sum } from './samples.ts'

export function activityMetrics(
  grid: EquityGrid,
  fills: readonly FillRecord[],
  orders: readonly OrderRecord[],
  days: number,
): ActivityMetrics {
  const points = grid.atMillis.map((_, place) => exposureAt(grid, place))
  const gross = points.map((point) => point.gross)
  const net = points.map((point) => point.net)
  const leverage = points.flatMap((point, place) => {
    const equity = Number(grid.equity[place])
    return equity > 0 ? [point.gross / equity] : []
  })
  const volume = sum(fills.map((fill) => fill.value))
  return {
    orders: orders.length,
    fills: fills.length,
    volume,
    turnoverPerDay: turnover(volume, grid.equity, days),
    exposureTime: ratio(gross.filter((value) => value > 0).length, gross.length, 'the grid has no points'),
    grossMean: mean(gross),
    grossMaximum: largest(gross),
    netMean: mean(net),
    netMaximum: largest(net),
    leverageMean: mean(leverage),
    leverageMaximum: largest(leverage),
  }
}

function exposureAt(grid: EquityGrid, place: number): { readonly gross: number; readonly net: number } {
  let gross = 0
  let net = 0
  for (const { position, price } of grid.assets) {
    const value = Number(position[place]) * Number(price[place])
    gross += Math.abs(value)
    net += value
  }
  return { gross, net }
}

function turnover(volume: number, equity: readonly number[], days: number): Figure {
  const average = mean(equity)
  if (average.value === null || average.value <= 0) return missing('the mean equity is not above 0')
  return ratio(volume / average.value, days, 'the run took no time')
}

/** The value furthest from 0. */
function largest(values: readonly number[]): Figure {
  if (values.length === 0) return missing('there are no values')
  let found = 0
  for (const value of values) if (Math.abs(value) > Math.abs(found)) found = value
  return figure(found)
}
