import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Side } from '../../../src/engine/codes.ts'
import { buy, sell } from '../../../src/engine/codes.ts'
import type { LimitsConfig } from '../../../src/engine/limits.ts'
import { assessOrder, checkOrderTerms, maximumQuantity } from '../../../src/engine/risk/pre-trade-check.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { configChoice, crowdedConfig } from '../../arbitraries/configs.ts'
import { caseBudget } from '../../support/full-run.ts'
import { happen, happening } from '../fixtures/random-run.ts'
import type { SmallVenueOptions } from '../fixtures/small-venue.ts'
import { alice, btc, coins, SmallVenue, usd } from '../fixtures/small-venue.ts'

const perAsset = (limit: number): Partial<LimitsConfig> => ({
  maxExposurePerAsset: { bySymbol: new Map([['BTC', usd(limit)]]), default: usd(1e9) },
})

describe('the largest order', () => {
  it.each<[string, SmallVenueOptions, Side, number, string]>([
    ['a cash buyer spends the available balance', {}, buy, 20, 'available_balance'],
    ['fee and all', { takerRate: 1000 }, buy, 19.98, 'available_balance'],
    ['a cash seller sells the available balance', {}, sell, 10, 'available_balance'],
    [
      'a limit of size',
      { limits: { maxOrderSize: { bySymbol: new Map([['BTC', 300_000_000]]), default: 1 } } },
      buy,
      3,
      'order_size_limit',
    ],
    ['a limit of value', { limits: { maxOrderValue: usd(123_456) } }, buy, 2.4691, 'order_size_limit'],
    ['a limit of exposure', { limits: { maxExposure: usd(900_000) } }, buy, 4, 'exposure_limit'],
    ['a limit of the asset', { limits: perAsset(700_000) }, buy, 4, 'asset_exposure_limit'],
    ['a limit of the day', { limits: { maxDailyVolume: usd(60_000) } }, buy, 1.2, 'daily_volume_limit'],
    [
      'a breached limit still lets a reduction through',
      { limits: perAsset(100_000) },
      sell,
      10,
      'available_balance',
    ],
    ['a breached limit stops an increase', { limits: perAsset(100_000) }, buy, 0, 'asset_exposure_limit'],
    [
      'short within leverage',
      { aliceIsMargin: true, alice: { USD: usd(100_000) } },
      sell,
      2,
      'available_balance',
    ],
    ['it is 0 when below the minimum order', { alice: { USD: usd(0.5) } }, buy, 0, 'available_balance'],
    [
      'ties go to the first factor',
      { limits: { maxDailyVolume: usd(1_000_000) } },
      buy,
      20,
      'available_balance',
    ],
  ])('%s', (_, options, side, quantity, factor) => {
    const { state } = new SmallVenue(options)
    const { maxQuantitySteps, limitingFactor } = maximumQuantity(state, alice, btc, side, 5_000_000)
    expect({ quantity: maxQuantitySteps / 10_000, limitingFactor }).toEqual({
      quantity,
      limitingFactor: factor,
    })
  })

  it('reports what each limit alone would allow', () => {
    const limits = { ...perAsset(800_000), maxExposure: usd(1_200_000), maxOrderValue: usd(2_000_000) }
    const small = new SmallVenue({ limits })
    small.place(alice, buy, btc, 40_000, 1)
    expect(maximumQuantity(small.state, alice, btc, buy, 5_000_000)).toEqual({
      maxQuantitySteps: 52_000,
      limitingFactor: 'asset_exposure_limit',
      byBalance: { quantitySteps: 192_000, availableAtoms: usd(960_000) },
      byOrderSizeLimit: { quantitySteps: 400_000, limitSize: 1e15 },
      byExposureLimit: { quantitySteps: 92_000, availableExposureAtoms: usd(460_000) },
      byAssetExposureLimit: { quantitySteps: 52_000, availableExposureAtoms: usd(260_000) },
      byDailyVolumeLimit: { quantitySteps: 200_000_000, availableAtoms: usd(1e9) },
    })
    expect(coins(5.2)).toBe(52_000 * small.state.assets.tradedAsset(btc).stepAtoms)
  })
})

describe('tightness', () => {
  it('holds over random accounts: the quantity is approved, and one step more is not', () => {
    const factors = new Set<string>()
    const happenings = fc.array(happening, { minLength: 5, maxLength: 80 })
    fc.assert(
      fc.property(configChoice, happenings, fc.integer({ min: 2, max: 400 }), (choice, whats, priceTicks) => {
        const venue = Venue.open(crowdedConfig(choice), { emit: () => undefined })
        for (const what of whats) happen(venue, what)
        for (let account = 3; account <= 6; account += 1) {
          for (let asset = 1; asset <= 3; asset += 1) {
            for (const side of [buy, sell] as const) {
              const { maxQuantitySteps, limitingFactor } = maximumQuantity(
                venue.state,
                account,
                asset,
                side,
                priceTicks,
              )
              const terms = { account, asset, side, priceTicks }
              factors.add(limitingFactor)
              if (maxQuantitySteps > 0)
                expect(isPossible(venue, { ...terms, quantitySteps: maxQuantitySteps })).toBe(true)
              expect(isPossible(venue, { ...terms, quantitySteps: maxQuantitySteps + 1 })).toBe(false)
            }
          }
        }
      }),
      { seed: 7, numRuns: caseBudget(60) },
    )
    expect([...factors].sort()).toEqual([
      'asset_exposure_limit',
      'available_balance',
      'daily_volume_limit',
      'exposure_limit',
      'order_size_limit',
    ])
  })
})

function isPossible(venue: Venue, terms: Parameters<typeof assessOrder>[1]): boolean {
  return checkOrderTerms(venue.state, terms) === null && assessOrder(venue.state, terms).isApproved
}
