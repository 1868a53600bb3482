import type { Layer } from '../../pages/chart.ts'
import type { BacktestResult } from '../result.ts'
import { instant, percent, quantityText, ratioText, share, shown, span, usd } from './figures.ts'
import { paragraph, type Section, tableMarkup } from './html.ts'
import type { Pictures } from './page-pictures.ts'
import { isTraded } from './price-section.ts'
import type { AccountLimits } from './report-context.ts'

/** What was held of each asset, in its own units. */
export function inventorySection(result: BacktestResult, pictures: Pictures): Section | null {
  const { atMillis, assets } = result.equity
  const held = assets.filter(
    ({ asset, position }) => position.some((quantity) => quantity !== 0) || isTraded(result, asset),
  )
  if (held.length === 0) return null
  const moving = held.filter(
    ({ asset, position }) => position.some((quantity) => quantity !== position[0]) || isTraded(result, asset),
  )
  const still = held.filter((one) => !moving.includes(one))
  const names = new Set(moving.map(({ asset }) => asset))
  const picture =
    moving.length === 0
      ? ''
      : pictures.chart({
          id: 'inventory',
          title: 'Inventory',
          description: 'Positions in units of each asset, above 0 bought and below 0 sold short.',
          x: { kind: 'time', from: result.fromMillis, to: result.toMillis },
          panels: moving.map(({ asset, position }) => ({
            title: asset,
            height: 110,
            includeZero: true,
            layers: [{ kind: 'steps', color: 1, xs: atMillis, ys: position }],
          })),
        })
  const inventories = result.metrics.maker.inventory.filter(({ asset }) => names.has(asset))
  const rows = inventories.map((figures) => [
    figures.asset,
    shown(figures.mean, plain),
    shown(figures.deviation, plain),
    shown(figures.maximum, plain),
    shown(figures.halfLifeMillis, span),
    shown(figures.timeAtLimit, share),
    shown(figures.futureReturn, ratioText),
  ])
  const head = ['Asset', 'Mean', 'Deviation', 'Largest', 'Half-life', 'Time at largest', 'With next return']
  const table =
    rows.length === 0
      ? ''
      : tableMarkup({ caption: 'Inventory, in units more or less than at the start', head, rows })
  const rest = still.map(({ asset, position }) => `${plain(Number(position[0]))} ${asset}`).join(', ')
  const note = rest === '' ? '' : paragraph(`Held all the time, and not traded: ${rest}.`, 'soft')
  return { id: 'inventories', title: 'Inventory', body: picture + table + note }
}

/** At most six significant digits. */
function plain(value: number): string {
  const [, fraction = ''] = String(Number(value.toPrecision(6))).split('.')
  return quantityText(value, Math.min(fraction.length, 8))
}

/** Gross and net exposure and leverage, against the account's limits where they are known. */
export function exposureSection(
  result: BacktestResult,
  limits: AccountLimits | null,
  pictures: Pictures,
): Section {
  const { atMillis, equity } = result.equity
  const { gross, net } = exposures(result)
  const leverage = leverageOf(gross, equity)
  const rule = (at: number | null | undefined): readonly Layer[] =>
    typeof at === 'number' ? [{ kind: 'rule', axis: 'y', at, label: 'limit', color: 2 }] : []
  const picture = pictures.chart({
    id: 'exposure',
    title: 'Exposure and leverage',
    description:
      'Gross and net value of all positions at the mark, and gross exposure over equity; dashed lines are limits.',
    x: { kind: 'time', from: result.fromMillis, to: result.toMillis },
    panels: [
      {
        title: 'Exposure, USD',
        height: 150,
        includeZero: true,
        layers: [
          { kind: 'line', label: 'gross', color: 1, xs: atMillis, ys: gross },
          { kind: 'line', label: 'net', color: 6, xs: atMillis, ys: net, isDashed: true },
          ...rule(near(limits?.maxExposure, gross)),
        ],
      },
      {
        title: 'Leverage',
        height: 90,
        includeZero: true,
        layers: [
          { kind: 'area', color: 3, xs: atMillis, ys: leverage },
          ...rule(near(limits?.maxLeverage, leverage)),
        ],
      },
    ],
  })
  const { activity } = result.metrics
  const rows = [
    ['Gross, mean and largest', shown(activity.grossMean, usd), shown(activity.grossMaximum, usd)],
    ['Net, mean and furthest from 0', shown(activity.netMean, usd), shown(activity.netMaximum, usd)],
    [
      'Leverage, mean and largest',
      shown(activity.leverageMean, ratioText),
      shown(activity.leverageMaximum, ratioText),
    ],
  ]
  const table = tableMarkup({ caption: 'Exposure', head: ['Figure', 'Mean', 'Extreme'], rows })
  return {
    id: 'exposures',
    title: 'Exposure and limits',
    body: [
      picture,
      leverageNote(atMillis, leverage, limits?.maxLeverage ?? null),
      table,
      utilization(result, limits, gross),
    ].join(''),
  }
}

