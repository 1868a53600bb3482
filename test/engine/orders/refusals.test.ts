import { describe, expect, it } from 'vitest'
import { buy } from '../../../src/engine/codes.ts'
import type { Command } from '../../../src/engine/command.ts'
import type { AccountConfig } from '../../../src/engine/config.ts'
import {
  atoms,
  millis,
  type PriceTicks,
  partsPerMillion,
  priceTicks,
  quantitySteps,
} from '../../../src/numeric/units.ts'
import { alice, bob, btc, eth, SmallVenue, startMillis, wideLimits } from '../fixtures/small-venue.ts'

/* Commands that the engine itself refuses, whether or not `api` would let them through; a refusal changes nothing. */

const at = millis(startMillis)
/*
 * Each is the first that there is not, in a venue with one order and one quote. The legs of a quote are orders, and
 * opening balances are transfers: three of each account.
 */
const nobody = bob + 1
const nothing = eth + 1
const noOrder = 3
const noQuote = 1
const noTransfer = 6
const order = {
  asset: btc,
  side: buy,
  type: 0,
  timeInForce: 0,
  quantitySteps: quantitySteps(10_000),
  priceTicks: priceTicks(4_900_000),
  clientOrderId: null,
  allowsDuplicateId: false,
  keepsRefused: false,
  metadata: null,
} as const
const quote = {
  asset: btc,
  bidPriceTicks: priceTicks(4_900_000),
  askPriceTicks: priceTicks(5_100_000),
  bidSteps: quantitySteps(100),
  askSteps: quantitySteps(100),
  validForMillis: millis(30_000),
  clientQuoteId: null,
  allowsDuplicateId: false,
  metadata: null,
} as const
const unchanged = { bidPriceTicks: null, askPriceTicks: null, bidSteps: null, askSteps: null } as const
const normal = { spreadMultiplier: 1, depthMultiplier: 1, sides: 'both' } as const
const transfer = { atoms: atoms(1), pendingMillis: millis(0) }
const point = (ticks: number) => ({ offsetMillis: millis(0), priceTicks: priceTicks(ticks) })
const noBounds = {
  minQuantitySteps: null,
  maxQuantitySteps: null,
  minPriceTicks: null,
  minNotionalAtoms: null,
} as const

const carol: AccountConfig = {
  id: 'carol',
  type: 'cash',
  balances: new Map(),
  averageEntryPrices: new Map(),
  limits: wideLimits,
  fees: null,
}

