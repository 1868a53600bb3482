import type { VenueConfig } from '../../engine/config.ts'

/** A configuration with another seed, everywhere that it stands. */
export function seeded(config: VenueConfig, seed: string): VenueConfig {
  return { ...config, seed, market: { ...config.market, seed } }
}
