import fc from 'fast-check'
import type { AmendPlan, CancelAllPlan, CancelPlan, PlaceManyPlan, PlacePlan } from './plans.ts'
import { accountIndex, assetIndex, percentChance, side, steps, ticks } from './units.ts'

const clientId = fc.option(fc.nat(30), { freq: 6 })

const allowsDuplicateId = percentChance(20)
const keepsRefused = percentChance(30)

const common = {
  account: accountIndex,
  asset: assetIndex,
  side,
  steps,
  clientId,
  allowsDuplicateId,
  keepsRefused,
}

export const limitOrder: fc.Arbitrary<PlacePlan> = fc.record({
  kind: fc.constant('place'),
  ...common,
  type: fc.constant(0),
  timeInForce: fc.constant(0),
  ticks,
})

export const marketOrder: fc.Arbitrary<PlacePlan> = fc.record({
  kind: fc.constant('place'),
  ...common,
  type: fc.constant(1),
  timeInForce: fc.constantFrom(0, 1, 2),
  ticks: fc.constant(0),
})

export const immediateOrder: fc.Arbitrary<PlacePlan> = fc.record({
  kind: fc.constant('place'),
  ...common,
  type: fc.constant(0),
  timeInForce: fc.constant(1),
  ticks,
})

export const fillOrKillOrder: fc.Arbitrary<PlacePlan> = fc.record({
  kind: fc.constant('place'),
  ...common,
  type: fc.constant(0),
  timeInForce: fc.constant(2),
  ticks,
})

/** Sizes and prices that some rule refuses: too small, too large, too low, too high. */
export const edgeOrder: fc.Arbitrary<PlacePlan> = fc.record({
  kind: fc.constant('place'),
  account: fc.nat(5),
  asset: fc.integer({ min: -1, max: 4 }),
  side,
  type: fc.constantFrom(0, 1),
  timeInForce: fc.constantFrom(0, 1, 2),
  steps: fc.constantFrom(1, 10, 30, 99, 200, 201, 5000),
  ticks: fc.constantFrom(1, 2, 50, 200, 1000),
  clientId,
  allowsDuplicateId,
  keepsRefused,
})

export const placements: fc.Arbitrary<PlaceManyPlan> = fc.record({
  kind: fc.constant('place-many'),
  items: fc.array(fc.oneof(limitOrder, immediateOrder, edgeOrder), { minLength: 1, maxLength: 4 }),
})

const sometimesNull = [null, null, null, null, null]
const amendedSteps = fc.constantFrom<AmendPlan['steps']>(
  ...sometimesNull,
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  'filled-1',
  'filled',
  'filled+1',
)
const amendedTicks = fc.constantFrom<AmendPlan['ticks']>(
  ...sometimesNull,
  ...[96, 97, 98, 99, 100, 101, 102, 103, 104],
  'own',
)

export const amendment: fc.Arbitrary<AmendPlan> = fc.record({
  kind: fc.constant('amend'),
  order: fc.nat(24),
  isForeign: percentChance(4),
  steps: amendedSteps,
  ticks: amendedTicks,
})

export const cancellation: fc.Arbitrary<CancelPlan> = fc.record({
  kind: fc.constant('cancel'),
  order: fc.nat(24),
  isForeign: percentChance(4),
})

export const cancelAll: fc.Arbitrary<CancelAllPlan> = fc.record({
  kind: fc.constant('cancel-all'),
  account: accountIndex,
  asset: fc.option(assetIndex),
  side: fc.option(side),
})