const cases: readonly (readonly [string, Command, object])[] = [
  [
    'an order of an unknown account',
    { kind: 'place-order', at, account: nobody, ...order },
    { code: 'unknown-account' },
  ],
  [
    'an order for cash',
    { kind: 'place-order', at, account: alice, ...order, asset: 0 },
    { code: 'unknown-asset' },
  ],
  [
    'cancelling all orders of an unknown account',
    { kind: 'cancel-orders', at, account: nobody, asset: null, side: null },
    { code: 'unknown-account' },
  ],
  [
    'a quote of an unknown account',
    { kind: 'submit-quote', at, account: nobody, ...quote },
    { code: 'unknown-account' },
  ],
  [
    'a quote for nothing',
    { kind: 'submit-quote', at, account: alice, ...quote, asset: nothing },
    { code: 'unknown-asset' },
  ],
  [
    'bulk updates of an unknown account',
    { kind: 'update-quotes', at, account: nobody, updates: [] },
    { code: 'unknown-account' },
  ],
  [
    'an update of an unknown quote',
    {
      kind: 'update-quote',
      at,
      account: alice,
      quote: noQuote,
      ...unchanged,
      validForMillis: null,
      validFrom: 'now',
    },
    { code: 'unknown-quote' },
  ],
  [
    'cancelling no quote',
    { kind: 'cancel-quote', at, account: alice, quote: noQuote },
    { code: 'unknown-quote' },
  ],
  [
    'cancelling all quotes of an unknown account',
    { kind: 'cancel-quotes', at, account: nobody, asset: null },
    { code: 'unknown-account' },
  ],
  [
    'a deposit for an unknown account',
    { kind: 'deposit', at, account: nobody, asset: btc, ...transfer },
    { code: 'unknown-account' },
  ],
  [
    'a deposit of nothing',
    { kind: 'deposit', at, account: alice, asset: nothing, ...transfer },
    { code: 'unknown-asset' },
  ],
  [
    'a deposit beyond 2^53',
    { kind: 'deposit', at, account: alice, asset: btc, ...transfer, atoms: atoms(8e15) },
    { code: 'amount-out-of-range' },
  ],
  [
    'an account that exists already',
    { kind: 'create-account', at, account: { ...carol, id: 'alice' } },
    { code: 'account-exists' },
  ],
  [
    'an account with an unknown asset',
    { kind: 'create-account', at, account: { ...carol, balances: new Map([['XYZ', atoms(1)]]) } },
    { code: 'unknown-asset' },
  ],
  [
    'an account with a negative balance',
    { kind: 'create-account', at, account: { ...carol, balances: new Map([['BTC', atoms(-1)]]) } },
    { code: 'amount-out-of-range' },
  ],
  [
    'settling an unknown transfer',
    { kind: 'settle-transfer', at, transfer: noTransfer },
    { code: 'unknown-transfer' },
  ],
  [
    'limits for nobody',
    { kind: 'set-limits', at, account: nobody, limits: wideLimits },
    { code: 'unknown-account' },
  ],
  [
    'fees for nobody',
    { kind: 'set-fees', at, account: nobody, makerRate: partsPerMillion(0), takerRate: partsPerMillion(0) },
    { code: 'unknown-account' },
  ],
  [
    'a type for an unknown account',
    { kind: 'set-account-type', at, account: nobody, type: 'cash' },
    { code: 'unknown-account' },
  ],
  [
    'bounds for an unknown pair',
    { kind: 'set-pair', at, asset: nothing, ...noBounds },
    { code: 'unknown-asset' },
  ],
  ['bounds for cash', { kind: 'set-pair', at, asset: 0, ...noBounds }, { code: 'unknown-asset' }],
  [
    'halting cash',
    { kind: 'halt', at, asset: 0, mode: 'reject', forMillis: millis(0) },
    { code: 'unknown-asset' },
  ],
  ['resuming nothing', { kind: 'resume', at, asset: nothing }, { code: 'unknown-asset' }],
  [
    'a price of nothing',
    { kind: 'move-price', at, asset: nothing, points: [point(1)], noiseVol: partsPerMillion(0) },
    { code: 'unknown-asset' },
  ],
  [
    'a price of 0',
    { kind: 'move-price', at, asset: btc, points: [point(0)], noiseVol: partsPerMillion(0) },
    { code: 'price-below-minimum' },
  ],
  [
    'no price',
    { kind: 'move-price', at, asset: btc, points: [], noiseVol: partsPerMillion(0) },
    { code: 'price-out-of-range' },
  ],
  [
    'moving the price of an unknown asset',
    { kind: 'bend-price', at, asset: nothing, volMultiplier: partsPerMillion(1), drift: partsPerMillion(0) },
    { code: 'unknown-asset' },
  ],
  [
    'switching the model of an unknown asset',
    { kind: 'switch-model', at, asset: nothing, model: { kind: 'constant' } },
    { code: 'unknown-asset' },
  ],
  [
    'an invalid model',
    { kind: 'switch-model', at, asset: btc, model: { kind: 'gbm', vol: -1, drift: 0 } },
    { code: 'unknown-model' },
  ],
  [
    'liquidity of nothing',
    { kind: 'set-liquidity', at, asset: nothing, conditions: normal, isStale: false, forMillis: millis(0) },
    { code: 'unknown-asset' },
  ],
  [
    'filling no order',
    { kind: 'force-fill', at, order: noOrder, quantitySteps: null, priceTicks: null },
    { code: 'unknown-order' },
  ],
  [
    'cancelling no order',
    { kind: 'cancel-order', at, account: alice, order: noOrder },
    { code: 'unknown-order' },
  ],
  ['ending no order', { kind: 'force-reject', at, order: noOrder }, { code: 'unknown-order' }],
  ['expiring no quote', { kind: 'force-expire-quote', at, quote: noQuote }, { code: 'unknown-quote' }],
  ['the past', { kind: 'advance', at: millis(startMillis - 1) }, { code: 'backward-time' }],
]

