import type { BacktestResult } from '../result.ts'
import { bps, count, ratioText, share, shown, span, usd } from './figures.ts'
import { paragraph, type Section, tableMarkup } from './html.ts'
import type { Pictures } from './page-pictures.ts'

/** What the price did after maker fills, and how much of the time the strategy stood in the market. */
export function makerSection(result: BacktestResult, pictures: Pictures): Section {
  const { maker } = result.metrics
  const title = 'Markouts and making'
  if (maker.fills === 0) {
    return {
      id: 'making',
      title,
      body: paragraph('There were no maker fills, so there is no markout curve.'),
    }
  }
  const measured = maker.markouts.filter(({ bps: mean }) => mean.value !== null)
  const names = measured.map(({ horizonMillis }) => (horizonMillis === 0 ? 'at once' : span(horizonMillis)))
  const places = measured.map((_, place) => place)
  const rowOf = (of: 'bps' | 'lowBps' | 'highBps'): number[] =>
    measured.map((markout) => markout[of].value ?? Number.NaN)
  const picture = pictures.chart({
    id: 'markouts',
    title: 'Markout curve',
    description:
      'What the mid did after maker fills in their favour, weighted by value, with 95 % intervals. A curve that falls is adverse selection.',
    x: { kind: 'names', label: 'after the fill', names },
    panels: [
      {
        title: 'Markout, basis points',
        height: 180,
        includeZero: true,
        layers: [
          { kind: 'rule', axis: 'y', at: 0, color: 0 },
          {
            kind: 'band',
            label: '95 %',
            color: 1,
            xs: places,
            lows: rowOf('lowBps'),
            highs: rowOf('highBps'),
          },
          { kind: 'line', label: 'mean', color: 1, xs: places, ys: rowOf('bps') },
          { kind: 'markers', shape: 'dot', color: 1, xs: places, ys: rowOf('bps') },
        ],
      },
    ],
  })
  return { id: 'making', title, body: picture + markoutTable(result) + makerTable(result) }
}

function markoutTable({ metrics: { maker } }: BacktestResult): string {
  const rows = maker.markouts.map((markout) => [
    markout.horizonMillis === 0 ? 'at once' : span(markout.horizonMillis),
    count(markout.fills),
    shown(markout.bps, bps),
    shown(markout.lowBps, bps),
    shown(markout.highBps, bps),
    shown(markout.adverseBps, bps),
  ])
  const head = ['After', 'Fills', 'Markout', 'Low', 'High', 'Adverse selection']
  return tableMarkup({ caption: 'Markouts, with 95 % intervals', head, rows })
}

function makerTable({ metrics: { maker } }: BacktestResult): string {
  const rows = [
    ['Maker fills', count(maker.fills)],
    ['Maker volume', usd(maker.volume)],
    ['Spread captured', shown(maker.spreadBps, bps)],
    ['Fill ratio by number', shown(maker.fillRatioByCount, share)],
    ['Fill ratio by quantity', shown(maker.fillRatioByQuantity, share)],
    ['Fills an hour at the best price', shown(maker.fillsPerHourAtTouch, ratioText)],
    ['Time at the best price', shown(maker.timeAtTouch, share)],
    ...maker.uptime.map((uptime) => [`Two-sided within ${uptime.withinBps} bp`, shown(uptime.share, share)]),
    ['Cancels a fill', shown(maker.cancelsPerFill, ratioText)],
    ['Requests, refused for rate', `${count(maker.requests)}, ${count(maker.rateLimited)}`],
  ]
  return tableMarkup({ caption: 'Making', head: ['Figure', 'Value'], rows })
}
