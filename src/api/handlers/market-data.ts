import { buy, type Side, sell } from '../../engine/codes.ts'
import { listTradedAssets, prepareStatistics, statistics24h } from '../../engine/reports/statistics.ts'
import { shownPrices } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import {
  answer,
  e8Number,
  halfTicksNumber,
  percentNumber,
  priceNumber,
  quantityNumber,
  refuse,
  tradedAsset,
  usdNumber,
} from '../answer.ts'
import type { ApiContext, Handler } from '../context.ts'
import type * as schemas from '../operations/market-data.ts'
import { filterAssets, toSymbols } from './lists.ts'

/**
 * Lists prices (Spec: market-data/prices). Choice: in the order in which the query names the assets, without
 * repetitions; without a filter, in the order of configuration.
 */
export const listPrices: Handler<'listPrices'> = (context, input) => {
  const filter = filterAssets(context, input.query.assets, tradedAsset)
  if (!filter.ok) return filter
  const assets = prepareHistories(context, filter.value ?? listTradedAssets(context.state))
  return answer({ prices: assets.map((asset) => priceView(context, asset)) })
}

/** Returns the price of an asset (Spec: market-data/prices/:asset). Errors: 404. */
export const getPrice: Handler<'getPrice'> = (context, input) => {
  const asset = tradedAsset(context.state.assets, input.parameter)
  return asset === null ? refuse({ code: 'unknown-asset' }) : answer(priceView(context, asset))
}

/** Returns the order book of an asset (Spec: market-data/orderbook/:asset). Errors: 404. */
export const getOrderBook: Handler<'getOrderBook'> = (context, input) => {
  const asset = tradedAsset(context.state.assets, input.parameter)
  if (asset === null) return refuse({ code: 'unknown-asset' })
  return answer(orderBookView(context, asset, input.query.depth))
}

/**
 * Lists the order books of several assets (Spec: market-data/orderbooks). Errors: 400 for an unknown asset, because
 * the parameter is required here.
 */
export const listOrderBooks: Handler<'listOrderBooks'> = (context, input) => {
  const books = new Map<string, OrderBookJson>()
  for (const symbol of input.query.assets) {
    const asset = tradedAsset(context.state.assets, symbol)
    if (asset === null)
      return refuse({
        code: 'invalid-parameter',
        field: 'assets',
        reason: `has ${symbol}, which is not traded`,
      })
    books.set(symbol, orderBookView(context, asset, input.query.depth))
  }
  return answer({ orderbooks: Object.fromEntries(books) })
}

/** Lists the trading pairs (Spec: market-data/trading-pairs). */
export const listTradingPairs: Handler<'listTradingPairs'> = (context) =>
  answer({ pairs: listTradedAssets(context.state).map((asset) => tradingPairView(context, asset)) })

/** Lists 24-hour statistics (Spec: market-data/stats/24h). */
export const listStatistics: Handler<'listStatistics'> = (context, input) => {
  const filter = filterAssets(context, toSymbols(input.query.asset), tradedAsset)
  if (!filter.ok) return filter
  const assets = prepareHistories(context, filter.value ?? listTradedAssets(context.state))
  return answer({ stats: assets.map((row) => statisticsView(context, row)) })
}

/** Prepares the 24-hour histories of several assets at once, which takes two thirds of the time of one by one. */
function prepareHistories({ state }: ApiContext, assets: readonly number[]): readonly number[] {
  while (!prepareStatistics(state, assets));
  return assets
}

type PriceJson = RecordOf<typeof schemas.price>
type OrderBookJson = RecordOf<typeof schemas.orderBook>
type TradingPairJson = RecordOf<typeof schemas.tradingPairList>['pairs'][number]
type StatisticsJson = RecordOf<typeof schemas.statisticsList>['stats'][number]

/** Returns the price of an asset (Spec: Price). The mark stands in for an empty side of the book. */
export function priceView(context: ApiContext, asset: number): PriceJson {
  const { state } = context
  const { pair } = state.assets.tradedAsset(asset)
  const { bidTicks, askTicks } = shownPrices(state, asset)
  const figures = statistics24h(state, asset)
  return {
    asset: state.assets.symbol(asset),
    bid: priceNumber(pair, bidTicks),
    ask: priceNumber(pair, askTicks),
    mid: halfTicksNumber(pair, bidTicks + askTicks),
    last: halfTicksNumber(pair, figures.closeHalfTicks),
    change24h: percentNumber(figures.changePercentE4),
    volume24h: quantityNumber(pair, figures.volumeSteps),
    high24h: halfTicksNumber(pair, figures.highHalfTicks),
    low24h: halfTicksNumber(pair, figures.lowHalfTicks),
    updatedAt: millisToIso(state.priceUpdatedAtMillis.get(asset)),
  }
}

