import { computeBasketIndex } from '../../metrics/benchmark.ts'
import { computeEquitySeries } from '../../metrics/equity-series.ts'
import { deviation } from '../../metrics/samples.ts'
import { formatCounted } from '../../numeric/units.ts'
import type { Layer } from '../../pages/chart.ts'
import { at } from '../../pages/decimate.ts'
import { type Cell, cardsMarkup, paragraph, type Section } from '../../pages/html.ts'
import type { Pictures } from '../../pages/pictures.ts'
import type { RunResult } from '../result.ts'
import { computeDrawdowns } from './account-sections.ts'
import { count, formatFigure, percent, ratioText, share, span, usd } from './figures.ts'
import { drawMonths } from './period-sections.ts'

/**
 * Builds the first page of a report: ten figures with what each rests on, the return beside a market of the same
 * volatility, the drawdown, and the months as a map.
 */
export function firstPageSection(result: RunResult, pictures: Pictures): Section {
  const body = [cardsMarkup(listFigures(result)), drawReturn(result, pictures), drawMonths(result, pictures)]
  return { id: 'summary', title: 'At a glance', body: body.join('') }
}

type FigureCard = readonly [name: string, value: Cell, basis: string]

function listFigures({ equity, fromMillis, metrics, toMillis }: RunResult): readonly FigureCard[] {
  const { activity, benchmark, costs, drawdown, returns, sampling, trips } = metrics
  const fills = `${count(activity.fills)} ${activity.fills === 1 ? 'fill' : 'fills'}`
  const length = span(toMillis - fromMillis)
  const sample = `${formatCounted(sampling.returns, 'return')} of ${span(sampling.ratioMillis)}`
  const points = `${formatCounted(equity.atMillis.length, 'point')}, ${span(sampling.gridMillis)} apart`
  const isHolding = Math.abs(benchmark.heldProfit) >= 0.005
  const error = returns.sharpeError.value === null ? '' : `, ± ${ratioText(returns.sharpeError.value)}`
  return [
    isHolding
      ? [
          'Profit of trading',
          usd(benchmark.tradingProfit),
          `${fills}; holding made ${usd(benchmark.heldProfit)}`,
        ]
      : ['Profit', usd(returns.profit), `${fills} in ${length}`],
    ['Return', formatFigure(returns.total, percent), length],
    ['A year', formatFigure(returns.cagr, percent), `compounded, from ${length}`],
    ['Sharpe', formatFigure(returns.sharpe, ratioText), `${sample}${error}`],
    ['Chance that it is above 0', formatFigure(returns.probabilisticSharpe, share), sample],
    ['Volatility a year', formatFigure(returns.volatility, percent), sample],
    ['Deepest fall', formatFigure(drawdown.maximum, percent), points],
    ['The market', formatFigure(benchmark.marketReturn, percent), 'equal parts of what was held or traded'],
    [
      'Hit rate, net of fees',
      formatFigure(trips.netHitRate, share),
      `${count(trips.count)} round trips${trips.openLots === 0 ? '' : `; unrealized, in no trip: ${usd(trips.netUnrealized)}`}`,
    ],
    ['Fees', usd(costs.fees), `${fills}, ${usd(activity.volume)}`],
  ]
}

function drawReturn(result: RunResult, pictures: Pictures): string {
  const { atMillis } = result.equity
  const own = computeEquitySeries(result.equity).index
  const market = scaleMarket(result)
  const inPercent = (index: ArrayLike<number>): readonly number[] =>
    Array.from(index, (value) => (value - 1) * 100)
  const beside: readonly Layer[] =
    market === null
      ? []
      : [
          {
            kind: 'line',
            label: 'market at equal volatility',
            color: 8,
            isDashed: true,
            xs: atMillis,
            ys: inPercent(market.index),
          },
        ]
  const text =
    market === null
      ? 'There is no market to compare it with: nothing was traded, or one of the two did not vary.'
      : `The dashed line is buying and holding with ${percent(market.factor)} of the money, so that it varied as much as the account.`
  return pictures.chart({
    id: 'summary-return',
    title: 'Return beside the market',
    description: `What the account returned, deposits and withdrawals removed. ${text}`,
    x: { kind: 'time' },
    isStill: true,
    panels: [
      {
        title: 'Return, %',
        height: 200,
        suffix: '%',
        layers: [
          { kind: 'rule', axis: 'y', at: 0, color: 0 },
          ...beside,
          { kind: 'line', label: 'account', color: 1, xs: atMillis, ys: inPercent(own) },
        ],
      },
      {
        title: 'Drawdown, %',
        height: 80,
        suffix: '%',
        layers: [{ kind: 'area', color: 2, xs: atMillis, ys: computeDrawdowns(result.equity) }],
      },
    ],
  })
}

/**
 * Computes the market's value with its returns scaled so that their deviation is that of the account's, by the steps of the
 * grid. Returns null without a market, and where one of the two does not vary.
 */
function scaleMarket({ equity: grid, fills }: Pick<RunResult, 'equity' | 'fills'>): {
  readonly index: readonly number[]
  readonly factor: number
} | null {
  const basket = computeBasketIndex(grid, fills)
  if (basket === null) return null
  const own = listSteps(computeEquitySeries(grid).index)
  const market = listSteps(basket)
  const [ownSize, marketSize] = [deviation(own).value ?? 0, deviation(market).value ?? 0]
  if (!(ownSize > 0 && marketSize > 0)) return null
  const factor = ownSize / marketSize
  const index = [1]
  for (const step of market) index.push((index.at(-1) ?? 1) * Math.max(0, 1 + factor * step))
  return { index, factor }
}

function listSteps(index: ArrayLike<number>): Float64Array {
  const steps = new Float64Array(Math.max(0, index.length - 1))
  for (let place = 0; place < steps.length; place += 1) {
    const before = at(index, place)
    steps[place] = before > 0 ? at(index, place + 1) / before - 1 : 0
  }
  return steps
}

/** Says that a run is short of what its verdict needs; nothing where it is not. */
export const noteIdleRun = ({ metrics }: RunResult): string =>
  metrics.activity.fills > 0
    ? ''
    : paragraph('It never traded: profit, falls and ratios are those of nothing.', 'warning')
