import type { Figure } from '../../metrics/figure.ts'
import type { BacktestResult } from '../result.ts'
import { bps, count, percent, ratioText, share, shown, span, usd } from './figures.ts'
import { type Cell, cardsMarkup, type Section, tableMarkup } from './html.ts'

type Line = readonly [name: string, value: Cell]

/** The figures of a run: the few that people ask for first, then more of them by subject. */
export function keyFiguresSection(result: BacktestResult): Section {
  const groups = [
    ['Returns', returnLines(result)],
    ['Against the market', benchmarkLines(result)],
    ['Falls and tails', riskLines(result)],
    ['Trading', tradingLines(result)],
    ['Round trips, before fees', tripLines(result)],
  ] as const
  const tables = groups.map(([caption, rows]) => tableMarkup({ caption, head: ['Figure', 'Value'], rows }))
  const body = `${cardsMarkup(cards(result))}<div class="tables">${tables.join('')}</div>`
  return { id: 'figures', title: 'Key figures', body }
}

function cards({ metrics }: BacktestResult): readonly Line[] {
  const { returns, drawdown, activity, costs, trips } = metrics
  return [
    ['Profit', usd(returns.profit)],
    ['Return', shown(returns.total, percent)],
    ['Sharpe', shown(returns.sharpe, ratioText)],
    ['Deepest fall', shown(drawdown.maximum, percent)],
    ['Fills', count(activity.fills)],
    ['Volume', usd(activity.volume)],
    ['Fees', usd(costs.fees)],
    ['Hit rate, before fees', shown(trips.hitRate, share)],
  ]
}

function returnLines({ metrics: { returns } }: BacktestResult): readonly Line[] {
  return [
    ['Total return', shown(returns.total, percent)],
    ['Compound annual growth', shown(returns.cagr, percent)],
    ['Volatility a year', shown(returns.volatility, percent)],
    ['Sharpe', withError(returns.sharpe, returns.sharpeError)],
    ['Sharpe, for autocorrelation', shown(returns.smartSharpe, ratioText)],
    ['Sortino', shown(returns.sortino, ratioText)],
    ['Calmar', shown(returns.calmar, ratioText)],
    ['Skewness', shown(returns.skewness, ratioText)],
    ['Kurtosis (normal: 3)', shown(returns.kurtosis, ratioText)],
    ['Autocorrelation', shown(returns.autocorrelation, ratioText)],
    ['Probability that Sharpe > 0', shown(returns.probabilisticSharpe, share)],
    ['Deflated Sharpe', shown(returns.deflatedSharpe, share)],
    ['Returns needed to believe it', shown(returns.minimumTrackRecord, count)],
  ]
}

/** The market: equal parts of what was held or traded, bought at the start and held. */
function benchmarkLines({ metrics: { benchmark } }: BacktestResult): readonly Line[] {
  return [
    ['Profit of what was held at the start', usd(benchmark.heldProfit)],
    ['Profit of trading', usd(benchmark.tradingProfit)],
    ['Buying and holding', shown(benchmark.marketReturn, percent)],
    ['Its deepest fall', shown(benchmark.marketDrawdown, percent)],
    ['Beta', shown(benchmark.beta, ratioText)],
    ['Alpha a year', shown(benchmark.alpha, percent)],
    ['Correlation', shown(benchmark.correlation, ratioText)],
    ['Information ratio', shown(benchmark.informationRatio, ratioText)],
  ]
}

function riskLines({ metrics: { drawdown, tail } }: BacktestResult): readonly Line[] {
  return [
    ['Deepest fall', shown(drawdown.maximum, percent)],
    ['Longest fall', span(drawdown.longestMillis) + (drawdown.isLongestOpen ? ' (not over)' : '')],
    ['Ulcer index', shown(drawdown.ulcer, percent)],
    ['Value at risk 95 %, a step', shown(tail.grid.valueAtRisk95, percent)],
    ['Expected shortfall 95 %, a step', shown(tail.grid.shortfall95, percent)],
    ['Cornish-Fisher 95 %, a step', shown(tail.grid.cornishFisher95, percent)],
    ['Value at risk 99 %, a step', shown(tail.grid.valueAtRisk99, percent)],
    ['Expected shortfall 99 %, a step', shown(tail.grid.shortfall99, percent)],
    ['Value at risk 95 %, a day', shown(tail.day.valueAtRisk95, percent)],
    ['Expected shortfall 95 %, a day', shown(tail.day.shortfall95, percent)],
  ]
}

function tradingLines({ metrics: { activity, costs } }: BacktestResult): readonly Line[] {
  return [
    ['Orders', count(activity.orders)],
    ['Fills', count(activity.fills)],
    ['Volume', usd(activity.volume)],
    ['Turnover a day', shown(activity.turnoverPerDay, percent)],
    ['Time with a position', shown(activity.exposureTime, share)],
    ['Slippage against arrival', shown(costs.slippageBps, bps)],
    ['Against the mean price', shown(costs.versusTwapBps, bps)],
    ['Against the volume-weighted price', shown(costs.versusVwapBps, bps)],
  ]
}

function tripLines({ metrics: { trips } }: BacktestResult): readonly Line[] {
  return [
    ['Round trips', count(trips.count)],
    ['Won, lost, neither', `${count(trips.wins)}, ${count(trips.losses)}, ${count(trips.zeros)}`],
    ['Hit rate', shown(trips.hitRate, share)],
    ['Profit factor', shown(trips.profitFactor, ratioText)],
    ['Expectancy', shown(trips.expectancy, usd)],
    ['Payoff', shown(trips.payoff, ratioText)],
    ['Mean time held', shown(trips.meanHoldMillis, span)],
    ['Longest losing run', count(trips.longestLosingRun)],
  ]
}

function withError(figure: Figure, error: Figure): Cell {
  if (figure.value === null || error.value === null) return shown(figure, ratioText)
  return `${ratioText(figure.value)} ± ${ratioText(error.value)}`
}
