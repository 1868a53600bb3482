import type { VenueConfig } from '../../src/engine/config.ts'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'

/** Bitcoin moves by the model, with a power ladder and Poisson takers; the others stand still. */
export function movingConfig(model: ModelSpec): VenueConfig {
  const config = crowdedConfig({ hasLadder: true })
  return {
    ...config,
    assets: config.assets.map((asset) =>
      asset.symbol === 'BTC'
        ? { ...asset, liquidity: { kind: 'power', spreadBps: 100, depth10bpUsd: 20 } }
        : asset,
    ),
    market: {
      ...config.market,
      assets: config.market.assets.map((asset) =>
        asset.symbol === 'BTC'
          ? { ...asset, model, flow: { kind: 'poisson', ratePerMinute: 20, medianUsd: 20, sizeSd: 1 } }
          : asset,
      ),
    },
  }
}
