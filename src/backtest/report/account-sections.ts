import { computeBasketIndex } from '../../metrics/benchmark.ts'
import { computeEquitySeries } from '../../metrics/equity-series.ts'
import type { EquityGrid } from '../../metrics/records.ts'
import { dayOfWeek, hourOfDay, millisPerHour } from '../../numeric/time-text.ts'
import type { Layer, LineLayer } from '../../pages/chart.ts'
import { at } from '../../pages/decimate.ts'
import { findExtent } from '../../pages/frame.ts'
import { countHistogram, makeHistogramBars, makeNormalOverlay } from '../../pages/histogram.ts'
import { detailsMarkup, paragraph, type Section, tableMarkup } from '../../pages/html.ts'
import type { Pictures } from '../../pages/pictures.ts'
import type { RunResult } from '../result.ts'
import {
  count,
  formatFigure,
  instant,
  percent,
  quantityText,
  ratioText,
  share,
  span,
  usd,
} from './figures.ts'
import type { AccountLimits } from './report-context.ts'
import { isTraded } from './trade-sections.ts'

export function equitySection(result: RunResult, beside: RunResult | null, pictures: Pictures): Section {
  const { atMillis, equity } = result.equity
  const falls = computeDrawdowns(result.equity)
  const { deepest } = result.metrics.drawdown
  const market = drawMarketLine(result)
  // On one axis with a market that moves much more, a maker's equity would be a flat line.
  const isMarketApart = market.some(({ ys }) => measureExtent(ys) > flatteningExtents * measureExtent(equity))
  const picture = pictures.chart({
    id: 'equity',
    title: 'Equity and drawdown',
    description: `Equity went from ${usd(at(equity, 0))} to ${usd(equity.at(-1) ?? 0)}; below it, how far it stood under its highest value so far, deposits and withdrawals removed. The deepest falls are shaded.`,
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
          ...(isMarketApart ? [] : market),
          ...(beside === null ? [] : [drawOtherRun(result, beside)]),
          { kind: 'line', label: 'equity', color: 1, xs: atMillis, ys: equity },
        ],
      },
      ...(isMarketApart ? [{ title: 'Buying and holding, USD', height: 90, layers: market }] : []),
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
  const points = equityTable(atMillis, equity, falls)
  const body = picture + (rows.length === 0 ? '' : table) + detailsMarkup('Equity as a table', points)
  return { id: 'equity-and-drawdown', title: 'Equity and drawdown', body }
}

/**
 * Draws what the equity of the start would be worth if it had followed the market; nothing where deposits or
 * withdrawals make the two incomparable.
 */
function drawMarketLine({ equity: grid, fills }: RunResult): readonly LineLayer[] {
  const basket = grid.flow.some((flow) => flow !== 0) ? null : computeBasketIndex(grid, fills)
  if (basket === null) return []
  const start = at(grid.equity, 0)
  const ys = Array.from(basket, (value) => value * start)
  return [{ kind: 'line', label: 'buying and holding', color: 8, isDashed: true, xs: grid.atMillis, ys }]
}

/** The market shares the equity's axis up to this many times its extent; beyond it, it would flatten the equity. */
const flatteningExtents = 4

function measureExtent(values: ArrayLike<number>): number {
  const { greatest, least } = findExtent([values]) ?? { least: 0, greatest: 0 }
  return greatest - least
}

/**
 * Draws the equity of the other run, moved to this run's start and scaled to its first money, with deposits and
 * withdrawals removed.
 */
function drawOtherRun({ equity, fromMillis }: RunResult, beside: RunResult): Layer {
  const start = at(equity.equity, 0)
  const ys = Array.from(computeEquitySeries(beside.equity).index, (unit) => unit * start)
  const xs = beside.equity.atMillis.map((at) => at - beside.fromMillis + fromMillis)
  return { kind: 'line', label: 'the other run, from the same money', color: 3, xs, ys }
}

/**
 * Computes for each point of the equity how far it is below the highest value so far, in percent. It takes unit values,
 * so that deposits and withdrawals are neither gain nor loss.
 */
export function computeDrawdowns(grid: EquityGrid): readonly number[] {
  let highest = 0
  return Array.from(computeEquitySeries(grid).index, (unit) => {
    highest = Math.max(highest, unit)
    return (unit / highest - 1) * 100
  })
}

const maximumRows = 1000

