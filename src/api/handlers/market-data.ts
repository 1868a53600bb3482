import { prepareStatistics, tradedAssets } from '../../engine/reports/prepare-statistics.ts'
import { tradedAsset } from '../assets.ts'
import { type AnswerTo, type ApiContext, answer, type InputOf, refuse } from '../context.ts'
import {
  type OrderBookJson,
  orderBookView,
  priceView,
  statisticsView,
  tradingPairView,
} from '../views/market-data-view.ts'
import { filterAssets, symbolsOf } from './asset-filter.ts'

/**
 * Spec: market-data/prices. Choice: in the order asked for, without repetitions; all of them in the order of
 * configuration.
 */
export function listPrices(context: ApiContext, input: InputOf<'listPrices'>): AnswerTo<'listPrices'> {
  const filter = filterAssets(context, input.query.assets, tradedAsset)
  if (!filter.ok) return filter
  const assets = prepared(context, filter.assets ?? tradedAssets(context.state))
  return answer({ prices: assets.map((asset) => priceView(context, asset)) })
}

/** Spec: market-data/prices/:asset. Errors: 404. */
export function getPrice(context: ApiContext, input: InputOf<'getPrice'>): AnswerTo<'getPrice'> {
  const asset = tradedAsset(context.state.assets, input.parameter)
  return asset === null ? refuse({ code: 'unknown-asset' }) : answer(priceView(context, asset))
}

/** Spec: market-data/orderbook/:asset. Errors: 404. */
export function getOrderBook(context: ApiContext, input: InputOf<'getOrderBook'>): AnswerTo<'getOrderBook'> {
  const asset = tradedAsset(context.state.assets, input.parameter)
  if (asset === null) return refuse({ code: 'unknown-asset' })
  return answer(orderBookView(context, asset, input.query.depth))
}

/** Spec: market-data/orderbooks. Errors: 400 for an unknown asset, which is required here. */
export function listOrderBooks(
  context: ApiContext,
  input: InputOf<'listOrderBooks'>,
): AnswerTo<'listOrderBooks'> {
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

/** Spec: market-data/trading-pairs. */
export function listTradingPairs(context: ApiContext): AnswerTo<'listTradingPairs'> {
  return answer({ pairs: tradedAssets(context.state).map((asset) => tradingPairView(context, asset)) })
}

/** Spec: market-data/stats/24h. */
export function listStatistics(
  context: ApiContext,
  input: InputOf<'listStatistics'>,
): AnswerTo<'listStatistics'> {
  const filter = filterAssets(context, symbolsOf(input.query.asset), tradedAsset)
  if (!filter.ok) return filter
  const assets = prepared(context, filter.assets ?? tradedAssets(context.state))
  return answer({ stats: assets.map((row) => statisticsView(context, row)) })
}

/** Preparing the histories of several assets together takes two thirds of the time that one by one takes. */
function prepared({ state }: ApiContext, assets: readonly number[]): readonly number[] {
  while (!prepareStatistics(state, assets));
  return assets
}
