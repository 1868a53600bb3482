import { element } from '../numeric/columns.ts'
import { millisPerDay, millisPerYear } from '../numeric/time-text.ts'
import { computeDrawdown } from './drawdown-metrics.ts'
import { computeEquitySeries, type EquitySeries } from './equity-series.ts'
import { computeFigures, deriveYearly, type Figure, figure, missing, rowBuilder } from './figure.ts'
import type { ValueGrid } from './midnights.ts'
import type { AnyGrid, FillRecord } from './records.ts'
import { computeCapture } from './return-shape.ts'
import { computeMean, correlation, deviation, sum, toDoubles } from './samples.ts'
import { isSteady } from './skill.ts'

/*
 * A run compared with two strategies that take no skill: never trading, and holding the market, which is equal parts of
 * each asset that was held or traded, bought at the start without costs. Prices are the run's own marks, so the account's
 * own impact is in both.
 */

const row = rowBuilder<ReturnType<typeof compareWithMarket>>()

/** The figures that compare a run with never trading and with holding the market. */
export const benchmark = {
  heldProfit: row.sum('usd', ({ heldProfit }) => heldProfit, 'Profit of what was held at the start'),
  tradingProfit: row.sum('usd', ({ heldProfit, profit }) => profit - heldProfit, 'Profit of trading'),
  marketReturn: row.figure('fraction', ({ market }) => market.total, 'Buying and holding'),
  marketDrawdown: row.figure('fraction', ({ market }) => market.deepest, 'Its deepest fall'),
  /** The slope of the account's returns on the market's. */
  beta: row.figure('ratio', ({ market }) => market.beta, 'Beta'),
  /** The yearly return that the market does not explain. */
  alpha: row.figure('fraction', ({ market }) => market.alpha, 'Alpha a year'),
  correlation: row.figure('ratio', ({ market }) => market.correlation, 'Correlation'),
  /** The yearly mean of the account's returns in excess of the market's, over their deviation. */
  informationRatio: row.figure('ratio', ({ market }) => market.informationRatio, 'Information ratio'),
  /** What part of the market's yearly growth in its rising periods the account had in them. */
  upCapture: row.figure('ratio', ({ market }) => market.upCapture, 'Up capture'),
  /** What part of the market's yearly fall in its falling periods the account had in them. */
  downCapture: row.smallFigure('ratio', ({ market }) => market.downCapture, 'Down capture'),
}

/**
 * Computes the comparison of a run with the market. `series` is the equity series of the grid, and `riskFree` the interest of
 * one step of `series.ratio`.
 */
export const computeBenchmark = (...given: Parameters<typeof compareWithMarket>) =>
  computeFigures(benchmark, compareWithMarket(...given))

function compareWithMarket(
  grid: AnyGrid,
  fills: readonly FillRecord[],
  series: EquitySeries,
  riskFree: number,
) {
  const heldProfit = computeHeldProfit(grid)
  const basket = computeBasketIndex(grid, fills)
  const { profit } = series
  if (basket === null) {
    const none = missing('nothing was held or traded')
    const market = { total: none, deepest: none, ...makeMissingRegression(none) }
    return { heldProfit, profit, market }
  }
  const held = computeEquitySeries(priceMarket(grid, fills, basket))
  const periods = millisPerYear / series.ratio.stepMillis
  const days = ((grid.atMillis.at(-1) ?? 0) - (grid.atMillis[0] ?? 0)) / millisPerDay
  const market = {
    total: figure((basket.at(-1) ?? 1) - 1),
    deepest: computeDrawdown(basket, grid.atMillis).maximum,
    ...computeRegression(series.ratio.values, held.ratio.values, { periods, days, riskFree }),
  }
  return { heldProfit, profit, market }
}

/**
 * Computes the value over time of one unit of money that was invested at the start in equal parts of every asset that the
 * account held or traded, without fees and spread. Returns null if there was no such asset.
 */
export function computeBasketIndex(grid: AnyGrid, fills: readonly FillRecord[]): Float64Array | null {
  const basket = chooseBasket(grid, fills)
  return basket.size === 0 ? null : priceBasket(basket, grid)
}