function equityTable(
  atMillis: readonly number[],
  equity: readonly number[],
  falls: readonly number[],
): string {
  const every = Math.max(1, Math.ceil((atMillis.length - 1) / maximumRows))
  const places = atMillis.map((_, place) => place).filter((place) => place % every === 0)
  if (places.at(-1) !== atMillis.length - 1) places.push(atMillis.length - 1)
  const rows = places.map((place) => [
    instant(at(atMillis, place)),
    usd(at(equity, place)),
    percent(at(falls, place) / 100),
  ])
  return tableMarkup({
    caption:
      rows.length < atMillis.length
        ? `Equity at equal steps: ${count(rows.length)} of ${count(atMillis.length)} points`
        : 'Equity at equal steps',
    head: ['Time', 'Equity', 'Drawdown'],
    rows,
    isList: true,
  })
}

const maximumDrawn = 12

/**
 * Builds the section of what the strategy has recorded: a panel for each series over one time axis. Returns null where
 * nothing was recorded.
 */
export function seriesSection(result: RunResult, pictures: Pictures): Section | null {
  const all = Object.entries(result.series)
  if (all.length === 0) return null
  const drawn = all.slice(0, maximumDrawn)
  const left = all.slice(maximumDrawn).map(([name]) => name)
  const picture = pictures.chart({
    id: 'series',
    title: 'Recorded by the strategy',
    description: 'What the strategy has recorded, by name. What was not a finite number is a gap.',
    x: { kind: 'time', from: result.fromMillis, to: result.toMillis },
    panels: drawn.map(([name, { atMillis, values }]) => ({
      title: name,
      height: 110,
      layers: [{ kind: 'line', color: 1, xs: atMillis, ys: values.map((value) => value ?? Number.NaN) }],
    })),
  })
  const rest =
    left.length === 0
      ? ''
      : paragraph(
          `Not drawn, but in the result: ${count(left.length)} more, such as ${left[0] ?? ''}.`,
          'soft',
        )
  return { id: 'recorded', title: 'Recorded by the strategy', body: picture + rest }
}

/**
 * Builds the section of the grid's returns, without deposits and withdrawals, with the normal distribution of the same
 * mean and deviation drawn over them.
 */
export function returnsSection(result: RunResult, pictures: Pictures): Section {
  const title = 'Distribution of returns'
  const drawn = countHistogram(
    Array.from(computeEquitySeries(result.equity).grid.values, (value) => value * 10_000),
  )
  if (drawn === null) return { id: 'returns', title, body: paragraph('There are no returns.') }
  const normal = makeNormalOverlay(drawn, 0)
  const body = pictures.chart({
    id: 'returns-histogram',
    title,
    description: `${drawn.total} returns of the grid in basis points; the dashed line is what a normal distribution of the same mean and deviation would give.`,
    x: { kind: 'number', label: 'return, basis points' },
    panels: [
      {
        title: 'Count',
        height: 180,
        layers: [makeHistogramBars(drawn, 'returns'), ...(normal === null ? [] : [normal])],
      },
    ],
  })
  return { id: 'returns', title, body }
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/**
 * Builds the section of profit by weekday and hour of the day, in UTC. A step belongs to the hour in which it ends.
 * Returns null where a step is longer than an hour.
 */
export function hourSection(result: RunResult, pictures: Pictures): Section | null {
  const { atMillis, equity, flow, stepMillis } = result.equity
  if (stepMillis > millisPerHour) return null
  const profits = dayNames.map(() => new Array<number>(24).fill(Number.NaN))
  for (let place = 1; place < equity.length; place += 1) {
    const end = at(atMillis, place) - 1
    const hour = hourOfDay(end)
    const gain = at(equity, place) - at(equity, place - 1) - at(flow, place)
    const row = profits[dayOfWeek(end)]
    if (row === undefined) continue
    const before = row[hour]
    row[hour] = (before === undefined || Number.isNaN(before) ? 0 : before) + gain
  }
  const body = pictures.heatMap({
    id: 'hours',
    title: 'Profit by weekday and hour',
    description:
      'USD by the hour of the day in UTC, Monday to Sunday: blue gained, orange lost, empty where the run has no such hour.',
    rowNames: dayNames,
    columnNames: Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
    values: profits,
    show: usd,
  })
  return { id: 'hours-of-day', title: 'Hours of the day', body }
}

export function inventorySection(result: RunResult, pictures: Pictures): Section | null {
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
    formatFigure(figures.mean, formatQuantity),
    formatFigure(figures.deviation, formatQuantity),
    formatFigure(figures.maximum, formatQuantity),
    formatFigure(figures.halfLifeMillis, span),
    formatFigure(figures.timeAtLimit, share),
    formatFigure(figures.futureReturn, ratioText),
  ])
  const head = ['Asset', 'Mean', 'Deviation', 'Largest', 'Half-life', 'Time at largest', 'With next return']
  const table =
    rows.length === 0
      ? ''
      : tableMarkup({ caption: 'Inventory, in units more or less than at the start', head, rows })
  const rest = still.map(({ asset, position }) => `${formatQuantity(at(position, 0))} ${asset}`).join(', ')
  const note = rest === '' ? '' : paragraph(`Held all the time, and not traded: ${rest}.`, 'soft')
  return { id: 'inventories', title: 'Inventory', body: picture + table + note }
}

