import { expect, it } from 'vitest'
import { buy, type Side, sell } from '../../../src/engine/codes.ts'
import type { VenueConfig } from '../../../src/engine/config.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import { EngineSubject } from '../../model/engine-subject.ts'
import { alice, bob, btc, SmallVenue, startMillis, wideLimits } from '../fixtures/small-venue.ts'

/* Orders that reserve nothing, and accounts without balances. */

const at = millis(startMillis)

/** Opens a venue where BTC trades in steps that are worth 10^-10 USD atoms. */
function fineVenue(): EngineSubject {
  const { config } = new SmallVenue()
  const assets: VenueConfig['assets'] = config.assets.map((asset) =>
    asset.symbol === 'BTC' && asset.pair !== null
      ? {
          ...asset,
          pair: {
            ...asset.pair,
            priceStep: { units: 1, scale: 8 },
            quantityStep: { units: 1, scale: 8 },
            minNotionalAtoms: atoms(0),
          },
        }
      : asset,
  )
  return new EngineSubject({ ...config, assets })
}

it('a fill worth less than an atom moves no cash and releases nothing', () => {
  const subject = fineVenue()
  const { ledger, orders } = subject.venue.state
  const place = (account: number, side: Side, steps: number) => {
    const placed = subject.execute({
      kind: 'place-order',
      at,
      account,
      asset: btc,
      side,
      type: 0,
      timeInForce: 0,
      quantitySteps: quantitySteps(steps),
      priceTicks: priceTicks(1),
      clientOrderId: null,
      allowsDuplicateId: false,
      keepsRefused: false,
      metadata: null,
    })
    return placed.ok ? placed.row : -1
  }
  const order = place(alice, buy, 3)
  const [cashBefore, coinsBefore] = [ledger.total(alice, 0), ledger.total(alice, btc)]
  expect(orders.reservedAtoms.get(order)).toBe(1)
  place(bob, sell, 1)
  expect([ledger.total(alice, 0), ledger.total(alice, btc)]).toEqual([cashBefore, coinsBefore + 1])
  expect(orders.reservedAtoms.get(order)).toBe(1)
  const amend = { account: alice, order, quantitySteps: quantitySteps(2), priceTicks: null }
  expect(subject.execute({ kind: 'amend-order', at, ...amend }).ok).toBe(true)
  expect(subject.execute({ kind: 'cancel-order', at, account: alice, order }).ok).toBe(true)
  expect(ledger.lockedAtoms(alice, 0)).toBe(0)
  const names = subject.events.map(({ name }) => name)
  expect(names.filter((name) => name === 'released')).toHaveLength(3)
  expect(names.filter((name) => name === 'posted')).toHaveLength(1)
})

it('an account may be opened with a balance of 0', () => {
  const { venue } = new SmallVenue()
  const before = venue.state.transfers.count
  const opened = venue.execute({
    kind: 'create-account',
    at,
    account: {
      id: 'carol',
      type: 'cash',
      balances: new Map([
        ['USD', atoms(0)],
        ['BTC', atoms(5)],
      ]),
      averageEntryPrices: new Map(),
      limits: wideLimits,
      fees: { makerRate: partsPerMillion(0), takerRate: partsPerMillion(0) },
    },
  })
  expect(opened.ok).toBe(true)
  expect(venue.state.transfers.count).toBe(before + 1)
  expect(venue.state.ledger.total(venue.state.accounts.rowOf('carol'), btc)).toBe(5)
})
