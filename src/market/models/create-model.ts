import { missing } from '../../numeric/assert.ts'
import type { AssetMarketSpec } from '../market.ts'
import { createConstant } from './constant.ts'
import { createGbm } from './gbm.ts'
import { createOrnsteinUhlenbeck } from './ornstein-uhlenbeck.ts'
import type { PriceModel, StreamNames } from './price-model.ts'
import { createReplay } from './replay.ts'
import { createWaypoints } from './waypoints.ts'

/** The model that an asset's specification names. */
export function createModel(asset: AssetMarketSpec, startMillis: number, names: StreamNames): PriceModel {
  const { model, price } = asset
  switch (model.kind) {
    case 'constant':
      return createConstant(price)
    case 'waypoints': {
      const startsByItself = model.points[0]?.offsetMillis === 0
      const points = startsByItself ? model.points : [{ offsetMillis: 0, price }, ...model.points]
      return createWaypoints(points, 0, model.noiseVol, names, 'path')
    }
    case 'gbm':
      return createGbm(price, model.vol, model.drift, names)
    case 'ou':
      return createOrnsteinUhlenbeck(price, model, names)
    case 'replay':
      return createReplay(model, startMillis, names)
    default:
      return missing(`there is a model ${model.kind}`)
  }
}
