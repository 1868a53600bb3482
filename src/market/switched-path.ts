import { assert } from '../numeric/assert.ts'
import { exp, log } from '../numeric/portable-math.ts'
import type { GridPath } from './grid-path.ts'
import type { AssetMarketSpec, MarketSpec, ModelSwitch } from './market-spec.ts'
import { boundedPrice } from './models/price-model.ts'
import type { ModelSpec } from './models/price-models.ts'

/*
 * A model that a price was switched to. Its path is that of the model by itself, from the market's start on; from the
 * switch on, the price has that path's logarithmic moves.
 *
 * Choice: its streams have the asset's name and the model's kind, so that a further switch shifts no stream, and the
 * same switch gives the same path whatever was done before. The Brownian motion of models that can be correlated is
 * the asset's own, and the factors of `market` are those of all assets, so assets go on moving together.
 *
 * Choice: a model that returns to a mean in USD returns to that very mean: the distance of the price from its path
 * fades like any distance from the mean. And a recording begins at the switch, whenever it was recorded.
 */

/** The asset as if the other model were its own. */
export function switchedAsset(spec: AssetMarketSpec, to: ModelSwitch): AssetMarketSpec {
  const model = modelOf(spec, to)
  return { ...spec, model, price: model.kind === 'ou' ? model.mean : 1 }
}

/** When the market would have begun for a recording to begin at the switch; for other models, when it did begin. */
export function switchedStartMillis(market: MarketSpec, model: ModelSpec, to: ModelSwitch): number {
  const first = model.kind === 'replay' ? model.candles[0] : model.kind === 'trades' ? model.trades[0] : null
  return first === undefined || first === null
    ? market.startMillis
    : first.atMillis - to.fromIndex * market.gridMillis
}

export const switchedSymbol = (symbol: string, model: ModelSpec): string =>
  `${symbol}/alternative/${model.kind}`

/** The factor between the path and the price, at the switch. */
export function scaleOf(path: GridPath, to: ModelSwitch): number {
  return to.price / path.priceAt(to.fromIndex)
}

/** The price at a grid index that is not before the switch; at the switch exactly what it was. */
export function switchedPriceAt(
  path: GridPath,
  to: ModelSwitch,
  scale: number,
  gridIndex: number,
  gridMillis: number,
): number {
  if (gridIndex === to.fromIndex) return to.price
  const price = path.priceAt(gridIndex)
  if (to.model.kind !== 'ou') return boundedPrice(price * scale)
  const halves = ((gridIndex - to.fromIndex) * gridMillis) / to.model.halfLifeMillis
  return boundedPrice(price * exp(log(scale) * exp(-Math.LN2 * halves)))
}

function modelOf({ recordings }: AssetMarketSpec, { model }: ModelSwitch): ModelSpec {
  if (model.kind !== 'recorded') return model
  const recorded = recordings?.[model.place]
  assert(recorded !== undefined, 'a switch names a recording that the asset has')
  return recorded
}
