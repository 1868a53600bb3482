// Room: engine

import { expect, test } from 'vitest'
import type { VenueConfig } from '../../src/engine/config.ts'
import { atoms } from '../../src/numeric/units.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { alice, bob, DUST, limit } from '../model/commands.ts'
import { EngineSubject } from '../model/engine-subject.ts'
import { lineOf } from '../model/recorded-event.ts'

/* A trade worth less than half an atom posted 0 atoms of cash, and a fee of 0. */
test('two steps at two ticks, four tenths of an atom, move the asset alone', () => {
  const venue = new EngineSubject(withoutMinimum(crowdedConfig()))
  venue.execute(limit(alice, 1, 2, 2, { asset: DUST }))
  venue.execute(limit(bob, 0, 2, 2, { asset: DUST }))
  const posted = venue.events.filter(({ name }) => name === 'posted').map(lineOf)
  expect(posted).toEqual(['posted 3 4 3 20'])
})

function withoutMinimum(config: VenueConfig): VenueConfig {
  return {
    ...config,
    assets: config.assets.map((asset) =>
      asset.pair === null ? asset : { ...asset, pair: { ...asset.pair, minNotionalAtoms: atoms(0) } },
    ),
  }
}