it.each(cases)('%s is refused and changes nothing', (_name, command, rejection) => {
  const { venue } = new SmallVenue()
  venue.execute({ kind: 'place-order', at, account: alice, ...order })
  venue.execute({ kind: 'submit-quote', at, account: alice, ...quote })
  expect([venue.state.orders.count, venue.state.quotes.count]).toEqual([noOrder, noQuote])
  const before = venue.digest()
  expect(venue.execute(command)).toEqual({ ok: false, rejection: expect.objectContaining(rejection) })
  expect(venue.digest()).toBe(before)
})

describe('a value of 2^53 atoms or more', () => {
  const most = {
    limits: { maxOrderValue: atoms(9e15), maxExposure: atoms(9e15), maxDailyVolume: atoms(9e15) },
  }

  it('cannot be reached by an amendment', () => {
    const small = new SmallVenue(most)
    const placed = small.place(alice, buy, btc, 49_000, 1)
    const amended = (quantity: number, ticks: PriceTicks | null) =>
      small.venue.execute({
        kind: 'amend-order',
        at,
        account: alice,
        order: placed.ok ? placed.row : -1,
        quantitySteps: quantitySteps(quantity),
        priceTicks: ticks,
      })
    const before = small.venue.digest()
    expect(amended(10_000_000, priceTicks(9e12))).toMatchObject({
      rejection: { code: 'amount-out-of-range' },
    })
    expect(small.venue.digest()).toBe(before)
  })

  it('cannot be quoted', () => {
    const { venue } = new SmallVenue(most)
    const dear = { ...quote, askPriceTicks: priceTicks(9e12), askSteps: quantitySteps(10_000_000) }
    expect(venue.execute({ kind: 'submit-quote', at, account: alice, ...dear })).toMatchObject({
      rejection: { code: 'amount-out-of-range' },
    })
  })
})

describe('a holding, once filled, that is worth too much to value', () => {
  /** Makes a world in which ten coins at 100 million USD are a quarter of the most that a holding may be worth. */
  const createDearWorld = () => {
    const most = {
      maxExposure: atoms(9e15),
      maxExposurePerAsset: { bySymbol: new Map(), default: atoms(9e15) },
    }
    const small = new SmallVenue({ limits: most })
    small.movePrice(btc, 1e8)
    small.advance(1000)
    return small
  }
  const outOfRange = { rejection: { code: 'amount-out-of-range' } }

  it('cannot be ordered', () => {
    const small = createDearWorld()
    expect(small.place(alice, buy, btc, 100, 20).ok).toBe(true)
    const before = small.venue.digest()
    expect(small.place(alice, buy, btc, 100, 20)).toMatchObject(outOfRange)
    expect(small.venue.digest()).toBe(before)
  })

  it('cannot be reached by an amendment', () => {
    const small = createDearWorld()
    const placed = small.place(alice, buy, btc, 100, 1)
    const amended = small.venue.execute({
      kind: 'amend-order',
      at: small.now,
      account: alice,
      order: placed.ok ? placed.row : -1,
      quantitySteps: quantitySteps(400_000),
      priceTicks: null,
    })
    expect(amended).toMatchObject(outOfRange)
  })

  it('cannot be quoted', () => {
    const small = createDearWorld()
    const bid = { bidPriceTicks: priceTicks(10_000), bidSteps: quantitySteps(400_000) }
    expect(
      small.venue.execute({ kind: 'submit-quote', at: small.now, account: alice, ...quote, ...bid }),
    ).toMatchObject(outOfRange)
  })
})