/** Returns the first price of every asset of the market: those that the account held or traded. */
function chooseBasket(grid: AnyGrid, fills: readonly FillRecord[]): ReadonlyMap<string, number> {
  const traded = new Set(fills.map((fill) => fill.asset))
  return new Map(
    grid.assets
      .filter(
        ({ asset, position, price }) =>
          (price[0] ?? 0) > 0 && (traded.has(asset) || position.some((held) => held !== 0)),
      )
      .map(({ asset, price }) => [asset, price[0] ?? 0]),
  )
}

/** Computes what one unit of money that was invested at first prices is worth at the points of columns. */
function priceBasket(
  basket: ReadonlyMap<string, number>,
  { assets, atMillis }: Pick<AnyGrid, 'assets' | 'atMillis'>,
): Float64Array {
  const index = new Float64Array(atMillis.length)
  for (const asset of assets) {
    const first = basket.get(asset.asset)
    if (first === undefined) continue
    const price = toDoubles(asset.price)
    for (let place = 0; place < index.length; place += 1)
      index[place] = element(index, place) + element(price, place) / first
  }
  for (let place = 0; place < index.length; place += 1) index[place] = element(index, place) / basket.size
  return index
}

/** Returns the grid of the market's value, with the midnights that the account's grid has besides. */
function priceMarket(grid: AnyGrid, fills: readonly FillRecord[], basket: Float64Array): ValueGrid {
  const { atMillis, midnights, stepMillis } = grid
  const own = { stepMillis, atMillis, equity: basket, flow: new Float64Array(basket.length) }
  if (midnights === undefined) return own
  const between = {
    atMillis: midnights.atMillis,
    equity: priceBasket(chooseBasket(grid, fills), midnights),
    flow: new Float64Array(midnights.atMillis.length),
  }
  return { ...own, midnights: between }
}

/** Computes what the positions of the start gained without any trade, in USD. */
function computeHeldProfit({ assets }: AnyGrid): number {
  return sum(
    assets.map(({ position, price }) => (position[0] ?? 0) * ((price.at(-1) ?? 0) - (price[0] ?? 0))),
  )
}

function computeRegression(
  own: Float64Array,
  market: Float64Array,
  { periods, days, riskFree }: { readonly periods: number; readonly days: number; readonly riskFree: number },
) {
  if (own.length !== market.length)
    return makeMissingRegression(missing('the equity was not above 0 all along'))
  const beta = computeBeta(own, market)
  const ahead = own.map((value, place) => value - element(market, place))
  const spread = deviation(ahead)
  const isMarketItself = (spread.value ?? 0) <= negligibleTracking * (deviation(market).value ?? 0)
  return {
    beta,
    alpha: deriveYearly(
      beta,
      days,
      (slope) => ((sum(own) - slope * sum(market)) / own.length - (1 - slope) * riskFree) * periods,
    ),
    correlation: isSteady(own) || isSteady(market) ? correlateNothing(own) : correlation(own, market),
    informationRatio:
      spread.value === 0 || isMarketItself
        ? missing('the account moved exactly with the market')
        : deriveYearly(spread, days, (size) => (sum(ahead) / ahead.length / size) * Math.sqrt(periods)),
    upCapture: deriveYearly(computeCapture(own, market, periods, 1), days, (value) => value),
    downCapture: deriveYearly(computeCapture(own, market, periods, -1), days, (value) => value),
  }
}

/** Says why returns of which some do not vary have no correlation, as `correlation` does. */
const correlateNothing = (own: Float64Array): Figure =>
  missing(own.length < 3 ? 'it takes three pairs' : 'one of them does not vary')

/** Makes the figures that take the market's returns, all of them missing. */
const makeMissingRegression = (none: Figure) => ({
  beta: none,
  alpha: none,
  correlation: none,
  informationRatio: none,
  upCapture: none,
  downCapture: none,
})

/**
 * The tracking error that counts as none, as a part of the market's own deviation. A tick or the last cent of cash on the
 * first day is less, and a ratio of it would be noise.
 */
const negligibleTracking = 1e-5

function computeBeta(own: Float64Array, market: Float64Array): Figure {
  if (own.length < 3) return missing('it takes three returns')
  const ownMean = computeMean(own)
  const marketMean = computeMean(market)
  let products = 0
  let squares = 0
  for (let place = 0; place < market.length; place += 1) {
    const gap = element(market, place) - marketMean
    products += (element(own, place) - ownMean) * gap
    squares += gap * gap
  }
  return isSteady(market) ? missing('the market does not vary') : figure(products / squares)
}