/** Returns an order book, best price first (Spec: Order book). It includes the orders of the caller. */
function orderBookView(context: ApiContext, asset: number, depth: number): OrderBookJson {
  const { state } = context
  const { pair } = state.assets.tradedAsset(asset)
  const toEntry = (level: Level) => ({
    price: priceNumber(pair, level.ticks),
    quantity: quantityNumber(pair, level.steps),
  })
  return {
    asset: state.assets.symbol(asset),
    bids: bestLevels(state, asset, buy, depth).map(toEntry),
    asks: bestLevels(state, asset, sell, depth).map(toEntry),
    timestamp: millisToIso(context.now),
  }
}

/** Returns a trading pair (Spec: Trading pair). A pair that takes no new orders is inactive. */
function tradingPairView(context: ApiContext, asset: number): TradingPairJson {
  const { assets } = context.state
  const { pair, symbol } = assets.tradedAsset(asset)
  const quote = assets.symbol(0)
  return {
    base: symbol,
    quote,
    symbol: `${symbol}-${quote}`,
    minQuantity: quantityNumber(pair, pair.minQuantitySteps),
    maxQuantity: quantityNumber(pair, pair.maxQuantitySteps),
    quantityStep: quantityNumber(pair, 1),
    minPrice: priceNumber(pair, pair.minPriceTicks),
    priceStep: priceNumber(pair, 1),
    minNotional: usdNumber(pair.minNotionalAtoms),
    status: isActive(context, asset) ? 'active' : 'inactive',
  }
}

/**
 * Returns the 24-hour statistics of an asset (Spec: 24-hour statistics entry). Without volume, the volume-weighted
 * price is the close.
 */
function statisticsView(context: ApiContext, asset: number): StatisticsJson {
  const { pair, symbol } = context.state.assets.tradedAsset(asset)
  const figures = statistics24h(context.state, asset)
  const close = halfTicksNumber(pair, figures.closeHalfTicks)
  return {
    asset: symbol,
    open: halfTicksNumber(pair, figures.openHalfTicks),
    high: halfTicksNumber(pair, figures.highHalfTicks),
    low: halfTicksNumber(pair, figures.lowHalfTicks),
    close,
    volume: quantityNumber(pair, figures.volumeSteps),
    volumeUsd: usdNumber(figures.volumeAtoms),
    trades: figures.trades,
    change: halfTicksNumber(pair, figures.changeHalfTicks),
    changePercent: percentNumber(figures.changePercentE4),
    vwap: figures.vwapE8 === null ? close : e8Number(figures.vwapE8),
  }
}

function isActive(context: ApiContext, asset: number): boolean {
  const { halt, isHaltedByRecording } = stateOf(context.state, asset)
  return halt !== 'reject' && !isHaltedByRecording && context.state.assets.tradedAsset(asset).pair.isActive
}

interface Level {
  readonly ticks: number
  readonly steps: number
}

/**
 * Lists the best levels of a side of the book, one entry a price. The orders of clients and the venue's ladder are
 * added together.
 */
export function bestLevels(state: State, asset: number, side: Side, most: number): readonly Level[] {
  const { book, ladder } = stateOf(state, asset)
  const levels: Level[] = []
  const collector = () => {
    const end = levels.length + most
    return (ticks: number, steps: number): boolean => levels.push({ ticks, steps }) < end
  }
  book.visitLevels(side, collector())
  ladder.visit(side, collector())
  const direction = side === buy ? -1 : 1
  levels.sort((one, other) => direction * (one.ticks - other.ticks))
  const merged: Level[] = []
  for (const level of levels) {
    const last = merged.at(-1)
    if (last?.ticks !== level.ticks) merged.push(level)
    else merged[merged.length - 1] = { ticks: level.ticks, steps: last.steps + level.steps }
  }
  return merged.slice(0, most)
}
