import { percentDecimals } from '../../backtest/report/figures.ts'
import type { BacktestResult } from '../../backtest/result.ts'
import type { Figure } from '../../metrics/figure.ts'
import type { BenchmarkMetrics } from '../../metrics/metrics.ts'
import { withCommas } from '../../numeric/decimal.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import type { Style } from '../terminal.ts'

type Paint = (style: Style, text: string) => string

/** The figures of a run for people: what it was, how it went, what to doubt, and the digest to compare by. */
export function backtestTable(
  result: BacktestResult,
  parameterTexts: readonly (readonly [string, string])[],
  paint: Paint,
): string {
  const { account, fromMillis, metrics, seed, source, strategy, toMillis } = result
  const parameters = parameterTexts.map(([name, text]) => `${name}=${text}`)
  const head = `${paint('bold', strategy)}  ${source.kind} ${source.name}  seed "${seed}"  account ${account}`
  const lines = [
    head,
    `  ${millisToIso(fromMillis)} to ${millisToIso(toMillis)}${warmUpText(result)}${parameters.length === 0 ? '' : `  ${parameters.join(' ')}`}`,
    ...rows(result).map(([name, value]) => `  ${name.padEnd(20)}${value}`),
    ...result.rejects
      .slice(0, 5)
      .map(({ count, message, reason }) => `  ${'refused'.padEnd(20)}${count} x ${reason}: ${message}`),
    ...metrics.warnings.map((warning) => `  ${paint('yellow', warning)}`),
    `  ${'digest'.padEnd(20)}${result.digest ?? 'not known'}`,
  ]
  return `${lines.join('\n')}\n`
}

const warmUpText = ({ warmUpBars }: BacktestResult): string =>
  warmUpBars === undefined ? '' : `  after ${warmUpBars} bars to warm up`

function rows({ metrics }: BacktestResult): readonly (readonly [string, string])[] {
  const { activity, attribution, benchmark, costs, drawdown, maker, returns, sampling, trips } = metrics
  const spread = maker.markouts.find(({ horizonMillis }) => horizonMillis === 60_000)
  const beyond =
    sampling.riskFreeRate === undefined ? '' : `, beyond ${grouped(sampling.riskFreeRate * 100)} % a year`
  const sample = `${sampling.returns} returns of ${formatDuration(sampling.ratioMillis)}${beyond}, ${grouped(sampling.days)} days`
  return [
    ['profit', `${money(returns.profit)} USD, ${percent(returns.total)}`],
    [
      '  came from',
      `spread ${money(attribution.spread)}, inventory ${money(attribution.inventory)}, fees ${money(attribution.fees)}`,
    ],
    ...(benchmark.heldProfit === 0
      ? []
      : [
          [
            '  of that',
            `held from the start ${money(benchmark.heldProfit)}, by trading ${money(benchmark.tradingProfit)}`,
          ] as const,
        ]),
    ['buy and hold', marketText(benchmark)],
    ['sample', sample],
    ['CAGR', percent(returns.cagr)],
    ['volatility', percent(returns.volatility)],
    [
      'Sharpe',
      returns.sharpe.value === null ? '-' : `${number(returns.sharpe)} ± ${number(returns.sharpeError)}`,
    ],
    ['Sortino', number(returns.sortino)],
    ['chance of skill', percent(returns.probabilisticSharpe)],
    ['max drawdown', `${percent(drawdown.maximum)}, longest ${formatDuration(drawdown.longestMillis)}`],
    [
      'trades',
      `${activity.orders} orders, ${activity.fills} fills, ${money(activity.volume)} USD, hit rate before fees ${percent(trips.hitRate)}`,
    ],
    ['costs', `fees ${money(costs.fees)} USD, slippage ${number(costs.slippageBps)} bp`],
    ...(maker.fills === 0 || spread === undefined
      ? []
      : [
          [
            'maker',
            `${maker.fills} fills, spread ${number(maker.spreadBps)} bp, after 1m ${number(spread.bps)} bp (${number(spread.lowBps)} to ${number(spread.highBps)})`,
          ] as const,
        ]),
  ]
}

/** The market beside the run; beta and alpha only where there are enough returns for them. */
function marketText({ alpha, beta, marketDrawdown, marketReturn }: BenchmarkMetrics): string {
  if (marketReturn.value === null) return '-'
  const text = `${percent(marketReturn)}, max drawdown ${percent(marketDrawdown)}`
  return beta.value === null ? text : `${text}; beta ${number(beta)}, alpha ${percent(alpha)} a year`
}

const number = (figure: Figure): string => (figure.value === null ? '-' : grouped(figure.value))
const percent = (figure: Figure): string => (figure.value === null ? '-' : share(figure.value * 100))
const share = (value: number): string => `${grouped(value, percentDecimals(value))} %`
const money = (value: number): string => grouped(value)

/** Thousands apart, without a locale. */
function grouped(value: number, decimals = 2): string {
  const text = value.toFixed(decimals)
  return text === '-0.00' ? '0.00' : withCommas(text)
}