function formatQuantity(value: number): string {
  const [, fraction = ''] = String(Number(value.toPrecision(6))).split('.')
  return quantityText(value, Math.min(fraction.length, 8))
}

export function exposureSection(
  result: RunResult,
  limits: AccountLimits | null,
  pictures: Pictures,
): Section {
  const { atMillis, equity } = result.equity
  const { gross, net } = computeExposures(result)
  const leverage = computeLeverage(gross, equity)
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
          ...rule(chooseLimit(limits?.maxExposure, gross)),
        ],
      },
      {
        title: 'Leverage',
        height: 90,
        includeZero: true,
        layers: [
          { kind: 'area', color: 3, xs: atMillis, ys: leverage },
          ...rule(chooseLimit(limits?.maxLeverage, leverage)),
        ],
      },
    ],
  })
  const { activity } = result.metrics
  const rows = [
    [
      'Gross, mean and largest',
      formatFigure(activity.grossMean, usd),
      formatFigure(activity.grossMaximum, usd),
    ],
    [
      'Net, mean and furthest from 0',
      formatFigure(activity.netMean, usd),
      formatFigure(activity.netMaximum, usd),
    ],
    [
      'Leverage, mean and largest',
      formatFigure(activity.leverageMean, ratioText),
      formatFigure(activity.leverageMaximum, ratioText),
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
      utilizationTable(result, limits, gross),
    ].join(''),
  }
}

/**
 * Returns the limit to draw. Returns null for one that is more than four times what was used, because it would flatten
 * everything else.
 */
function chooseLimit(limit: number | null | undefined, used: readonly number[]): number | null {
  const most = used.filter(Number.isFinite).reduce((highest, value) => Math.max(highest, value), 0)
  return typeof limit === 'number' && limit <= most * 4 ? limit : null
}

function utilizationTable(result: RunResult, limits: AccountLimits | null, gross: readonly number[]): string {
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
    const values = position.map((quantity, place) => quantity * at(price, place))
    if (isTraded(result, asset)) add(asset, most(values), limits.maxExposurePerAsset[asset])
  }
  return tableMarkup({
    caption: 'Largest exposure on the grid against its limit',
    head: ['Limit of', 'Largest', 'Limit', 'Used'],
    rows,
  })
}

function computeExposures({ equity }: RunResult): { readonly gross: number[]; readonly net: number[] } {
  const gross = equity.atMillis.map(() => 0)
  const net = equity.atMillis.map(() => 0)
  for (const { price, position } of equity.assets) {
    for (const [place, quantity] of position.entries()) {
      const value = quantity * at(price, place)
      gross[place] = at(gross, place) + Math.abs(value)
      net[place] = at(net, place) + value
    }
  }
  return { gross, net }
}

/** Computes gross exposure over equity at each point; NaN, drawn as a gap, where no equity is left. */
function computeLeverage(gross: readonly number[], equity: readonly number[]): readonly number[] {
  return gross.map((value, place) => {
    const own = at(equity, place)
    return own > 0 ? value / own : Number.NaN
  })
}

/**
 * Writes when an account was beyond its maximum leverage or had no equity left, and what the venue does then; empty
 * where neither happened.
 */
function leverageNote(
  atMillis: readonly number[],
  leverage: readonly number[],
  maxLeverage: number | null,
): string {
  const above = findPlaces(
    leverage,
    (value) => maxLeverage !== null && value > maxLeverage * leverageTolerance,
  )
  const lost = findPlaces(leverage, Number.isNaN)
  const where = (places: readonly number[]): string =>
    `at ${places.length} of ${atMillis.length} points of the grid, first at ${instant(at(atMillis, at(places, 0)))}`
  const parts = [
    ...(above.length === 0 ? [] : [`Leverage was above its limit of ${maxLeverage} ${where(above)}.`]),
    ...(lost.length === 0 ? [] : [`No equity was left ${where(lost)}.`]),
  ]
  if (parts.length === 0) return ''
  const rule =
    'The venue refuses orders that would add to such an exposure, and closes no position by itself.'
  return paragraph([...parts, rule].join(' '), 'warning')
}

function findPlaces(values: readonly number[], holds: (value: number) => boolean): readonly number[] {
  return values.flatMap((value, place) => (holds(value) ? [place] : []))
}

/** Allows for rounding: a cash account that holds only assets has a leverage of 1, more or less an ulp. */
const leverageTolerance = 1 + 1e-9
