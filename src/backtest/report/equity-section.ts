import type { Layer } from '../../charts/chart.ts'
import { basketIndex } from '../../metrics/benchmark.ts'
import { equitySeries } from '../../metrics/equity-series.ts'
import type { EquityGrid } from '../../metrics/records.ts'
import type { BacktestResult } from '../result.ts'
import { instant, percent, span, usd } from './figures.ts'
import { detailsMarkup, type Section, tableMarkup } from './html.ts'
import type { Pictures } from './page-pictures.ts'

/** Equity above its drawdowns, the five deepest of them shaded and listed. */
export function equitySection(result: BacktestResult, pictures: Pictures): Section {
  const { atMillis, equity } = result.equity
  const falls = drawdowns(result.equity)
  const { deepest } = result.metrics.drawdown
  const picture = pictures.chart({
    id: 'equity',
    title: 'Equity and drawdown',
    description: `Equity went from ${usd(Number(equity[0]))} to ${usd(equity.at(-1) ?? 0)}; below it, how far it stood under its highest value so far, deposits and withdrawals removed. The deepest falls are shaded.`,
    x: { kind: 'time' },
    panels: [
      {
        title: 'Equity, USD',
        height: 220,
        layers: [
          ...deepest.map(({ peakMillis, recoveryMillis }, place) => ({
            kind: 'span' as const,
            color: 2 as const,
            from: peakMillis,
            to: recoveryMillis ?? result.toMillis,
            ...(place === 0 ? { label: 'deepest falls' } : {}),
          })),
          ...marketLine(result),
          { kind: 'line', label: 'equity', color: 1, xs: atMillis, ys: equity },
        ],
      },
      {
        title: 'Drawdown, %',
        height: 100,
        suffix: '%',
        layers: [{ kind: 'area', color: 2, xs: atMillis, ys: falls }],
      },
    ],
  })
  const rows = deepest.map((fall) => [
    percent(fall.depth),
    instant(fall.peakMillis),
    instant(fall.troughMillis),
    fall.recoveryMillis === null ? 'not recovered' : instant(fall.recoveryMillis),
    span((fall.recoveryMillis ?? result.toMillis) - fall.peakMillis),
  ])
  const head = ['Depth', 'Peak', 'Trough', 'Recovery', 'Length']
  const table = tableMarkup({ caption: 'The deepest falls', head, rows, figures: [] })
  const points = samples(atMillis, equity, falls)
  const body = picture + (rows.length === 0 ? '' : table) + detailsMarkup('Equity as a table', points)
  return { id: 'equity-and-drawdown', title: 'Equity and drawdown', body }
}

/** What the equity of the start would be worth in the market, where there are no flows to compare with. */
function marketLine({ equity: grid, fills }: BacktestResult): readonly Layer[] {
  const basket = grid.flow.some((flow) => flow !== 0) ? null : basketIndex(grid, fills)
  if (basket === null) return []
  const start = Number(grid.equity[0])
  const ys = basket.map((value) => value * start)
  return [{ kind: 'line', label: 'buying and holding', color: 8, isDashed: true, xs: grid.atMillis, ys }]
}

/** Percent below the highest value so far, by unit value: what flows in or out is neither gain nor loss. */
export function drawdowns(grid: EquityGrid): readonly number[] {
  let highest = 0
  return equitySeries(grid).index.map((unit) => {
    highest = Math.max(highest, unit)
    return (unit / highest - 1) * 100
  })
}

const maximumRows = 40

function samples(atMillis: readonly number[], equity: readonly number[], falls: readonly number[]): string {
  const every = Math.max(1, Math.ceil((atMillis.length - 1) / maximumRows))
  const places = atMillis.map((_, place) => place).filter((place) => place % every === 0)
  if (places.at(-1) !== atMillis.length - 1) places.push(atMillis.length - 1)
  const rows = places.map((place) => [
    instant(Number(atMillis[place])),
    usd(Number(equity[place])),
    percent(Number(falls[place]) / 100),
  ])
  return tableMarkup({ caption: 'Equity at equal steps', head: ['Time', 'Equity', 'Drawdown'], rows })
}
