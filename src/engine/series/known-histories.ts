import { createMarket } from '../../market/create-market.ts'
import type { Market } from '../../market/market.ts'
import { missing } from '../../numeric/assert.ts'
import type { VenueConfig } from '../config.ts'
import { MinuteHistory } from './minute-history.ts'

/*
 * What happened before the start is the same for every venue of one configuration, whoever trades there afterwards. So
 * it is computed once for all of them: a world made for one test, or a world that is reset, answers its first question
 * about the last 24 hours at once. A history lives as long as its configuration.
 */
const known = new WeakMap<VenueConfig, readonly MinuteHistory[]>()

/** The 24 hours before the start of an asset (a row above 0). */
export function historyOf(config: VenueConfig, asset: number): MinuteHistory {
  const histories = known.get(config) ?? historiesOf(config)
  return histories[asset - 1] ?? missing('a traded asset has a history')
}

function historiesOf(config: VenueConfig): readonly MinuteHistory[] {
  // The histories have a market of their own, because a venue's market goes away with the venue.
  let own: Market | null = null
  const market = (): Market => {
    own ??= createMarket(config.market)
    return own
  }
  const pairs = config.assets.flatMap(({ pair }) => pair ?? [])
  const histories = pairs.map(
    (pair, asset) =>
      new MinuteHistory(pair, config.startMillis, (minute) => market().minuteBar(asset, minute)),
  )
  known.set(config, histories)
  return histories
}