/** A limit far above what was used would flatten everything else. */
function near(limit: number | null | undefined, used: readonly number[]): number | null {
  const most = used.filter(Number.isFinite).reduce((highest, value) => Math.max(highest, value), 0)
  return typeof limit === 'number' && limit <= most * 4 ? limit : null
}

function utilization(result: BacktestResult, limits: AccountLimits | null, gross: readonly number[]): string {
  if (limits === null) return paragraph('The limits of the account are not known here.', 'soft')
  const most = (values: readonly number[]): number =>
    values.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0)
  const rows: string[][] = []
  const add = (name: string, used: number, limit: number | null | undefined): void => {
    if (typeof limit === 'number' && limit > 0)
      rows.push([name, usd(used), usd(limit), percent(used / limit)])
  }
  add('All assets', most(gross), limits.maxExposure)
  for (const { asset, price, position } of result.equity.assets) {
    const values = position.map((quantity, place) => quantity * Number(price[place]))
    if (isTraded(result, asset)) add(asset, most(values), limits.maxExposurePerAsset[asset])
  }
  return tableMarkup({
    caption: 'Largest exposure on the grid against its limit',
    head: ['Limit of', 'Largest', 'Limit', 'Used'],
    rows,
  })
}

function exposures({ equity }: BacktestResult): { readonly gross: number[]; readonly net: number[] } {
  const gross = equity.atMillis.map(() => 0)
  const net = equity.atMillis.map(() => 0)
  for (const { price, position } of equity.assets) {
    for (const [place, quantity] of position.entries()) {
      const value = quantity * Number(price[place])
      gross[place] = Number(gross[place]) + Math.abs(value)
      net[place] = Number(net[place]) + value
    }
  }
  return { gross, net }
}

/** Gross exposure over equity; NaN, a gap, where no equity is left. */
function leverageOf(gross: readonly number[], equity: readonly number[]): readonly number[] {
  return gross.map((value, place) => {
    const own = Number(equity[place])
    return own > 0 ? value / own : Number.NaN
  })
}

/**
 * When an account was beyond its leverage, or had nothing left, and what the venue does then; empty where neither
 * happened.
 */
function leverageNote(
  atMillis: readonly number[],
  leverage: readonly number[],
  maxLeverage: number | null,
): string {
  const above = placesOf(leverage, (value) => maxLeverage !== null && value > maxLeverage * rounding)
  const lost = placesOf(leverage, Number.isNaN)
  const at = (places: readonly number[]): string =>
    `at ${places.length} of ${atMillis.length} points of the grid, first at ${instant(Number(atMillis[Number(places[0])]))}`
  const parts = [
    ...(above.length === 0 ? [] : [`Leverage was above its limit of ${maxLeverage} ${at(above)}.`]),
    ...(lost.length === 0 ? [] : [`No equity was left ${at(lost)}.`]),
  ]
  if (parts.length === 0) return ''
  const rule =
    'The venue refuses orders that would add to such an exposure, and closes no position by itself.'
  return paragraph([...parts, rule].join(' '), 'warning')
}

function placesOf(values: readonly number[], holds: (value: number) => boolean): readonly number[] {
  return values.flatMap((value, place) => (holds(value) ? [place] : []))
}

/** A cash account that holds only assets has a leverage of 1, except for rounding. */
const rounding = 1 + 1e-9
