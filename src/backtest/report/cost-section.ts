import type { BarsLayer, Color } from '../../charts/chart.ts'
import type { BacktestResult } from '../result.ts'
import { bps, shown, usd } from './figures.ts'
import { type Section, tableMarkup } from './html.ts'
import type { Pictures } from './page-pictures.ts'

/** Where the profit came from, as a waterfall that adds up, and what trading cost. */
export function costSection(result: BacktestResult, pictures: Pictures): Section {
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
      { title: 'USD', height: 170, includeZero: true, layers: waterfall(steps.map(([, value]) => value)) },
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
      shown(asset.slippageBps, bps),
    ]),
  })
  const body = `${picture}<div class="tables">${shortfallTable}${feeTable}</div>`
  return { id: 'costs', title: 'Costs and attribution', body }
}

/** Each bar begins where the one before ended; gains and losses have their colours, and the sum is at the end. */
export function waterfall(values: readonly number[]): readonly BarsLayer[] {
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
    bases: places.map((place) => (place === 0 || place === values.length ? 0 : Number(ends[place - 1]))),
    ys: places.map((place) => (place === values.length ? sum : Number(ends[place]))),
    titles: places.map((place) => usd(place === values.length ? sum : Number(values[place]))),
  })
  const all = values.map((_, place) => place)
  return [
    bars(
      3,
      'gain',
      all.filter((place) => Number(values[place]) >= 0),
    ),
    bars(
      2,
      'loss',
      all.filter((place) => Number(values[place]) < 0),
    ),
    bars(1, 'sum', [values.length]),
  ]
}
