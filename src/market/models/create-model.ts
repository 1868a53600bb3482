import type { AssetMarketSpec } from '../market-spec.ts'
import { createBootstrap } from './bootstrap.ts'
import { createConstant } from './constant.ts'
import { createGarch } from './garch.ts'
import { createGbm } from './gbm.ts'
import { createHawkes } from './hawkes.ts'
import { createHeston } from './heston.ts'
import type { MarketFactors } from './market-model.ts'
import { createMarketModel } from './market-model.ts'
import { createMerton } from './merton.ts'
import type { NoisePath } from './noise-path.ts'
import { createOrnsteinUhlenbeck } from './ornstein-uhlenbeck.ts'
import type { PriceModel, StreamNames } from './price-model.ts'
import { createRegimes } from './regimes.ts'
import { createReplay } from './replay.ts'
import { createTradeReplay } from './trade-replay.ts'
import { createWaypoints } from './waypoints.ts'

/** What the models of one market have in common. */
export interface ModelSurroundings {
  readonly startMillis: number
  readonly names: StreamNames
  /** The asset's Brownian motion, correlated with the others' as the market says. */
  noise(): NoisePath
  factors(): MarketFactors
}

/** The model that an asset's specification names. */
export function createModel(asset: AssetMarketSpec, surroundings: ModelSurroundings): PriceModel {
  const { model, price } = asset
  const { startMillis, names } = surroundings
  switch (model.kind) {
    case 'constant':
      return createConstant(price)
    case 'waypoints': {
      const startsByItself = model.points[0]?.offsetMillis === 0
      const points = startsByItself ? model.points : [{ offsetMillis: 0, price }, ...model.points]
      return createWaypoints(points, 0, model.noiseVol, names, 'path')
    }
    case 'gbm':
      return createGbm(price, model.vol, model.drift, surroundings.noise())
    case 'ou':
      return createOrnsteinUhlenbeck(price, model, names)
    case 'merton':
      return createMerton(price, model, surroundings.noise(), names)
    case 'heston':
      return createHeston(price, model, surroundings.noise(), names)
    case 'garch':
      return createGarch(price, model, surroundings.noise(), names)
    case 'regimes':
      return createRegimes(price, model, surroundings.noise(), names)
    case 'hawkes':
      return createHawkes(price, model, surroundings.noise(), names)
    case 'bootstrap':
      return createBootstrap(price, model, names)
    case 'replay':
      return createReplay(model, startMillis, names)
    case 'trades':
      return createTradeReplay(model, startMillis)
    case 'market':
      return createMarketModel(price, model, surroundings.factors(), startMillis, names)
  }
}
