import { expect, it } from 'vitest'
import { metricText } from '../../../src/backtest/report/figures.ts'
import { towardsBetter } from '../../../src/backtest/sweep/summary.ts'
import { flattenMetrics } from '../../../src/metrics/metrics.ts'
import { sampleResult } from './sample-result.ts'

/* Units and directions are told by names, and a name that says nothing is a ratio, and better large: on purpose? */

/** One entry of a list stands for all. */
const figures = [
  ...new Set(
    Object.keys(flattenMetrics(sampleResult().metrics)).map((name) =>
      name.replace(/\.(?:BTC|ETH|\d+)\./g, '.*.'),
    ),
  ),
].filter((name) => !name.startsWith('sampling.'))

const named = (group: string, names: string) => names.split(' ').map((name) => `${group}.${name}`)

it('has a unit, or is a ratio', () => {
  const ratios = figures.filter((name) => metricText(name.replace('*', 'BTC'), 0.25) === '0.25')
  expect(ratios.toSorted()).toEqual(
    [
      ...named('returns', 'sharpe sharpeError smartSharpe sortino calmar skewness kurtosis autocorrelation'),
      ...named('returns', 'tStatistic omega tailRatio stability'),
      ...named('benchmark', 'beta correlation informationRatio upCapture downCapture'),
      ...named('activity', 'leverageMean leverageMaximum'),
      ...named('trips', 'profitFactor payoff netProfitFactor netPayoff open.*.quantity'),
      ...named('maker', 'fillsPerHourAtTouch cancelsPerFill'),
      ...named('maker.inventory.*', 'mean deviation maximum futureReturn'),
      'drawdown.isLongestOpen',
    ].toSorted(),
  )
})

it('is better large only where somebody would want more of it, or nobody can say', () => {
  const large = figures.filter((name) => towardsBetter(name.replace('*', '5000')) === 1)
  expect(large.toSorted()).toEqual(
    [
      ...named(
        'returns',
        'total profit cagr sharpe smartSharpe sortino calmar probabilisticSharpe deflatedSharpe',
      ),
      ...named('returns', 'skewness kurtosis autocorrelation tStatistic omega tailRatio stability'),
      ...named('benchmark', 'heldProfit tradingProfit marketReturn marketDrawdown alpha informationRatio'),
      ...named('benchmark', 'beta correlation upCapture'),
      ...named('drawdown', 'maximum'),
      ...named('drawdown.deepest.*', 'peakMillis troughMillis recoveryMillis depth'),
      ...named('activity', 'orders fills volume turnoverPerDay exposureTime leverageMean leverageMaximum'),
      ...named('activity', 'grossMean grossMaximum netMean netMaximum'),
      ...named('trips', 'count wins zeros hitRate profitFactor expectancy payoff meanHoldMillis'),
      ...named('trips', 'netHitRate netProfitFactor netExpectancy netPayoff realized netRealized'),
      ...named('trips', 'openLots unrealized netUnrealized'),
      ...named('trips.open.*', 'quantity averageCost unrealized netUnrealized'),
      ...named('maker', 'fills volume spreadBps fillRatioByCount fillRatioByQuantity requests'),
      ...named('maker', 'fillsPerHourAtTouch timeAtTouch'),
      ...named('maker.markouts.*', 'horizonMillis fills bps lowBps highBps'),
      ...named('maker.uptime.*', 'withinBps share'),
      ...named('maker.inventory.*', 'mean deviation maximum halfLifeMillis timeAtLimit futureReturn'),
      ...named('attribution', 'spread inventory fees profit remainder'),
    ].toSorted(),
  )
})
