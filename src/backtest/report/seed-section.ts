import { histogram, histogramBars } from '../../charts/histogram.ts'
import type { BacktestResult } from '../result.ts'
import { share, usd } from './figures.ts'
import { paragraph, type Section } from './html.ts'
import type { Pictures } from './page-pictures.ts'
import type { ReportContext } from './report-context.ts'

/** This run among others: the same strategy over other seeds. */
export function seedSection(result: BacktestResult, { seeds }: ReportContext, pictures: Pictures): Section {
  const title = 'Other seeds'
  const drawn = seeds === null ? null : histogram(seeds.profits)
  if (seeds === null || drawn === null) {
    const text =
      'This is one path of many. A sweep over seeds shows how much of the result is luck: otcsim sweep takes the same arguments with --seeds 1..200 instead of --seed.'
    return { id: 'seeds', title, body: paragraph(text) }
  }
  const own = result.metrics.returns.profit
  const below = seeds.profits.filter((profit) => profit < own).length / Math.max(1, seeds.profits.length)
  const body = pictures.chart({
    id: 'seed-profits',
    title: 'Profit over seeds',
    description: `Profits of ${seeds.seeds} seeds in USD; the dashed line is this run, ${usd(own)}, which ${share(below)} of them lie below.`,
    x: { kind: 'number', label: 'profit, USD' },
    panels: [
      {
        title: 'Seeds',
        height: 160,
        layers: [
          histogramBars(drawn, 'seeds'),
          { kind: 'rule', axis: 'x', at: own, label: 'this run', color: 2 },
        ],
      },
    ],
  })
  return { id: 'seeds', title, body }
}
