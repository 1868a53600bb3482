import { expect, expectTypeOf, it } from 'vitest'
import {
  assetLimits,
  limitKinds,
  limitNames,
  limitsFrom,
  tightestLimit,
  usualLimits,
} from '../../src/engine/limits.ts'

type Kind = (typeof limitKinds)['maxOrderValue']

it('a limit says what it bounds, or it does not compile', () => {
  expectTypeOf<Kind>().toHaveProperty('bounds')
  expectTypeOf<Omit<Kind, 'bounds'>>().not.toExtend<Kind>()
  expectTypeOf<'order value'>().toExtend<Kind['bounds']>()
  expectTypeOf<'anything else'>().not.toExtend<Kind['bounds']>()
  // What counts orders cannot bound an amount of money.
  expectTypeOf<(typeof limitKinds)['maxOpenOrders']['bounds']>().not.toExtend<Kind['bounds']>()
})

it('each limit of an account is the tightest on what it bounds', () => {
  for (const name of limitNames) {
    const { bounds } = limitKinds[name]
    const limit = usualLimits[name]
    const enforced =
      bounds === 'order size' || bounds === 'smallest order size' || bounds === 'exposure in the asset'
        ? assetLimits(usualLimits, bounds, 'BTC')
        : [tightestLimit(usualLimits, bounds)]
    expect(enforced).toEqual([typeof limit === 'number' ? limit : limit.bySymbol.get('BTC')])
  }
})

it('nothing is bounded where the limits are infinite', () => {
  const limits = limitsFrom((name) =>
    name === 'maxOrderValue' ? Number.POSITIVE_INFINITY : usualLimits[name],
  )
  expect(tightestLimit(limits, 'order value')).toBe(Number.POSITIVE_INFINITY)
})
