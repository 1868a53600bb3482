import { buy, sell } from '../../engine/codes.ts'
import { statistics24h } from '../../engine/reports/statistics.ts'
import { shownPrices } from '../../engine/reports/top-of-book.ts'
import { stateOf } from '../../engine/state.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import {
  e8Number,
  halfTicksNumber,
  percentNumber,
  priceNumber,
  quantityNumber,
  usdNumber,
} from '../amounts.ts'
import type { ApiContext } from '../context.ts'
import type * as schemas from '../operations/market-data.ts'
import { depthOf, type Level } from './depth.ts'

export type PriceJson = RecordOf<typeof schemas.price>
export type OrderBookJson = RecordOf<typeof schemas.orderBook>
export type TradingPairJson = RecordOf<typeof schemas.tradingPairList>['pairs'][number]
export type StatisticsJson = RecordOf<typeof schemas.statisticsList>['stats'][number]

/** Spec: Price. The mark replaces an empty side. */
export function priceView(context: ApiContext, asset: number): PriceJson {
  const { state } = context
  const { pair } = state.assets.traded(asset)
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

/** Spec: Order book, best price first. It includes the caller's own orders. */
export function orderBookView(context: ApiContext, asset: number, depth: number): OrderBookJson {
  const { state } = context
  const { pair } = state.assets.traded(asset)
  const entryOf = (level: Level) => ({
    price: priceNumber(pair, level.ticks),
    quantity: quantityNumber(pair, level.steps),
  })
  return {
    asset: state.assets.symbol(asset),
    bids: depthOf(state, asset, buy, depth).map(entryOf),
    asks: depthOf(state, asset, sell, depth).map(entryOf),
    timestamp: millisToIso(context.now),
  }
}

/** Spec: Trading pair. A pair that takes no new orders is inactive. */
export function tradingPairView(context: ApiContext, asset: number): TradingPairJson {
  const { assets } = context.state
  const { pair, symbol } = assets.traded(asset)
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

/** Spec: 24-hour statistics entry. Without volume, the mean price is the close. */
export function statisticsView(context: ApiContext, asset: number): StatisticsJson {
  const { pair, symbol } = context.state.assets.traded(asset)
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
  return halt !== 'reject' && !isHaltedByRecording && context.state.assets.traded(asset).pair.isActive
}
