import type { VenueConfig } from '../../engine/config.ts'

/** The last one made of each configuration. */
const lastMade = new WeakMap<VenueConfig, VenueConfig>()

/**
 * A configuration with another seed, in every place that has one. Worlds that are made one after the other with the
 * same seed get the same object, because venues of one configuration share their history
 * (`engine/series/minute-history.ts`).
 */
export function seeded(config: VenueConfig, seed: string): VenueConfig {
  if (hasSeed(config, seed)) return config
  const last = lastMade.get(config)
  if (last !== undefined && hasSeed(last, seed)) return last
  const made = { ...config, seed, market: { ...config.market, seed } }
  lastMade.set(config, made)
  return made
}

const hasSeed = (config: VenueConfig, seed: string): boolean =>
  config.seed === seed && config.market.seed === seed
