// Room: engine

import { expect, test } from 'vitest'
import type { VenueConfig } from '../../src/engine/config.ts'
import { Venue } from '../../src/engine/venue.ts'
import { atoms } from '../../src/numeric/units.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { alice, bob, DUST, limit } from '../model/commands.ts'
import { subjects } from '../model/subjects.ts'

/*
 * Ten fills of one and a half atoms, each rounded to two, needed twenty atoms of an account that had reserved its
 * fifteen: without a fee that could be reduced, its balance became negative.
 */
test.each(subjects)('%s: ten fills of a step cost what the ten steps cost', (_name, open) => {
  const venue = open(poorAlice(crowdedConfig({ takerRate: 0 })))
  expect(venue.execute(limit(alice, 0, 10, 15, { asset: DUST })).ok).toBe(true)
  for (let sold = 0; sold < 10; sold += 1) venue.execute(limit(bob, 1, 1, 15, { asset: DUST }))
  const paid = venue.events.filter(
    ({ name, subject, asset }) => name === 'posted' && subject === alice && asset === 0,
  )
  expect(paid.reduce((sum, { first }) => sum + first, 0)).toBe(15)
  expect(venue.events.at(-1)?.name).toBe('order-filled')
})

test('no fill takes what the rest of its order has reserved', () => {
  const venue = Venue.open(poorAlice(crowdedConfig({ takerRate: 0 })), { emit: () => undefined })
  expect(venue.execute(limit(alice, 0, 10, 15, { asset: DUST })).ok).toBe(true)
  for (let sold = 0; sold < 10; sold += 1) {
    venue.execute(limit(bob, 1, 1, 15, { asset: DUST }))
    expect(venue.state.ledger.available(alice, 0)).toBe(0)
  }
})

function poorAlice(config: VenueConfig): VenueConfig {
  return {
    ...config,
    assets: config.assets.map((asset) =>
      asset.pair === null ? asset : { ...asset, pair: { ...asset.pair, minNotionalAtoms: atoms(0) } },
    ),
    accounts: config.accounts.map((account) =>
      account.id === 'alice' ? { ...account, balances: new Map([['USD', atoms(15)]]) } : account,
    ),
  }
}
