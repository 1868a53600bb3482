import { millisPerDay, millisPerYear, millisToIso } from '../numeric/time-text.ts'
import { activityMetrics } from './activity-metrics.ts'
import { attributionOf } from './attribution.ts'
import { benchmarkMetrics } from './benchmark.ts'
import { costMetrics } from './cost-metrics.ts'
import { drawdownMetrics } from './drawdown-metrics.ts'
import { type EquitySeries, equitySeries } from './equity-series.ts'
import { type MakerInput, makerMetrics } from './maker-metrics.ts'
import type { Metrics, ReturnMetrics } from './metrics.ts'
import type { TransferRecord } from './records.ts'
import { returnMetrics, tailMetrics } from './return-metrics.ts'
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
export function computeMetrics(input: MetricsInput): Metrics {
  const { fills, grid, orders, riskFreeRate = 0, transfers, trials } = input
  const series = equitySeries(grid)
  const fromMillis = Number(grid.atMillis[0])
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
