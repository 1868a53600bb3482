import type { BarsLayer, Color } from '../../pages/chart.ts'
import { at } from '../../pages/decimate.ts'
import { paragraph, type Section, tableMarkup } from '../../pages/html.ts'
import type { Pictures } from '../../pages/pictures.ts'
import type { RunResult } from '../result.ts'
import { bps, count, formatFigure, metricLines, share, span, usd } from './figures.ts'

export function costSection(result: RunResult, pictures: Pictures): Section {
  const { attribution, costs } = result.metrics
  const steps = [
    ['spread', attribution.spread],
    ['inventory', attribution.inventory],
    ['fees', attribution.fees],
    ['rounding', attribution.remainder],
  ] as const
  const names = [...steps.map(([name]) => name), 'profit']
  const picture = pictures.chart({
    id: 'waterfall',
    title: 'Where the profit came from',
    description: `Spread ${usd(attribution.spread)}, inventory ${usd(attribution.inventory)}, fees ${usd(attribution.fees)}: together a profit of ${usd(attribution.profit)}.`,
    x: { kind: 'names', label: '', names },
    panels: [
      {
        title: 'USD',
        height: 170,
        includeZero: true,
        layers: waterfallLayers(steps.map(([, value]) => value)),
      },
    ],
  })
  const { shortfall } = costs
  const parts = ['delay', 'spread', 'impact', 'opportunity', 'fees', 'total'] as const
  const shortfallTable = tableMarkup({
    caption: 'Implementation shortfall: positive is a cost',
    head: ['Part', 'USD'],
    rows: parts.map((name) => [name, usd(shortfall[name])]),
  })
  const feeTable = tableMarkup({
    caption: 'Fees and slippage by asset: positive is a cost',
    head: ['Asset', 'Maker fees', 'Taker fees', 'Slippage'],
    rows: costs.byAsset.map((asset) => [
      asset.asset,
      usd(asset.makerFees),
      usd(asset.takerFees),
      formatFigure(asset.slippageBps, bps),
    ]),
  })
  const body = `${picture}<div class="tables">${shortfallTable}${feeTable}</div>`
  return { id: 'costs', title: 'Costs and attribution', body }
}

/**
 * Returns the bars of a waterfall chart: each begins where the one before ended, gains and losses have colours of their
 * own, and the sum comes last.
 */
export function waterfallLayers(values: readonly number[]): readonly BarsLayer[] {
  const ends: number[] = []
  let sum = 0
  for (const value of values) {
    sum += value
    ends.push(sum)
  }
  const bars = (color: Color, label: string, places: readonly number[]): BarsLayer => ({
    kind: 'bars',
    color,
    label,
    froms: places.map((place) => place - 0.35),
    tos: places.map((place) => place + 0.35),
    bases: places.map((place) => (place === 0 || place === values.length ? 0 : at(ends, place - 1))),
    ys: places.map((place) => (place === values.length ? sum : at(ends, place))),
    titles: places.map((place) => usd(place === values.length ? sum : at(values, place))),
  })
  const all = values.map((_, place) => place)
  return [
    bars(
      3,
      'gain',
      all.filter((place) => at(values, place) >= 0),
    ),
    bars(
      2,
      'loss',
      all.filter((place) => at(values, place) < 0),
    ),
    bars(1, 'sum', [values.length]),
  ]
}

export function makerSection(result: RunResult, pictures: Pictures): Section {
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
  const listFigures = (of: 'bps' | 'lowBps' | 'highBps'): number[] =>
    measured.map((markout) => markout[of].value ?? Number.NaN)
  const axis = chooseAxisEnd(measured)
  const picture = pictures.chart({
    id: 'markouts',
    title: 'Markout curve',
    description:
      'What the mid did after maker fills in their favour, weighted by value, with 95 % intervals. A curve that falls is adverse selection.' +
      (axis === null ? '' : ` The axis ends at ${bps(axis)}; the table has what lies beyond it.`),
    x: { kind: 'names', label: 'after the fill', names },
    panels: [
      {
        title: 'Markout, basis points',
        height: 180,
        includeZero: true,
        ...(axis === null ? {} : { from: -axis, to: axis }),
        layers: [
          { kind: 'rule', axis: 'y', at: 0, color: 0 },
          {
            kind: 'band',
            label: '95 %',
            color: 1,
            xs: places,
            lows: listFigures('lowBps'),
            highs: listFigures('highBps'),
          },
          { kind: 'line', label: 'mean', color: 1, xs: places, ys: listFigures('bps') },
          { kind: 'markers', shape: 'dot', color: 1, xs: places, ys: listFigures('bps') },
        ],
      },
    ],
  })
  return { id: 'making', title, body: picture + markoutTable(result) + makerTable(result) }
}

/**
 * Returns the end of the axis, in basis points, where one interval is so wide that the others would look flat; else
 * null.
 */
function chooseAxisEnd(markouts: RunResult['metrics']['maker']['markouts']): number | null {
  const reaches = markouts
    .map(({ bps: mean, lowBps, highBps }) =>
      Math.max(...[mean, lowBps, highBps].map(({ value }) => Math.abs(value ?? 0))),
    )
    .sort((left, right) => right - left)
  const [widest = 0, next = 0] = reaches
  return next > 0 && widest > 4 * next ? 1.5 * next : null
}

function markoutTable({ metrics: { maker } }: RunResult): string {
  const rows = maker.markouts.map((markout) => [
    markout.horizonMillis === 0 ? 'at once' : span(markout.horizonMillis),
    count(markout.fills),
    formatFigure(markout.bps, bps),
    formatFigure(markout.lowBps, bps),
    formatFigure(markout.highBps, bps),
    formatFigure(markout.adverseBps, bps),
  ])
  const head = ['After', 'Fills', 'Markout', 'Low', 'High', 'Adverse selection']
  return tableMarkup({ caption: 'Markouts, with 95 % intervals', head, rows })
}

function makerTable({ metrics: { maker } }: RunResult): string {
  const lines = metricLines('maker', maker)
  const rows = [
    ...lines.slice(0, -1),
    ...maker.uptime.map((uptime) => [
      `Two-sided within ${uptime.withinBps} bp`,
      formatFigure(uptime.share, share),
    ]),
    ...lines.slice(-1),
    ['Requests, refused for rate', `${count(maker.requests)}, ${count(maker.rateLimited)}`],
  ]
  return tableMarkup({ caption: 'Making', head: ['Figure', 'Value'], rows })
}
